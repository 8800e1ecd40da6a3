import type { Json, JsonObject } from "./ResultData.ts"
import { misfitOf } from "./SchemaFit.ts"

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** References of references; a circle of them ends here. */
const mostReferences = 16

/** What a reference within the schema names by its place; undefined of one by a name (`$anchor`), which is the service's to find. */
const at = (root: Json, reference: string): Json | undefined => {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined
  let here: Json | undefined = root
  for (const step of decodeURIComponent(reference).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    here = Array.isArray(here) ? here[Number(name)] : isObject(here) ? here[name] : undefined
  }
  return here
}

/** A schema and all that it is made of by `$ref`, `allOf`, `anyOf` and `oneOf`, itself first. */
const partsOf = (
  root: Json,
  schema: Json | undefined,
  left = mostReferences,
  // Each once: parts that refer to the same parts would double with each level.
  found = new Set<JsonObject>()
): ReadonlySet<JsonObject> => {
  if (!isObject(schema) || left === 0 || found.has(schema)) return found
  found.add(schema)
  const reference = schema["$ref"]
  const combined = ["allOf", "anyOf", "oneOf"].flatMap((name) => {
    const list = schema[name]
    return Array.isArray(list) ? list as ReadonlyArray<Json> : []
  })
  const referred = typeof reference === "string" && reference.startsWith("#") ? [at(root, reference)] : []
  for (const part of [...referred, ...combined]) partsOf(root, part, left - 1, found)
  return found
}

export type Kind = "choice" | "text" | "number" | "boolean" | "json" | "null"

const kindsByType: Readonly<Record<string, Kind>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
  array: "json",
  object: "json"
}

const listedIn = (part: JsonObject): ReadonlyArray<Json> | null => {
  const { const: only, enum: listed } = part
  return Array.isArray(listed) ? listed as ReadonlyArray<Json> : only === undefined ? null : [only]
}

/** Kinds of values, of those parts that do not list theirs. */
const kindsOf = (parts: ReadonlyArray<JsonObject>, choices: ReadonlyArray<Json>): ReadonlyArray<Kind> => {
  const free = parts.filter((part) => listedIn(part) === null)
  const kinds = free.flatMap(({ type }) => type === undefined ? [] : [type].flat())
    .flatMap((type) => typeof type === "string" ? kindsByType[type] ?? [] : [])
  const all = new Set<Kind>([...(choices.length > 0 ? ["choice" as const] : []), ...kinds])
  return all.size > 0 ? [...all] : ["text", "number", "boolean", "json"]
}

/** What a schema says of the value at one place: its title, its members in order, its entries. */
export interface Shape {
  readonly title: string | null
  readonly description: string | null
  readonly names: ReadonlyArray<string>
  readonly type: Json | undefined
  /** What can be given here, such as text or nothing; several where the schema leaves it open. */
  readonly kinds: ReadonlyArray<Kind>
  /** The values that can be chosen from; none where no list of them is all there is to `choice`. */
  readonly choices: ReadonlyArray<Json>
  /** Why a value cannot stand here; null where nothing says so. */
  readonly misfit: (value: Json) => string | null
  readonly child: (step: string) => Shape
}

export const shapeOf = (root: Json, schema: Json | undefined = root): Shape => {
  const parts = [...partsOf(root, schema)]
  const text = (name: string) => {
    const found = parts.map((part) => part[name]).find((value) => typeof value === "string" && value !== "")
    return typeof found === "string" ? found : null
  }
  const members = parts.map((part) => part["properties"]).filter(isObject)
  const misfit = (value: Json) => misfitOf((reference) => at(root, reference), schema, value)
  // Asked for of the few places that are reviewed, and not of all that are shown.
  let found: ReadonlyArray<Json> | undefined
  const choices = () => {
    if (found !== undefined) return found
    const listed = parts.flatMap((part) => listedIn(part) ?? []).map((one) => [JSON.stringify(one), one] as const)
    found = [...new Map(listed).values()].filter((one) => misfit(one) === null)
    return found
  }
  return {
    title: text("title"),
    description: text("description"),
    names: [...new Set(members.flatMap((properties) => Object.keys(properties)))],
    type: parts.map((part) => part["type"]).find((type) => type !== undefined),
    get kinds() {
      return kindsOf(parts, choices())
    },
    get choices() {
      return choices()
    },
    misfit,
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
