import { canonical, isObject, isSchema, type JsonSchema, own, type SchemaObject, setOwn } from "./JsonSchema.ts"
import { linearPattern } from "./LinearPattern.ts"

/** Conditions that could not be folded into keywords; kept beside each other so that each can still be branched on. */
export const conditionsKeyword = "x-footnote-conditions"

/** Both at once, without looking inside. */
export const both = (a: JsonSchema | undefined, b: JsonSchema | undefined): JsonSchema => {
  if (a === undefined || a === true) return b ?? true
  if (b === undefined || b === true) return a
  return a === false || b === false ? false : { allOf: [a, b] }
}

/** The schema that an object's member of this name must fit: declared, by pattern, or additional. */
export const memberSchema = (schema: SchemaObject, key: string): JsonSchema => {
  const rest = own(schema, "unevaluatedProperties")
  return ownMemberSchema(schema, key) ?? (isSchema(rest) ? rest : true)
}

const ownMemberSchema = (schema: SchemaObject, key: string): JsonSchema | undefined => {
  let found: JsonSchema | undefined
  const declared = own(own(schema, "properties"), key)
  if (isSchema(declared)) found = declared
  const patterns = own(schema, "patternProperties")
  if (isObject(patterns)) {
    for (const pattern of Object.keys(patterns)) {
      if (linearPattern(pattern).test(key)) found = both(found, patterns[pattern] as JsonSchema)
    }
  }
  const rest = own(schema, "additionalProperties")
  return found ?? (isSchema(rest) ? rest : undefined)
}

/** The schema of an array's item at this index. */
export const itemSchema = (schema: SchemaObject, index: number): JsonSchema => {
  const rest = own(schema, "unevaluatedItems")
  return ownItemSchema(schema, index) ?? (isSchema(rest) ? rest : true)
}

const ownItemSchema = (schema: SchemaObject, index: number): JsonSchema | undefined => {
  const prefix = own(schema, "prefixItems")
  const at = Array.isArray(prefix) ? prefix[index] : undefined
  if (isSchema(at)) return at
  const rest = own(schema, "items")
  return isSchema(rest) ? rest : undefined
}

/** The types a `type` keyword allows, or undefined where it says nothing. */
export const typesOf = (schema: SchemaObject): ReadonlyArray<string> | undefined => {
  const type = own(schema, "type")
  return type === undefined ? undefined : [type].flat() as Array<string>
}

const intersectTypes = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): unknown => {
  const kept = new Set<string>()
  for (const type of a) {
    if (b.includes(type) || (type === "integer" && b.includes("number"))) kept.add(type)
    else if (type === "number" && b.includes("integer")) kept.add("integer")
  }
  return kept.size === 1 ? [...kept][0] : [...kept]
}

const union = (a: unknown, b: unknown): unknown =>
  Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : a ?? b

/**
 * One flat schema that is close to `a` and `b` together: exact for types, bounds, enums, properties, items and required
 * names; of two patterns or formats the first stays. It only guides what to try: whoever uses it checks the outcome
 * against the schemas themselves.
 */
export const mergeSchemas = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  if (a === true) return b
  if (b === true) return a
  if (a === false || b === false) return false
  const merged: Record<string, unknown> = { ...a }
  for (const keyword of Object.keys(b)) {
    const value = b[keyword]
    if (!Object.hasOwn(a, keyword)) {
      merged[keyword] = value
      continue
    }
    const mine = a[keyword]
    if (keyword === "type") {
      merged.type = intersectTypes([mine].flat() as Array<string>, [value].flat() as Array<string>)
    } else if (keyword === "enum" && Array.isArray(mine) && Array.isArray(value)) {
      const allowed = new Set(value.map(canonical))
      merged.enum = mine.filter((item) => allowed.has(canonical(item)))
    } else if (keyword === "required") merged.required = union(mine, value)
    else if (keyword === "dependentRequired") merged[keyword] = mergeLists(mine, value)
    else if (keyword === "dependentSchemas") merged[keyword] = mergeMaps(mine, value)
    else if (keyword === "allOf") merged.allOf = [...(mine as Array<unknown>), ...(value as Array<unknown>)]
    else if (["contains", "propertyNames"].includes(keyword)) {
      merged[keyword] = both(mine as JsonSchema, value as JsonSchema)
    } else if (keyword === conditionsKeyword) {
      merged[keyword] = [...(mine as Array<unknown>), ...(value as Array<unknown>)]
    } else if (keyword === "anyOf" || keyword === "oneOf" || keyword === "not" || keyword === "$ref") {
      merged.allOf = [...((merged.allOf as Array<unknown> | undefined) ?? []), { [keyword]: value }]
    } else if (/^min|^exclusiveMin/u.test(keyword)) merged[keyword] = Math.max(Number(mine), Number(value))
    else if (/^max|^exclusiveMax/u.test(keyword)) merged[keyword] = Math.min(Number(mine), Number(value))
    else if (["title", "description", "default"].includes(keyword)) merged[keyword] = value
  }
  mergeMembers(merged, a, b)
  mergeItems(merged, a, b)
  return merged
}

const mergeLists = (a: unknown, b: unknown): SchemaObject => {
  const merged = {}
  for (const key of new Set([...keysOf(a), ...keysOf(b)])) setOwn(merged, key, union(own(a, key), own(b, key)))
  return merged
}

const mergeMaps = (a: unknown, b: unknown): SchemaObject => {
  const merged = {}
  for (const key of new Set([...keysOf(a), ...keysOf(b)])) {
    setOwn(merged, key, both(own(a, key) as JsonSchema | undefined, own(b, key) as JsonSchema | undefined))
  }
  return merged
}

const keysOf = (value: unknown): ReadonlyArray<string> => isObject(value) ? Object.keys(value) : []

const mergeMembers = (merged: Record<string, unknown>, a: SchemaObject, b: SchemaObject): void => {
  const names = new Set([...keysOf(own(a, "properties")), ...keysOf(own(b, "properties"))])
  if (names.size > 0) {
    const properties = {}
    for (const name of names) setOwn(properties, name, both(ownMemberSchema(a, name), ownMemberSchema(b, name)))
    merged.properties = properties
  }
  if (Object.hasOwn(a, "patternProperties") && Object.hasOwn(b, "patternProperties")) {
    merged.patternProperties = mergeMaps(a.patternProperties, b.patternProperties)
  }
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (!Object.hasOwn(a, keyword) || !Object.hasOwn(b, keyword)) continue
    merged[keyword] = both(a[keyword] as JsonSchema, b[keyword] as JsonSchema)
  }
}

const prefixLength = (schema: SchemaObject): number => {
  const prefix = own(schema, "prefixItems")
  return Array.isArray(prefix) ? prefix.length : 0
}

const mergeItems = (merged: Record<string, unknown>, a: SchemaObject, b: SchemaObject): void => {
  const longest = Math.max(prefixLength(a), prefixLength(b))
  if (longest > 0) {
    merged.prefixItems = Array.from(
      { length: longest },
      (_, index) => both(ownItemSchema(a, index), ownItemSchema(b, index))
    )
  }
  for (const keyword of ["items", "unevaluatedItems"]) {
    if (!Object.hasOwn(a, keyword) || !Object.hasOwn(b, keyword)) continue
    merged[keyword] = both(a[keyword] as JsonSchema, b[keyword] as JsonSchema)
  }
}
