import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isId, newId } from "../../src/identity/Id.ts"

describe("newId", () => {
  it.effect("gives ids of one shape that come in strict order, also while the clock stands still", () =>
    Effect.gen(function*() {
      const ids = yield* Effect.forEach(Array.from({ length: 2000 }), () => newId("job"))
      for (const id of ids) assert.match(id, /^job_[0-9abcdefghjkmnpqrstvwxyz]{26}$/u)
      assert.deepStrictEqual(ids.toSorted(), ids)
      assert.strictEqual(new Set(ids).size, 2000)
    }))

  it.effect("gives what isId takes", () =>
    Effect.gen(function*() {
      for (const prefix of ["job", "dst", "key", "sch", "upl", "dlv", "evt", "ten"] as const) {
        assert.isTrue(isId(prefix, yield* newId(prefix)))
      }
    }))
})

describe("isId", () => {
  it("refuses whatever the database should never see", () => {
    for (
      const text of ["", "job", "job_", "sch_1", "job_\0", "job_é", "job_1' --", `job_${"1".repeat(100)}`, "job_A"]
    ) {
      assert.isFalse(isId("job", text), JSON.stringify(text))
    }
  })
})
