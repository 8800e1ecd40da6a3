import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { OnnxModelError } from "../../../../workers/onnx/OnnxSession.ts"
import { alignTokens } from "../../../../workers/speech/ctc/CtcAlignment.ts"
import { bestPath, wordsOf } from "../../../../workers/speech/ctc/CtcDecoder.ts"
import { parseTokens } from "../../../../workers/speech/ctc/CtcTokens.ts"
import { letters, posteriors, spelled, textOf, tokenIds } from "../Posteriors.ts"

describe("bestPath", () => {
  it("drops blanks and repeats, and keeps a letter that a blank repeats", () => {
    assert.strictEqual(textOf(bestPath(spelled("__hee-l-lloo--"), letters.blank)), "_hello")
  })

  it("finds nothing where only the blank is likely", () => {
    assert.deepStrictEqual(bestPath(spelled("-----"), letters.blank), [])
    assert.deepStrictEqual(bestPath(spelled(""), letters.blank), [])
  })
})

describe("alignTokens", () => {
  it("finds the frames of each token, repeated letters told apart", () => {
    const spans = alignTokens(spelled("_hee-l-lloo--"), tokenIds("_hello"), letters.blank)
    assert.deepStrictEqual(spans.map(({ from, to }) => [from, to]), [[0, 1], [1, 2], [2, 4], [5, 6], [7, 9], [9, 11]])
  })

  it("places what the sound barely supports where it supports it best", () => {
    const heard = posteriors([{ "-": 0.9 }, { "-": 0.5, x: 0.4 }, { "-": 0.9 }, { a: 0.9 }])
    assert.deepStrictEqual(alignTokens(heard, tokenIds("xa"), letters.blank).map(({ from }) => from), [1, 3])
  })

  it("gives one span per token, in order, without overlap, for any sounds and any tokens that fit", () => {
    const share = fc.double({ min: 0.01, max: 0.2, noNaN: true })
    const frame = fc.record({ a: share, b: share, _: share, "-": fc.double({ min: 0.01, max: 0.4, noNaN: true }) }, {
      requiredKeys: ["-"]
    })
    fc.assert(fc.property(
      fc.array(frame, { minLength: 13, maxLength: 40 }),
      fc.array(fc.constantFrom("a", "b", "_"), { minLength: 1, maxLength: 7 }),
      (frames, tokens) => {
        const spans = alignTokens(posteriors(frames), tokenIds(tokens.join("")), letters.blank)
        assert.strictEqual(spans.length, tokens.length)
        let end = 0
        for (const { from, log_probability, to } of spans) {
          assert.isAtLeast(from, end)
          assert.isAbove(to, from)
          assert.isBelow(log_probability, 0)
          end = to
        }
        assert.isAtMost(end, frames.length)
      }
    ))
  })

  it("refuses more tokens than frames", () => {
    assert.throws(() => alignTokens(spelled("ab"), tokenIds("abc"), letters.blank), RangeError)
    assert.throws(() => alignTokens(spelled("aa"), tokenIds("aa"), letters.blank), RangeError)
  })
})

describe("wordsOf", () => {
  it("parts words at the mark and takes their frames from their own letters", () => {
    const heard = spelled("--_--hi---_yo-u--")
    const words = wordsOf(heard, tokenIds("_hi_you"), letters)
    assert.deepStrictEqual(words.map(({ from, text, to }) => [text, from, to]), [["hi", 5, 7], ["you", 11, 15]])
  })

  it("is as sure of a word as of its letters", () => {
    const sure = wordsOf(spelled("_no", 0.99), tokenIds("_no"), letters)
    const doubtful = wordsOf(spelled("_no", 0.5), tokenIds("_no"), letters)
    assert.closeTo(sure[0]!.confidence, 0.99, 1e-3)
    assert.closeTo(doubtful[0]!.confidence, 0.5, 1e-3)
  })

  it("reads tokens of several letters", () => {
    const tokens = parseTokens("▁the 0\n▁c 1\nat 2\n<blk> 3")
    const data = Float32Array.from(
      [[0.9, 0, 0, 0.1], [0, 0.9, 0, 0.1], [0, 0, 0.9, 0.1]].flat(),
      (p) => Math.log(p || 1e-6)
    )
    const words = wordsOf({ data, frames: 3, tokens: 4 }, [0, 1, 2], tokens)
    assert.deepStrictEqual(words.map(({ text }) => text), ["the", "cat"])
  })
})

describe("parseTokens", () => {
  it("refuses a table with a hole or without a blank", () => {
    assert.throws(() => parseTokens("a 0\nb 2\n<blk> 3"), OnnxModelError)
    assert.throws(() => parseTokens("a 0\nb 1"), OnnxModelError)
  })
})
