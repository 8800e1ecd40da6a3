import { roundSeconds } from "../../src/artifacts/Moment.ts"
import type { Segment, Transcript, Word } from "../../src/artifacts/Transcript.ts"
import type { JobHints } from "../../src/jobs/JobSpec.ts"
import type { Cues } from "../../src/jobs/StageIo.ts"
import { coverage, covered, cuesOfOneLanguage, segmentOfCue } from "./CaptionSegments.ts"
import { makeCasing } from "./Casing.ts"
import { diarize } from "./Diarization.ts"
import type { RecognisedChunk, RecognisedPiece } from "./RecognisedChunk.ts"
import { nameSpeakers } from "./SpeakerNames.ts"
import type { Interval } from "./SpeechGate.ts"

export interface TranscriptParts {
  readonly chunks: ReadonlyArray<RecognisedChunk>
  readonly captions: Cues | null
  readonly duration_seconds: number
  readonly hints: JobHints
}

/**
 * A silence of this length between two words ends a sentence, and with it a segment: it cuts every sentence of the
 * samples apart (0.6 s: three in five) and read prose every 17 words, about a sentence's length.
 */
const SENTENCE_PAUSE = 0.45
/** A longer segment is cut at its longest silence. */
const SEGMENT_SECONDS = 20

/** Words of one speaker that belong together; whether a sentence starts and ends with them. */
interface Run {
  readonly speaker: number
  readonly words: ReadonlyArray<Word>
  readonly starts: boolean
  readonly ends: boolean
}

/**
 * Puts recognised pieces and captions together to a transcript: speakers told apart and numbered as they are first
 * heard, segments in time order with ids from `seg#000001`, every segment's text its words joined by single spaces.
 * Pieces without a recognisable word count for nobody. With captions preferred, recognised words in their time are left
 * out; otherwise both stand side by side, and `text` reads the captions where both have something. `audio_branch` is
 * `absent` when nothing was heard that could be speech. Depends on nothing but its argument; chunks may come in any order.
 */
export const assembleTranscript = ({ captions, chunks, duration_seconds, hints }: TranscriptParts): Transcript => {
  const pieces = chunks
    .flatMap(({ language, pieces }) => language === null ? pieces : pieces.filter(({ words }) => words.length > 0))
    .toSorted((a, b) => a.t_start - b.t_start || a.t_end - b.t_end)
  const speakers = diarize(pieces, boundsOf(hints))
  const cues = captions === null || captions.length === 0 || hints.captions === "ignore"
    ? []
    : cuesOfOneLanguage(captions, hints.language)
  const captioned = coverage(cues)

  const turns = pieces.map((piece, i): Turn => ({
    speaker: speakers[i]!,
    t_start: piece.t_start,
    t_end: piece.t_end,
    words: hints.captions === "prefer" ? piece.words.filter((word) => !covered(word, captioned)) : piece.words
  }))
  const casing = makeCasing([...(hints.vocabulary ?? []), ...(hints.participants ?? [])])
  const recognised = runsOf(turns).map((run) => segmentOfRun(run, casing))
  const written = cues.flatMap((cue) => segmentOfCue(cue, speakerIn(cue, turns)) ?? [])
  const segments: ReadonlyArray<Segment> = [...recognised, ...written]
    .map((segment) => clamp(segment, duration_seconds))
    .toSorted((a, b) => a.t_start - b.t_start || a.t_end - b.t_end || (a.origin < b.origin ? -1 : 1))
    .map(numbered)

  return {
    language: languageOf(chunks, recognised, cues, hints),
    duration_seconds: roundSeconds(duration_seconds),
    text: segments
      .filter((segment) => segment.origin === "captions" || !covered(segment, captioned))
      .map(({ text }) => text)
      .join(" "),
    speakers: describeSpeakers(pieces, speakers, hints.participants ?? []),
    segments,
    audio_branch: pieces.length === 0 ? "absent" : "present",
    model: chunks[0]?.model ?? null
  }
}

interface Turn extends Interval {
  readonly speaker: number
  readonly words: ReadonlyArray<Word>
}

const boundsOf = ({ max_speakers, min_speakers, num_speakers }: JobHints) => ({
  ...(num_speakers === undefined ? {} : { num_speakers }),
  ...(min_speakers === undefined ? {} : { min_speakers }),
  ...(max_speakers === undefined ? {} : { max_speakers })
})

