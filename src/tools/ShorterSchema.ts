import type { Schema } from "effect"

export interface JsonObject {
  readonly [name: string]: Schema.Json
}

const isObject = (value: Schema.Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keywords whose members are named by whoever wrote the schema, not by JSON Schema. */
const namesBelow = new Set(["properties", "$defs"])

const members = (of: JsonObject, inner: (name: string, value: Schema.Json) => Schema.Json): JsonObject =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, inner(name, value)]))

/** Each schema that a schema is made of, from the inside out, and then itself. */
const rewrite = (schema: Schema.Json, change: (schema: JsonObject) => JsonObject): Schema.Json => {
  if (Array.isArray(schema)) return schema.map((part) => rewrite(part, change))
  if (!isObject(schema)) return schema
  return change(members(schema, (keyword, value) =>
    namesBelow.has(keyword) && isObject(value)
      ? members(value, (_, part) => rewrite(part, change))
      : rewrite(value, change)))
}

/** Says the same in fewer bytes: no bounds that every integer of JavaScript has, and null beside a type in one word. */
const short = ({ anyOf, maximum, minimum, ...rest }: JsonObject): JsonObject => {
  const schema = {
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
  }
  if (anyOf === undefined) return schema
  const [one, none, ...more] = anyOf as ReadonlyArray<Schema.Json>
  return more.length === 0 && isObject(one) && typeof one["type"] === "string" && one["enum"] === undefined
      && isObject(none) && none["type"] === "null" && Object.keys(one).every((keyword) => !(keyword in schema))
    ? { ...one, ...schema, type: [one["type"], "null"] }
    : { anyOf, ...schema }
}

const silent = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== "description" && keyword !== "examples"))

export const shorterSchema = (schema: JsonObject): JsonObject => rewrite(schema, short) as JsonObject

/** The same shape without what is said of its parts: a tool's answer that another tool describes already. */
export const undescribed = (schema: JsonObject): JsonObject => rewrite(schema, silent) as JsonObject
