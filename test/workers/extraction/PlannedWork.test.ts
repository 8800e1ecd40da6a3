import { assert, describe, it } from "@effect/vitest"
import type { Leaf } from "../../../workers/extraction/Plan.ts"
import { planOf } from "../../../workers/extraction/Plan.ts"
import { rankValues } from "../../../workers/extraction/Rank.ts"
import { RANK_MODEL } from "../../../workers/extraction/RankWeights.ts"
import type { Reading } from "../../../workers/extraction/Reading.ts"
import { materialOf } from "./Footage.ts"

const words = ["title", "speaker", "price", "date", "name", "topic", "tide", "range", "plan", "place"]
const flat = (count: number, type: string) => ({
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${words[at % 10]}_${at}`,
      { type, description: `the ${words[(at * 7) % 10]} of thing ${at}` }
    ])
  )
})

/** Levels of references with so many branches each. */
const tree = (levels: number, branches: number) => {
  const $defs: Record<string, unknown> = { [`d${levels}`]: { type: "string" } }
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` }
    const properties = Object.fromEntries(
      Array.from({ length: branches }, (_, at) => [`${words[at % 10]}_${at}`, next])
    )
    $defs[`d${level}`] = { type: "object", properties }
  }
  return { $defs, $ref: "#/$defs/d0" }
}

const { reading } = materialOf([
  [1, "S1", "Good morning, I'm Ruth Andersen and today we talk about ocean tides."],
  [9, "S1", "The spring tide has a range of sixteen metres in the Bay of Fundy on the 3rd of March."],
  [20, "S2", "The solo plan costs five dollars per month, the Family plan is seven, said Tom Becker."]
])

/** How often ranking looks a word up in what was said. */
const lookups = (leaves: ReadonlyArray<Leaf>): number => {
  let count = 0
  class Counted extends Map<string, ReadonlyArray<number>> {
    override get(key: string) {
      count++
      return super.get(key)
    }
  }
  const counted = { ...reading, stems: reading.stems.map((stems) => new Counted(stems)) } as Reading
  rankValues(counted, leaves, RANK_MODEL)
  return count
}

describe("the work that a schema plans", () => {
  it.each(["string", "number"])("grows with its leaves of type %s, not with their square", (type) => {
    const [some, more] = [lookups(planOf(flat(100, type)).leaves), lookups(planOf(flat(400, type)).leaves)]
    assert.isAbove(some, 0)
    // Four times the leaves; their square would be sixteen times the work.
    assert.isBelow(more / some, 5)
  })

  it("ends at 3,000 members, in objects, in entries of lists and where references unfold to more", () => {
    const { $defs, $ref } = tree(4, 11)
    const list = { type: "array", items: { $ref } }
    const schemas = [tree(12, 2), { $defs, ...list }, { $defs, type: "object", properties: { a: list, b: list } }]
    for (const schema of schemas) {
      const { leaves, lists } = planOf(schema)
      const planned = leaves.length + lists.reduce((sum, list) => sum + list.leaves.size, 0)
      assert.isAbove(planned, 1000)
      assert.isAtMost(planned, 3000)
    }
  })
})
