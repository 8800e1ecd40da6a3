import { isObject, pointerTo } from "../../src/schemas/json-schema/JsonSchema.ts"
import { bestPairs } from "./Assignment.ts"

/** Whether a value is right for the leaf of the right result at a pointer. */
export type IsRight = (gold: string, value: unknown) => boolean

/** One leaf that was given, and where it stands in the right result. */
export interface StandingLeaf {
  readonly pointer: string
  readonly value: unknown
  /** The place in the right result, which may hold nothing; undefined below an entry that stands for none there. */
  readonly gold: string | undefined
  /** Of such an entry: the array that it is in, as it was given and in the right result. */
  readonly array: { readonly given: string; readonly gold: string } | undefined
}

const entriesOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []
const isAbsent = (value: unknown): boolean => value === null || value === undefined

/** How many leaves are right if one value stands for the other. */
const rightLeaves = (mine: unknown, gold: unknown, to: string, isRight: IsRight): number => {
  if (isAbsent(mine) || isAbsent(gold)) return 0
  if (Array.isArray(mine)) {
    const worth = worthOf(mine, entriesOf(gold), to, isRight)
    return Array.from(bestPairs(worth)).reduce((sum, [at, other]) => sum + Math.floor(worth[at]![other]!), 0)
  }
  if (isObject(mine)) {
    if (!isObject(gold)) return 0
    return Object.entries(mine).reduce(
      (sum, [key, value]) => sum + rightLeaves(value, gold[key], pointerTo(to, key), isRight),
      0
    )
  }
  return typeof gold !== "object" && isRight(to, mine) ? 1 : 0
}

const leafCount = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 1
    : Object.values(value).reduce<number>((sum, one) => sum + leafCount(one), 0)

/** By entry and entry: how many leaves are right, and, as a part of one leaf, how much of both entries that is. */
const worthOf = (mine: ReadonlyArray<unknown>, gold: ReadonlyArray<unknown>, to: string, isRight: IsRight) => {
  const sizes = gold.map(leafCount)
  return mine.map((entry) => {
    const size = leafCount(entry)
    return gold.map((other, at) => {
      const right = rightLeaves(entry, other, pointerTo(to, at), isRight)
      // A thousandth at most for each pair: all of them together never outweigh one right leaf.
      return right === 0 ? 0 : right + (2 * right) / (size + sizes[at]!) / 1000
    })
  })
}

/**
 * Every leaf that was given with its place in the right result: entries of arrays are paired so that the most leaves are right,
 * whatever their order.
 */
export function* beside(
  mine: unknown,
  gold: unknown,
  isRight: IsRight,
  place: Omit<StandingLeaf, "value"> = { pointer: "", gold: "", array: undefined }
): Generator<StandingLeaf> {
  const to = place.gold
  if (Array.isArray(mine)) {
    const others = entriesOf(gold)
    const pairs = to === undefined ? new Map<number, number>() : bestPairs(worthOf(mine, others, to, isRight))
    for (const [index, entry] of mine.entries()) {
      const pair = pairs.get(index)
      yield* beside(entry, pair === undefined ? undefined : others[pair], isRight, {
        pointer: pointerTo(place.pointer, index),
        gold: pair === undefined || to === undefined ? undefined : pointerTo(to, pair),
        array: to === undefined ? place.array : pair === undefined ? { given: place.pointer, gold: to } : undefined
      })
    }
  } else if (isObject(mine)) {
    for (const [key, value] of Object.entries(mine)) {
      yield* beside(value, isObject(gold) ? gold[key] : undefined, isRight, {
        ...place,
        pointer: pointerTo(place.pointer, key),
        gold: to === undefined ? undefined : pointerTo(to, key)
      })
    }
  } else if (!isAbsent(mine)) yield { ...place, value: mine }
}
