import type { Artifacts, Span } from "./Artifacts.ts"
import { tokensOf } from "./Json.ts"
import { numbersSaid } from "./Numerals.ts"
import { placesOf, type Sources } from "./Sources.ts"
import { distanceInside, nearlySays } from "./Values.ts"

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.0015

type Rule = (span: Span, artifacts: Artifacts, sources: Sources) => boolean

/** Begin or end of what is quoted, or of the segment or picture that it is in. */
const bound = (end: "t_start" | "t_end"): Rule => (span, _, sources) => {
  const frame = sources.frame(span.source_ref)
  const around = frame === undefined ? sources.segment(span.source_ref) : sources.onScreen(frame)
  return typeof span.value === "number" &&
    [span, around].some((one) => one !== undefined && near(one[end], span.value as number))
}

/** A place counts from 1: not before the entry's own, not after the cited frame's among the kept ones. */
const position: Rule = ({ pointer, source_ref, value }, { frames }) => {
  const index = tokensOf(pointer).findLast((token) => /^\d+$/u.test(token))
  const kept = frames.frames.filter((frame) => frame.kept).map((frame) => frame.source_ref)
  const most = kept.indexOf(source_ref) + 1
  return Number.isInteger(value) && index !== undefined && (value as number) >= Number(index) + 1 &&
    (value as number) <= Math.max(most, Number(index) + 1)
}

/**
 * Who speaks the cited segment: the label or id that the transcript gives, or a name that it says with that voice, as it is
 * heard or as a picture spells it.
 */
const speaks: Rule = ({ source_ref, value }, { transcript, vision }, sources) => {
  const speaker = sources.segment(source_ref)?.speaker ?? undefined
  if (speaker === undefined || typeof value !== "string") return false
  const label = transcript.speakers.find(({ id }) => id === speaker)?.label
  if (value === speaker || value === label) return true
  const own = transcript.segments.filter((segment) => segment.speaker === speaker)
  if (own.some(({ text }) => nearlySays(text, value))) return true
  const shown = vision.frames.some(({ text }) => text.some((line) => placesOf(line.text, value).length > 0))
  return shown && own.some(({ text }) => distanceInside(text, value) <= 0.34)
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

/** Whether a value comes again from its inputs by the computation of this name. */
const recomputes = (name: string): Rule => ({ citations, value }) => {
  const inputs = citations.filter(({ role }) => role === "input").map(({ quote }) => quote)
  return typeof value === "number" && inputs.length > 0 &&
    computations[name]!(inputs).some((found) => near(found, value))
}

/** What each formula says: a value is computed by the one that its span names, and by no other. */
const rules: Readonly<Record<string, Rule>> = {
  t_start: bound("t_start"),
  t_end: bound("t_end"),
  position,
  speaker: speaks,
  ...Object.fromEntries(Object.keys(computations).map((name) => [name, recomputes(name)]))
}

/** Whether a value that is marked as computed can be computed again by its formula from what its span cites. */
export const canBeDerived: Rule = (span, artifacts, sources) => {
  const name = /^([a-z_]+)\([^()]*\)$/u.exec(span.formula ?? "")?.[1] ?? ""
  return Object.hasOwn(rules, name) && rules[name]!(span, artifacts, sources)
}
