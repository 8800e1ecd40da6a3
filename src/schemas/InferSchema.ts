import { inferredOrder } from "./InferredOrder.ts"
import { hasFormat } from "./json-schema/Formats.ts"
import { isObject, type Json, pointerTo, type SchemaObject, setOwn } from "./json-schema/JsonSchema.ts"
import { schemaLimits, sizeProblem } from "./json-schema/JsonSchemaLint.ts"
import type { SchemaProblem } from "./json-schema/SchemaProblem.ts"
import type { SchemaWarning } from "./RegisterSchema.ts"

/** `path` of a problem is a JSON pointer into the request (`/examples/0/items`), that of a warning one into the result. */
export type Inferred =
  | { readonly ok: true; readonly json_schema: SchemaObject; readonly warnings: ReadonlyArray<SchemaWarning> }
  | { readonly ok: false; readonly problem: SchemaProblem }

/** Everything that the examples hold at one place; counts and sets only, so that the order of seeing does not matter. */
interface Place {
  /** Where it was first seen, for problems. */
  readonly path: string
  nulls: number
  booleans: number
  numbers: number
  integers: number
  strings: number
  /** The formats that every string so far has. */
  formats: ReadonlyArray<Format>
  objects: number
  readonly members: Map<string, Member>
  arrays: number
  items: Place | undefined
}

interface Member {
  readonly place: Place
  /** In how many of the objects it was, and the sum of its places in them. */
  count: number
  positions: number
  readonly before: Set<string>
}

const formats = ["date-time", "date", "email", "uri"] as const
type Format = typeof formats[number]

/** What a person would call that format: `note:this` is a URI too. */
const shapes: Readonly<Record<Format, RegExp>> = {
  "date-time": /^\d{4}-\d{2}-\d{2}T/u,
  date: /^\d{4}-\d{2}-\d{2}$/u,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/u,
  uri: /^[a-z][a-z0-9+.-]*:\/\/[^\s/]/iu
}

const looksLike = (format: Format, text: string): boolean => shapes[format].test(text) && hasFormat(format, text)

class TooMuch extends Error {
  readonly problem: SchemaProblem
  constructor(problem: SchemaProblem) {
    super(problem.message)
    this.problem = problem
  }
}

const placeAt = (path: string): Place => ({
  path,
  nulls: 0,
  booleans: 0,
  numbers: 0,
  integers: 0,
  strings: 0,
  formats,
  objects: 0,
  members: new Map(),
  arrays: 0,
  items: undefined
})

const tooDeep = (path: string): TooMuch =>
  new TooMuch({
    path,
    message: `Its schema would nest deeper than ${schemaLimits.depth} levels.`,
    reason: "too_deep"
  })

/** Gathers what examples hold, and refuses at the first thing that no schema within the limits could describe. */
class Survey {
  private properties = 0

  see(place: Place, value: Json, path: string, depth: number): void {
    if (value === null) place.nulls++
    else if (typeof value === "boolean") place.booleans++
    else if (typeof value === "number") {
      place.numbers++
      if (Number.isInteger(value)) place.integers++
    } else if (typeof value === "string") {
      place.strings++
      if (place.formats.length > 0) place.formats = place.formats.filter((format) => looksLike(format, value))
    } else if (depth > schemaLimits.depth) throw tooDeep(path)
    else if (isObject(value)) this.seeObject(place, value as { readonly [key: string]: Json }, path, depth)
    else this.seeArray(place, value as ReadonlyArray<Json>, path, depth)
  }

  private seeArray(place: Place, values: ReadonlyArray<Json>, path: string, depth: number): void {
    place.arrays++
    for (const [index, item] of values.entries()) {
      const at = pointerTo(path, index)
      place.items ??= placeAt(at)
      this.see(place.items, item, at, depth + 1)
    }
  }

  private seeObject(place: Place, value: { readonly [key: string]: Json }, path: string, depth: number): void {
    place.objects++
    let previous: Member | undefined
    for (const [position, key] of Object.keys(value).entries()) {
      const at = pointerTo(path, key)
      let member = place.members.get(key)
      if (member === undefined) {
        if (++this.properties > schemaLimits.properties) {
          const message = `The examples have more than ${schemaLimits.properties} properties; this is the first beyond.`
          throw new TooMuch({ path: at, message, reason: "too_many_properties" })
        }
        place.members.set(key, member = { place: placeAt(at), count: 0, positions: 0, before: new Set() })
      }
      member.count++
      member.positions += position
      previous?.before.add(key)
      previous = member
      this.see(member.place, value[key]!, at, depth + 1)
    }
  }
}

