import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import { coverage, covered, spokenSegments } from "../../../src/artifacts/SpokenSegments.ts"
import type { Segment, SpokenOverlap, Transcript } from "../../../src/artifacts/Transcript.ts"
import type { JobHints } from "../../../src/jobs/model/JobSpec.ts"
import type { Cues } from "../../../src/jobs/model/StageIo.ts"
import { languageTag } from "../../../src/text/LanguageTag.ts"
import { calibrated, type Calibration } from "../asr/Calibration.ts"
import type { RecognisedChunk } from "../asr/RecognisedChunk.ts"
import type { SpeakerActivity } from "../asr/SpeakerActivity.ts"
import { type OverlappingSpeech, tellSpeakers } from "../diarization/ChannelSpeakers.ts"
import { nameSpeakers } from "../diarization/SpeakerNames.ts"
import { type SaidPiece, turnsOf } from "../diarization/SpeakerTurns.ts"
import type { Interval } from "../dsp/Interval.ts"
import { cuesOfOneLanguage, segmentOfCue } from "./CaptionSegments.ts"
import { makeCasing } from "./Casing.ts"
import { seemly } from "./DoubtfulWords.ts"
import { runsOf, type SpeechRun } from "./SpeechRuns.ts"

export interface TranscriptParts {
  readonly chunks: ReadonlyArray<RecognisedChunk>
  /** Who of several is heard when; null or absent where no model tells. */
  readonly activity?: SpeakerActivity | null
  readonly captions: Cues | null
  readonly duration_seconds: number
  readonly hints: JobHints
}

/**
 * Puts recognised pieces and captions together to a transcript: speakers told apart and numbered as they are first
 * heard, segments in time order with ids from `seg#000001`, every segment's text its words joined by single spaces.
 * `turns` are of all that somebody says, with a word or without (`saidPieces`); `overlaps` are told where `activity` gave the
 * speakers. With captions preferred, recognised words in their time are left
 * out; otherwise both stand side by side, and `text` reads the captions where both have something. `audio_branch` is
 * `absent` when nothing was heard that could be speech. `language` is null where the words are too unsure for it to be the recogniser's own. Depends on nothing but its argument; chunks may come in any order.
 */
export const assembleTranscript = (
  { activity = null, captions, chunks, duration_seconds, hints }: TranscriptParts
): Transcript => {
  const { overlaps, pieces } = tellSpeakers(chunks, boundsOf(hints), activity)
  const cues = captions === null || captions.length === 0 || hints.captions === "ignore"
    ? []
    : cuesOfOneLanguage(captions, hints.language)
  const captioned = coverage(cues)

  const turns = turnsOf(pieces).flatMap(({ speaker, t_end, t_start }) => {
    const turn = { speaker: idOf(speaker), t_start: roundSeconds(t_start), t_end: endWithin(t_end, duration_seconds) }
    return turn.t_end > turn.t_start ? [turn] : []
  })
  const told = pieces.map(({ speaker, words }) => ({
    speaker,
    words: hints.captions === "prefer" ? words.filter((word) => !covered(word, captioned)) : words
  }))
  const casing = chunks.some(({ cased, language }) => cased || (language !== null && language !== "en"))
    ? null
    : makeCasing([...(hints.vocabulary ?? []), ...(hints.participants ?? [])])
  const calibration = chunks[0]?.calibration ?? []
  const recognised = runsOf(told, casing).map(({ speaker, words }) =>
    segmentOfRun({ speaker, words: words.map(seemly) }, calibration)
  )
  const written = cues.flatMap((cue) => segmentOfCue(cue, speakerIn(cue, pieces)) ?? [])
  const segments: ReadonlyArray<Segment> = [...recognised, ...written]
    .map((segment) => clamp(segment, duration_seconds))
    .toSorted((a, b) => a.t_start - b.t_start || a.t_end - b.t_end || (a.origin < b.origin ? -1 : 1))
    .map(numbered)

  return {
    language: languageOf(chunks, recognised, cues, hints),
    duration_seconds: roundSeconds(duration_seconds),
    text: spokenSegments({ segments }).map(({ text }) => text).join(" "),
    speakers: describeSpeakers(pieces, turns, hints.participants ?? []),
    segments,
    turns,
    ...(overlaps === null ? {} : { overlaps: toldOverlaps(overlaps, duration_seconds) }),
    audio_branch: pieces.length === 0 ? "absent" : "present",
    model: chunks[0]?.model ?? null
  }
}

