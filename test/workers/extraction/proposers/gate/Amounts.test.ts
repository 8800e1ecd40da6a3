import { describe, expect, it } from "vitest"
import { amountsIn } from "../../../../../workers/extraction/proposers/gate/Amounts.ts"
import { namesMoment } from "../../../../../workers/extraction/proposers/gate/Moments.ts"
import { computedFrom } from "../../../../../workers/extraction/proposers/gate/Recompute.ts"
import { isSpelled } from "../../../../../workers/extraction/proposers/gate/Wording.ts"
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
      ["signed in February twenty twenty-one", "2021-02", "2021-03"],
      ["in April, so April twenty-eight", "April 2028", "May 2028"],
      ["next one's at twenty-two hundred", "22:00", "21:00"]
    ] as const
  )("finds in %j the moment %s and no other", (words, value, other) => {
    expect(namesMoment(words, value, [])).toBe(true)
    expect(namesMoment(words, other, [])).toBe(false)
  })
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