/** Writes the schema of a place. Branches come in one order: object, array, string, number, boolean, null. */
class Writer {
  readonly warnings: Array<SchemaWarning> = []

  schemaOf(place: Place, at: string, depth: number): SchemaObject {
    const { arrays, booleans, nulls, numbers, objects, strings } = place
    const kinds = [objects, arrays, strings, numbers, booleans].filter((count) => count > 0).length
    if (depth > schemaLimits.depth) throw tooDeep(place.path)
    if (kinds === 0) {
      if (nulls > 0) {
        this.warnings.push({ path: at, message: "Every example has null here, so no value fits but null." })
      }
      return nulls > 0 ? { type: "null" } : {}
    }
    if (kinds === 1 && nulls === 0) return this.branches(place, at, depth)[0]!
    if (depth >= schemaLimits.depth) throw tooDeep(place.path)
    if (kinds === 1) {
      const only = this.branches(place, at, depth)[0]!
      return { ...only, type: [only.type, "null"] }
    }
    const branches = this.branches(place, at, depth + 2)
    return { anyOf: nulls > 0 ? [...branches, { type: "null" }] : branches }
  }

  private branches(place: Place, at: string, depth: number): ReadonlyArray<SchemaObject> {
    if (depth > schemaLimits.depth) throw tooDeep(place.path)
    const branches: Array<SchemaObject> = []
    if (place.objects > 0) branches.push(this.objectOf(place, at, depth))
    if (place.arrays > 0) {
      if (place.items === undefined) {
        this.warnings.push({ path: at, message: "No example has an entry in this array, so any entry fits." })
      }
      const items = place.items === undefined ? {} : { items: this.schemaOf(place.items, `${at}/*`, depth + 1) }
      branches.push({ type: "array", ...items })
    }
    if (place.strings > 0) {
      const [format] = place.formats
      branches.push(format === undefined ? { type: "string" } : { type: "string", format })
    }
    if (place.numbers > 0) branches.push({ type: place.integers === place.numbers ? "integer" : "number" })
    if (place.booleans > 0) branches.push({ type: "boolean" })
    return branches
  }

  private objectOf(place: Place, at: string, depth: number): SchemaObject {
    if (place.members.size === 0) return { type: "object" }
    const properties = {}
    const required: Array<string> = []
    for (const key of inferredOrder(place.members)) {
      const member = place.members.get(key)!
      setOwn(properties, key, this.schemaOf(member.place, pointerTo(at, key), depth + 2))
      if (member.count === place.objects) required.push(key)
    }
    return {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      // ajv takes no `properties.__proto__` for a declared one: an object that has it stays open.
      ...(place.members.has("__proto__") ? {} : { additionalProperties: false })
    }
  }
}

const longestWarnings = 10

/**
 * Makes the 2020-12 schema that the examples have in common: every example fits it, it passes `checkSchema`, and neither
 * depends on the order of the examples. A property is required where every object of its place has it and nullable where
 * one has null; a format is claimed where every string has it; values of several types become `anyOf`. Nothing is made up
 * from the values: no enum, no bound, no pattern. Examples whose schema would be over the limits of schemas give the first
 * place that is too much. Never throws.
 */
export const inferSchema = (
  examples: ReadonlyArray<Json>,
  told: { readonly title?: string | undefined; readonly description?: string | undefined } = {}
): Inferred => {
  try {
    const root = placeAt("/examples")
    const survey = new Survey()
    for (const [index, example] of examples.entries()) survey.see(root, example, pointerTo("/examples", index), 1)
    const writer = new Writer()
    const json_schema: SchemaObject = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...(told.title === undefined ? {} : { title: told.title }),
      ...(told.description === undefined ? {} : { description: told.description }),
      ...writer.schemaOf(root, "", 1)
    }
    const problem = sizeProblem(json_schema)
    if (problem !== undefined) return { ok: false, problem: { ...problem, path: "/examples" } }
    return { ok: true, json_schema, warnings: writer.warnings.slice(0, longestWarnings) }
  } catch (error) {
    if (error instanceof TooMuch) return { ok: false, problem: error.problem }
    throw error
  }
}
