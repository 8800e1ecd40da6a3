import { assert, describe, it } from "@effect/vitest"
import type { FootageRecord } from "../../../bench/extraction/FootageRecord.ts"
import { extractFootage } from "../../../bench/extraction/FootageRun.ts"
import { type Confusions, confusions } from "../../../bench/extraction/noise/Confusions.ts"
import { noisedTwin } from "../../../bench/extraction/noise/NoisedTwin.ts"

const line = (id: string, text: string) => ({ id, speaker: "A", t0: 0, t1: 4, text })
const record: FootageRecord = {
  id: "a-boat",
  schema: {
    type: "object",
    properties: { email: { type: "string", format: "email" }, price: { type: "number" } }
  },
  segments: [
    line("s0", "Good morning, everybody, and welcome to the harbour on this bright day."),
    line("s1", "The price is forty two pounds, and it has been for a year or two.")
  ],
  ocr: [{ ...line("o0", "E-mail: boats@harbour.example"), frame: "frame#000001" }],
  gold: { email: "boats@harbour.example", price: 42 },
  evidence: { "/email": ["o0"], "/price": ["s1"] },
  kinds: { "/email": "stated", "/price": "normalised" },
  facts: {},
  traps: [],
  not_stated: []
}

/** Everybody is heard as one person was, with so much certainty. */
const heard = (right: number, substituted: number, sure: number): Confusions => ({
  ...confusions,
  voices: [{
    name: "one",
    right,
    substituted,
    deleted: 0,
    inserted: 0,
    sure: { right: [sure, sure], wrong: [sure, sure] }
  }]
})
const wordsIn = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z']+/gu) ?? []

describe("a video as the built-in recogniser would have heard it", () => {
  it("is the same each time, and has on screen what the video has", () => {
    assert.deepStrictEqual(noisedTwin(record), noisedTwin(record))
    assert.strictEqual(noisedTwin(record).ocr, record.ocr)
    assert.notDeepEqual(noisedTwin(record).segments, noisedTwin({ ...record, id: "another" }).segments)
  })

  it("has the words that were said, in their order, where every word is heard right", () => {
    const { segments } = noisedTwin(record, heard(100, 0, 0.95))
    assert.deepStrictEqual(
      segments.map(({ text }) => wordsIn(text)),
      record.segments.map(({ text }) => wordsIn(text))
    )
    assert.isTrue(segments.every(({ confidences, text }) => confidences?.length === text.split(" ").length))
  })

  it("fills nothing from speech that was hardly heard, and all that is on screen", () => {
    for (const precision of ["strict", "balanced"] as const) {
      const { evidence: { spans } } = extractFootage(noisedTwin(record, heard(50, 50, 0.3)), precision)
      assert.deepStrictEqual(spans.map(({ modality, pointer }) => [pointer, modality]), [["/email", "visual"]])
    }
  })
})
