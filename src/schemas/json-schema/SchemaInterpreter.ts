import { hasFormat } from "./Formats.ts"
import { canonical, isObject, type JsonSchema, own, type SchemaObject, valueAt } from "./JsonSchema.ts"
import { linearPattern } from "./LinearPattern.ts"
import { isMultiple } from "./Multiples.ts"

/** Answers whether a value fits a schema of the same document (a subschema, or one merged from several). */
export type Fits = (schema: JsonSchema, value: unknown) => boolean

/** Which parts of the instance a schema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
interface Seen {
  readonly keys: Set<string>
  items: number
  readonly contained: Set<number>
}

const nothing = (): Seen => ({ keys: new Set(), items: 0, contained: new Set() })

const absorb = (into: Seen, from: Seen): void => {
  for (const key of from.keys) into.keys.add(key)
  for (const index of from.contained) into.contained.add(index)
  into.items = Math.max(into.items, from.items)
}

/** Follows `#` and a JSON pointer from the root, as `normaliseDialect` writes them. */
export const referenceReader = (root: JsonSchema): (ref: string) => JsonSchema => {
  const resolved = new Map<string, JsonSchema>()
  return (ref) => {
    let target = resolved.get(ref)
    if (target === undefined) {
      resolved.set(ref, target = valueAt(root, decodeURIComponent(ref.slice(1))) as JsonSchema | undefined ?? false)
    }
    return target
  }
}

/**
 * Validates by walking the schema instead of compiling it: the filler asks thousands of small questions, and one compile
 * costs 13 ms. Takes a normalised schema (2020-12, local references) that has passed the linter; patterns run on RE2,
 * formats are asserted, unknown keywords and formats are ignored. A mistyped keyword is ignored too, never thrown on.
 */
export const interpret = (root: JsonSchema): Fits => {
  const follow = referenceReader(root)

  const check = (schema: JsonSchema, value: unknown, seen: Seen): boolean => {
    if (typeof schema === "boolean") return schema
    const mine = nothing()
    if (!assertsHold(schema, value)) return false
    if (typeof schema.$ref === "string" && !check(follow(schema.$ref), value, mine)) return false
    if (!combinatorsHold(schema, value, mine)) return false
    if (Array.isArray(value)) {
      if (!arrayHolds(schema, value, mine)) return false
    } else if (isObject(value) && !objectHolds(schema, value, mine)) return false
    absorb(seen, mine)
    return true
  }

  const fits: Fits = (schema, value) => check(schema, value, nothing())

  const combinatorsHold = (schema: SchemaObject, value: unknown, seen: Seen): boolean => {
    for (const branch of schemaList(own(schema, "allOf"))) if (!check(branch, value, seen)) return false
    if (Array.isArray(own(schema, "anyOf"))) {
      const held = schemaList(schema.anyOf).filter((branch) => check(branch, value, seen))
      if (held.length === 0) return false
    }
    if (Array.isArray(own(schema, "oneOf"))) {
      const held = schemaList(schema.oneOf).filter((branch) => check(branch, value, seen))
      if (held.length !== 1) return false
    }
    if (isSchemaKeyword(schema, "not") && fits(schema.not as JsonSchema, value)) return false
    if (isSchemaKeyword(schema, "if")) {
      const then = check(schema.if as JsonSchema, value, seen) ? "then" : "else"
      if (isSchemaKeyword(schema, then) && !check(schema[then] as JsonSchema, value, seen)) return false
    }
    return true
  }

  const arrayHolds = (schema: SchemaObject, value: ReadonlyArray<unknown>, seen: Seen): boolean => {
    const prefix = schemaList(own(schema, "prefixItems"))
    for (const [index, item] of prefix.entries()) {
      if (index < value.length && !fits(item, value[index])) return false
    }
    if (prefix.length > 0) seen.items = Math.max(seen.items, prefix.length)
    if (isSchemaKeyword(schema, "items")) {
      if (!value.slice(prefix.length).every((item) => fits(schema.items as JsonSchema, item))) return false
      seen.items = value.length
    }
    if (isSchemaKeyword(schema, "contains")) {
      let count = 0
      for (const [index, item] of value.entries()) {
        if (!fits(schema.contains as JsonSchema, item)) continue
        count++
        seen.contained.add(index)
      }
      const most = own(schema, "maxContains")
      if (count < (numeric(own(schema, "minContains")) ?? 1) || (typeof most === "number" && count > most)) return false
    }
    if (isSchemaKeyword(schema, "unevaluatedItems")) {
      for (let index = seen.items; index < value.length; index++) {
        if (!seen.contained.has(index) && !fits(schema.unevaluatedItems as JsonSchema, value[index])) return false
      }
      seen.items = value.length
    }
    return true
  }

  const objectHolds = (schema: SchemaObject, value: SchemaObject, seen: Seen): boolean => {
    const patterns = Object.entries(schemaMap(own(schema, "patternProperties")))
    const declared = schemaMap(own(schema, "properties"))
    for (const key of Object.keys(value)) {
      let known = false
      if (Object.hasOwn(declared, key)) {
        known = true
        if (!fits(declared[key]!, value[key])) return false
      }
      for (const [pattern, item] of patterns) {
        if (!linearPattern(pattern).test(key)) continue
        known = true
        if (!fits(item, value[key])) return false
      }
      if (!known && isSchemaKeyword(schema, "additionalProperties")) {
        known = true
        if (!fits(schema.additionalProperties as JsonSchema, value[key])) return false
      }
      if (known) seen.keys.add(key)
      if (isSchemaKeyword(schema, "propertyNames") && !fits(schema.propertyNames as JsonSchema, key)) return false
    }
    const dependent = schemaMap(own(schema, "dependentSchemas"))
    for (const key of Object.keys(dependent)) {
      if (Object.hasOwn(value, key) && !check(dependent[key]!, value, seen)) return false
    }
    if (isSchemaKeyword(schema, "unevaluatedProperties")) {
      for (const key of Object.keys(value)) {
        if (!seen.keys.has(key) && !fits(schema.unevaluatedProperties as JsonSchema, value[key])) return false
        seen.keys.add(key)
      }
    }
    return true
  }

  return fits
}

