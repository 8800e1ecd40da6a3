import type { Json, JsonObject } from "./ResultData.ts"

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** References of references; a circle of them ends here. */
const mostReferences = 16

const at = (root: Json, reference: string): Json | undefined => {
  let here: Json | undefined = root
  for (const step of decodeURIComponent(reference).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    here = Array.isArray(here) ? here[Number(name)] : isObject(here) ? here[name] : undefined
  }
  return here
}

/** A schema and all that it is made of by `$ref`, `allOf`, `anyOf` and `oneOf`, itself first. */
const partsOf = (root: Json, schema: Json | undefined, left = mostReferences): ReadonlyArray<JsonObject> => {
  if (!isObject(schema) || left === 0) return []
  const reference = schema["$ref"]
  const combined = ["allOf", "anyOf", "oneOf"].flatMap((name) => {
    const list = schema[name]
    return Array.isArray(list) ? list as ReadonlyArray<Json> : []
  })
  const referred = typeof reference === "string" && reference.startsWith("#") ? [at(root, reference)] : []
  return [schema, ...[...referred, ...combined].flatMap((part) => partsOf(root, part, left - 1))]
}

/** What a schema says of the value at one place: its title, its members in order, its entries. */
export interface Shape {
  readonly title: string | null
  readonly description: string | null
  readonly names: ReadonlyArray<string>
  readonly type: Json | undefined
  /** The values of an `enum`, or the one of a `const`. */
  readonly choices: ReadonlyArray<Json> | null
  readonly child: (step: string) => Shape
}

export const shapeOf = (root: Json, schema: Json | undefined = root): Shape => {
  const parts = partsOf(root, schema)
  const text = (name: string) => {
    const found = parts.map((part) => part[name]).find((value) => typeof value === "string" && value !== "")
    return typeof found === "string" ? found : null
  }
  const members = parts.map((part) => part["properties"]).filter(isObject)
  const listed = parts.map((part) => part["enum"]).find((list) => Array.isArray(list))
  return {
    title: text("title"),
    description: text("description"),
    names: [...new Set(members.flatMap((properties) => Object.keys(properties)))],
    type: parts.map((part) => part["type"]).find((type) => type !== undefined),
    choices: (listed as ReadonlyArray<Json> | undefined) ?? null,
    child: (step) => {
      const member = members.find((properties) => Object.hasOwn(properties, step))?.[step]
      if (member !== undefined) return shapeOf(root, member)
      for (const part of parts) {
        const { additionalProperties, items, prefixItems } = part
        const listed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
        const entry = /^\d+$/u.test(step)
          ? listed?.[Number(step)] ?? (Array.isArray(items) ? undefined : items)
          : undefined
        const found = entry ?? additionalProperties
        if (isObject(found as Json)) return shapeOf(root, found as Json)
      }
      return shapeOf(root, null)
    }
  }
}
