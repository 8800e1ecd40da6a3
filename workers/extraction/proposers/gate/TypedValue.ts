import type { Schema } from "effect"
import { measureOf } from "../../candidates/Measures.ts"
import { unitAfter } from "../../lexicon/Units.ts"
import type { Leaf } from "../../text/Plan.ts"
import { identifierWords } from "../../text/Tokens.ts"
import { amountsIn } from "./Amounts.ts"
import { writtenNumber } from "./WrittenNumber.ts"

export type Scalar = string | number | boolean

const YES = /^(?:true|yes|y|yeah|yep|correct|1)$/u
const NO = /^(?:false|no|n|nope|incorrect|0)$/u

const booleanOf = (value: Scalar): boolean | undefined => {
  const word = String(value).toLowerCase().replaceAll(/[^a-z01]+/gu, " ").trim()
  return YES.test(word) ? true : NO.test(word) ? false : undefined
}

/** Letters right behind a number that are a unit or make an ordinal of it; others may be anything. */
const isReadable = (behind: string): boolean =>
  !/^\p{L}/u.test(behind) || unitAfter(behind) !== undefined || /^(?:st|nd|rd|th|x)\b/iu.test(behind)

/** A number as models write it: "$1,200", "12 units", "418m", "an hour and a quarter" in the field's own unit. */
const numberOf = (value: string | number, leaf: Leaf): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  const written = writtenNumber(value.trim())
  if (written === "unclear") return undefined
  if (written?.rest === "" || written?.rest === "%") return written.value
  // Figures that the lexicon writes in another way.
  const text = written === undefined || /^[^\d]*\d+(?:\.\d+)?(?![\d.,'’])/u.test(value.trim())
    ? value.trim()
    : `${written.value} ${written.rest}`
  const wanted = measureOf(leaf)
  const [widest] = amountsIn(text, wanted).toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  if (widest === undefined || !isReadable(text.slice(widest.to))) return undefined
  const own = widest.unit !== undefined && wanted !== undefined && widest.unit.dimension === wanted.dimension
  // The last one is converted into the field's unit, where that is another.
  return own && widest.unit.unit !== wanted.unit ? widest.values.at(-1) : widest.values[0]
}

const letters = (label: unknown): string => typeof label === "string" ? identifierWords(label).join(" ") : String(label)

/** A value in its leaf's type: models write numbers with their units and labels in letters of their own. */
export const typedValue = (value: Schema.Json, leaf: Leaf): Scalar | undefined => {
  // The text of an object may be a function's, and that of an array as deep as its sender likes.
  if (typeof value === "object") return undefined
  if (leaf.type === "boolean") return booleanOf(value)
  if (typeof value === "boolean") return leaf.type === "enum" ? labelOf(value, leaf) : undefined
  if (leaf.type === "number" || leaf.type === "integer") {
    const number = numberOf(value, leaf)
    return leaf.type === "integer" && !Number.isSafeInteger(number) ? undefined : number
  }
  return leaf.type === "enum" ? labelOf(value, leaf) : String(value).trim()
}

const labelOf = (value: Scalar, leaf: Leaf): Scalar | undefined => {
  const labels = leaf.schema["enum"] as ReadonlyArray<unknown>
  const label = labels.find((one) => one === value) ?? labels.find((one) => letters(one) === letters(value))
  return typeof label === "string" || typeof label === "number" || typeof label === "boolean" ? label : undefined
}
