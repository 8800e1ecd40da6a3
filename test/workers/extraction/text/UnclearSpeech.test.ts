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

const heard = (transcript: Omit<Parameters<typeof unclearSpeech>[0], "turns">) =>
  unclearSpeech({
    ...transcript,
    turns: transcript.segments.map(({ t_end, t_start }) => ({ speaker: "S1", t_start, t_end }))
  })

describe("unclearSpeech", () => {
  it("warns of speech below a mean of 0.7, with the mean and the share of words below 0.5", () => {
    const [warning, ...others] = heard({
      language: "en",
      segments: [segment(words(30, 0.4)), segment(words(10, 0.8))]
    })
    expect(others).toEqual([])
    expect(warning?.code).toBe("SPEECH_UNCLEAR")
    expect(warning?.message).toContain("mean word confidence 0.50, and 75 % of 40 words below 0.5")
    expect(warning?.message).not.toContain("language")
    expect(heard({ language: null, segments: [segment(words(40, 0.4))] })[0]?.message).toContain("language")
    expect(heard({ language: "en", segments: [segment(words(40, 0.69))] })).toHaveLength(1)
    expect(heard({ language: "en", segments: [segment(words(40, 0.71))] })).toEqual([])
  })

  it("warns of a short recording from ten words on, where nothing of it can be relied on", () => {
    const [warning] = heard({ language: "en", segments: [segment(words(17, 0.52))] })
    expect(warning).toMatchObject({ code: "SPEECH_UNCLEAR" })
    expect(warning?.message).toContain("nothing is taken from it")
    expect(heard({ language: "en", segments: [segment(words(10, 0.59))] })).toHaveLength(1)
    expect(heard({ language: "en", segments: [segment(words(17, 0.66))] })).toEqual([])
  })

  it("says nothing of captions, and nothing of a few words", () => {
    expect(heard({ language: "en", segments: [segment(words(40, 0.1), "captions")] })).toEqual([])
    expect(heard({ language: "en", segments: [segment(words(9, 0.1))] })).toEqual([])
    expect(heard({ language: "en", segments: [] })).toEqual([])
  })

  it("warns where somebody is heard and most of it gave no word, whatever the few words are", () => {
    const turns = [{ speaker: "S1", t_start: 0, t_end: 12 }]
    const [warning] = unclearSpeech({ language: "en", segments: [segment(words(2, 0.9))], turns })
    expect(warning).toMatchObject({ code: "SPEECH_UNCLEAR" })
    expect(warning?.message).toContain("of 12 s in which somebody is heard, 10 s gave no word")
    expect(unclearSpeech({ language: null, segments: [], turns })).toHaveLength(1)
    expect(unclearSpeech({ language: "en", segments: [segment(words(7, 0.9))], turns })).toEqual([])
    expect(unclearSpeech({ language: "en", segments: [segment(words(7, 0.9), "captions")], turns })).toEqual([])
    expect(unclearSpeech({ language: null, segments: [], turns: [{ speaker: "S1", t_start: 0, t_end: 4 }] })).toEqual(
      []
    )
  })
})
