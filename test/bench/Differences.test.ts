import assert from "node:assert/strict"
import { describe, it } from "vitest"
import { byKind, differencesOf, digestOf } from "../../bench/compare/Differences.ts"

const spans = (...spans: ReadonlyArray<unknown>) => ({ job_id: "job_1", spans })

describe("node bench/compare.ts", () => {
  it("takes artifacts for the same whatever the order of their members and whose job it was", () => {
    assert.equal(
      digestOf({ a: 1, b: [{ c: 2, d: 3 }], job_id: "job_1" }),
      digestOf({ job_id: "job_2", b: [{ d: 3, c: 2 }], a: 1 })
    )
    assert.notEqual(digestOf({ a: [1, 2] }), digestOf({ a: [2, 1] }))
    assert.notEqual(digestOf({ a: "job_1" }), digestOf({ a: "job_2" }))
  })

  it("names each innermost place that differs, what is new and what is gone", () => {
    assert.deepEqual(differencesOf(spans({ a: 1, "b/c": "x" }, 7), spans({ a: 1, "b/c": "y", d: null })), [
      { pointer: "/spans/0/b~1c", before: "x", after: "y" },
      { pointer: "/spans/0/d", before: undefined, after: null },
      { pointer: "/spans/1", before: 7, after: undefined }
    ])
    assert.deepEqual(differencesOf({ a: [1] }, { a: { 0: 1 } }), [{ pointer: "/a", before: [1], after: { 0: 1 } }])
    assert.deepEqual(differencesOf({ a: [{}] }, { a: [{}] }), [])
  })

  it("counts what differs in the same way", () => {
    const kinds = byKind(differencesOf(spans({ t: 1 }, { t: 2 }, { u: 3 }), spans({ t: 2 }, { t: 3 }, { u: 4 })))
    assert.deepEqual(Array.from(kinds, ([kind, all]) => [kind, all.length]), [["/spans/*/t", 2], ["/spans/*/u", 1]])
  })
})
