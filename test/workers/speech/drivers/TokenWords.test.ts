import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { UNTOLD_CONFIDENCE, wordsOfText, wordsOfTokens } from "../../../../workers/speech/drivers/TokenWords.ts"

const token = (text: string, t_start: number, t_end: number, log_probability: number | null = Math.log(0.8)) => ({
  text,
  t_start,
  t_end,
  log_probability
})
const within = { t_start: 10, t_end: 20 }

describe("wordsOfTokens", () => {
  it("cuts words at spaces, wherever the vocabulary has them", () => {
    const pieces = [
      token(" foot", 11, 11.2),
      token("age", 11.2, 11.4),
      token(" ", 11.4, 11.5),
      token("and", 11.5, 11.6)
    ]
    assert.deepStrictEqual(wordsOfTokens(pieces, within), [
      { t_start: 11, t_end: 11.4, text: "footage", confidence: 0.8 },
      { t_start: 11.5, t_end: 11.6, text: "and", confidence: 0.8 }
    ])
  })

  it("writes a full stop to its word and lets it change neither the word's end nor its confidence", () => {
    const pieces = [token(" facts", 11, 11.4), token(".", 12, 12.4, Math.log(0.01))]
    assert.deepStrictEqual(wordsOfTokens(pieces, within), [{
      t_start: 11,
      t_end: 11.4,
      text: "facts.",
      confidence: 0.8
    }])
  })

  it("is neither sure nor unsure of a word of which the engine does not tell all", () => {
    const [word] = wordsOfTokens([token(" a", 11, 12), token("b", 12, 13, null)], within)
    assert.strictEqual(word!.confidence, UNTOLD_CONFIDENCE)
  })

  it("keeps words in order, inside of their slice and apart for any tokens in time order", () => {
    const pieces = fc.array(
      fc.record({
        text: fc.constantFrom(" a", "b", ".", " ", " ?", ""),
        from: fc.double({ min: 0, max: 3, noNaN: true }),
        lasts: fc.double({ min: 0, max: 5, noNaN: true }),
        log_probability: fc.option(fc.double({ min: -20, max: 0, noNaN: true }))
      })
    )
    fc.assert(
      fc.property(pieces, (pieces) => {
        let at = 9
        const tokens = pieces.map(({ from, lasts, log_probability, text }) => {
          at += from
          return token(text, at, at + lasts, log_probability)
        })
        const words = wordsOfTokens(tokens, within)
        assert.strictEqual(words.map(({ text }) => text).join(""), tokens.map(({ text }) => text.trim()).join(""))
        let last = within.t_start
        for (const { confidence, t_end, t_start } of words) {
          assert.isTrue(last <= t_start && t_start <= t_end && t_end <= within.t_end)
          assert.isTrue(confidence >= 0 && confidence <= 1)
          last = t_end
        }
      })
    )
  })
})

describe("wordsOfText", () => {
  it("gives each word the share of speech that its letters and the pause behind it take", () => {
    const speech = [{ t_start: 1, t_end: 2 }, { t_start: 5, t_end: 8 }]
    assert.deepStrictEqual(wordsOfText(" abc abc  abcdefg ", speech).map(({ t_end, t_start }) => [t_start, t_end]), [
      [1, 2],
      [2, 6],
      [6, 8]
    ])
  })

  it("cuts a text without spaces at its clauses", () => {
    const words = wordsOfText("你好，世界。", [{ t_start: 0, t_end: 1 }])
    assert.deepStrictEqual(words.map(({ text }) => text), ["你好，", "世界。"])
  })

  it("has every word once and in order, in the time of the speech", () => {
    const texts = fc.array(
      fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => /^[^\s、。，！？]+$/u.test(text))
    )
    fc.assert(
      fc.property(texts, fc.double({ min: 0.1, max: 20, noNaN: true }), (texts, seconds) => {
        const words = wordsOfText(texts.join(" "), [{ t_start: 3, t_end: 3 + seconds }])
        assert.deepStrictEqual(words.map(({ text }) => text), texts)
        let last = 3
        for (const { t_end, t_start } of words) {
          assert.isTrue(last <= t_start && t_start <= t_end)
          last = t_end
        }
        assert.isAtMost(last, 3 + seconds + 1e-3)
      })
    )
  })
})
