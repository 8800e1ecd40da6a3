import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { transcriptOf } from "../../src/artifacts/GivenTranscript.ts"
import { Transcript } from "../../src/artifacts/Transcript.ts"

const segment = fc.record({
  text: fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,6}$/u),
  speaker: fc.constantFrom("Ada", "Ben", "S1"),
  t_start: fc.double({ min: 0, max: 1000, noNaN: true }),
  t_end: fc.double({ min: 0, max: 1000, noNaN: true })
}, { requiredKeys: ["text"] })

const decode = Schema.decodeUnknownResult(Transcript)

describe("transcriptOf", () => {
  it("follows on where no moment is told, and shares a segment's time evenly among its words", () => {
    const { duration_seconds, segments, speakers, text } = transcriptOf([
      { text: "one two", speaker: "Ada" },
      { text: " three ", speaker: "Ben", t_start: 2, t_end: 3 }
    ], "en")
    assert.strictEqual(text, "one two three")
    assert.deepStrictEqual(segments.map(({ speaker, t_end, t_start }) => [speaker, t_start, t_end]), [
      ["S1", 0, 0.8],
      ["S2", 2, 3]
    ])
    assert.deepStrictEqual(segments[0]!.words.map(({ t_end, t_start }) => [t_start, t_end]), [[0, 0.4], [0.4, 0.8]])
    assert.deepStrictEqual(speakers.map(({ id, label }) => [id, label]), [["S1", "Ada"], ["S2", "Ben"]])
    assert.strictEqual(duration_seconds, 3)
  })

  it("is a transcript whatever is written: its text the words in order, no moment before its beginning", () => {
    fc.assert(fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), (given) => {
      const transcript = transcriptOf(given, null)
      assert.isTrue(Result.isSuccess(decode(transcript)))
      assert.strictEqual(transcript.text, given.map(({ text }) => text).join(" "))
      for (const { t_end, t_start, words } of transcript.segments) {
        const moments = [t_start, ...words.flatMap((word) => [word.t_start, word.t_end]), t_end]
        assert.deepStrictEqual(moments, moments.toSorted((a, b) => a - b))
      }
    }))
  })
})
