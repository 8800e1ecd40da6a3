import { isObject, pointerTo, pointerTokens } from "../../../src/schemas/json-schema/JsonSchema.ts"

export type Leaf = string | number | boolean | null

export const isLeaf = (value: unknown): value is Leaf => typeof value !== "object" || value === null

/** Every string, number, boolean and null of a JSON value with its pointer, in document order. Containers are no leaves. */
export function* leavesOf(value: unknown, pointer = ""): Generator<{ readonly pointer: string; readonly value: Leaf }> {
  if (isLeaf(value)) yield { pointer, value }
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* leavesOf(item, pointerTo(pointer, index))
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) yield* leavesOf(value[key], pointerTo(pointer, key))
  }
}

/** A pointer into a result as the template of its leaf: every index, and every name that looks like one, is a wild card. */
export const templateOf = (pointer: string): string => {
  const parts = pointer.split("/")
  const tokens = pointerTokens(pointer).map((token, at) => /^\d+$/u.test(token) ? "*" : parts[at + 1]!)
  return tokens.map((token) => `/${token}`).join("")
}
