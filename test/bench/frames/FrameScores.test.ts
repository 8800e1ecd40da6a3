import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { countFrames, scoreFrames } from "../../../bench/frames/FrameScores.ts"

const states = [
  { id: "a", t0: 0, t1: 3, kind: "content" },
  { id: "fade", t0: 3, t1: 4, kind: "transition" },
  { id: "b", t0: 4, t1: 7, kind: "content" },
  { id: "a", t0: 7, t1: 9, kind: "content" },
  { id: "glimpse", t0: 9, t1: 9.5, kind: "content" },
  { id: "black", t0: 9.5, t1: 12, kind: "blank" }
] as const

const score = (kept: ReadonlyArray<number>) => scoreFrames([countFrames(states, kept)])

describe("FrameScores", () => {
  it("gives full marks for one frame of each state", () => {
    const { kept_per_state, precision, recall } = score([1, 5])
    assert.deepStrictEqual([recall, precision, kept_per_state], [1, 1, 1])
  })

  it("counts against precision a second frame, one of a state that came back, of a transition and of nothing", () => {
    for (const extra of [2, 8, 3.5, 11]) assert.strictEqual(score([1, 5, extra]).precision, 2 / 3)
    assert.strictEqual(score([1, 5, 3.5, 11]).transitions, 2)
  })

  it("counts against recall a state of which nothing was kept, unless it lasted less than a second", () => {
    assert.strictEqual(score([1]).recall, 0.5)
    assert.strictEqual(score([1, 5]).recall, 1)
  })

  it.each([
    ["no frame is right where none was kept", [countFrames(states, [])], {
      recall: 0,
      precision: null,
      kept_per_state: 0
    }],
    ["no state is found where there is none", [countFrames([], [1, 2, 3])], {
      recall: null,
      precision: 0,
      kept_per_state: null
    }]
  ])("gives no share of nothing: %s", (_, counts, { kept_per_state, precision, recall }) => {
    const scored = scoreFrames(counts)
    assert.deepStrictEqual([scored.recall, scored.precision, scored.kept_per_state], [
      recall,
      precision,
      kept_per_state
    ])
  })

  it("takes a frame at the very moment of a change for the new state", () => {
    assert.strictEqual(score([0, 4]).recall, 1)
  })

  it("weighs every state and frame alike when clips are added up, in whatever order", () => {
    const moments = fc.array(fc.integer({ min: 0, max: 23 }).map((half) => half / 2), { minLength: 1, maxLength: 9 })
    fc.assert(fc.property(fc.array(moments, { minLength: 1, maxLength: 5 }), (clips) => {
      const counts = clips.map((kept) => countFrames(states, kept))
      const all = scoreFrames(counts)
      assert.deepStrictEqual(scoreFrames(counts.toReversed()), all)
      assert.strictEqual(all.kept, clips.flat().length)
      assert.strictEqual(all.precision, all.right / all.kept)
      assert.isAtMost(all.right, all.kept)
      assert.isAtMost(all.recall!, 1)
    }))
  })
})
