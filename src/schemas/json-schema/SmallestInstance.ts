import {
  canonical,
  isObject,
  isSchema,
  type Json,
  type JsonSchema,
  own,
  type SchemaObject,
  setOwn
} from "./JsonSchema.ts"
import { sampleStrings } from "./SampleStrings.ts"
import { type Fits, interpret } from "./SchemaInterpreter.ts"
import { both, itemSchema, memberSchema, mergeSchemas, typesOf } from "./SchemaMerge.ts"
import { type Views, viewsOf } from "./SchemaViews.ts"

/** One normalised schema with the questions that filling asks of it. */
export interface SchemaDocument {
  readonly root: JsonSchema
  readonly fits: Fits
  readonly views: Views
  /** The smallest value that fits: "nothing was found". Undefined where none was found within the step limit. */
  readonly smallest: (schema: JsonSchema) => Json | undefined
}

const mostSteps = 20_000
const deepest = 32

/**
 * Opens a normalised, linted schema. `smallest` prefers a `const`, then null, then the default, then the first enum value,
 * then an empty value of the type, and only returns what fits; it never throws and stops after 20,000 steps.
 */
export const openSchema = (root: JsonSchema): SchemaDocument => {
  const fits = interpret(root)
  const views = viewsOf(root)
  const known = new WeakMap<SchemaObject, Json>()
  const building = new Set<SchemaObject>()
  let steps = 0

  const build = (schema: JsonSchema, depth: number): Json | undefined => {
    if (schema === true) return null
    if (schema === false || depth > deepest || ++steps > mostSteps) return undefined
    const before = known.get(schema)
    if (before !== undefined) return before
    if (building.has(schema)) return undefined
    building.add(schema)
    try {
      for (const candidate of candidates(schema, depth)) {
        if (steps > mostSteps) return undefined
        if (candidate === undefined || !fits(schema, candidate)) continue
        known.set(schema, candidate)
        return candidate
      }
      return undefined
    } finally {
      building.delete(schema)
    }
  }

  function* candidates(schema: SchemaObject, depth: number): Generator<Json | undefined> {
    const options = views(schema)
    // Constants, nulls and empty values of every branch come before anything that has to be built.
    for (const view of options) yield* fixedValues(view)
    for (const view of options) yield* typedValues(view, depth)
  }

  function* typedValues(view: SchemaObject, depth: number): Generator<Json | undefined> {
    for (const type of typesOf(view) ?? impliedTypes(view)) {
      if (type === "null") yield null
      else if (type === "boolean") yield* [false, true]
      else if (type === "number" || type === "integer") yield* numbers(view, type === "integer")
      else if (type === "string") yield* sampleStrings(view)
      else if (type === "array") yield* arrays(view, depth)
      else if (type === "object") yield* objects(view, depth)
    }
  }

  function* arrays(view: SchemaObject, depth: number): Generator<Json | undefined> {
    const least = sizeOf(own(view, "minItems"))
    const items: Array<Json> = []
    const contains = own(view, "contains")
    const distinct = own(view, "uniqueItems") === true
    const used = new Set<string>()
    const add = (schema: JsonSchema): boolean => {
      const item = distinct ? another(schema, used, depth + 1) : build(schema, depth + 1)
      if (item === undefined) return false
      if (distinct) used.add(canonical(item))
      items.push(item)
      return true
    }
    const wanted = isSchema(contains) ? sizeOf(own(view, "minContains"), 1) : 0
    while (items.length < wanted) if (!add(both(contains as JsonSchema, itemSchema(view, items.length)))) return
    while (items.length < least) if (!add(itemSchema(view, items.length))) return
    yield items
    // Of a tuple whose later places are all that tells branches apart, the whole of it.
    const whole = [...items]
    const prefix = own(view, "prefixItems")
    for (let at = items.length; Array.isArray(prefix) && at < Math.min(prefix.length, 100); at++) {
      const item = build(itemSchema(view, at), depth + 1)
      if (item === undefined) return
      whole.push(item)
    }
    if (whole.length > items.length) yield whole
  }

  const another = (schema: JsonSchema, used: ReadonlySet<string>, depth: number): Json | undefined => {
    const first = build(schema, depth)
    if (first === undefined || !used.has(canonical(first))) return first
    const options = isObject(schema) ? candidates(schema, depth) : [null, false, true, 0][Symbol.iterator]()
    let tried = 0
    for (const candidate of options) {
      if (++tried > 2000) break
      if (candidate === undefined) continue
      for (const varied of variants(schema, candidate, used.size, depth)) {
        if (!used.has(canonical(varied)) && fits(schema, varied)) return varied
      }
    }
    return undefined
  }

  /** A value, those near it, and of an object those with another value of one member. */
  function* variants(schema: JsonSchema, value: Json, count: number, depth: number): Generator<Json> {
    yield value
    yield* variations(value, count)
    if (!isObject(value) || !isObject(schema)) return
    for (const view of views(schema)) {
      for (const name of Object.keys(value)) {
        const member = memberSchema(view, name)
        let tried = 0
        for (const other of isObject(member) ? candidates(member, depth + 1) : []) {
          if (++tried > 200) break
          if (other === undefined) continue
          const copy = {}
          for (const key of Object.keys(value)) setOwn(copy, key, key === name ? other : value[key])
          yield copy as Json
        }
      }
    }
  }

  function* objects(view: SchemaObject, depth: number): Generator<Json | undefined> {
    const names = keysOf(own(view, "properties"))
    const start = namesOf(own(view, "required"))
    yield* objectsWith(view, start, depth, new Set())
    // What `not` asks for is not in the view: one more name, then all of them.
    for (const name of names.slice(0, 20)) yield* objectsWith(view, [...start, name], depth, new Set())
    yield* objectsWith(view, [...start, ...names.slice(0, 40)], depth, new Set())
    yield* objectsWith(view, [...start, "k0"], depth, new Set())
  }

  /** The object with these names, then those that also have what `dependentSchemas` asks of an object with such names. */
  function* objectsWith(
    view: SchemaObject,
    names: ReadonlyArray<string>,
    depth: number,
    met: ReadonlySet<string>
  ): Generator<Json | undefined> {
    const object = objectWith(view, names, depth)
    yield object
    if (!isObject(object)) return
    const dependents = own(view, "dependentSchemas")
    const present = Object.keys(object)
    const name = present.find((key) => !met.has(key) && isSchema(own(dependents, key)))
    if (name === undefined) return
    const asked = new Set(met).add(name)
    for (const together of views(mergeSchemas(view, own(dependents, name) as JsonSchema))) {
      if (++steps > mostSteps) return
      yield* objectsWith(together, [...present, ...namesOf(own(together, "required"))], depth, asked)
    }
  }

  const objectWith = (view: SchemaObject, names: ReadonlyArray<string>, depth: number): Json | undefined => {
    const object = {}
    const queue = [...new Set(names)]
    const add = (name: string): boolean => {
      if (Object.hasOwn(object, name)) return true
      const value = build(memberSchema(view, name), depth + 1)
      if (value === undefined) return false
      setOwn(object, name, value)
      const dependent = own(own(view, "dependentRequired"), name)
      if (Array.isArray(dependent)) queue.push(...dependent)
      return true
    }
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) if (!add(name)) return undefined
    const least = sizeOf(own(view, "minProperties"))
    const nameSchema = own(view, "propertyNames")
    const allowsName = (name: string) => !isSchema(nameSchema) || fits(nameSchema, name)
    for (const name of keysOf(own(view, "properties"))) if (Object.keys(object).length < least) add(name)
    for (const name of inventedKeys(view)) {
      if (Object.keys(object).length >= least) break
      if (allowsName(name)) add(name)
    }
    return object
  }

  const smallest = (schema: JsonSchema): Json | undefined => {
    steps = 0
    return build(schema, 0)
  }
  return { root, fits, views, smallest }
}

const namesOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : []
const keysOf = (value: unknown): ReadonlyArray<string> => isObject(value) ? Object.keys(value) : []
const sizeOf = (value: unknown, otherwise = 0): number =>
  typeof value === "number" ? Math.min(value, 10_000) : otherwise

function* fixedValues(view: SchemaObject): Generator<Json> {
  if (Object.hasOwn(view, "const")) yield view.const as Json
  const types = typesOf(view)
  if (types === undefined || types.includes("null")) yield null
  if (Object.hasOwn(view, "default")) yield view.default as Json
  const values = own(view, "enum")
  if (Array.isArray(values)) yield* values.slice(0, 200)
}

const impliedTypes = (view: SchemaObject): ReadonlyArray<string> => {
  const has = (...keywords: ReadonlyArray<string>) => keywords.some((keyword) => Object.hasOwn(view, keyword))
  const all = ["null", "object", "array", "string", "number", "boolean"]
  const first = has("properties", "required", "minProperties", "additionalProperties", "patternProperties")
    ? "object"
    : has("items", "prefixItems", "minItems", "contains")
    ? "array"
    : has("pattern", "minLength", "format")
    ? "string"
    : has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
    ? "number"
    : "null"
  return [first, ...all.filter((type) => type !== first)]
}

function* numbers(view: SchemaObject, integer: boolean): Generator<Json> {
  const bound = (keyword: string) => {
    const value = own(view, keyword)
    return typeof value === "number" ? value : undefined
  }
  const step = bound("multipleOf") ?? (integer ? 1 : undefined)
  const [low, above] = [bound("minimum"), bound("exclusiveMinimum")]
  const [high, below] = [bound("maximum"), bound("exclusiveMaximum")]
  const [from, to] = [Math.max(low ?? -Infinity, above ?? -Infinity), Math.min(high ?? Infinity, below ?? Infinity)]
  yield* [0, 1]
  if (from > -Infinity) {
    yield from
    yield Math.floor(from) + 1
    if (step !== undefined) yield* [Math.ceil(from / step) * step, (Math.floor(from / step) + 1) * step]
  }
  if (to < Infinity) {
    yield to
    yield Math.ceil(to) - 1
    if (step !== undefined) yield* [Math.floor(to / step) * step, (Math.ceil(to / step) - 1) * step]
  }
  if (from > -Infinity && to < Infinity) yield (from + to) / 2
  if (step !== undefined) yield step
}

