import { assert, describe, it } from "@effect/vitest"
import { rivalsFor } from "../../../../workers/extraction/candidates/LeafCandidates.ts"
import { read } from "../../../../workers/extraction/candidates/Reading.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage, type Turn } from "../Footage.ts"

/** The values that compete for a field in words of speech or in a line on screen. */
const valuesOf = (name: string, type: string, said: string, shown?: string): ReadonlyArray<unknown> => {
  const turns: ReadonlyArray<Turn> = shown === undefined ? [[0, "S1", said]] : []
  const reading = read(makeSourceDocument(footage(turns, shown === undefined ? [] : [[0, [shown]]])))
  const [leaf] = planOf({ type: "object", properties: { [name]: { type } } }).leaves
  return rivalsFor(reading, leaf!).map(({ value }) => value)
}

/** The same where the field has a description. */
const described = (name: string, description: string, said: string, type = "integer"): ReadonlyArray<unknown> => {
  const reading = read(makeSourceDocument(footage([[0, "S1", said]])))
  const [leaf] = planOf({ type: "object", properties: { [name]: { type, description } } }).leaves
  return rivalsFor(reading, leaf!).map(({ value }) => value)
}

type Case = readonly [
  name: string,
  type: string,
  said: string,
  kept: ReadonlyArray<unknown>,
  gone: ReadonlyArray<unknown>
]

const check = ([name, type, said, kept, gone]: Case) => {
  const values = valuesOf(name, type, said)
  assert.deepStrictEqual(kept.filter((one) => !values.includes(one)), [])
  assert.deepStrictEqual(gone.filter((one) => values.includes(one)), [])
}

