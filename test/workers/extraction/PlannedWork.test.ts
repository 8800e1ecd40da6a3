import { assert, describe, it } from "@effect/vitest"
import { templates } from "../../../src/schemas/Templates.ts"
import type { Reading } from "../../../workers/extraction/candidates/Reading.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { planWithin } from "../../../workers/extraction/PlannedWork.ts"
import { rankValues } from "../../../workers/extraction/ranking/Rank.ts"
import { RANK_MODEL } from "../../../workers/extraction/ranking/RankWeights.ts"
import type { Leaf } from "../../../workers/extraction/text/Plan.ts"
import { planOf } from "../../../workers/extraction/text/Plan.ts"
import { footage, inputOf, lecture, materialOf } from "./Footage.ts"

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

  /** Four minutes of sentences, each with numbers of its own: some 450 candidates. */
  const long = footage(
    Array.from({ length: 60 }, (_, at) => [
      at * 4 + 1,
      at % 2 === 0 ? "S1" : "S2",
      `The ${at}th tide at Fundy has a range of ${at + 3} metres, said Tom Becker on the 3rd of March.`
    ]),
    [],
    260
  )
  const told = (schema: object, source = long) =>
    new Map(extract(inputOf(schema, source)).evidence.unfilled.map(({ pointer, reason }) => [pointer, reason]))

  it("ends where a job's share of the extraction slot does, and what comes after is unfilled with `budget`", () => {
    const reasons = told({ ...flat(500, "string"), required: ["title_480"] })
    const [budget, others] = [[], []] as [Array<number>, Array<number>]
    for (const [pointer, reason] of reasons) (reason === "budget" ? budget : others).push(Number(pointer.split("_")[1]))
    assert.deepStrictEqual(budget, Array.from({ length: 200 }, (_, at) => 300 + at))
    assert.isBelow(Math.max(...others), 300)
    // Little is said: then there is room for more leaves.
    assert.notInclude([...told(flat(500, "string"), lecture).values()], "budget")
  })

  it("tells a list that is beyond it, and of an object that is partly beyond it the leaves that are", () => {
    const first = flat(298, "string").properties
    const inner = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } }
    }
    const reasons = told({
      type: "object",
      properties: { ...first, inner, list: { type: "array", items: { type: "string" } } }
    })
    const reason = (pointer: string) => reasons.get(pointer)
    assert.deepStrictEqual(["/inner/b", "/inner/c", "/list"].map(reason), ["not_found", "budget", "budget"])
  })

  it("takes nothing from what the templates ask for, however much is said", () => {
    for (const { json_schema } of templates) {
      assert.deepStrictEqual(planWithin(json_schema, { candidates: { length: 1e7 } } as Reading), planOf(json_schema))
    }
  })
})
