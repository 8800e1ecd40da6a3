import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { overlaps } from "../../../src/reviews/model/CheckDecisions.ts"
import type { GivenDecision } from "../../../src/reviews/model/Review.ts"

const pointers = fc.array(fc.constantFrom("", "a", "b", "0", "a~1b", "é"), { maxLength: 4 })
  .map((tokens) => tokens.map((token) => `/${token}`).join(""))

const decisions = fc.array(
  fc.record({ pointer: pointers, action: fc.constantFrom("accept", "reject") }),
  { maxLength: 12 }
) as fc.Arbitrary<ReadonlyArray<GivenDecision>>

/** For each decision by definition: the last of the same place, else the innermost wider one that is no acceptance. */
const defined = (all: ReadonlyArray<GivenDecision>) =>
  all.flatMap(({ pointer }, index) => {
    const same = all.findLastIndex((other) => other.pointer === pointer)
    const wider = all.flatMap((other, at) =>
      pointer.startsWith(`${other.pointer}/`) && at === all.findLastIndex((one) => one.pointer === other.pointer)
        && other.action !== "accept" ?
        [{ at, length: other.pointer.length }] :
        []
    ).toSorted((a, b) =>
      b.length - a.length
    )[0]
    const other = same === index ? wider?.at : same
    return other === undefined ? [] : [[`/decisions/${index}/pointer`, `Lies within the place of /decisions/${other}`]]
  })

describe("decisions of one review", () => {
  it("are told of where one lies within the place of another, which no acceptance decides", () => {
    fc.assert(fc.property(decisions, (all) => {
      assert.deepStrictEqual(overlaps(all).map(({ message, path }) => [path, message]), defined(all))
    }))
  })
})
