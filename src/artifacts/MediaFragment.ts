import { Schema } from "effect"
import { roundSeconds } from "./Moment.ts"

/**
 * A moment of the source, and the part of the picture where there is one, in the words of Media Fragments URI 1.0 (W3C,
 * 25 September 2012): `#t=12.5,14&xywh=percent:10,20,30,5`. Behind the source's address it is a link that a player opens.
 */
export const MediaFragment = Schema.String.check(
  Schema.isPattern(/^#t=\d+(\.\d{1,3})?,\d+(\.\d{1,3})?(&xywh=percent:\d{1,3},\d{1,3},\d{1,3},\d{1,3})?$/u)
).annotate({
  identifier: "MediaFragment",
  description:
    "W3C Media Fragments URI 1.0: seconds, and whole percent of the picture where something was seen. It is put "
    + "behind the source's address.",
  examples: ["#t=12.5,14&xywh=percent:10,20,30,5"]
})

/** Shortest interval that can be written. One without a length is no fragment (section 4.2.1: the end is not part of it). */
const TICK = 0.001

/** Whole percent around a fraction's range: the grammar has no other, so what was seen is inside and never cut. */
const percentOf = (from: number, length: number): readonly [from: number, length: number] => {
  // Fractions come from divisions: 0.29 * 100 is 28.999…, which is 29 and not 28.
  const start = Math.min(99, Math.max(0, Math.floor(from * 100 + 1e-6)))
  const end = Math.min(100, Math.max(start + 1, Math.ceil((from + length) * 100 - 1e-6)))
  return [start, end - start]
}

export const mediaFragment = (
  { t_end, t_start }: { readonly t_start: number; readonly t_end: number },
  /** `[x, y, width, height]` in fractions of the frame, or null for the whole of it and for sound. */
  box: readonly [number, number, number, number] | null
): string => {
  const start = roundSeconds(t_start)
  const time = `#t=${start},${roundSeconds(Math.max(t_end, start + TICK))}`
  if (box === null) return time
  const [[x, width], [y, height]] = [percentOf(box[0], box[2]), percentOf(box[1], box[3])]
  return `${time}&xywh=percent:${x},${y},${width},${height}`
}
