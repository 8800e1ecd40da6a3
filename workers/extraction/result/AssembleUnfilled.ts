import type { Unfilled, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import {
  canonical,
  isObject,
  isSchema,
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

const fixed = (options: ReadonlyArray<SchemaObject>, value: unknown): UnfilledReason | undefined => {
  // One branch with a constant is a choice; only where every branch has one does the schema say the value.
  if (options.length > 0 && options.every(isConstant)) return "constant"
  const isDefault = (view: SchemaObject) =>
    Object.hasOwn(view, "default") && canonical(view.default) === canonical(value)
  return options.some(isDefault) ? "default" : undefined
}

/**
 * Tells every leaf of the result that no proposal filled, and every optional leaf or list of the schema that is not in the
 * result, in document order. `rejected` are pointers at which something was found that did not fit.
 */
export const unfilledOf = (
  document: SchemaDocument,
  result: unknown,
  placed: ReadonlySet<string>,
  rejected: ReadonlySet<string>
): ReadonlyArray<Unfilled> => {
  const { fits, root, views } = document
  const unfilled: Array<Unfilled> = []
  const tell = (pointer: string, reason: UnfilledReason) =>
    unfilled.push({ pointer, reason: reason === "not_found" && rejected.has(pointer) ? "does_not_fit" : reason })

  const present = (schema: JsonSchema, value: unknown, pointer: string): void => {
    const options = views(schema)
    const view = options.find((option) => fits(option, value)) ?? options[0] ?? {}
    if (isLeaf(value)) {
      if (!placed.has(pointer)) tell(pointer, value === null ? "not_found" : fixed(options, value) ?? "placeholder")
    } else if (Array.isArray(value)) {
      if (value.length === 0) tell(pointer, "not_found")
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
      tell(pointer, "not_found")
      return
    }
    for (const name of names) absent(memberSchema(view, name), pointerTo(pointer, name), [...above, view])
  }

  present(root, result, "")
  return unfilled
}
