import { isObject, isSchema, type JsonSchema, own, pointerTo, type SchemaObject, setOwn } from "./JsonSchema.ts"
import { resolveReferences } from "./JsonSchemaReferences.ts"

export type Dialect = "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04"

const dialects: Readonly<Record<string, Dialect>> = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "http://json-schema.org/draft-07/schema": "draft-07",
  "http://json-schema.org/draft-06/schema": "draft-06",
  "http://json-schema.org/draft-04/schema": "draft-04"
}

/** The dialect that `$schema` names, 2020-12 where it names none, undefined where it is one that is not supported. */
export const dialectOf = (schema: JsonSchema): Dialect | undefined => {
  const uri = own(schema, "$schema")
  if (uri === undefined) return "2020-12"
  if (typeof uri !== "string") return undefined
  const plain = uri.replace(/#$/u, "")
  return dialects[plain] ?? dialects[plain.replace(/^https:/u, "http:")] ?? dialects[plain.replace(/^http:/u, "https:")]
}

/** Up to draft-07 an object with `$ref` is only that reference. */
export const refHasSiblings = (dialect: Dialect): boolean => dialect === "2020-12" || dialect === "2019-09"

const dropped = new Set(["$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"])
const single = new Set([
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
const maps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
const verbatim = new Set(["enum", "const", "default", "examples"])

/**
 * A copy in 2020-12 in which every `$ref` is `#` and a JSON pointer from the root, and nothing has an `$id` or an anchor:
 * boolean bounds, tuple `items`, `additionalItems`, `dependencies` and `id` of the older dialects are rewritten. What is
 * mistyped is copied as it is, for the meta-schema to find. Throws a `RangeError` where a reference leads nowhere.
 */
export const normaliseDialect = (schema: JsonSchema): JsonSchema => {
  const dialect = dialectOf(schema) ?? "2020-12"
  const references = resolveReferences(schema, { siblings: refHasSiblings(dialect) })
  if (references.problems[0] !== undefined) throw new RangeError(`unresolved $ref ${references.problems[0].ref}`)
  const moved = new Map<string, string>()
  const refs: Array<[SchemaObject, string]> = []

  const copySchema = (value: unknown, from: string, to: string): unknown => {
    moved.set(from, to)
    if (!isObject(value)) return value
    const copy = {}
    const target = references.targets.get(from)
    const alone = target !== undefined && !refHasSiblings(dialect)
    for (const keyword of Object.keys(value)) {
      if (alone && keyword !== "$ref" && keyword !== "$defs" && keyword !== "definitions") continue
      if (dropped.has(keyword) || (keyword === "id" && dialect === "draft-04" && typeof value[keyword] === "string")) {
        continue
      }
      copyKeyword(copy, value, keyword, from, to)
    }
    if (target !== undefined) refs.push([copy, target])
    return copy
  }

  const copyKeyword = (copy: object, schema: SchemaObject, keyword: string, from: string, to: string): void => {
    const value = schema[keyword]
    const here = pointerTo(from, keyword)
    const into = (name: string, copied: unknown) => setOwn(copy, name, copied)
    const list = (name: string) =>
      (value as Array<unknown>).map((item, i) =>
        copySchema(item, pointerTo(here, i), pointerTo(pointerTo(to, name), i))
      )
    if (keyword === "items" && Array.isArray(value) && dialect !== "2020-12") into("prefixItems", list("prefixItems"))
    else if (keyword === "additionalItems" && dialect !== "2020-12") {
      if (Array.isArray(own(schema, "items"))) into("items", copySchema(value, here, pointerTo(to, "items")))
    } else if (single.has(keyword) || keyword === "items") {
      into(keyword, copySchema(value, here, pointerTo(to, keyword)))
    } else if (["allOf", "anyOf", "oneOf", "prefixItems"].includes(keyword) && Array.isArray(value)) {
      into(keyword, list(keyword))
    } else if (maps.has(keyword) && isObject(value)) into(keyword, copyMap(value, here, pointerTo(to, keyword)))
    else if (keyword === "dependencies" && isObject(value)) {
      const names = Object.keys(value)
      const required = names.filter((name) => !isSchema(value[name]))
      const schemas = names.filter((name) => isSchema(value[name]))
      if (required.length > 0) into("dependentRequired", pick(value, required))
      if (schemas.length > 0) {
        into("dependentSchemas", copyMap(pick(value, schemas), here, pointerTo(to, "dependentSchemas")))
      }
    } else if ((keyword === "minimum" || keyword === "maximum") && dialect === "draft-04") {
      const exclusive = own(schema, keyword === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum") === true
      into(exclusive ? (keyword === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum") : keyword, value)
    } else if (keyword.startsWith("exclusiveM") && typeof value === "boolean" && dialect === "draft-04") return
    else if (verbatim.has(keyword)) into(keyword, structuredClone(value))
    else into(keyword, copyOther(value, here, pointerTo(to, keyword)))
  }

  const copyMap = (map: SchemaObject, from: string, to: string): object => {
    const copy = {}
    for (const key of Object.keys(map)) {
      setOwn(copy, key, copySchema(map[key], pointerTo(from, key), pointerTo(to, key)))
    }
    return copy
  }

  const copyOther = (value: unknown, from: string, to: string): unknown => {
    if (references.elsewhere.has(from)) return copySchema(value, from, to)
    if (Array.isArray(value)) return value.map((item, i) => copyOther(item, pointerTo(from, i), pointerTo(to, i)))
    if (!isObject(value)) return value
    const copy = {}
    for (const key of Object.keys(value)) {
      setOwn(copy, key, copyOther(value[key], pointerTo(from, key), pointerTo(to, key)))
    }
    return copy
  }

  const copy = copySchema(schema, "", "")
  for (const [holder, target] of refs) {
    setOwn(holder, "$ref", `#${encodeURI(moved.get(target) ?? target).replaceAll("#", "%23")}`)
  }
  return copy as JsonSchema
}

const pick = (map: SchemaObject, keys: ReadonlyArray<string>): SchemaObject => {
  const picked = {}
  for (const key of keys) setOwn(picked, key, map[key])
  return picked
}
