import { isObject, isSchema, type JsonSchema, own, type SchemaObject } from "./JsonSchema.ts"
import { referenceReader } from "./SchemaInterpreter.ts"
import { conditionsKeyword, mergeSchemas } from "./SchemaMerge.ts"

/** The ways to satisfy a schema, each without references, `allOf`, `anyOf`, `oneOf` and `if`, in the schema's order. */
export type Views = (schema: JsonSchema) => ReadonlyArray<SchemaObject>

const mostViews = 64

/**
 * Unfolds schemas of one normalised document. At most 64 views each, so that a schema with many choices costs little; a
 * choice beyond them is never tried, and whoever builds from a view checks the outcome against the schema itself.
 */
export const viewsOf = (root: JsonSchema): Views => {
  const follow = referenceReader(root)
  const cache = new WeakMap<SchemaObject, ReadonlyArray<SchemaObject>>()
  let steps = 0

  function* unfold(schema: JsonSchema, hops: number): Generator<SchemaObject> {
    if (++steps > 20_000 || hops > 64 || schema === false) return
    if (schema === true) {
      yield {}
      return
    }
    if (typeof schema.$ref === "string") {
      const { $ref, ...rest } = schema
      yield* unfold(mergeSchemas(follow($ref as string), rest), hops + 1)
      return
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...rest } = schema
      let merged: JsonSchema = rest
      for (const part of allOf as Array<JsonSchema>) merged = mergeSchemas(merged, splitCondition(part))
      yield* unfold(merged, hops + 1)
      return
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = own(schema, keyword)
      if (!Array.isArray(branches)) continue
      const { [keyword]: _, ...rest } = schema
      for (const branch of branches) yield* unfold(mergeSchemas(rest, branch), hops + 1)
      return
    }
    yield* unfoldConditions(schema, hops)
  }

  function* unfoldConditions(schema: SchemaObject, hops: number): Generator<SchemaObject> {
    const split = splitCondition(schema) as SchemaObject
    const conditions = own(split, conditionsKeyword)
    const [condition, ...others] = Array.isArray(conditions) ? conditions as Array<SchemaObject> : []
    if (condition === undefined) {
      yield schema
      return
    }
    const { [conditionsKeyword]: _, ...plain } = split
    const rest: SchemaObject = others.length === 0 ? plain : { ...plain, [conditionsKeyword]: others }
    const held = isSchema(condition.held) ? condition.held : true
    const otherwise = isSchema(condition.otherwise) ? condition.otherwise : true
    yield* unfold(mergeSchemas(rest, otherwise), hops + 1)
    yield* unfold(mergeSchemas(mergeSchemas(rest, condition.when as JsonSchema), held), hops + 1)
    yield* unfold(mergeSchemas(rest, held), hops + 1)
  }

  return (schema) => {
    const known = isObject(schema) ? cache.get(schema) : undefined
    if (known !== undefined) return known
    steps = 0
    const views: Array<SchemaObject> = []
    for (const view of unfold(schema, 0)) {
      views.push(view)
      if (views.length >= mostViews) break
    }
    if (isObject(schema)) cache.set(schema, views)
    return views
  }
}

const splitCondition = (schema: JsonSchema): JsonSchema => {
  if (!isObject(schema) || !isSchema(own(schema, "if"))) return schema
  const { if: when, then: held, else: otherwise, ...rest } = schema
  const earlier = own(schema, conditionsKeyword)
  const conditions = [...(Array.isArray(earlier) ? earlier : []), { when, held, otherwise }]
  return { ...rest, [conditionsKeyword]: conditions }
}
