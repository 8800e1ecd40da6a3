import type { Schema } from "effect"

export interface JsonObject {
  readonly [name: string]: Schema.Json
}

const isObject = (value: Schema.Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listed = (value: Schema.Json | undefined): ReadonlyArray<Schema.Json> => Array.isArray(value) ? value : []

/** The types that a schema without references allows; none where it allows any. */
const typesOf = (part: JsonObject): ReadonlyArray<Schema.Json> => {
  const { anyOf, enum: members, type } = part
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  if (members !== undefined) return [...new Set(listed(members).map((member) => typeof member))]
  const branches = listed(anyOf).map((branch) => isObject(branch) ? typesOf(branch) : [])
  return branches.some((types) => types.length === 0) ? [] : [...new Set(branches.flat())]
}

const typed = (types: ReadonlyArray<Schema.Json>): JsonObject =>
  types.length === 0 ? {} : { type: types.length === 1 ? types[0]! : types }

/** The objects that a value may be. */
const objectsIn = (part: JsonObject): ReadonlyArray<JsonObject> => [part, ...listed(part["anyOf"]).filter(isObject)]

/** The type of a value; of a list also the fields of its entries, by name and type. */
const outline = (part: JsonObject): JsonObject => {
  const types = typesOf(part)
  const entries = objectsIn(part).flatMap(({ items }) => isObject(items) ? objectsIn(items) : [])
  const fields = entries.flatMap(({ properties }) => isObject(properties) ? Object.entries(properties) : [])
  const named = fields.map(([name, field]) => [name, typed(typesOf(field as JsonObject))])
  return {
    ...typed(types),
    ...(named.length === 0 ? {} : { items: { type: "object", properties: Object.fromEntries(named) } })
  }
}

const saidOf = ({ description, enum: members }: JsonObject): JsonObject => ({
  ...(description === undefined ? {} : { description }),
  ...(members === undefined ? {} : { enum: members })
})

/**
 * What a tool answers in outline: its fields by name and type, with what is said of them, and those of the things that it
 * lists by name and type. It takes whatever the whole schema, which has no references, takes. Hosts read the list of tools before any call,
 * and in it an output schema is optional, "for validation of structured results" (MCP 2025-11-25, server/tools, Output
 * Schema): in whole they were 44 of its 58 kB.
 */
export const outlined = (schema: JsonObject): JsonObject => {
  const variants = objectsIn(schema).filter(({ properties }) => isObject(properties))
  const fields = variants.flatMap(({ properties }) => Object.entries(properties as JsonObject))
  const required = listed(variants[0]?.["required"]).filter((name) =>
    variants.every((variant) => listed(variant["required"]).includes(name))
  )
  return {
    type: "object",
    ...(schema["description"] === undefined ? {} : { description: schema["description"] }),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...outline(field as JsonObject), ...saidOf(field as JsonObject) }])
    ),
    ...(required.length === 0 ? {} : { required })
  }
}
