import { assert, describe, it } from "@effect/vitest"
import { writeByRules } from "../../../bench/punctuation/PauseRules.ts"
import { scoreRestored, stripped } from "../../../bench/punctuation/RestoredText.ts"

const turns = ["Hello, my name is Mary Brown.", "Is it late? No, Bob."].map((text) => text.split(" "))
const unknown = () => null

describe("scoreRestored", () => {
  it("gives full marks to what the person wrote", () => {
    const own = new Map(turns.map((turn) => [turn.map(stripped).join(" "), turn]))
    const { case_accuracy, comma_f1, end_f1, name_f1, question_f1, stop_f1, words } = scoreRestored(
      turns,
      (words) => own.get(words.join(" "))!,
      unknown
    )
    assert.strictEqual(words, 11)
    assert.deepStrictEqual([case_accuracy, comma_f1, end_f1, name_f1, question_f1, stop_f1], [1, 1, 1, 1, 1, 1])
  })

  it("counts a missed, a misplaced and a confused mark, and a name left small", () => {
    const said = [["Hello", "my", "name.", "is", "mary", "Brown."], ["Is", "it", "late.", "No,", "Bob."]]
    let turn = 0
    const scores = scoreRestored(turns, () => said[turn++]!, unknown)
    assert.strictEqual(scores.comma_f1, 0.667)
    // Full stops: 4 said, 2 wanted, 2 right. Ends of any kind: 4 said, 3 wanted, 3 right.
    assert.strictEqual(scores.stop_f1, 0.667)
    assert.strictEqual(scores.question_f1, 0)
    assert.strictEqual(scores.end_f1, 0.857)
    assert.strictEqual(scores.case_accuracy, 0.909)
    assert.strictEqual(scores.name_f1, 0.8)
  })
})

describe("writeByRules", () => {
  it("ends a sentence at every silence and nowhere else", () => {
    assert.deepStrictEqual(writeByRules("how are you i see".split(" "), [0, 0, 0.5, 0, 0]), [
      "How",
      "are",
      "you?",
      "I",
      "see."
    ])
    assert.deepStrictEqual(writeByRules(["so", "it", "is"], null), ["So", "it", "is."])
  })
})
