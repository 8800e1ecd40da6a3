import {
  isObject,
  type Json,
  type JsonSchema,
  own,
  type SchemaObject
} from "../../../src/schemas/json-schema/JsonSchema.ts"
import { typesOf } from "../../../src/schemas/json-schema/SchemaMerge.ts"
import type { SchemaDocument } from "../../../src/schemas/json-schema/SmallestInstance.ts"

const letters = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

const asNumber = (text: string): number | undefined => {
  const plain = text.trim().replaceAll(/(?<=\d),(?=\d{3}\b)/gu, "")
  return /^[+-]?\d+(?:\.\d+)?$/u.test(plain) ? Number(plain) : undefined
}

const labelsOf = (view: SchemaObject): ReadonlyArray<unknown> => {
  const values = own(view, "enum")
  return [...(Array.isArray(values) ? values : []), ...(Object.hasOwn(view, "const") ? [view.const] : [])]
}

function* readings(value: string | number | boolean, view: SchemaObject): Generator<Json | undefined> {
  const types = typesOf(view) ?? []
  for (const label of labelsOf(view)) {
    if (typeof label === "string" && letters(label) === letters(String(value)) && letters(label) !== "") yield label
  }
  if (typeof value !== "string") {
    if (types.includes("string")) yield String(value)
    return
  }
  yield value.trim()
  if (types.includes("number") || types.includes("integer")) yield asNumber(value)
  if (types.includes("boolean") && /^(?:true|false)$/iu.test(value)) yield value.toLowerCase() === "true"
  const format = own(view, "format")
  if (format === "email" || format === "idn-email") yield value.trim().toLowerCase()
  const wantsAddress = ["uri", "url", "iri"].includes(String(format))
    || String(own(view, "pattern")).startsWith("^https?:")
  if (wantsAddress && BARE_HOST.test(value.trim())) yield `https://${value.trim()}`
}

/** How people say and show an address: names with dots, the last no number, so that "5" and "8.50" are none. */
const BARE_HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?:[:/?#]|$)/u

/**
 * The first reading of a grounded value that fits the schema: as it is, then as the label of an enum in other letters, as
 * a number, as text, with `https://` before it. Undefined where none fits.
 */
export const coerceTo = (
  { fits, views }: SchemaDocument,
  schema: JsonSchema,
  value: Json
): Json | undefined => {
  if (fits(schema, value)) return value
  if (value === null || isObject(value) || Array.isArray(value)) return undefined
  for (const view of views(schema)) {
    for (const reading of readings(value as string | number | boolean, view)) {
      if (reading !== undefined && fits(schema, reading)) return reading
    }
  }
  return undefined
}
