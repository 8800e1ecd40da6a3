import { describe, expect, it } from "vitest"
import { amountsIn } from "../../../../../workers/extraction/proposers/gate/Amounts.ts"
import { namesMoment } from "../../../../../workers/extraction/proposers/gate/Moments.ts"
import { computedFrom } from "../../../../../workers/extraction/proposers/gate/Recompute.ts"
import { isSpelled, unbacked } from "../../../../../workers/extraction/proposers/gate/Wording.ts"
import { makeSourceDocument } from "../../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf } from "../../Footage.ts"

const said = (text: string, wanted?: { readonly dimension: string; readonly unit: string }) =>
  amountsIn(text, wanted).flatMap(({ values }) => values)

describe("numbers as people say them", () => {
  it.each(
    [
      ["We finished context two-oh-four today.", 204],
      ["In eighteen oh four the ice took two trestles.", 1804],
      ["Put in the hundred.", 100],
      ["Hundred and fifteen gram.", 115],
      ["It's eight metres twenty along the top.", 8.2],
      ["They pay sixteen pence a kilo.", 0.16],
      ["Second is the belfry frame.", 2],
      ["So no one.", 0],
      ["There was not a soul hurt.", 0]
    ] as const
  )("reads %j as %d", (text, value) => {
    expect(said(text)).toContain(value)
  })

  it("reads no member of every object as a figure", () => {
    expect(said("At this point constructor and toString of valueOf.")).toEqual([])
  })

  it("counts a year as twelve months", () => {
    expect(said("For a year and a half.", { dimension: "time", unit: "month" })).toContain(18)
  })

  it("takes no second of time for the second of a row", () => {
    expect(said("It takes a second.")).not.toContain(2)
    expect(said("Thirty second breaks.")).not.toContain(2)
  })

  it.each(
    [
      ["Room one-eighteen, at quarter to four.", "118"],
      ["Number four four one nine, dash two.", "4419-2"],
      ["Charlie X-ray five Foxtrot.", "CX5F"],
      ["Oh seven double-oh, four one six.", "0700416"]
    ] as const
  )("finds in %j the code %s", (words, code) => {
    expect(isSpelled(words, code)).toBe(true)
    expect(isSpelled(words, `${code}7`)).toBe(false)
  })

  it.each(
    [
      ["order 912345 was shipped", "2345"],
      ["shipped to room 104", "10.4"],
      ["We met at the club 12 times", "B12"]
    ] as const
  )("finds in %j no part of a longer word or number: %s", (words, code) => {
    expect(isSpelled(words, code)).toBe(false)
  })

  it.each(["version ten point four", "version 10.4", "version 10 dot 4"])("finds 10.4 parted in %j", (words) => {
    expect(isSpelled(words.replace("ten", "10").replace("four", "4"), "10.4")).toBe(true)
  })

  it.each(
    [
      ["we ship tomorrow morning", "2026-11-21", "2026-11-22"],
      ["the day after tomorrow", "2026-11-22", "2026-11-21"],
      ["it was yesterday", "2026-11-19", "2026-11-20"],
      ["in ten days", "2026-11-30", "2026-12-30"],
      ["two weeks ago", "2026-11-06", "2026-11-07"],
      ["a week from now", "2026-11-27", "2026-11-28"],
      ["some day next week", "2026-11-25", "2026-12-02"]
    ] as const
  )("counts from the day on which %j is said to %s and to no other", (words, value, other) => {
    expect(namesMoment(words, value, ["2026-11-20"])).toBe(true)
    expect(namesMoment(words, other, ["2026-11-20"])).toBe(false)
    expect(namesMoment(words, value, [])).toBe(false)
  })

  it.each(
    [
      ["The company lost twelve million dollars.", "It was 12 million.", []],
      ["The company lost twelve million dollars.", "The company lost money.", ["twelve million"]],
      ["There were 5 people.", "There were 5000 people.", ["5"]],
      ["It cost 418m.", "It cost 418 million.", []],
      ["One of them was first.", "The company lost money.", []]
    ] as const
  )("finds what numbers of %j are not in %j", (value, words, missing) => {
    expect(unbacked(value, words)).toEqual(missing)
  })

  it.each(
    [
      ["signed in February twenty twenty-one", "2021-02", "2021-03"],
      ["in April, so April twenty-eight", "April 2028", "May 2028"],
      ["next one's at twenty-two hundred", "22:00", "21:00"]
    ] as const
  )("finds in %j the moment %s and no other", (words, value, other) => {
    expect(namesMoment(words, value, [])).toBe(true)
    expect(namesMoment(words, other, [])).toBe(false)
  })
})

describe("a formula that a model gives", () => {
  it.each(["31.4 - 30", "31.4  -  30 = 1.4", "31.4 - 30 = \ud83d", `31.4 - 30 = <script>${"y".repeat(100_000)}`])(
    "is kept as far as it was worked out again: %#",
    (formula) => {
      expect(computedFrom(1.4, spans("We had 31.4 knots and then 30 knots of wind."), formula)).toMatchObject({
        formula: "31.4 - 30"
      })
    }
  )
})

const minutes = { dimension: "time", unit: "minute" }
const spans = (...texts: ReadonlyArray<string>) =>
  makeSourceDocument(
    inputOf({}, footage(texts.map((text, at): [number, string, string] => [at * 5, "S1", text]), []))
  )
    .passages.map((passage) => ({ passage, from: 0, to: passage.text.length }))

describe("the time between two moments that are said", () => {
  it.each(
    [
      [["It starts at twenty-three fifty.", "We hand back at five twenty tomorrow."], 330],
      [["It began at ten past two and it's now five to three."], 45],
      [["14:06 call", "15:31 on scene"], 85]
    ] as const
  )("is computed from %j", (texts, value) => {
    expect(computedFrom(value, spans(...texts), undefined, minutes)).toMatchObject({ formula: "time_between(inputs)" })
    expect(computedFrom(value + 1, spans(...texts), undefined, minutes)?.formula).not.toBe("time_between(inputs)")
    expect(computedFrom(value, spans(...texts), undefined)?.formula).not.toBe("time_between(inputs)")
  })
})