const boundsOf = ({ max_speakers, min_speakers, num_speakers }: JobHints) => ({
  ...(num_speakers === undefined ? {} : { num_speakers }),
  ...(min_speakers === undefined ? {} : { min_speakers }),
  ...(max_speakers === undefined ? {} : { max_speakers })
})

const idOf = (speaker: number) => `S${speaker + 1}`

const segmentOfRun = ({ speaker, words }: SpeechRun, calibration: Calibration): Segment => {
  const mean = words.reduce((total, { confidence }) => total + confidence, 0) / words.length
  return {
    id: "",
    origin: "asr",
    t_start: words[0]!.t_start,
    t_end: words.at(-1)!.t_end,
    speaker: idOf(speaker),
    text: words.map(({ text }) => text).join(" "),
    confidence: Math.round(1000 * calibrated(calibration, mean)) / 1000,
    words
  }
}

const toldOverlaps = (overlaps: ReadonlyArray<OverlappingSpeech>, duration: number): ReadonlyArray<SpokenOverlap> =>
  overlaps.flatMap(({ speakers, t_end, t_start }) => {
    const told = { t_start: roundSeconds(t_start), t_end: endWithin(t_end, duration), speakers: speakers.map(idOf) }
    return told.t_end > told.t_start ? [told] : []
  })

const numbered = (segment: Segment, index: number): Segment => ({
  ...segment,
  id: `seg#${String(index + 1).padStart(6, "0")}`
})

/** Nothing happens after the end of the source, however far the sound track goes on. */
const endWithin = (end: number, duration: number): number => roundSeconds(Math.min(end, duration))

const clamp = (segment: Segment, duration: number): Segment => {
  const end = roundSeconds(duration)
  return segment.t_end <= end ? segment : {
    ...segment,
    t_start: Math.min(segment.t_start, end),
    t_end: end,
    words: segment.words.map((word) => ({
      ...word,
      t_start: Math.min(word.t_start, end),
      t_end: Math.min(word.t_end, end)
    }))
  }
}

/** Who is heard for more than half of a cue. */
const speakerIn = (cue: Interval, pieces: ReadonlyArray<SaidPiece>): string | null => {
  const heard = new Map<number, number>()
  for (const { speaker, t_end, t_start } of pieces) {
    if (t_start >= cue.t_end) break
    const shared = Math.min(cue.t_end, t_end) - Math.max(cue.t_start, t_start)
    if (shared > 0) heard.set(speaker, (heard.get(speaker) ?? 0) + shared)
  }
  for (const [speaker, seconds] of heard) if (seconds > (cue.t_end - cue.t_start) / 2) return idOf(speaker)
  return null
}

const describeSpeakers = (
  pieces: ReadonlyArray<SaidPiece>,
  turns: Transcript["turns"],
  participants: ReadonlyArray<string>
): Transcript["speakers"] => {
  const count = pieces.reduce((most, { speaker }) => Math.max(most, speaker + 1), 0)
  const own = Array.from({ length: count }, (_, speaker) => pieces.filter((piece) => piece.speaker === speaker))
  const names = nameSpeakers(participants, own.map((pieces) => pieces.flatMap(({ words }) => words.map((w) => w.text))))
  return names.map((name, speaker) => ({
    id: idOf(speaker),
    label: name ?? `Speaker ${speaker + 1}`,
    speaking_seconds: roundSeconds(
      turns.reduce((sum, turn) => turn.speaker === idOf(speaker) ? sum + turn.t_end - turn.t_start : sum, 0)
    )
  }))
}

/**
 * Mean word confidence below which a recogniser of one language may have heard another: German, French and Japanese had 0.55, 0.42 and
 * 0.38 through the English one, and English that it hears well 0.75 and more. Fewer words tell nothing.
 */
const languageMean = 0.6
const languageWords = 8

const isLanguageHeard = (recognised: ReadonlyArray<Segment>): boolean => {
  const words = recognised.flatMap((segment) => segment.words)
  return words.length > 0 &&
    (words.length < languageWords ||
      words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length >= languageMean)
}

const languageOf = (
  chunks: ReadonlyArray<RecognisedChunk>,
  recognised: ReadonlyArray<Segment>,
  cues: Cues,
  { language }: JobHints
): string | null =>
  languageTag(language) ??
    (isLanguageHeard(recognised) ? chunks.find((chunk) => chunk.language !== null)?.language : undefined) ??
    languageTag(cues[0]?.language)
