import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bestPairs } from "../../../bench/extraction/Assignment.ts"

type Table = ReadonlyArray<ReadonlyArray<number>>

/** Tries every way. */
const most = (worth: Table, at = 0, taken: ReadonlySet<number> = new Set()): number =>
  at === worth.length
    ? 0
    : Math.max(
      most(worth, at + 1, taken),
      ...worth[at]!.map((value, to) => taken.has(to) ? 0 : value + most(worth, at + 1, new Set([...taken, to])))
    )

const tables = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })).chain(([rows, columns]) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows
  })
)

const total = (worth: Table) => Array.from(bestPairs(worth)).reduce((sum, [at, to]) => sum + worth[at]![to]!, 0)

describe("the assignment of entries", () => {
  it("is worth as much as the best of all ways, each row and each column once, and pairs nothing that is worth nothing", () => {
    fc.assert(fc.property(tables, (worth) => {
      const pairs = Array.from(bestPairs(worth))
      assert.strictEqual(total(worth), most(worth))
      assert.strictEqual(new Set(pairs.map(([, to]) => to)).size, pairs.length)
      assert.isTrue(pairs.every(([at, to]) => worth[at]![to]! > 0))
    }))
  })

  it("pairs each once where there are hundreds", () => {
    const worth = Array.from({ length: 300 }, (_, at) => Array.from({ length: 200 }, (_, to) => at === to ? 2 : 1))
    const pairs = Array.from(bestPairs(worth))
    assert.strictEqual(pairs.length, 200)
    assert.strictEqual(new Set(pairs.map(([, to]) => to)).size, 200)
    assert.strictEqual(total(worth), 400)
  })
})
