import {
  fragmentOf,
  isObject,
  type JsonSchema,
  own,
  pointerTo,
  schemaMaps,
  type SchemaObject,
  setOwn,
  subschemas,
  valueAt
} from "./JsonSchema.ts"
import type { References } from "./JsonSchemaReferences.ts"

/** More copies than a linted schema may have nodes. */
export class TooManyScopes extends Error {}

/** The outermost schema of each dynamic anchor among the resources that evaluation has entered: name → pointer. */
type Scope = ReadonlyMap<string, string>

interface Open {
  readonly holder: SchemaObject
  readonly keyword: string
  readonly target: string
  readonly scope: Scope
}

const enter = (scope: Scope, anchors: ReadonlyMap<string, string>): Scope =>
  Array.from(anchors.keys()).every((name) => scope.has(name)) ? scope : new Map([...anchors, ...scope])

const keyOf = (scope: Scope): string => JSON.stringify(Array.from(scope).toSorted())

const droppedBelow = new Set(["$defs", "definitions"])

/**
 * The same schema with every `$dynamicRef` or `$recursiveRef` a `$ref` to a JSON pointer. Where one leads depends on the
 * resources entered before, of which there are finitely many sets: what is reached through another set than the one it
 * stands in is copied into `$defs` once for each (as a generic function is compiled once for each type). Identifiers and
 * anchors are left out. Throws `TooManyScopes` beyond `limit` nodes.
 */
export const withoutDynamicScopes = (root: SchemaObject, references: References, limit: number): JsonSchema => {
  const scopes = new Map<string, string>()
  const copies = new Map<string, string>()
  const open: Array<Open> = []
  let nodes = 0

  /** Copies what stands at `pointer` in the original; `inPlace` where the copy stands there too. */
  const copy = (value: unknown, pointer: string, outer: Scope, inPlace: boolean): unknown => {
    if (!isObject(value)) {
      if (inPlace && typeof value === "boolean") scopes.set(pointer, keyOf(outer))
      return value
    }
    if (++nodes > limit) throw new TooManyScopes(`Its dynamic references lead to more than ${limit} nodes.`)
    const scope = enter(outer, references.anchorsAround(pointer))
    if (inPlace) scopes.set(pointer, keyOf(scope))
    const copied: Record<string, unknown> = {}
    const below = new Set(Array.from(subschemas(value), ({ keyword }) => keyword))
    for (const keyword of Object.keys(value)) {
      if (identifying.has(keyword) || (!inPlace && droppedBelow.has(keyword))) continue
      const at = pointerTo(pointer, keyword)
      setOwn(
        copied,
        keyword,
        below.has(keyword) ? copyBelow(keyword, value[keyword], at, scope, inPlace) : other(value[keyword], at, inPlace)
      )
    }
    const target = references.targets.get(pointer)
    if (target !== undefined) open.push({ holder: copied, keyword: "$ref", target, scope })
    const late = references.dynamic.get(pointer)
    if (late !== undefined) {
      const found = late.name === undefined ? undefined : scope.get(late.name)
      let holder = copied
      if (target !== undefined) {
        holder = {}
        copied["allOf"] = [...(Array.isArray(copied["allOf"]) ? copied["allOf"] : []), holder]
      }
      open.push({ holder, keyword: "$ref", target: found ?? late.target, scope })
    }
    return copied
  }

  const copyBelow = (keyword: string, value: unknown, pointer: string, scope: Scope, inPlace: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => copy(item, pointerTo(pointer, index), scope, inPlace))
    if (!schemaMaps.has(keyword)) return copy(value, pointer, scope, inPlace)
    const copied = {}
    for (const key of Object.keys(value as object)) {
      setOwn(copied, key, copy(own(value, key), pointerTo(pointer, key), scope, inPlace))
    }
    return copied
  }

  /** No schema by its keyword, unless a reference leads into it. */
  const other = (value: unknown, pointer: string, inPlace: boolean): unknown => {
    if (!inPlace || typeof value !== "object" || value === null) return value
    if (references.elsewhere.has(pointer)) return copy(value, pointer, new Map(), true)
    if (Array.isArray(value)) return value.map((item, index) => other(item, pointerTo(pointer, index), true))
    const copied = {}
    for (const key of Object.keys(value)) setOwn(copied, key, other(own(value, key), pointerTo(pointer, key), true))
    return copied
  }

  const copied = copy(root, "", new Map(), true) as Record<string, unknown>
  const $defs: Record<string, unknown> = { ...(isObject(copied["$defs"]) ? copied["$defs"] : {}) }
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { holder, keyword, target } = next
    const scope = enter(next.scope, references.anchorsAround(target))
    const key = keyOf(scope)
    if (scopes.get(target) === key) {
      setOwn(holder, keyword, fragmentOf(target))
      continue
    }
    const id = `${target} ${key}`
    let name = copies.get(id)
    if (name === undefined) {
      name = `x-footnote-scope-${copies.size + 1}`
      copies.set(id, name)
      setOwn($defs, name, copy(valueAt(root, target), target, scope, false))
    }
    setOwn(holder, keyword, fragmentOf(pointerTo("/$defs", name)))
  }
  return copies.size === 0 ? copied : { ...copied, $defs }
}

const identifying = new Set([
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
  "$dynamicRef",
  "$recursiveRef"
])
