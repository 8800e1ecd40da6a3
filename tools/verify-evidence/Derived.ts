import type { Artifacts, Span } from "./Artifacts.ts"
import { tokensOf } from "./Leaves.ts"
import { numbersSaid } from "./Numerals.ts"
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

/** Every way to take one number from each text. */
const choices = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<number>> =>
  texts.reduce<ReadonlyArray<ReadonlyArray<number>>>(
    (some, text) => some.flatMap((taken) => numbersSaid(text).map((number) => taken.concat(number))).slice(0, 5000),
    [[]]
  )

const computations: Readonly<Record<string, (inputs: ReadonlyArray<string>) => ReadonlyArray<number>>> = {
  sum: (inputs) => choices(inputs).map((numbers) => numbers.reduce((a, b) => a + b, 0)),
  product: (inputs) => choices(inputs).map((numbers) => numbers.reduce((a, b) => a * b, 1)),
  difference: (inputs) => choices(inputs).filter(({ length }) => length === 2).flatMap(([a, b]) => [a! - b!, b! - a!]),
  count: (inputs) => [inputs.length]
}

/** Whether a value comes again from its inputs by the formula that its span names. */
const recomputes = ({ citations, formula, value }: Span): boolean => {
  const name = /^([a-z]+)\(/u.exec(formula ?? "")?.[1] ?? ""
  if (!Object.hasOwn(computations, name) || typeof value !== "number") return false
  const inputs = citations.filter(({ role }) => role === "input").map(({ quote }) => quote)
  return inputs.length > 0 && computations[name]!(inputs).some((found) => near(found, value))
}

/** Whether a value that is marked as computed can be computed again from what its span cites. */
export const canBeDerived = (span: Span, artifacts: Artifacts, sources: Sources): boolean => {
  if (recomputes(span)) return true
  if (typeof span.value === "number") {
    const kept = artifacts.frames.frames.filter((frame) => frame.kept).map((frame) => frame.source_ref)
    return computedNumber(span, sources, kept)
  }
  return typeof span.value === "string" && speaks(span, artifacts, sources)
}
