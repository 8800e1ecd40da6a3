import {
  canonical,
  isObject,
  isSchema,
  type Json,
  type JsonSchema,
  own,
  pointerTo,
  type SchemaObject,
  setOwn
} from "../../../src/schemas/json-schema/JsonSchema.ts"
import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"
import { both, itemSchema, memberSchema, typesOf } from "../../../src/schemas/json-schema/SchemaMerge.ts"
import type { SchemaDocument } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import { leavesOf } from "../text/InstanceLeaves.ts"
import { coerceTo } from "./AssembleCoerce.ts"
import type { Wanted } from "./AssembleTree.ts"

/** A value that fits its schema, and which of its leaves came from which proposal. */
export interface Built {
  readonly value: Json
  readonly placed: ReadonlyArray<{ readonly pointer: string; readonly proposal: number }>
  /** The sum of the scores of what was placed: decides what yields where not everything fits. */
  readonly score: number
  /** Leaves that stand for nothing: what a better choice has fewer of. */
  readonly placeholders: number
}

const mostSteps = 50_000
/** Beyond this many, trying to leave one out at a time costs too much; then values are added one at a time. */
const mostDrops = 24

const filler = (value: Json): Built => {
  let placeholders = 0
  for (const leaf of leavesOf(value)) if (leaf.value !== null) placeholders++
  return { value, placed: [], score: 0, placeholders }
}

const better = (a: Built, b: Built | undefined): boolean =>
  b === undefined || a.placed.length > b.placed.length ||
  (a.placed.length === b.placed.length && a.placeholders < b.placeholders)

const combine = (value: Json, parts: ReadonlyArray<readonly [string | number, Built]>): Built => ({
  value,
  placed: parts.flatMap(([token, part]) =>
    part.placed.map(({ pointer, proposal }) => ({ pointer: pointerTo("", token) + pointer, proposal }))
  ),
  score: parts.reduce((sum, [, part]) => sum + part.score, 0),
  placeholders: parts.reduce((sum, [, part]) => sum + part.placeholders, 0)
})

/**
 * Builds, bottom up, the value that holds as much as possible of what is wanted and fits its schema at every level. Where a
 * schema leaves a choice (`anyOf`, `oneOf`, `if`) the one that places most wins, then the one with fewer placeholders,
 * then the first. Gives undefined where nothing wanted can be placed; stops improving after 50,000 steps. With `whole` an entry of a
 * list that lacks what its schema requires is left out, where the list can do without it, instead of being filled up.
 */
