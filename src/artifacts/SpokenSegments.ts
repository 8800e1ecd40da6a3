import type { Segment, Transcript } from "./Transcript.ts"

interface Interval {
  readonly t_start: number
  readonly t_end: number
}

/** Where captions stand for what is said; breaks up to `gap_seconds` between cues are theirs too. */
export const coverage = (cues: ReadonlyArray<Interval>, gap_seconds = 1.5): ReadonlyArray<Interval> => {
  const spans: Array<{ t_start: number; t_end: number }> = []
  for (const { t_end, t_start } of cues) {
    const last = spans.at(-1)
    if (last !== undefined && t_start - last.t_end <= gap_seconds) last.t_end = Math.max(last.t_end, t_end)
    else spans.push({ t_start, t_end })
  }
  return spans
}

/** Whether the middle of one interval lies in any of the others. */
export const covered = ({ t_end, t_start }: Interval, spans: ReadonlyArray<Interval>): boolean => {
  const middle = (t_start + t_end) / 2
  return spans.some((span) => middle >= span.t_start && middle <= span.t_end)
}

/**
 * The segments that a transcript's `text` reads, in time order: every sentence once. Where captions and recognised speech
 * say the same time, the captions stand.
 */
export const spokenSegments = ({ segments }: Transcript): ReadonlyArray<Segment> => {
  const captioned = coverage(segments.filter(({ origin }) => origin === "captions"))
  return segments.filter((segment) => segment.origin === "captions" || !covered(segment, captioned))
}
