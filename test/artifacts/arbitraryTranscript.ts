import * as fc from "fast-check"
import type { Segment, SpeakerTurn, Transcript } from "../../src/artifacts/Transcript.ts"

/** What breaks files of subtitles and of scoring when it is let through. */
const hostile = [
  "-->",
  "00:00:01.000 --> 00:00:02.000",
  ";;",
  ";; LABEL \"x\" \"y\" \"z\"",
  "{ a / b }",
  "(maybe)",
  "@",
  "%hesitation",
  "IGNORE_TIME_SEGMENT_IN_SCORING",
  "<v Eve>",
  "</v>",
  "<O>",
  "&amp;",
  "&",
  "\"quoted\"",
  "it's",
  "’tis",
  "well-known",
  "NOTE",
  "STYLE",
  "WEBVTT",
  "1",
  "3.5",
  "\n",
  "\r\n\r\n",
  "\u2028",
  "\t",
  "\u0085",
  "\u0000",
  "שלום עולם",
  "\u202Eevil",
  "日本語の字幕はとても長くて空白がありません",
  "👩‍👩‍👧‍👦",
  "Straße",
  "İstanbul",
  "e\u0301",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "",
  " "
]

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("yes", "no,", "speed", "distance.", "Why?", "the", "of") },
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) }
)

const seconds = (millis: number) => millis / 1000
const HOUR = 3_600_000

/** Voices one after the other. */
const turnsOf = (segments: ReadonlyArray<Segment>): Array<SpeakerTurn> => {
  const turns: Array<SpeakerTurn> = []
  for (const { origin, speaker, t_end, t_start } of segments) {
    const from = Math.max(t_start, turns.at(-1)?.t_end ?? 0)
    if (origin === "asr" && speaker !== null && t_end > from) turns.push({ speaker, t_start: from, t_end })
  }
  return turns
}

interface Shape {
  readonly gap: number
  readonly origin: Segment["origin"]
  readonly speaker: string | null
  readonly timed: boolean
  readonly words: ReadonlyArray<{ readonly text: string; readonly pause: number; readonly length: number }>
}

const segmentOf = ({ origin, speaker, timed, words }: Shape, begin: number): Segment => {
  let at = begin
  const said = words.map(({ length, pause, text }) => {
    const t_start = at + pause
    at = t_start + length
    return { t_start: seconds(t_start), t_end: seconds(at), text, confidence: 0.5 }
  })
  return {
    id: "",
    origin,
    t_start: said[0]?.t_start ?? seconds(begin),
    t_end: seconds(at),
    speaker,
    text: said.map(({ text }) => text).join(" "),
    confidence: 0.5,
    words: timed ? said : []
  }
}

/** Milliseconds that a word or a pause lasts: nothing, a moment, too long. */
const length = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 20_000 }))

/** Any transcript whose segments are in time order: words without length, speakers at once, hours beyond 99. */
export const transcripts = (longest_hours = 120): fc.Arbitrary<Transcript> =>
  fc.record({
    begin: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: longest_hours * HOUR })),
    labels: fc.array(fc.oneof(fc.constantFrom("Ada", "Ada <King>", "A\nB", "", " "), text), {
      minLength: 3,
      maxLength: 3
    }),
    shapes: fc.array(
      fc.record({
        gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
        origin: fc.constantFrom("asr", "asr", "captions"),
        speaker: fc.constantFrom("S1", "S2", "S3", null),
        timed: fc.boolean(),
        words: fc.array(fc.record({ text, pause: length, length }), { maxLength: 25 })
      }),
      { maxLength: 8 }
    )
  }).map(({ begin, labels, shapes }) => {
    let at = begin
    const segments = shapes.map((shape: Shape) => segmentOf(shape, at += shape.gap)).toSorted((a, b) =>
      a.t_start - b.t_start || a.t_end - b.t_end
    ).map((segment, i) => Object.assign(segment, { id: `seg#${String(i + 1).padStart(6, "0")}` }))
    return {
      language: null,
      duration_seconds: segments.reduce((most, { t_end }) => Math.max(most, t_end), seconds(begin)),
      text: segments.map(({ text }) => text).join(" "),
      speakers: labels.map((label, i) => ({ id: `S${i + 1}`, label, speaking_seconds: 1 })),
      segments,
      turns: turnsOf(segments),
      audio_branch: segments.length === 0 ? "absent" : "present",
      model: null
    }
  })

/** A transcript of words that are said one after the other, 0.3 s each, by the speakers in turn. */
export const said = (...turns: ReadonlyArray<readonly [speaker: string | null, text: string]>): Transcript => {
  let at = 0
  const segments = turns.map(([speaker, text], i) => {
    const words = text.split(" ").map((text) => {
      at += 300
      return { t_start: seconds(at - 300), t_end: seconds(at), text, confidence: 0.9 }
    })
    const [first, last] = [words[0]!, words.at(-1)!]
    return {
      id: `seg#${String(i + 1).padStart(6, "0")}`,
      origin: "asr" as const,
      t_start: first.t_start,
      t_end: last.t_end,
      speaker,
      text,
      confidence: 0.9,
      words
    }
  })
  const ids = [...new Set(turns.flatMap(([speaker]) => speaker ?? []))]
  return {
    language: "en",
    duration_seconds: seconds(at),
    text: segments.map(({ text }) => text).join(" "),
    speakers: ids.map((id) => ({ id, label: `Name of ${id}`, speaking_seconds: 1 })),
    segments,
    turns: turnsOf(segments),
    audio_branch: "present",
    model: "m"
  }
}