const idOf = (speaker: number) => `S${speaker + 1}`

const runsOf = (turns: ReadonlyArray<Turn>): Array<Run> => {
  const runs: Array<{ readonly speaker: number; readonly words: Array<Word> }> = []
  for (const { speaker, words } of turns) {
    for (const word of words) {
      const run = runs.at(-1)
      const goesOn = run !== undefined && run.speaker === speaker &&
        word.t_start - run.words.at(-1)!.t_end < SENTENCE_PAUSE
      if (goesOn) run.words.push(word)
      else runs.push({ speaker, words: [word] })
    }
  }
  return runs.flatMap(({ speaker, words }) => {
    const parts = cutLong(words)
    return parts.map((words, i) => ({ speaker, words, starts: i === 0, ends: i + 1 === parts.length }))
  })
}

/** Halves words that last too long at the longest silence of their middle half, until none does. */
const cutLong = (words: ReadonlyArray<Word>): Array<ReadonlyArray<Word>> => {
  if (words.length < 2 || words.at(-1)!.t_end - words[0]!.t_start <= SEGMENT_SECONDS) return [words]
  const quarter = Math.floor(words.length / 4)
  let cut = Math.max(1, quarter)
  const silence = (at: number) => words[at]!.t_start - words[at - 1]!.t_end
  for (let at = cut + 1; at <= Math.min(words.length - 1, words.length - quarter); at++) {
    if (silence(at) > silence(cut)) cut = at
  }
  return [...cutLong(words.slice(0, cut)), ...cutLong(words.slice(cut))]
}

const segmentOfRun = ({ ends, speaker, starts, words }: Run, casing: ReturnType<typeof makeCasing>): Segment => {
  const texts = casing(words.map(({ text }) => text), { starts, ends })
  const sum = words.reduce((total, { confidence }) => total + confidence, 0)
  return {
    id: "",
    origin: "asr",
    t_start: words[0]!.t_start,
    t_end: words.at(-1)!.t_end,
    speaker: idOf(speaker),
    text: texts.join(" "),
    confidence: Math.round((1000 * sum) / words.length) / 1000,
    words: words.map((word, i) => ({ ...word, text: texts[i]! }))
  }
}

const numbered = (segment: Segment, index: number): Segment => ({
  ...segment,
  id: `seg#${String(index + 1).padStart(6, "0")}`
})

/** Nothing happens after the end of the source, however far the sound track goes on. */
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
const speakerIn = (cue: Interval, turns: ReadonlyArray<Turn>): string | null => {
  const heard = new Map<number, number>()
  for (const { speaker, t_end, t_start } of turns) {
    if (t_start >= cue.t_end) break
    const shared = Math.min(cue.t_end, t_end) - Math.max(cue.t_start, t_start)
    if (shared > 0) heard.set(speaker, (heard.get(speaker) ?? 0) + shared)
  }
  for (const [speaker, seconds] of heard) if (seconds > (cue.t_end - cue.t_start) / 2) return idOf(speaker)
  return null
}

const describeSpeakers = (
  pieces: ReadonlyArray<RecognisedPiece>,
  speakers: ReadonlyArray<number>,
  participants: ReadonlyArray<string>
): Transcript["speakers"] => {
  const count = speakers.reduce((most, speaker) => Math.max(most, speaker + 1), 0)
  const own = Array.from({ length: count }, (_, speaker) => pieces.filter((_, i) => speakers[i] === speaker))
  const names = nameSpeakers(participants, own.map((pieces) => pieces.flatMap(({ words }) => words.map((w) => w.text))))
  return own.map((pieces, speaker) => ({
    id: idOf(speaker),
    label: names[speaker] ?? `Speaker ${speaker + 1}`,
    speaking_seconds: roundSeconds(pieces.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0))
  }))
}

const languageOf = (
  chunks: ReadonlyArray<RecognisedChunk>,
  recognised: ReadonlyArray<Segment>,
  cues: Cues,
  { language }: JobHints
): string | null =>
  language ?? (recognised.length > 0 ? chunks.find((chunk) => chunk.language !== null)?.language : undefined) ??
    cues[0]?.language ?? null
