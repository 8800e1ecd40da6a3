import type { Segment, Transcript, Word } from "./Transcript.ts"

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

const middle = ({ t_end, t_start }: Interval): number => (t_start + t_end) / 2

/** Whether the middle of one interval lies in any of the others. */
export const covered = (interval: Interval, spans: ReadonlyArray<Interval>): boolean => {
  const at = middle(interval)
  return spans.some((span) => at >= span.t_start && at <= span.t_end)
}

/** Cues begin and end somewhat beside the words that they write: the same word so near is that word. */
const SLACK_SECONDS = 1

const bare = ({ text }: Word): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "")

const isWritten = (word: Word, written: ReadonlyArray<Word>): boolean =>
  written.some((other) => Math.abs(middle(other) - middle(word)) <= SLACK_SECONDS && bare(other) === bare(word))

/**
 * A recognised segment with the words that captions do not say; none where they say all of it. It is decided word by word: segments go on for
 * 20 s, and a cue of one second must neither take the rest with it nor be said twice. One without words is taken or left whole.
 */
const besideCaptions = (
  segment: Segment,
  captions: ReadonlyArray<Segment>,
  captioned: ReadonlyArray<Interval>
): ReadonlyArray<Segment> => {
  const meets = ({ t_end, t_start }: Interval, slack = 0) =>
    t_start - slack <= segment.t_end && t_end + slack >= segment.t_start
  const near = captioned.filter((span) => meets(span))
  if (near.length === 0) return [segment]
  if (segment.words.length === 0) return covered(segment, near) ? [] : [segment]
  const written = captions.filter((caption) => meets(caption, SLACK_SECONDS)).flatMap((caption) => caption.words)
  const words = segment.words.filter((word) => !covered(word, near) && !isWritten(word, written))
  if (words.length === segment.words.length) return [segment]
  if (words.length === 0) return []
  const [{ t_start }, { t_end }] = [words[0]!, words.at(-1)!]
  return [{ ...segment, t_start, t_end, text: words.map(({ text }) => text).join(" "), words }]
}

/**
 * The segments that a transcript's `text` reads, in time order: every sentence once. Where captions and recognised speech
 * say the same time, the captions stand, and of a segment that goes on before or behind them the other words.
 */
export const spokenSegments = ({ segments }: Pick<Transcript, "segments">): ReadonlyArray<Segment> => {
  const captions = segments.filter(({ origin }) => origin === "captions")
  if (captions.length === 0) return segments
  const captioned = coverage(captions)
  return segments
    .flatMap((segment) => segment.origin === "captions" ? [segment] : besideCaptions(segment, captions, captioned))
    .toSorted((a, b) => a.t_start - b.t_start)
}
