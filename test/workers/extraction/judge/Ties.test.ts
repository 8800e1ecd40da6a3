import { describe, expect, it } from "vitest"
import type { Material } from "../../../../workers/extraction/candidates/Mention.ts"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { countedNouns, untied } from "../../../../workers/extraction/judge/Ties.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"
import { footage, inputOf, materialOf } from "../Footage.ts"

const leaf = (name: string, description?: string, type = "integer") =>
  leafOf(`/${name}`, name, { type, ...(description === undefined ? {} : { description }) })

/** What is said against the words in brackets as the value of a field. */
const against = (asked: ReturnType<typeof leaf>, said: string, strict: boolean, before?: string) => {
  const from = said.indexOf("[")
  const text = said.replace("[", "").replace("]", "")
  const material: Material = materialOf([...(before === undefined ? [] : [[0, "S2", before] as const]), [
    10,
    "S1",
    text
  ]])
  const passage = material.reading.passages.findLast(({ modality }) => modality === "audio")!
  const span = { passage, from, to: said.indexOf("]") - 1 }
  const value = asked.type === "string" ? text.slice(from, span.to) : 1
  return untied(material, asked, { proposed_by: "ranker", span, value }, strict)
}

describe("a number that answers how many there are", () => {
  it("is asked for by a field's name or its description", () => {
    expect(countedNouns(leaf("n_slides"))).toEqual(["slides"])
    expect(countedNouns(leaf("numBoardMembers"))).toEqual(["members"])
    expect(countedNouns(leaf("station_count"))).toEqual(["station"])
    expect(countedNouns(leaf("audience", "How many people came?"))).toEqual(["people"])
    expect(countedNouns(leaf("audience", "Number of students in the room."))).toEqual(["students"])
    expect(countedNouns(leaf("flat", "Number of the flat"))).toEqual([])
    expect(countedNouns(leaf("minutes", "How many minutes it takes"))).toEqual([])
    expect(countedNouns(leaf("chapter", "Which chapter to read"))).toEqual([])
  })

  it("stands beside the noun that is counted, or another word for it", () => {
    const students = leaf("n_students", "Number of students in the room")
    for (const strict of [true, false]) {
      expect(against(students, "We are [twenty] students today.", strict)).toBeUndefined()
      expect(against(students, "I see [twenty] very young students here.", strict)).toBeUndefined()
      expect(against(students, "The number of students is [twenty], as always.", strict)).toBeUndefined()
      expect(against(students, "There are [twenty].", strict, "How many students are here?")).toBeUndefined()
      expect(against(leaf("n_people"), "A table for [four] guests.", strict)).toBeUndefined()
      expect(against(students, "[Two] numbers are enough.", strict)).toBe("The number counts something else.")
      expect(against(students, "[Two], numbers that students like.", strict)).toBe(
        strict ? "Nothing says that the number counts this." : undefined
      )
    }
  })

  it("is held back with its reason where it counts something else, at both precisions", () => {
    const said = footage([[0, "S1", "If you know two of the numbers you can find the third. Two numbers are enough."]])
    const schema = { type: "object", properties: { n_videos: { type: "integer", description: "Number of videos" } } }
    for (const precision of ["strict", "balanced"] as const) {
      expect(extract(inputOf(schema, said, { precision })).result).toEqual({})
    }
  })
})

describe("a place", () => {
  it("is neither a definition nor a quantity nor the bare word for one", () => {
    const place = leaf("place", undefined, "string")
    for (
      const said of [
        "Distance is [how far it is from one place to another].",
        "It drives at [50 km/h] on roads.",
        "A car in the [City] goes fast.",
        "Read Simple Physics by [John Hill] today."
      ]
    ) expect(against(place, said, false)).toBe("It is no place.")
    expect(against(place, "We meet in [New York City] tomorrow.", true)).toBeUndefined()
    expect(against(place, "We meet at [12 Main Street] tomorrow.", true)).toBeUndefined()
    expect(against(leaf("topic", undefined, "string"), "He says [how far it is] to us.", true)).toBeUndefined()
  })
})

describe("a day to come", () => {
  const schema = { type: "object", properties: { follow_up_on: { type: "string", format: "date" } } }
  const dayOf = (line: string) =>
    extract(inputOf(schema, footage([[0, "S1", "That is all for today, thank you."]], [[0.5, ["Visit", line]]]))).result

  it("is not the day of the footage, unless its line says so", () => {
    expect(dayOf("REC 2025-05-06 18:12")).toEqual({})
    expect(dayOf("Follow-up: 6 May 2025")).toEqual({ follow_up_on: "2025-05-06" })
  })
})

describe("a number that has to be worked out of others", () => {
  const total = leaf("total_cost", "What everything cost in euros", "number")
  const gap = leaf("price_change", "Difference to the old price, in euros", "number")

  it("is taken where the words say that it is a total or a difference", () => {
    expect(against(total, "Altogether we spent [three hundred] euros.", false)).toBeUndefined()
    expect(against(total, "[Three hundred] euros.", false, "And what does it all come to?")).toBeUndefined()
    expect(against(gap, "It is [fifty] euros cheaper, so fifty euros less.", false)).toBeUndefined()
  })

  it("is not taken from what is said of one part", () => {
    const part = "It has to be worked out, and nothing says that this number is more than a part of it."
    for (const strict of [true, false]) {
      expect(against(total, "The screws came to [thirty] euros.", strict)).toBe(part)
      expect(against(gap, "The old price was [two hundred] euros.", strict)).toBe(part)
      expect(against(leaf("cost", "What it cost", "number"), "The screws came to [thirty].", strict)).toBeUndefined()
    }
  })
})

const day = (name: string) => leafOf(`/${name}`, name, { type: "string", format: "date" })

describe("the day on which footage was made", () => {
  const said = "Today's [the fifth of September 2025], how can I help?"

  it("is none that a field asks of another day, and is its own", () => {
    expect(against(day("bought_on"), said, false)).toMatch(/day of the footage/u)
    expect(against(day("next_visit"), said, false)).toMatch(/day of the footage/u)
    expect(against(day("call_date"), said, false)).toBeUndefined()
    expect(against(day("bought_on"), "I bought it on [the fifth of September 2025].", false)).toBeUndefined()
  })
})
