import type { Schema } from "effect"

export type Json = Schema.Json

/** A JSON Schema as parsed: a boolean, or an object whose keywords are not yet known to be well-typed. */
export type JsonSchema = boolean | SchemaObject
export interface SchemaObject {
  readonly [keyword: string]: unknown
}

export const isObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isSchema = (value: unknown): value is JsonSchema => typeof value === "boolean" || isObject(value)

/** Reads an own property, so that `__proto__` and `constructor` are ordinary names. */
export const own = (object: unknown, key: string): unknown =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined

/** Writes an own property of any name, `__proto__` included, which plain assignment would swallow. */
export const setOwn = (object: object, key: string, value: unknown): void => {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else (object as Record<string, unknown>)[key] = value
}

/** Appends one reference token to a JSON pointer (RFC 6901). */
export const pointerTo = (pointer: string, token: string | number): string =>
  `${pointer}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** `#` and a JSON pointer as a URI fragment (RFC 6901, section 6). */
export const fragmentOf = (pointer: string): string => `#${encodeURI(pointer).replaceAll("#", "%23")}`

/** The reference tokens of a JSON pointer, unescaped. */
export const pointerTokens = (pointer: string): ReadonlyArray<string> =>
  pointer === ""
    ? []
    : pointer.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))

/** The value at a JSON pointer, or undefined where there is none. */
export const valueAt = (root: unknown, pointer: string): unknown => {
  let value = root
  for (const token of pointerTokens(pointer)) {
    value = Array.isArray(value)
      ? /^(?:0|[1-9]\d*)$/u.test(token) ? value[Number(token)] : undefined
      : own(value, token)
    if (value === undefined) return undefined
  }
  return value
}

/** A string that is equal for two JSON values exactly when JSON Schema calls them equal (key order is nothing). */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  return `{${Object.keys(value).toSorted().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`
}

const single = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema"
])
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"])
/** Keywords whose members, by any name, are schemas. */
export const schemaMaps: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies"
])

/** The places right below a schema object that hold schemas, by keyword; what is no schema there is left out. */
export function* subschemas(schema: SchemaObject): Generator<{ keyword: string; key?: string; schema: JsonSchema }> {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (single.has(keyword) || (keyword === "items" && !Array.isArray(value))) {
      if (isSchema(value)) yield { keyword, schema: value }
    } else if (lists.has(keyword) || keyword === "items") {
      if (!Array.isArray(value)) continue
      for (const [index, item] of value.entries()) {
        if (isSchema(item)) yield { keyword, key: String(index), schema: item }
      }
    } else if (schemaMaps.has(keyword) && isObject(value)) {
      for (const key of Object.keys(value)) {
        const item = value[key]
        if (isSchema(item)) yield { keyword, key, schema: item }
      }
    }
  }
}
