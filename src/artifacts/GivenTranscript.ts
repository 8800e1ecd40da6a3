import { turnsOf } from "./StoredArtifacts.ts"
import type { Segment, Transcript } from "./Transcript.ts"

/** A stretch of speech as a person writes it down: who said it and when may be left out. */
export interface GivenSegment {
  readonly text: string
  readonly speaker?: string
  readonly t_start?: number
  readonly t_end?: number
}

/** People say two to three words a second. */
const secondsAWord = 0.4

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/**
 * The transcript that written segments amount to. Where no moment is told, a segment begins at the end of the one before and lasts
 * as long as its words take to say; words share their segment's time evenly.
 */
export const transcriptOf = (given: ReadonlyArray<GivenSegment>, language: string | null): Transcript => {
  const speakers = [...new Set(given.flatMap(({ speaker }) => speaker ?? []))]
  const segments: Array<Segment> = []
  for (const { speaker, t_end, t_start, text } of given) {
    const texts = text.trim().split(/\s+/u)
    const from = t_start ?? segments.at(-1)?.t_end ?? 0
    const until = Math.max(from, t_end ?? from + texts.length * secondsAWord)
    const at = (index: number) => milliseconds(from + (until - from) * index / texts.length)
    segments.push({
      id: `seg#${String(segments.length + 1).padStart(6, "0")}`,
      origin: "asr",
      t_start: milliseconds(from),
      t_end: milliseconds(until),
      speaker: speaker === undefined ? null : `S${speakers.indexOf(speaker) + 1}`,
      text: texts.join(" "),
      confidence: 1,
      words: texts.map((word, index) => ({ t_start: at(index), t_end: at(index + 1), text: word, confidence: 1 }))
    })
  }
  return {
    language,
    duration_seconds: Math.max(0, ...segments.map(({ t_end }) => t_end)),
    text: segments.map(({ text }) => text).join(" "),
    speakers: speakers.map((label, index) => ({
      id: `S${index + 1}`,
      label,
      speaking_seconds: milliseconds(
        segments.filter(({ speaker }) => speaker === `S${index + 1}`)
          .reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)
      )
    })),
    segments,
    turns: turnsOf(segments),
    audio_branch: "present",
    model: null
  }
}
