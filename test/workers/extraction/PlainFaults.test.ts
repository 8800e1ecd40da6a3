import { assert, describe, it } from "@effect/vitest"
import { extract } from "../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "./Footage.ts"

const NUMBER = { type: "number" }
const TEXT = { type: "string" }
const YES_OR_NO = { type: "boolean" }

/** What the rules give as verified of one field in words of speech, or in lines on screen under a heading. */
const found = async (name: string, schema: object, said: string, shown?: ReadonlyArray<string>) => {
  const turns: ReadonlyArray<Turn> = shown === undefined ? [[0, "S1", "Good evening."], [8, "S1", said]] : []
  const frames: ReadonlyArray<Shown> = shown === undefined ? [] : [[0, ["Facts", ...shown]]]
  const json_schema = { type: "object", properties: { [name]: schema } }
  const { evidence, result } = await extract(inputOf(json_schema, footage(turns, frames), { precision: "balanced" }))
  const doubted = evidence.spans.some(({ pointer, verified }) => pointer === `/${name}` && !verified)
  return doubted ? undefined : (result as Record<string, unknown>)[name]
}

describe("extract", () => {
  it.each([
    ["updated_on", "Last updated: 3 November 2025", "2025-11-03"],
    ["meeting_on", "Last meeting: 3 November 2025", undefined],
    ["meeting_on", "Next meeting: 3 November 2025", undefined]
  ])("reads for %s from %j the day of what the label calls so: %j", async (name, line, value) => {
    assert.strictEqual(await found(name, { type: "string", format: "date" }, "", [line]), value)
  })

  it.each([
    ["weight_lb", "Weight: 80 kg", undefined],
    ["height_inches", "Height: 6 ft", undefined],
    ["distance_miles", "Distance: 12 km", undefined],
    ["distance_km", "Distance: 12 km", 12],
    ["dose_g", "Dose: 500 mg", 0.5],
    ["duration_minutes", "Duration: 2 h", 120],
    ["duration_minutes", "Duration: 1 h 30 min", 90],
    ["duration_minutes", "Duration: 1h30", 90],
    ["weight_g", "Weight: 2 kg 300 g", undefined],
    ["pool_length", "Pool length: 50m", 50],
    ["price", "Price: 10 000 €", 10_000]
  ])("reads for %s from %j what is measured in its unit, or nothing: %j", async (name, line, value) => {
    assert.strictEqual(await found(name, NUMBER, "", [line]), value)
  })

  it.each([
    ["ceo", "Former CEO: Martin Weber", "Martin Weber"],
    ["president", "Vice President: Laura Stein", "Laura Stein"],
    ["founder", "Co-founder: Laura Stein", "Laura Stein"]
  ])("takes for %s from %j not who is something else: %j", async (name, line, person) => {
    assert.notStrictEqual(await found(name, TEXT, "", [line]), person)
  })

  it.each([
    ["former_ceo", "Former CEO: Martin Weber", "Martin Weber"],
    ["ceo", "CEO: Martin Weber", "Martin Weber"]
  ])("takes for %s from %j who it says that is: %j", async (name, line, person) => {
    assert.strictEqual(await found(name, TEXT, "", [line]), person)
  })

  it.each([
    ["Pets allowed: no", false],
    ["Pets are allowed nowhere in this hotel.", false],
    ["If pets are allowed, we will tell you.", undefined],
    ["Pets are allowed in this hotel.", true]
  ])("says of pets_allowed after %j what it says: %j", async (line, value) => {
    const shown = line.includes(":") ? [line] : undefined
    const told = await found("pets_allowed", { ...YES_OR_NO, description: "Whether pets are allowed" }, line, shown)
    assert.strictEqual(told, value)
  })

  it.each([
    ["The car was not red but blue.", "blue"],
    ["The car was not really red.", undefined],
    ["The car was red.", "red"]
  ])("takes no label of an enum that is denied: %j", async (line, value) => {
    const schema = { enum: ["red", "blue", "green"], description: "Colour of the car" }
    assert.strictEqual(await found("car_color", schema, line), value)
  })

  it.each([
    ["service", ["massage", "sauna"], "Service of the hotel", "We do not offer massage.", undefined],
    ["day_open", ["Saturday", "Sunday"], "Day on which the shop is open", "The shop is closed on Sunday.", undefined],
    ["color", ["blue", "green"], "Colour of the car", "The car does not come in blue but in green.", "green"]
  ])("takes for %s of %j (%s) no label whose clause denies it: %j", async (name, labels, description, line, value) => {
    assert.strictEqual(await found(name, { enum: labels, description }, line), value)
  })

  it("takes no cents for dollars, and no digit before a fraction", async () => {
    assert.notStrictEqual(await found("price_dollars", NUMBER, "The ticket costs 99 cents."), 99)
    assert.strictEqual(await found("rate_percent", NUMBER, "", ["Rate: 4 ½ %"]), undefined)
  })

  it.each([
    ["There were thirty attendees, sorry, I meant forty attendees.", "attendees", 40],
    ["The ticket used to cost twenty dollars, now it costs thirty dollars.", "ticket_price", 30]
  ])("takes no value that its speaker takes back or calls past: %j", async (line, name, value) => {
    assert.strictEqual(await found(name, NUMBER, line), value)
  })

  it("gives the numbers of a table to the properties that its header names in their order", async () => {
    const items = { type: "object", properties: { name: TEXT, age: { type: "integer" }, goals: { type: "integer" } } }
    const rows = ["Player  Goals  Age", "Ana Lopez  7  23", "Tom Reed  4  31", "Li Wei  9  19"]
    const players = await found("players", { type: "array", items }, "", rows)
    assert.deepStrictEqual(players, [
      { name: "Ana Lopez", age: 23, goals: 7 },
      { name: "Tom Reed", age: 31, goals: 4 },
      { name: "Li Wei", age: 19, goals: 9 }
    ])
  })
})
