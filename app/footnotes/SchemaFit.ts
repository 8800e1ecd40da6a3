import type { Json, JsonObject } from "./ResultData.ts"

const typeOf = (value: Json): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const wanted: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "yes or no",
  array: "a list",
  object: "an object",
  null: "no value"
}

const hasType = (value: Json, type: Json): boolean =>
  type === typeOf(value) || (type === "integer" && typeof value === "number" && Number.isInteger(value)) ||
  // A type that nobody knows is the service's to judge.
  typeof type !== "string" || !Object.hasOwn(wanted, type)

const same = (a: Json, b: Json): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map<string, Json>(Object.entries(b))]
  return left.length === right.size && left.every(([name, one]) => right.has(name) && same(one, right.get(name)!))
}

const said = (value: Json): string => typeof value === "string" ? `“${value}”` : JSON.stringify(value)

const boundOf = (schema: JsonObject, value: Json): string | null => {
  const given = (name: string): number | null => {
    const bound = schema[name]
    return typeof bound === "number" ? bound : null
  }
  const bounds = (
    measure: number,
    of: string,
    [least, most]: readonly [string, string]
  ): string | null => {
    const [low, high] = [given(least), given(most)]
    if (low !== null && measure < low) return `At least ${low}${of} is wanted here.`
    return high !== null && measure > high ? `At most ${high}${of} is wanted here.` : null
  }
  if (typeof value === "string") return bounds([...value].length, " letters", ["minLength", "maxLength"])
  if (Array.isArray(value)) return bounds(value.length, " entries", ["minItems", "maxItems"])
  if (typeof value !== "number") return null
  const [over, under] = [given("exclusiveMinimum"), given("exclusiveMaximum")]
  if (over !== null && value <= over) return `More than ${over} is wanted here.`
  if (under !== null && value >= under) return `Less than ${under} is wanted here.`
  return bounds(value, "", ["minimum", "maximum"])
}

/**
 * Why a value cannot stand where a schema is: by its types, choices and bounds, and those of what is within. Null where nothing here says so,
 * which leaves patterns, formats and rarer words to the service. `refer` answers what a `$ref` names.
 */
export const misfitOf = (
  refer: (reference: string) => Json | undefined,
  schema: Json | undefined,
  value: Json,
  // Values nest no deeper than people type; a circle of references ends here.
  left = 32,
  // Alternatives of alternatives double with each level: what is not judged within these is the service's to judge.
  parts = { left: 100_000 }
): string | null => {
  if (schema === false) return "Nothing can stand here."
  if (!isObject(schema) || left === 0 || parts.left === 0) return null
  parts.left -= 1
  const within = (part: Json | undefined, one: Json) => misfitOf(refer, part, one, left - 1, parts)
  const { additionalProperties, allOf, enum: listed, items, prefixItems, properties, type } = schema
  const types = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some((one) => hasType(value, one))) {
    return `${
      types.map((one) => wanted[String(one)] ?? String(one)).join(" or ").replace(/^./u, (first) => first.toUpperCase())
    } is wanted here.`
  }
  if (Array.isArray(listed) && !listed.some((one: Json) => same(one, value))) {
    return `One of ${listed.map(said).join(", ")} is wanted here.`
  }
  if (schema["const"] !== undefined && !same(schema["const"], value)) return `${said(schema["const"])} is wanted here.`
  const bound = boundOf(schema, value)
  if (bound !== null) return bound
  const reference = schema["$ref"]
  const all = [
    ...(typeof reference === "string" && reference.startsWith("#") ? [refer(reference)] : []),
    ...(Array.isArray(allOf) ? allOf as ReadonlyArray<Json> : [])
  ]
  for (const part of all) {
    const misfit = within(part, value)
    if (misfit !== null) return misfit
  }
  for (const name of ["anyOf", "oneOf"]) {
    const parts = schema[name]
    if (!Array.isArray(parts) || parts.length === 0) continue
    const misfits = (parts as ReadonlyArray<Json>).map((part) => within(part, value))
    if (misfits.every((one) => one !== null)) return [...new Set(misfits)].join(" Or: ")
  }
  if (Array.isArray(value) && isObject(items) && !Array.isArray(prefixItems)) {
    for (const [at, entry] of (value as ReadonlyArray<Json>).entries()) {
      const misfit = within(items, entry)
      if (misfit !== null) return `Entry ${at + 1}: ${misfit}`
    }
  }
  if (isObject(value) && isObject(properties)) {
    for (const [name, member] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name)
      if (!known && additionalProperties === false && schema["patternProperties"] === undefined) {
        return `${name}: There is no such field.`
      }
      const misfit = known ? within(properties[name], member) : null
      if (misfit !== null) return `${name}: ${misfit}`
    }
  }
  return null
}
