import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { holdsWithin, innermost, pointerTree, shiftedBy } from "../../../src/reviews/model/PointerTree.ts"

const pointer = fc.array(fc.constantFrom("", "a", "0", "1", "2", "12", "~1", "~0"), { maxLength: 4 })
  .map((tokens) => tokens.map((token) => `/${token}`).join(""))
const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`)

describe("what is kept at JSON pointers", () => {
  it("is found at a place and within it, and nearest around it, as by asking each", () => {
    fc.assert(fc.property(fc.uniqueArray(pointer, { maxLength: 12 }), pointer, (places, asked) => {
      const tree = pointerTree(places.map((place) => [place, place]))
      assert.strictEqual(holdsWithin(tree, asked), places.some((place) => isWithin(place, asked)))
      const around = places.filter((place) => isWithin(asked, place)).toSorted((a, b) => b.length - a.length)
      assert.strictEqual(innermost(tree, asked), around[0])
    }))
  })

  it("moves up where entries of arrays are gone, as by taking one after the other, the last first", () => {
    const arrays = fc.constantFrom("", "/a", "/1", "/1/a", "/12/2")
    const index = fc.nat(14)
    const gone = fc.uniqueArray(fc.tuple(arrays, index), { selector: ([array, at]) => `${array}/${at}`, maxLength: 12 })
    fc.assert(fc.property(gone, arrays, index, (entries, array, at) => {
      const place = `${array}/${at}`
      fc.pre(!entries.some(([from, taken]) => isWithin(place, `${from}/${taken}`)))
      const byArray = Map.groupBy(entries, ([from]) => from)
      const shifted = shiftedBy(
        pointerTree(
          Array.from(byArray, ([from, taken]) => [from, taken.map(([, one]) => one).toSorted((a, b) => a - b)] as const)
        )
      )
      const tokens = place.slice(1).split("/")
      const byOne = tokens.map((token, depth) => {
        const from = ["", ...tokens.slice(0, depth)].join("/")
        const before = entries.filter(([one, taken]) => one === from && taken < Number(token))
        return before.length === 0 ? token : String(Number(token) - before.length)
      })
      assert.strictEqual(shifted(place), `/${byOne.join("/")}`)
    }))
  })
})
