import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe } from "vitest"
import { propertyRuns } from "./PropertyRuns.ts"

const factor = Number(process.env.FOOTNOTE_PROPERTY_RUNS)

describe("the properties of a test run", () => {
  it("draw the same cases each time, unless a seed is asked for", () => {
    assert.deepStrictEqual(fc.sample(fc.double(), 50), fc.sample(fc.double(), 50))
    assert.notDeepEqual(fc.sample(fc.double(), 50), fc.sample(fc.double(), { numRuns: 50, seed: 20_240_229 }))
    const { seed } = fc.check(fc.property(fc.double(), () => true))
    assert.strictEqual(seed, Number(process.env.FOOTNOTE_PROPERTY_SEED) | 0)
  })

  it("run as often as each asks, times the factor of the run", async () => {
    let cases = 0
    const counted = fc.property(fc.nat(), () => void ++cases)
    fc.assert(counted)
    fc.assert(counted, { numRuns: 7 })
    await fc.assert(fc.asyncProperty(fc.nat(), async () => void ++cases), { numRuns: 3 })
    const expected = [100, 7, 3].map((runs) => Math.ceil(runs * factor))
    assert.strictEqual(cases, expected.reduce((sum, runs) => sum + runs))
    assert.lengthOf(fc.sample(fc.nat(), 9), Math.ceil(9 * factor))
  })

  it("name the seed and the factor that replay them", () => {
    assert.deepStrictEqual(propertyRuns(false, {}), { FOOTNOTE_PROPERTY_SEED: "1", FOOTNOTE_PROPERTY_RUNS: "1" })
    const soak = propertyRuns(true, {})
    assert.match(soak.FOOTNOTE_PROPERTY_SEED, /^\d+$/u)
    assert.strictEqual(soak.FOOTNOTE_PROPERTY_RUNS, "20")
    assert.deepStrictEqual(propertyRuns(false, { ...soak }), soak)
    assert.throws(() => propertyRuns(false, { FOOTNOTE_PROPERTY_SEED: "now" }), "FOOTNOTE_PROPERTY_SEED")
    assert.throws(() => propertyRuns(false, { FOOTNOTE_PROPERTY_RUNS: "0" }), "FOOTNOTE_PROPERTY_RUNS")
  })
})