const isSchemaKeyword = (schema: SchemaObject, keyword: string): boolean => {
  const value = own(schema, keyword)
  return typeof value === "boolean" || isObject(value)
}

const schemaList = (value: unknown): ReadonlyArray<JsonSchema> => Array.isArray(value) ? value : []
const schemaMap = (value: unknown): { readonly [key: string]: JsonSchema } => isObject(value) ? value as any : {}
const numeric = (value: unknown): number | undefined => typeof value === "number" ? value : undefined

const typeOf = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** What a schema says of the value alone, without its parts. */
const assertsHold = (schema: SchemaObject, value: unknown): boolean => {
  if (Object.hasOwn(schema, "type")) {
    const types = new Set([schema.type].flat())
    const type = typeOf(value)
    if (!types.has(type) && !(types.has("integer") && Number.isInteger(value))) return false
  }
  if (Object.hasOwn(schema, "const") && canonical(schema.const) !== canonical(value)) return false
  if (Array.isArray(own(schema, "enum"))) {
    const text = canonical(value)
    if (!(schema.enum as Array<unknown>).some((item) => canonical(item) === text)) return false
  }
  if (typeof value === "number") return numberHolds(schema, value)
  if (typeof value === "string") return stringHolds(schema, value)
  if (Array.isArray(value)) {
    return within(schema, "Items", value.length) &&
      !(own(schema, "uniqueItems") === true && new Set(value.map(canonical)).size < value.length)
  }
  return !isObject(value) || keysHold(schema, value)
}

const within = (schema: SchemaObject, what: string, size: number): boolean =>
  size >= (numeric(own(schema, `min${what}`)) ?? 0) && size <= (numeric(own(schema, `max${what}`)) ?? Infinity)

const numberHolds = (schema: SchemaObject, value: number): boolean => {
  if (value < (numeric(own(schema, "minimum")) ?? -Infinity)) return false
  if (value > (numeric(own(schema, "maximum")) ?? Infinity)) return false
  if (value <= (numeric(own(schema, "exclusiveMinimum")) ?? -Infinity)) return false
  if (value >= (numeric(own(schema, "exclusiveMaximum")) ?? Infinity)) return false
  const step = numeric(own(schema, "multipleOf"))
  return (step === undefined || isMultiple(value, step)) && formatHolds(schema, value)
}

const stringHolds = (schema: SchemaObject, value: string): boolean => {
  if (!within(schema, "Length", Array.from(value).length)) return false
  const pattern = own(schema, "pattern")
  return (typeof pattern !== "string" || linearPattern(pattern).test(value)) && formatHolds(schema, value)
}

const formatHolds = (schema: SchemaObject, value: string | number): boolean => {
  const name = own(schema, "format")
  return typeof name !== "string" || hasFormat(name, value)
}

const keysHold = (schema: SchemaObject, value: SchemaObject): boolean => {
  const keys = Object.keys(value)
  if (!within(schema, "Properties", keys.length)) return false
  const required = own(schema, "required")
  if (Array.isArray(required) && required.some((key) => !Object.hasOwn(value, key))) return false
  const dependent = own(schema, "dependentRequired")
  if (!isObject(dependent)) return true
  return keys.every((key) => {
    const names = own(dependent, key)
    return !Array.isArray(names) || names.every((name) => Object.hasOwn(value, name))
  })
}
