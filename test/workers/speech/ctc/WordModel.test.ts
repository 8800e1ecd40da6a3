import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { NOWHERE, parseWordModel, readWordModel } from "../../../../workers/speech/ctc/WordModel.ts"
import { packed, wordModel } from "../WordModels.ts"

const grams = [
  { words: "<s>", score: -15 },
  { words: "the", score: -1, back: -0.5 },
  { words: "sea", score: -3, back: -0.25 },
  { words: "bear", score: -4 },
  { words: "<s> the", score: -0.75, back: -1 },
  { words: "the sea", score: -1.5, back: -0.125 },
  { words: "the bear", score: -2 },
  { words: "<s> the bear", score: -0.5 },
  { words: "the sea the", score: -0.25 }
]
const model = wordModel(grams)
const after = (words: string) =>
  words.split(" ").reduce(
    ({ place }, word) => model.after(place, model.number(word)!),
    { place: model.start, score: 0 }
  ).score

describe("parseWordModel", () => {
  it("takes the longest entry that it has, and adds up what shorter ones cost", () => {
    assert.strictEqual(after("the bear"), -0.5)
    assert.strictEqual(after("the sea"), -1 - 1.5)
    assert.strictEqual(after("the sea the"), -0.25)
    assert.strictEqual(after("the sea sea"), -0.125 - 0.25 - 3)
    assert.strictEqual(after("sea"), -3)
  })

  it("knows nothing of what came before a word that it does not know", () => {
    assert.strictEqual(model.after(NOWHERE, model.number("bear")!).score, -4)
    assert.isUndefined(model.number("zebra"))
  })

  it("refuses any file that ends early, goes on, or is another", () => {
    const bytes = packed(grams)
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => parseWordModel(bytes.subarray(0, length)), /word model/u)
    }
    assert.throws(() => parseWordModel(Buffer.concat([bytes, Buffer.from([0])])), /after its end/u)
    assert.throws(() => parseWordModel(Buffer.from("GGUF and so on")), /Not a word model/u)
  })
})

describe("the English word model", () => {
  const english = readWordModel(fileURLToPath(new URL("../../../../models/lm/en.lm.gz", import.meta.url)))

  it("shares one whole probability among the words, whatever came before", () => {
    for (const words of ["", "the", "of the", "it would be", "quantum zebra"]) {
      let place = english.start
      for (const word of words.split(" ").filter((word) => word !== "")) {
        place = english.after(place, english.number(word)!).place
      }
      let sum = 0
      for (let word = 0; word < english.words.length; word++) sum += Math.exp(english.after(place, word).score)
      // A step of 1/16 nat rounds each by up to 3 %; rare words share the last steps.
      assert.closeTo(sum, 1, 0.05, words)
    }
  })

  const cost = (words: string) =>
    words.split(" ").reduce(({ place, score }, word) => {
      const next = english.after(place, english.number(word)!)
      return { place: next.place, score: score + next.score }
    }, { place: english.start, score: 0 }).score

  it("expects what people say more than what sounds the same", () => {
    assert.isAbove(cost("there is a house by the sea"), cost("their is a house by the see"))
    assert.isAbove(cost("you can click on the button"), cost("ewe can click on the button"))
  })
})
