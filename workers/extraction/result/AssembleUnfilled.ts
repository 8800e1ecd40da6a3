import {
  canonical,
  isObject,
  isSchema,
  type Json,
  type JsonSchema,
  own,
  pointerTo,
  type SchemaObject
} from "../../../src/schemas/json-schema/JsonSchema.ts"
import { itemSchema, memberSchema } from "../../../src/schemas/json-schema/SchemaMerge.ts"
import type { SchemaDocument } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import { isLeaf } from "../text/InstanceLeaves.ts"

const keysOf = (value: unknown): ReadonlyArray<string> => isObject(value) ? Object.keys(value) : []

const isConstant = (view: SchemaObject): boolean => {
  const values = own(view, "enum")
  return Object.hasOwn(view, "const") || (Array.isArray(values) && values.length === 1)
}

/** Whether the schema itself gives this value: as the only one it takes, or as its default. */
const isOwn = (options: ReadonlyArray<SchemaObject>, value: unknown): boolean => {
  // One branch with a constant is a choice; only where every branch has one does the schema say the value.
  if (options.length > 0 && options.every(isConstant)) return true
  return options.some((view) => Object.hasOwn(view, "default") && canonical(view.default) === canonical(value))
}

/** The leaves of a schema that no proposal filled, each in one of the first two. */
export interface Unplaced {
  /** In document order: leaves of the result, and leaves and lists that it leaves out. */
  readonly unfilled: ReadonlyArray<string>
  /** Values that stand in the result because the schema gives them. */
  readonly defaults: ReadonlyArray<{ readonly pointer: string; readonly value: Json }>
  /** Those of `unfilled` at which the smallest value that the schema allows stands in the result. */
  readonly placeholders: ReadonlyArray<string>
}

/** Every leaf of the result that no proposal filled, and every optional leaf or list of the schema that is not in it. */
export const unplacedIn = (document: SchemaDocument, result: unknown, placed: ReadonlySet<string>): Unplaced => {
  const { fits, root, views } = document
  const unfilled: Array<string> = []
  const defaults: Array<{ readonly pointer: string; readonly value: Json }> = []
  const placeholders: Array<string> = []

  const present = (schema: JsonSchema, value: unknown, pointer: string): void => {
    const options = views(schema)
    const view = options.find((option) => fits(option, value)) ?? options[0] ?? {}
    if (isLeaf(value)) {
      if (placed.has(pointer)) return
      if (value !== null && isOwn(options, value)) defaults.push({ pointer, value })
      else {
        unfilled.push(pointer)
        if (value !== null) placeholders.push(pointer)
      }
    } else if (Array.isArray(value)) {
      if (value.length === 0) unfilled.push(pointer)
      for (const [index, item] of value.entries()) present(itemSchema(view, index), item, pointerTo(pointer, index))
    } else if (isObject(value)) {
      const names = new Set([...keysOf(own(view, "properties")), ...Object.keys(value)])
      for (const name of names) {
        const at = pointerTo(pointer, name)
        if (Object.hasOwn(value, name)) present(memberSchema(view, name), value[name], at)
        else absent(memberSchema(view, name), at, [])
      }
    }
  }

  /** A missing object is told by its leaves; a missing list, or an object inside itself, by its own pointer. */
  const absent = (schema: JsonSchema, pointer: string, above: ReadonlyArray<JsonSchema>): void => {
    if (schema === false) return
    const view = views(schema)[0]
    const properties = view === undefined ? undefined : own(view, "properties")
    const names = keysOf(properties).filter((name) => isSchema(own(properties, name)))
    if (view === undefined || names.length === 0 || above.length >= 8 || above.includes(view)) {
      unfilled.push(pointer)
      return
    }
    for (const name of names) absent(memberSchema(view, name), pointerTo(pointer, name), [...above, view])
  }

  present(root, result, "")
  return { unfilled, defaults, placeholders }
}