describe("isDisowned", () => {
  const denied: ReadonlyArray<Case> = [
    ["ticket_price_eur", "number", "The ticket doesn't cost twelve euros, it costs fifteen euros.", [15], [12]],
    ["rent_eur", "number", "The rent is 900 euros and not 1100 euros.", [900], [1100]],
    ["city", "string", "The meeting is not in Leeds, it is in Hull.", ["Hull"], ["Leeds"]],
    ["manager", "string", "Laura Kemp isn't our manager. Owen Birch is.", ["Owen Birch"], ["Laura Kemp"]],
    ["baking_minutes", "integer", "Bake it for forty minutes and not for sixty minutes.", [40], [60]]
  ]
  it.each(denied)("leaves out for %s (%s) what is denied: %s", (...one) => check(one))

  const bounded: ReadonlyArray<Case> = [
    ["price_eur", "number", "It is not more than twelve euros, and the tax is two euros.", [12, 2], []],
    ["price_eur", "number", "Why not twelve euros? It was fine with two euros.", [12], []],
    ["children", "integer", "We don't have twelve children.", [12], []],
    ["excluded_city", "string", "The tour is not in Leeds, it is in Hull.", ["Leeds"], []]
  ]
  it.each(bounded)("keeps for %s (%s) what only a bound, a question or a field denies: %s", (...one) => check(one))

  const outdated: ReadonlyArray<Case> = [
    ["cost_eur", "number", "It was to cost 3 million euros. We are now at 5 million euros.", [5e6], [3e6]],
    ["fee_eur", "number", "The fee was fifty euros last year. Now it is sixty euros.", [60], [50]],
    ["price_eur", "number", "It was listed at 425,000 euros in spring. Now it is 395,000 euros.", [395_000], [425_000]],
    ["injured", "integer", "Earlier reports spoke of seven injured. Three people were injured.", [3], [7]]
  ]
  it.each(outdated)("leaves out for %s (%s) what something else took the place of: %s", (...one) => check(one))

  const standing: ReadonlyArray<Case> = [
    ["price_paid_eur", "number", "We bought it for 200 euros. Now it is 300 euros.", [200], []],
    ["previous_fee_eur", "number", "The fee was fifty euros last year. Now it is sixty euros.", [50], []],
    ["rent_eur", "number", "The rent was 900 euros. Now the deposit is 1800 euros.", [900], []],
    ["eggs", "integer", "We used two eggs. Now add three eggs.", [2], []]
  ]
  it.each(standing)("keeps for %s (%s) what is past and not replaced, or asked for: %s", (...one) => check(one))

  const ends: ReadonlyArray<Case> = [
    ["salary_min_eur", "number", "We pay between 3000 and 4500 euros a month.", [3000], [4500]],
    ["salary_max_eur", "number", "We pay between 3000 and 4500 euros a month.", [4500], [3000]],
    ["min_power_w", "number", "It can be set from 200 watts to 800 watts.", [200], [800]],
    ["price_to_eur", "number", "It costs 40 to 60 euros per person.", [60], [40]],
    ["rooms_min", "integer", "We have three rooms and four rooms upstairs.", [3, 4], []],
    ["distance_to_station_km", "number", "It is from 2 to 3 kilometres.", [2, 3], []]
  ]
  it.each(ends)("gives %s (%s) the end of a range that it asks for: %s", (...one) => check(one))

  const corrected: ReadonlyArray<Case> = [
    ["venue", "string", "We met at the Corn Hall, no wait, it was the Guild Hall.", ["Guild Hall"], ["Corn Hall"]],
    ["city", "string", "The office is in Leeds, no, wait, that was York.", ["York"], ["Leeds"]]
  ]
  it.each(corrected)("leaves out for %s (%s) what is taken back: %s", (...one) => check(one))

  const pairs: ReadonlyArray<Case> = [
    ["old_price_usd", "number", "Was $80 Now $60", [80], [60]],
    ["new_price_usd", "number", "Was: $80 | Now: $60", [60], [80]],
    ["previous_rent_eur", "number", "Before: €800 After: €950", [800], [950]],
    ["new_price_usd", "number", "The new price was $80", [80], []]
  ]
  it.each(pairs)("gives %s (%s) its one of a pair from before and after: %s", (name, type, shown, kept, gone) => {
    const values = valuesOf(name, type, "", shown)
    assert.includeMembers([...values], [...kept])
    assert.deepStrictEqual(gone.filter((one) => values.includes(one)), [])
  })

  const past: ReadonlyArray<Case> = [
    ["coaches", "integer", "This train has four coaches today instead of eight.", [4], [8]],
    ["price_eur", "number", "Three courses was twenty-one euros last month. It is butter.", [], [21]],
    ["closed_from", "string", "We had first announced the seventh of July, but the plumbers were late.", [], [
      "the seventh of July"
    ]],
    ["winner", "string", "Ilka Vorberg plays against last year's winner Dana Okpara.", [], ["Dana Okpara"]],
    ["last_year_winner", "string", "Ilka Vorberg plays against last year's winner Dana Okpara.", ["Dana Okpara"], []],
    ["two_courses", "number", "We have two courses for eighteen euros.", [18], [2]]
  ]
  it.each(past)(
    "leaves out for %s (%s) what was so at another time, or is a part of the field's name: %s",
    (...one) => check(one)
  )

  it.each([
    ["joining_fee", "NO JOINING FEE (usually £20)", [], [20]],
    ["usual_fee", "NO JOINING FEE (usually £20)", [20], []],
    ["price", "Standing £32 · was: £40", [32], [40]]
  ])("leaves out for %s what a screen says of another time: %s", (name, shown, kept, gone) => {
    const values = valuesOf(name, "number", "", shown)
    assert.deepStrictEqual([kept.filter((one) => !values.includes(one)), gone.filter((one) => values.includes(one))], [
      [],
      []
    ])
  })

  it("leaves out what a description says that the field does not ask for, one of several for a total, and a programme's name for its object", () => {
    const said = "She's from twenty sixteen. We did the conversion ourselves in twenty nineteen."
    assert.notInclude(described("year_built", "Year of the vehicle, not of the conversion", said), 2019)
    assert.include(described("year_built", "Year of the vehicle", said), 2019)
    const ticket = "The ticket is forty euros including the boat."
    assert.include(described("price", "Not including extras, null if not stated", ticket), 40)
    const panels = "There are two panels, a hundred and ten watts each."
    assert.notInclude(described("solar_watts", "total", panels), 110)
    assert.include(described("solar_watts", "per panel", panels), 110)
    assert.notInclude(valuesOf("object", "string", "", "OBJECT OF THE WEEK"), "OBJECT OF THE WEEK")
    assert.include(valuesOf("founded_in", "integer", "We were founded in nineteen twenty-seven by ten people."), 1927)
  })

  it("gives the ends of a period its two days, a weekday before each or not", () => {
    const shown = "Mon 14 July 2025 – Fri 18 July 2025"
    assert.deepStrictEqual(valuesOf("closed_from", "string", "", shown).includes("18 July 2025"), false)
    assert.deepStrictEqual(valuesOf("closed_to", "string", "", shown).includes("14 July 2025"), false)
  })

  it("gives a company its name and not its document's, and ends a name where a column ends", () => {
    const company = (line: string) => valuesOf("company", "string", "", line)
    for (const line of ["Acme Robotics Annual Report 2024", "Acme Robotics  Annual Report 2024"]) {
      assert.include(company(line), "Acme Robotics")
      assert.notInclude(company(line), line)
    }
    assert.notInclude(company("TIDEWISE  Seed round"), "Seed")
    assert.include(valuesOf("event", "string", "", "Hollin Farm Open Day 2025"), "Hollin Farm Open Day 2025")
  })
})
