import { withoutDynamicScopes } from "./DynamicScopes.ts"
import {
  fragmentOf,
  isObject,
  isSchema,
  type JsonSchema,
  own,
  pointerTo,
  type SchemaObject,
  setOwn
} from "./JsonSchema.ts"
import { type ReferenceRules, type References, resolveReferences } from "./JsonSchemaReferences.ts"

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

const rules: Readonly<Record<Dialect, ReferenceRules>> = {
  "2020-12": { siblings: true, id: "$id", dynamic: "$dynamicRef" },
  "2019-09": { siblings: true, id: "$id", dynamic: "$recursiveRef" },
  "draft-07": { siblings: false, id: "$id", dynamic: undefined },
  "draft-06": { siblings: false, id: "$id", dynamic: undefined },
  "draft-04": { siblings: false, id: "id", dynamic: undefined }
}

/** Where the references of a document lead by the rules of its dialect. */
export const referencesOf = (schema: JsonSchema): References =>
  resolveReferences(schema, rules[dialectOf(schema) ?? "2020-12"])

/** The keyword by which a dialect refers to what only evaluation can tell, if it has one. */
export const dynamicKeyword = (dialect: Dialect): string | undefined => rules[dialect].dynamic

const since2019 = [
  "unevaluatedProperties",
  "unevaluatedItems",
  "dependentSchemas",
  "dependentRequired",
  "minContains",
  "maxContains",
  "prefixItems"
]
const since07 = [...since2019, "if", "then", "else"]

/** Keywords that mean something in 2020-12 and nothing in the dialect, which has to ignore them. */
const unknownTo: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  "2020-12": new Set(),
  "2019-09": new Set(["prefixItems"]),
  "draft-07": new Set(since2019),
  "draft-06": new Set(since07),
  "draft-04": new Set([...since07, "const", "contains", "propertyNames"])
}

/** What stands before such a keyword in the normalised copy. */
export const ignoredPrefix = "x-ignored-"

/** As large as a schema may become by its dynamic references. */
const mostScoped = 20_000

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
 * A copy in 2020-12 in which every reference is a `$ref` of `#` and a JSON pointer from the root, and nothing has an `$id` or
 * an anchor: boolean bounds, tuple `items`, `additionalItems`, `dependencies`, `id` and dynamic references are rewritten, and
 * a keyword that the dialect does not know is kept under another name. What is mistyped is copied as it is, for the
 * meta-schema to find. Throws a `RangeError` where a reference leads nowhere, `TooManyScopes` where dynamic ones unfold
 * without measure.
 */
export const normaliseDialect = (original: JsonSchema): JsonSchema => {
  const dialect = dialectOf(original) ?? "2020-12"
  const { siblings } = rules[dialect]
  const asked = referencesOf(original)
  if (asked.problems[0] !== undefined) throw new RangeError(`unresolved $ref ${asked.problems[0].ref}`)
  const scoped = isObject(original) && asked.dynamic.size > 0
  const schema = scoped ? withoutDynamicScopes(original, asked, mostScoped) : original
  const references = scoped ? referencesOf(schema) : asked
  const moved = new Map<string, string>()
  const refs: Array<[SchemaObject, string]> = []

  const copySchema = (value: unknown, from: string, to: string): unknown => {
    moved.set(from, to)
    if (!isObject(value)) return value
    const copy = {}
    const target = references.targets.get(from)
    const alone = target !== undefined && !siblings
    for (const keyword of Object.keys(value)) {
      if (alone && keyword !== "$ref" && keyword !== "$defs" && keyword !== "definitions") continue
      if (dropped.has(keyword) || (keyword === "id" && dialect === "draft-04" && typeof value[keyword] === "string")) {
        continue
      }
      copyKeyword(copy, value, keyword, from, to)
    }
    if (target !== undefined) refs.push([copy, target])
    const content = dialect === "draft-07" && !alone ? contentFormat(value) : undefined
    if (content !== undefined) {
      const parts = own(copy, "allOf")
      setOwn(copy, "allOf", [...(Array.isArray(parts) ? parts : []), { format: content }])
    }
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
    const name = unknownTo[dialect].has(keyword) ? ignoredPrefix + keyword : keyword
    const there = pointerTo(to, name)
    if (keyword === "items" && Array.isArray(value) && dialect !== "2020-12") into("prefixItems", list("prefixItems"))
    else if (keyword === "additionalItems" && dialect !== "2020-12") {
      const rest = Array.isArray(own(schema, "items")) ? "items" : `${ignoredPrefix}additionalItems`
      into(rest, copySchema(value, here, pointerTo(to, rest)))
    } else if (single.has(keyword) || keyword === "items") into(name, copySchema(value, here, there))
    else if (["allOf", "anyOf", "oneOf", "prefixItems"].includes(keyword) && Array.isArray(value)) {
      into(name, list(name))
    } else if (maps.has(keyword) && isObject(value)) into(name, copyMap(value, here, there))
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
    else if (verbatim.has(keyword)) into(name, structuredClone(value))
    else into(name, copyOther(value, here, there))
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
    setOwn(holder, "$ref", fragmentOf(moved.get(target) ?? target))
  }
  return copy as JsonSchema
}

/** Draft-07 lets the content of a string be asserted, 2019-09 took that back: the copy says it by a format of our own. */
const contentFormat = (schema: SchemaObject): string | undefined => {
  const encoded = own(schema, "contentEncoding") === "base64"
  if (own(schema, "contentMediaType") !== "application/json") return encoded ? "x-footnote-base64" : undefined
  return encoded ? "x-footnote-base64-json" : "x-footnote-json"
}

const pick = (map: SchemaObject, keys: ReadonlyArray<string>): SchemaObject => {
  const picked = {}
  for (const key of keys) setOwn(picked, key, map[key])
  return picked
}
