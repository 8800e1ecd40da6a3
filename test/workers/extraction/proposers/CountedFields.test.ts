import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { countedBy } from "../../../../workers/extraction/proposers/CountedFields.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"
import { footage, inputOf, lecture } from "../Footage.ts"

const counted = (name: string, description?: string) =>
  countedBy(leafOf(`/${name}`, name, { type: "integer", ...(description === undefined ? {} : { description }) }))
const asking = (properties: Record<string, object>) => ({ type: "object", properties })
const integer = { type: "integer" }

describe("a number that the service counts itself", () => {
  // Of the panels that speakers are counted in, 0.81 have their right number: too few for a strict result.
  it("comes from its own count, citing each of what was counted; of speakers at balanced alone", () => {
    const schema = asking({ n_slides: { ...integer, description: "Number of slides" }, speaker_count: integer })
    const strict = extract(inputOf(schema, lecture, { precision: "strict" }))
    expect(strict.result).toEqual({ n_slides: 4 })
    expect(strict.evidence.unfilled.map(({ pointer, reason }) => [pointer, reason])).toEqual([[
      "/speaker_count",
      "below_threshold"
    ]])
    const { evidence, result } = extract(inputOf(schema, lecture, { precision: "balanced" }))
    expect(result).toEqual({ n_slides: 4, speaker_count: 2 })
    expect(evidence.spans.map(({ citations, formula, grade, verified }) => [
      grade,
      formula,
      verified,
      citations.map(({ quote, role }) => `${role}: ${quote.slice(0, 13)}`)
    ])).toEqual([
      [
        "computed",
        "count(slides)",
        true,
        ["input: Ocean Tides", "input: Two terms", "input: Ranges", "input: Further readi"]
      ],
      ["computed", "count(speakers)", true, ["input: Good morning,", "input: Why is the ra"]]
    ])
  })

  it("is never what somebody says, and stays open where the service counts nothing of the kind", () => {
    const said = footage([[0, "S1", "Two slides, three frames and four scenes are all that I have for you today."]])
    const schema = asking({
      n_slides: integer,
      frame_count: { ...integer, description: "Number of frames." },
      scenes: { ...integer, description: "How many scenes there are in the video" }
    })
    expect(extract(inputOf(schema, said)).result).toEqual({})
  })

  it("is asked for by the plain words for it, and by none that mean others", () => {
    expect(["n_slides", "numSlides", "slide_count", "number_of_slides", "slides"].map((name) => counted(name)))
      .toEqual(Array.from({ length: 5 }, () => "slides"))
    expect(counted("speakers", "How many people")).toBeUndefined()
    for (
      const asked of [
        "How many slides does the lecture have?",
        "How many slides are there?",
        "How many slides were shown in total?",
        "How many different slides did the presentation contain"
      ]
    ) expect(counted("number_of_slides", asked)).toBe("slides")
    for (
      const asked of [
        "How many slides have a formula?",
        "How many slides are about tides?",
        "Number of slides with a formula",
        "How many slides were shown after the break?",
        "How many slides does the company sell?"
      ]
    ) expect(counted("number_of_slides", asked)).toBeUndefined()
    expect(counted("speakers", "Number of speakers who speak in the video")).toBe("speakers")
    expect(counted("publicSpeakers", "members of the public who actually spoke")).toBeUndefined()
    expect(counted("speakers", "loudspeakers in the box")).toBeUndefined()
    expect(counted("slide_number")).toBeUndefined()
    expect(counted("brood_frames", "Frames with brood")).toBeUndefined()
  })
})
