import { assert, describe, it } from "@effect/vitest"
import { alignWords } from "../../../../workers/speech/ctc/WordAlignment.ts"
import { letters, spelled } from "../Posteriors.ts"

describe("alignWords", () => {
  it("finds each word's letters in the sound, whatever their case and punctuation", () => {
    const aligned = alignWords(spelled("__so-_on--"), letters, ["So,", "on."])!
    assert.deepStrictEqual(aligned.map(({ from, to }) => [from, to]), [[2, 4], [6, 8]])
    for (const { log_probability } of aligned) assert.approximately(log_probability!, Math.log(0.99), 0.01)
  })

  it("gives a number the sound that its neighbours leave, and no letters of its own", () => {
    const [before, number, after] = alignWords(spelled("_in_five-_days"), letters, ["in", "5", "days"])!
    assert.deepStrictEqual([before!.from, before!.to], [1, 3])
    assert.deepStrictEqual([after!.from, after!.to], [10, 14])
    assert.isAtLeast(number!.from, 3)
    assert.isAtMost(number!.to, 10)
    assert.isNull(number!.log_probability)
  })

  it("is null where the text has more letters than the sound has frames", () => {
    assert.isNull(alignWords(spelled("_so"), letters, ["something", "longer"]))
  })
})