export const builder = (document: SchemaDocument, { whole }: { readonly whole: boolean }) => {
  const { fits, smallest, views } = document
  let steps = 0

  const build = (schema: JsonSchema, wanted: Wanted, required: boolean): Built | undefined => {
    if (schema === false || ++steps > mostSteps) return undefined
    let best = leaf(schema, wanted)
    if (wanted.members.size === 0 && wanted.items.size === 0) return best
    for (const view of views(schema)) {
      for (const built of [object(schema, view, wanted), array(schema, view, wanted, required)]) {
        if (built !== undefined && built.placed.length > 0 && better(built, best)) best = built
      }
    }
    return best
  }

  const leaf = (schema: JsonSchema, wanted: Wanted): Built | undefined => {
    for (const { grounded, proposal } of wanted.candidates) {
      const value = coerceTo(document, schema, grounded.value)
      if (value !== undefined) {
        return { value, placed: [{ pointer: "", proposal }], score: grounded.score, placeholders: 0 }
      }
    }
    return undefined
  }

  const object = (schema: JsonSchema, view: SchemaObject, wanted: Wanted): Built | undefined => {
    if (wanted.members.size === 0 || typesOf(view)?.includes("object") === false) return undefined
    const required = requiredNames(view)
    const found = new Map<string, Built>()
    for (const [name, member] of wanted.members) {
      if (isInvented(view, name)) continue
      const built = build(memberSchema(view, name), member, required.has(name))
      if (built !== undefined) found.set(name, built)
    }
    if (found.size === 0) return undefined
    return fitting(found, (names) => {
      const made = objectOf(view, required, new Map(names.map((name) => [name, found.get(name)!])))
      return made !== undefined && fits(schema, made.value) ? made : undefined
    })
  }

  const objectOf = (
    view: SchemaObject,
    required: ReadonlySet<string>,
    found: ReadonlyMap<string, Built>
  ): Built | undefined => {
    const declared = own(view, "properties")
    const needed = new Set(required)
    // A set that grows while it is walked: what a dependency asks for may have dependencies.
    const present = new Set([...found.keys(), ...required])
    for (const name of present) {
      for (const other of dependencies(view, name)) {
        needed.add(other)
        present.add(other)
      }
    }
    const parts: Array<[string, Built]> = []
    for (const name of new Set([...(isObject(declared) ? Object.keys(declared) : []), ...needed, ...found.keys()])) {
      const built = found.get(name)
      if (built !== undefined) parts.push([name, built])
      else if (needed.has(name)) {
        const nothing = smallest(memberSchema(view, name))
        if (nothing === undefined) return undefined
        parts.push([name, filler(nothing)])
      }
    }
    const value = {}
    for (const [name, part] of parts) setOwn(value, name, part.value)
    return combine(value as Json, parts)
  }

  const array = (
    schema: JsonSchema,
    view: SchemaObject,
    wanted: Wanted,
    required: boolean
  ): Built | undefined => {
    if (typesOf(view)?.includes("array") === false) return undefined
    if (wanted.items.size === 0) return tuple(schema, view, wanted)
    const unique = own(view, "uniqueItems") === true
    const seen = new Set<string>()
    const found = new Map<string, Built>()
    for (const [key, item] of wanted.items) {
      const built = build(itemSchema(view, found.size), item, true)
      if (built === undefined) continue
      const sameness = canonical(built.value).toLowerCase()
      if (unique && seen.has(sameness)) continue
      seen.add(sameness)
      found.set(key, built)
    }
    if (whole) {
      const least = own(view, "minItems")
      const complete = [...found].filter(([, built]) => built.placeholders === 0)
      if (complete.length >= (typeof least === "number" ? least : 0)) {
        for (const [key, { placeholders }] of found) if (placeholders > 0) found.delete(key)
      }
    }
    const most = own(view, "maxItems")
    for (const key of byScore(found).slice(typeof most === "number" ? most : found.size)) found.delete(key)
    return fitting(found, (keys) => {
      const parts = keys.map((key) => found.get(key)!)
      const padded = pad(view, parts, required)
      if (padded === undefined) return undefined
      const made = combine(padded.map((part) => part.value), [...padded.entries()])
      return fits(schema, made.value) ? made : undefined
    })
  }

  /** Fixed places of an array, asked for by index. */
  const tuple = (schema: JsonSchema, view: SchemaObject, wanted: Wanted): Built | undefined => {
    const indices = [...wanted.members.keys()].filter((name) => /^\d{1,3}$/u.test(name)).map(Number)
    if (indices.length === 0) return undefined
    const least = own(view, "minItems")
    const length = Math.max(...indices.map((index) => index + 1), typeof least === "number" ? least : 0)
    const parts: Array<Built> = []
    for (let index = 0; index < length; index++) {
      const at = wanted.members.get(String(index))
      const built = at === undefined ? undefined : build(itemSchema(view, index), at, true)
      const nothing = built === undefined ? smallest(itemSchema(view, index)) : undefined
      if (built === undefined && nothing === undefined) return undefined
      parts.push(built ?? filler(nothing!))
    }
    const made = combine(parts.map((part) => part.value), [...parts.entries()])
    return fits(schema, made.value) ? made : undefined
  }

  /** Placeholders up to `minItems` where the array has to be there; too few items of an optional array are none. */
  const pad = (
    view: SchemaObject,
    parts: ReadonlyArray<Built>,
    required: boolean
  ): ReadonlyArray<Built> | undefined => {
    const least = own(view, "minItems")
    const contains = own(view, "contains")
    if (required && isSchema(contains) && !parts.some((part) => fits(contains, part.value))) {
      const inside = smallest(both(contains, itemSchema(view, parts.length)))
      if (inside !== undefined && own(view, "minContains") !== 0) return [...parts, filler(inside)]
    }
    if (typeof least !== "number" || parts.length >= least) return parts
    if (!required) return undefined
    const used = new Set(parts.map((part) => canonical(part.value)))
    const { contains: _, ...plain } = view
    const spare = smallest({ ...plain, minItems: least + (own(view, "uniqueItems") === true ? parts.length : 0) })
    if (!Array.isArray(spare)) return undefined
    const unused = own(view, "uniqueItems") === true ? spare.filter((item) => !used.has(canonical(item))) : spare
    return [...parts, ...unused.slice(0, least - parts.length).map(filler)]
  }

  return (wanted: Wanted): Built | undefined => {
    steps = 0
    return build(document.root, wanted, true)
  }
}

/** A key that nobody declared belongs only into a map: an object whose schema names no properties. */
const isInvented = (view: SchemaObject, name: string): boolean => {
  const declared = own(view, "properties")
  if (!isObject(declared) || Object.keys(declared).length === 0 || Object.hasOwn(declared, name)) return false
  const patterns = own(view, "patternProperties")
  return !isObject(patterns) || !Object.keys(patterns).some((pattern) => linearPattern(pattern).test(name))
}

const dependencies = (view: SchemaObject, name: string): ReadonlyArray<string> => {
  const names = own(own(view, "dependentRequired"), name)
  const schema = own(own(view, "dependentSchemas"), name)
  return [...(Array.isArray(names) ? names : []), ...(isObject(schema) ? requiredNames(schema) : [])]
}

const requiredNames = (view: SchemaObject): ReadonlySet<string> => {
  const required = own(view, "required")
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : [])
}

/** Keys from the best to the worst; between equals the earlier one is better. */
const byScore = (found: ReadonlyMap<string, Built>): ReadonlyArray<string> =>
  [...found].toSorted(([, a], [, b]) => b.score - a.score).map(([key]) => key)

/**
 * The largest set of parts that can be made into something valid: all of them, or all but one, or what can be added from
 * the best on. Parts keep their order.
 */
const fitting = (
  found: ReadonlyMap<string, Built>,
  make: (keys: ReadonlyArray<string>) => Built | undefined
): Built | undefined => {
  const keys = [...found.keys()]
  const all = make(keys)
  if (all !== undefined) return all
  const ranked = byScore(found)
  if (keys.length <= mostDrops) {
    for (const dropped of ranked.toReversed()) {
      const made = make(keys.filter((key) => key !== dropped))
      if (made !== undefined) return made
    }
  }
  let kept: ReadonlySet<string> = new Set()
  let best: Built | undefined
  for (const key of ranked) {
    const trial = new Set([...kept, key])
    const made = make(keys.filter((other) => trial.has(other)))
    if (made === undefined) continue
    kept = trial
    best = made
  }
  return best
}
