import { assert, describe, it } from "@effect/vitest"
import { read } from "../../../../../workers/extraction/candidates/Reading.ts"
import { documentOf } from "../../Footage.ts"

/** Every number and sum that starts with these words. */
const readingsOf = (text: string, words: string): ReadonlyArray<unknown> =>
  read(documentOf([[1, "A", text]])).candidates.flatMap(({ kind, text: said, value }) =>
    (kind === "number" || kind === "money") && said === words ? [value] : []
  )

describe("an amount that is said as two numbers", () => {
  it.each<[string, string, number]>([
    ["The deposit used to be a hundred pounds. It's one fifty now, card only.", "one fifty", 150],
    ["It was eight pounds at the door, and it's nine fifty now.", "nine fifty", 9.5],
    ["I paid one seventy-nine in the sale.", "one seventy-nine", 179],
    ["It's three ninety point six oh altogether.", "three ninety point six oh", 390.6]
  ])("is what comes nearer to the amounts that are sure, and else hundreds: %s", (text, words, value) => {
    assert.deepStrictEqual(readingsOf(text, words), [value])
  })

  it.each<[string, string, number]>([
    ["The hall is six hundred pounds. Eggs are four twenty a dozen.", "four twenty", 4.2],
    ["New this week, fourteen fifty a skein.", "fourteen fifty", 14.5],
    ["They're three fifty each.", "three fifty", 3.5]
  ])("is pounds and pence of what is sold by the piece: %s", (text, words, value) => {
    assert.deepStrictEqual(readingsOf(text, words), [value])
  })

  it("is hundreds by the month, where nothing is sure", () => {
    assert.deepStrictEqual(readingsOf("I can't go over one eighty a month.", "one eighty"), [180])
  })
})
