import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sentencesIn } from "../../../../workers/extraction/text/SentenceBounds.ts"
import { makeSourceDocument, quoteOf, sentenceAround } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage } from "../Footage.ts"

const sentences = (text: string): ReadonlyArray<string> =>
  sentencesIn(text).map(({ from, to }) => text.slice(from, to).trim())

describe("sentences", () => {
  it.each([
    ["The room is $95.50 a night and parking is available for guests of Dr. Hale. We close at ten.", 2],
    ["Breakfast is included at no. 4 Mill St. every day. Dinner is not.", 2],
    ["Ask J. Smith or Ada B. Lane. They know.", 2],
    ["We go with plan B. Then we wait.", 2],
    ["No. Four of them left.", 2],
    ["See Fig. 3 and pp. 12 to 14. It helps.", 2],
    ["It starts at 9 a.m. and ends at noon.", 1],
    ["so then we take the second left and park there", 1]
  ])("of %j are %i", (text, count) => {
    assert.lengthOf(sentences(text), count, JSON.stringify(sentences(text)))
  })

  it("follow one another without a gap, and none begins or ends inside a word or a number", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "Dr.",
        "no.",
        "J.",
        "$95.50",
        "3.5",
        "0151 33 20",
        "well",
        "Hale",
        "done.",
        "why?",
        "St.",
        "e.g.",
        "“Yes.”"
      ),
      fc.lorem({ maxCount: 1 })
    )
    fc.assert(fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), (pieces) => {
      const text = pieces.join(" ")
      let at = 0
      for (const { from, to } of sentencesIn(text)) {
        assert.strictEqual(from, at)
        assert.isAbove(to, from)
        if (to < text.length) assert.match(text.slice(0, to), /\s$/u)
        at = to
      }
      assert.strictEqual(at, text.length)
    }))
  })

  it("are what a yes or no is quoted by", () => {
    const text = "Hello. The room is $95.50 a night and parking is available for guests of Dr. Hale. Bye."
    const [passage] = makeSourceDocument(footage([[0, "A", text]])).passages
    const from = text.indexOf("available")
    assert.strictEqual(
      quoteOf(sentenceAround({ passage: passage!, from, to: from + 9 })),
      "The room is $95.50 a night and parking is available for guests of Dr. Hale."
    )
  })
})
