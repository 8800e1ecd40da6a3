import { spokenSegments } from "./SpokenSegments.ts"
import type { Segment, Transcript } from "./Transcript.ts"

/** A word as it is scored. Times are whole milliseconds. */
interface Token {
  readonly text: string
  from: number
  to: number
  readonly confidence: number
  readonly speaker: string
  readonly segment: string
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000)
const seconds = (millis: number) => (millis / 1000).toFixed(3)

/** Fields are parted by white space and hold letters, digits, hyphens and underscores. */
const field = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]/gu, "_")
const speakerOf = (speaker: string | null) => speaker === null ? "unknown" : field(speaker) || "unknown"

/**
 * A text as scoring compares it: words in lower case, made of letters, marks, digits and apostrophes between them. Anything
 * else would be read as a rule of the format: `{ / }` as alternatives, `( )` as a word that may be missing, `;;` as a comment.
 */
export const scoredWords = (text: string): Array<string> =>
  text.normalize("NFC").toLowerCase().replaceAll("’", "'")
    .match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu) ?? []

/** The words of a segment; those that one word comes apart into share its time by their length. */
const tokensOf = ({ confidence, id, speaker, t_end, t_start, text, words }: Segment): Array<Token> => {
  const tokens: Array<Token> = []
  for (const word of words.length === 0 ? [{ text, t_start, t_end, confidence }] : words) {
    const texts = scoredWords(word.text)
    const total = texts.reduce((sum, { length }) => sum + length, 0)
    const [from, to] = [milliseconds(word.t_start), milliseconds(word.t_end)]
    let before = 0
    const moment = () => from + Math.round(((to - from) * before) / total)
    for (const text of texts) {
      const start = moment()
      before += text.length
      const { confidence } = word
      tokens.push({ text, from: start, to: moment(), confidence, speaker: speakerOf(speaker), segment: id })
    }
  }
  return tokens
}

/** No word is shorter: `sclite` computes in single precision, in which milliseconds are lost after two hours. */
const LEAST_MS = 10

/**
 * All words one after the other, as one channel has them: where two speakers talk at once, a word ends when the next one
 * begins, whoever says it, and every word lasts at least 10 ms. Without that `sclite`, which gives words to
 * segments by their middle, would give some to the other speaker.
 */
const inTurn = (transcript: Transcript): ReadonlyArray<Token> => {
  const tokens = spokenSegments(transcript).flatMap(tokensOf).toSorted((a, b) => a.from - b.from)
  let free = 0
  for (const [i, token] of tokens.entries()) {
    token.from = Math.max(token.from, free)
    free = token.to = Math.max(token.from + LEAST_MS, Math.min(token.to, tokens[i + 1]?.from ?? Infinity))
  }
  return tokens
}

/**
 * NIST's segment time mark file of a recording called `name`: a line per segment, in time order, lines do not overlap; a
 * segment that somebody else interrupts goes on in a line of its own. A transcript without words is one line of silence.
 */
export const toStm = (transcript: Transcript, name: string): string => {
  const lines: Array<Array<Token>> = []
  for (const token of inTurn(transcript)) {
    const line = lines.at(-1)
    if (line?.[0]!.segment === token.segment) line.push(token)
    else lines.push([token])
  }
  if (lines.length === 0) {
    return `${field(name)} 1 inter_segment_gap 0.000 ${seconds(milliseconds(transcript.duration_seconds))} <O>\n`
  }
  return lines.map((tokens) => {
    const [first, last] = [tokens[0]!, tokens.at(-1)!]
    const text = tokens.map(({ text }) => text).join(" ")
    return `${field(name)} 1 ${first.speaker} ${seconds(first.from)} ${seconds(last.to)} <O> ${text}\n`
  }).join("")
}

/** NIST's time-marked conversation file: a line per word with its start, length, confidence and speaker, in time order. */
export const toCtm = (transcript: Transcript, name: string): string =>
  inTurn(transcript).map(({ confidence, from, speaker, text, to }) =>
    `${field(name)} 1 ${seconds(from)} ${seconds(to - from)} ${text} ${confidence.toFixed(3)} lex ${speaker}\n`
  ).join("")

/**
 * NIST's rich transcription time marks: every speaker, then who speaks when, whether or not a word was understood, and who
 * is heard beside another where the models tell. Turns of one speaker never overlap. Captions say less well when somebody speaks than the voice itself and count only where no
 * voice was heard.
 */
export const toRttm = ({ overlaps = [], segments, turns: heard }: Transcript, name: string): string => {
  const alone = segments.filter((caption) =>
    caption.origin === "captions" &&
    !heard.some(({ t_end, t_start }) => t_start < caption.t_end && t_end > caption.t_start)
  )
  const turns: Array<{ readonly speaker: string; readonly from: number; to: number }> = []
  const current = new Map<string, typeof turns[number]>()
  const together = overlaps.flatMap(({ speakers, t_end, t_start }) =>
    speakers.map((speaker) => ({ speaker, t_start, t_end }))
  )
  for (const segment of [...heard, ...together, ...alone].toSorted((a, b) => a.t_start - b.t_start)) {
    const [from, to] = [milliseconds(segment.t_start), milliseconds(segment.t_end)]
    const speaker = speakerOf(segment.speaker)
    const last = current.get(speaker)
    if (to <= from) continue
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to)
    else {
      const turn = { speaker, from, to }
      current.set(speaker, turn)
      turns.push(turn)
    }
  }
  const speakers = [...current.keys()].map((speaker) =>
    `SPKR-INFO ${field(name)} 1 <NA> <NA> <NA> unknown ${speaker} <NA>\n`
  )
  const lines = turns.map(({ from, speaker, to }) =>
    `SPEAKER ${field(name)} 1 ${seconds(from)} ${seconds(to - from)} <NA> <NA> ${speaker} <NA>\n`
  )
  return [...speakers, ...lines].join("")
}
