import { assert, it } from "@effect/vitest"
import { carried, type Drafted, uponOf } from "../../app/review/Carried.ts"
import type { GivenDecision, Review } from "../../clients/typescript/src/generated/types.ts"

const before = { a: "one", list: ["x", "y", "z"], rows: [{ n: 1 }, { n: 1 }] }

const drafted = (decision: GivenDecision): Drafted => ({
  decision,
  upon: uponOf(before, decision.pointer),
  name: decision.pointer
})

const review = (...decisions: Array<Partial<Review["decisions"][number]>>): Review => ({
  id: "rev_1",
  job_id: "job_1",
  revision: 1,
  base_revision: 0,
  author: { key_id: null, name: "Ada" },
  created_at: "2026-01-01T00:00:00.000Z",
  note: null,
  decisions: decisions.map((one) => Object.assign({ pointer: "", action: "accept" as const, citations: [] }, one))
})

const pointersOf = (all: ReadonlyArray<Drafted>) => all.map(({ decision: { pointer } }) => pointer)

it("a drafted decision goes on to a newer revision only where its place still means what it meant", () => {
  const mine = [
    drafted({ pointer: "/a", action: "accept" }),
    drafted({ pointer: "/list/1", action: "reject" }),
    drafted({ pointer: "/list/3", action: "correct", value: "new" }),
    // Of another entry since, though what stands there reads the same.
    drafted({ pointer: "/rows/0/n", action: "accept" })
  ]
  const gone = { a: "one", list: ["x", "y", "z", "theirs"], rows: [{ n: 1 }] }
  const since = [
    review({ pointer: "/rows/0", action: "reject", before: { n: 1 } }, {
      pointer: "/list/3",
      action: "correct",
      value: "theirs"
    })
  ]
  const { aside, kept, reopened } = carried(mine, gone, since)
  assert.deepStrictEqual(pointersOf(kept), ["/a", "/list/1", "/list/4"])
  assert.deepStrictEqual(pointersOf(aside), ["/rows/0/n"])
  assert.deepStrictEqual(reopened, [])
})

it("a correction of a value that somebody else changed is opened again, and one that they made too is done", () => {
  const mine = [
    drafted({ pointer: "/a", action: "correct", value: "two" }),
    drafted({ pointer: "/list/0", action: "correct", value: "w" }),
    drafted({ pointer: "/list/1", action: "choose", candidate: 0 })
  ]
  const since = [
    review(
      { pointer: "/a", action: "correct", value: "three" },
      { pointer: "/list/0", action: "correct", value: "w" },
      { pointer: "/list/1", value: "y" }
    )
  ]
  const { aside, kept, reopened } = carried(mine, { ...before, a: "three", list: ["w", "y", "z"] }, since)
  assert.deepStrictEqual([pointersOf(kept), pointersOf(reopened), pointersOf(aside)], [[], ["/a"], ["/list/1"]])
})

it("nothing is sent on unseen where not all is known that was decided since", () => {
  const mine = [drafted({ pointer: "/a", action: "accept" })]
  assert.deepStrictEqual(pointersOf(carried(mine, before, null).aside), ["/a"])
})