/** Names for members that nobody declared; the caller keeps those that `propertyNames` allows. */
function* inventedKeys(view: SchemaObject): Generator<string> {
  const samples: Array<string> = []
  for (const pattern of keysOf(own(view, "patternProperties"))) samples.push(...sampleStrings({ pattern }))
  const names = own(view, "propertyNames")
  if (isObject(names)) {
    if (Array.isArray(names.enum)) yield* names.enum.filter((name) => typeof name === "string")
    samples.push(...sampleStrings(names))
  }
  yield* samples
  for (let index = 0; index < 50; index++) yield `k${index}`
  for (const sample of samples) for (const more of "abcdefgh01234567") yield sample + more
}

/** Values near one that is already used, for `uniqueItems`. */
function* variations(value: Json, count: number): Generator<Json> {
  if (typeof value === "string") {
    yield* [`${value}${count}`, `${count}${value.slice(String(count).length)}`]
    // Of a date another day, then another year.
    for (const digits of [/\d+(?!.*\d)/su, /\d+/u]) {
      yield value.replace(digits, (number) => String(Number(number) + count).padStart(number.length, "0"))
    }
  } else if (typeof value === "number") yield* [value + count, value - count]
  else if (Array.isArray(value)) yield [...value, ...value]
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      for (const varied of variations(value[key] as Json, count)) {
        const copy = {}
        for (const name of Object.keys(value)) setOwn(copy, name, name === key ? varied : value[name])
        yield copy
      }
    }
  }
}
