import { describe, expect, it } from "vitest"
import type { Segment } from "../../../../src/artifacts/Transcript.ts"
import { unclearSpeech } from "../../../../workers/extraction/text/UnclearSpeech.ts"

const segment = (confidences: ReadonlyArray<number>, origin: Segment["origin"] = "asr"): Segment => ({
  id: "seg#000000",
  origin,
  t_start: 0,
  t_end: confidences.length,
  speaker: "S1",
  text: confidences.map(() => "word").join(" "),
  confidence: 0.5,
  words: confidences.map((confidence, at) => ({ t_start: at, t_end: at + 1, text: "word", confidence }))
})
const words = (count: number, confidence: number) => Array.from({ length: count }, () => confidence)

describe("unclearSpeech", () => {
  it("warns of speech below a mean of 0.7, with the mean and the share of words below 0.5", () => {
    const [warning, ...others] = unclearSpeech({
      language: "en",
      segments: [segment(words(30, 0.4)), segment(words(10, 0.8))]
    })
    expect(others).toEqual([])
    expect(warning?.code).toBe("SPEECH_UNCLEAR")
    expect(warning?.message).toContain("mean word confidence 0.50, and 75 % of 40 words below 0.5")
    expect(warning?.message).not.toContain("language")
    expect(unclearSpeech({ language: null, segments: [segment(words(40, 0.4))] })[0]?.message).toContain("language")
    expect(unclearSpeech({ language: "en", segments: [segment(words(40, 0.69))] })).toHaveLength(1)
    expect(unclearSpeech({ language: "en", segments: [segment(words(40, 0.71))] })).toEqual([])
  })

  it("warns of a short recording from ten words on, where nothing of it can be relied on", () => {
    const [warning] = unclearSpeech({ language: "en", segments: [segment(words(17, 0.52))] })
    expect(warning).toMatchObject({ code: "SPEECH_UNCLEAR" })
    expect(warning?.message).toContain("nothing is taken from it")
    expect(unclearSpeech({ language: "en", segments: [segment(words(10, 0.59))] })).toHaveLength(1)
    expect(unclearSpeech({ language: "en", segments: [segment(words(17, 0.65))] })).toEqual([])
  })

  it("says nothing of captions, and nothing of a few words", () => {
    expect(unclearSpeech({ language: "en", segments: [segment(words(40, 0.1), "captions")] })).toEqual([])
    expect(unclearSpeech({ language: "en", segments: [segment(words(9, 0.1))] })).toEqual([])
    expect(unclearSpeech({ language: "en", segments: [] })).toEqual([])
  })
})
