import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { align, comparable, rate, tally } from "../../../bench/speech/ErrorRates.ts"

const words = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 })

const errors = (a: string, b: string) => align(a.split(" "), b.split(" ")).errors

describe("ErrorRates", () => {
  it("counts the least number of wrong, missing and additional words", () => {
    assert.strictEqual(errors("the cat sat", "the cat sat"), 0)
    assert.strictEqual(errors("the cat sat", "the bat sat"), 1)
    assert.strictEqual(errors("the cat sat", "cat sat down"), 2)
  })

  it("pairs equal words only, in order, and as many as the errors leave", () => {
    fc.assert(fc.property(words, words, (a, b) => {
      const { equal, errors } = align(a, b)
      let [i, j] = [-1, -1]
      for (const [x, y] of equal) {
        assert.strictEqual(a[x], b[y])
        assert.isAbove(x, i)
        assert.isAbove(y, j)
        ;[i, j] = [x, y]
      }
      assert.isAtLeast(equal.length, Math.max(a.length, b.length) - errors)
      assert.strictEqual(errors, align(b, a).errors)
    }))
  })

  it("compares words as they sound, not as they are written", () => {
    assert.deepStrictEqual(comparable("Mr. O’Neill said: ‘No!’ — twice-over"), [
      "mister",
      "o'neill",
      "said",
      "no",
      "twice",
      "over"
    ])
  })

  it("sums errors over utterances before it divides", () => {
    const [letters, sums] = [{ errors: 0, total: 0 }, { errors: 0, total: 0 }]
    tally(sums, letters, "one two three", "one two three")
    tally(sums, letters, "four", "for")
    assert.strictEqual(rate(sums), 1 / 4)
    assert.strictEqual(rate(letters), 1 / 17)
    assert.strictEqual(rate({ errors: 0, total: 0 }), 0)
  })
})
