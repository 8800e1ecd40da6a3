import type { Schema } from "effect"
import { measureOf } from "../../candidates/Measures.ts"
import type { Leaf } from "../../text/Plan.ts"
import { identifierWords } from "../../text/Tokens.ts"
import { amountsIn } from "./Amounts.ts"

export type Scalar = string | number | boolean

const YES = /^(?:true|yes|y|yeah|yep|correct|1)$/u
const NO = /^(?:false|no|n|nope|incorrect|0)$/u

const booleanOf = (value: Schema.Json): boolean | undefined => {
  const word = String(value).toLowerCase().replaceAll(/[^a-z01]+/gu, " ").trim()
  return YES.test(word) ? true : NO.test(word) ? false : undefined
}

/** A number as models write it: "$1,200", "12 units", "418m", "an hour and a quarter" in the field's own unit. */
const numberOf = (value: string | number, leaf: Leaf): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  const text = value.trim()
  const plain = /^[^\d-]{0,4}(-?\d[\d,]*(?:\.\d+)?)\s*%?$/u.exec(text)
  if (plain !== null) return Number(plain[1]!.replaceAll(",", ""))
  const wanted = measureOf(leaf)
  const [widest] = amountsIn(text, wanted).toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  if (widest === undefined) return undefined
  const own = widest.unit !== undefined && wanted !== undefined && widest.unit.dimension === wanted.dimension
  // The last one is converted into the field's unit, where that is another.
  return own && widest.unit.unit !== wanted.unit ? widest.values.at(-1) : widest.values[0]
}

const letters = (label: unknown): string => typeof label === "string" ? identifierWords(label).join(" ") : String(label)

/** A value in its leaf's type: models write numbers with their units and labels in letters of their own. */
export const typedValue = (value: Schema.Json, leaf: Leaf): Scalar | undefined => {
  if (leaf.type === "boolean") return booleanOf(value)
  if (typeof value === "object" || typeof value === "boolean") {
    return leaf.type === "enum" && typeof value === "boolean" ? labelOf(value, leaf) : undefined
  }
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
