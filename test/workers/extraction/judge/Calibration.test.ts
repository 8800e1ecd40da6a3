import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { calibrated, footingOf } from "../../../../workers/extraction/judge/Calibration.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage } from "../Footage.ts"

const chance = fc.double({ min: 0, max: 1, noNaN: true })
const footing = fc.record({ words: fc.nat(20_000), order: fc.double({ min: -1, max: 1, noNaN: true }) })

describe("calibration of what the judge says", () => {
  it("is a probability, and keeps the judge's order within one video", () => {
    fc.assert(fc.property(chance, chance, footing, (a, b, stands) => {
      const [low, high] = [calibrated(Math.min(a, b), stands), calibrated(Math.max(a, b), stands)]
      assert.isAtLeast(low, 0)
      assert.isAtMost(high, 1)
      assert.isAtMost(low, high)
    }))
  })

  it("takes footage that is longer or shorter than what was fitted on for the longest and the shortest of that", () => {
    assert.strictEqual(calibrated(0.6, { words: 9_000, order: 0 }), calibrated(0.6, { words: 600, order: 0 }))
    assert.strictEqual(calibrated(0.6, { words: 0, order: 0 }), calibrated(0.6, { words: 150, order: 0 }))
  })

  it("knows how many words are spoken, and whether the fields come as the schema has them", () => {
    const names = ["speaker", "venue", "starting_time", "ticket_price"]
    const plan = planOf({ properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) })
    const { passages } = makeSourceDocument(footage(names.map((name, at) => [at, "A", `This is the ${name}.`])))
    const found = (order: ReadonlyArray<number>) =>
      order.map((at, field) => ({
        pointer_template: `/${names[field]!}`,
        span: { passage: passages[at]!, from: 0, to: 4 }
      }))
    // Six pairs, and five more that count for no order.
    assert.deepEqual(footingOf(plan, passages, found([0, 1, 2, 3])), { words: 16, order: 6 / 11 })
    assert.deepEqual(footingOf(plan, passages, found([3, 2, 1, 0])), { words: 16, order: -6 / 11 })
    assert.deepEqual(footingOf(plan, passages, found([0])), { words: 16, order: 0 })
    const early = calibrated(0.6, footingOf(plan, passages, found([0, 1, 2, 3])))
    assert.isAbove(early, calibrated(0.6, footingOf(plan, passages, found([3, 2, 1, 0]))))
  })
})
