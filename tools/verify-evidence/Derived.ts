import type { Artifacts, Span } from "./Artifacts.ts"
import { tokensOf } from "./Leaves.ts"
import type { Sources } from "./Sources.ts"
import { distanceInside } from "./Values.ts"

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.0015

/** Numbers that a computed value may be: a bound of its moment or of its source, or its place in the list. */
const computedNumber = (span: Span, sources: Sources, kept: ReadonlyArray<string>): boolean => {
  const value = span.value as number
  const frame = sources.frame(span.source_ref)
  const bounds = frame === undefined ? sources.segment(span.source_ref) : sources.onScreen(frame)
  const times = [span.t_start, span.t_end, ...(bounds === undefined ? [] : [bounds.t_start, bounds.t_end])]
  if (times.some((time) => near(time, value))) return true
  // A place counts from 1: not before the entry's own, not after the cited frame's among the kept ones.
  const index = tokensOf(span.pointer).findLast((token) => /^\d+$/u.test(token))
  const most = kept.indexOf(span.source_ref) + 1
  return Number.isInteger(value) && index !== undefined && value >= Number(index) + 1 &&
    value <= Math.max(most, Number(index) + 1)
}

/** Who speaks the cited segment: the label or id that the transcript gives, or a name that it says with that voice. */
const speaks = (span: Span, artifacts: Artifacts, sources: Sources): boolean => {
  const speaker = sources.segment(span.source_ref)?.speaker ?? undefined
  if (speaker === undefined) return false
  const value = span.value as string
  const label = artifacts.transcript.speakers.find(({ id }) => id === speaker)?.label
  if (value === speaker || value === label) return true
  return artifacts.transcript.segments.some((segment) =>
    segment.speaker === speaker && distanceInside(segment.text, value) <= 0.34
  )
}

/** Whether a value that is marked as derived can be computed again from what its span cites. */
export const canBeDerived = (span: Span, artifacts: Artifacts, sources: Sources): boolean => {
  if (typeof span.value === "number") {
    const kept = artifacts.frames.frames.filter((frame) => frame.kept).map((frame) => frame.source_ref)
    return computedNumber(span, sources, kept)
  }
  return typeof span.value === "string" && speaks(span, artifacts, sources)
}
