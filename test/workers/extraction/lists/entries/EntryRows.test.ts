import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../../Footage.ts"

const text = { type: "string" }
const number = { type: "number" }
const integer = { type: "integer" }
const listOf = (properties: object) => ({ type: "array", items: { type: "object", properties } })
const turns: ReadonlyArray<Turn> = [[0, "S1", "Have a look at this slide. We'll leave it up for a moment."]]

type Precision = "balanced" | "strict"

/** What one picture gives. */
const resultOf = (
  properties: Record<string, object>,
  lines: ReadonlyArray<string>,
  precision: Precision = "balanced"
): unknown => {
  const shown: ReadonlyArray<Shown> = [[1, lines]]
  return extract(inputOf({ type: "object", properties }, footage(turns, shown), { precision })).result
}

describe("the name of a row", () => {
  it.each([
    [["Three Musketeers  21", "One Direction  9", "Four Aces  12"], integer],
    [["First Aid Kit  $19", "Two-Person Tent  $89", "3-Season Bag  $75"], number],
    [["Volta 3 – €299", "Volta 5 Pro – €499", "Volta Mini – €149"], number],
    [["Boeing 737  180", "Airbus 320  190", "Embraer 190  98"], integer],
    [["Fifth Avenue 12", "First Street 8", "Ten Mile Lane 31"], integer]
  ])("keeps the numbers that belong to it: %j", (lines, type) => {
    const names = lines.map((line) => ({ name: line.split(/\s{2,}| – | (?=\d+$)/u)[0] }))
    expect(resultOf({ entries: listOf({ name: text, amount: type }) }, lines)).toMatchObject({ entries: names })
  })

  it.each([
    [["1  Mira Kovac  90", "2  Ola Brandt  84", "3  Jean Petit  77"]],
    [["1. Mira Kovac 90 points", "2. Ola Brandt 84 points", "3. Jean Petit 77 points"]]
  ])("has neither the number of its row nor its values: %j", (lines) => {
    expect(resultOf({ results: listOf({ name: text, points: integer }) }, lines)).toEqual({
      results: [
        { name: "Mira Kovac", points: 90 },
        { name: "Ola Brandt", points: 84 },
        { name: "Jean Petit", points: 77 }
      ]
    })
  })
})

describe("two texts of a row without a header", () => {
  it.each([
    [
      { crew: listOf({ name: text, role: text }) },
      ["Camera: Ana Weiss", "Sound: Ivo Blank", "Editing: Tom Hale"],
      { name: "Ana Weiss", role: "Camera" }
    ],
    [
      { capitals: listOf({ city: text, country: text }) },
      ["Norway: Oslo", "Kenya: Nairobi", "Peru: Lima"],
      { city: "Oslo", country: "Norway" }
    ],
    [
      { symptoms: listOf({ cause: text, symptom: text }) },
      ["Symptom: Cause", "Yellow leaves: too much water", "Brown tips: dry air", "Leggy stems: little light"],
      { cause: "too much water", symptom: "Yellow leaves" }
    ]
  ])("are each the property that they can be, whatever the order of the schema: %j", (lists, lines, first) => {
    const [name] = Object.keys(lists)
    expect(resultOf(lists, lines)).toHaveProperty(`${name}.0`, first)
  })

  it("are in no strict result where nothing tells which is which", () => {
    const lists = { pairs: listOf({ german: text, english: text }) }
    const lines = ["dog: Hund", "cat: Katze", "bird: Vogel", "horse: Pferd"]
    expect(JSON.stringify(resultOf(lists, lines, "strict"))).not.toMatch(/Hund|dog/u)
  })
})

describe("rows that sum up those above", () => {
  it.each([
    [["Pasta  $14.00", "Salad  $9.00", "Tax  $2.30", "Tip  $4.00"], /Tax|Tip/u],
    [["Rent  $900", "Food  $350", "Bus pass  $60", "Balance due  $190"], /Balance/u],
    [["North  $120", "South  $95", "East  $210", "Average amount  $142"], /Average/u],
    [["Marsh  $50", "Okafor  $120", "Nair  $80", "Goal  $500", "Raised so far  $250"], /Goal|Raised/u],
    [["Marsh  $50", "Okafor  $120", "Nair  $80", "Everything  $250", "VAT  $50", "To pay  $300"], /Every|VAT|pay/u]
  ])("are no entries, by their name or by their numbers, at the end of a table: %j", (lines, sums) => {
    const result = JSON.stringify(resultOf({ items: listOf({ item: text, amount: number }) }, lines))
    expect(result).toContain(lines[0]!.split("  ")[0])
    expect(result).not.toMatch(sums)
  })

  it("are entries of a list that asks for them, and above its end", () => {
    const lines = ["Income tax  $120", "Sales tax  $95", "Road tax  $21"]
    expect(JSON.stringify(resultOf({ taxes: listOf({ item: text, amount: number }) }, lines))).toMatch(/Sales tax/u)
    const others = ["Tip  $12", "Rent  $95", "Food  $21"]
    expect(JSON.stringify(resultOf({ items: listOf({ item: text, amount: number }) }, others))).toMatch(/Tip/u)
  })
})

describe("rows under a header", () => {
  it.each([
    ["tasks", "task"],
    ["actions", "action"],
    ["decisions", "decision"],
    ["jobs", "job"]
  ])("are the list's where it names two properties, whatever finder its name asks for: %s", (list, property) => {
    const lists = { [list]: listOf({ [property]: text, owner: text, due: text }) }
    const header = `${property[0]!.toUpperCase()}${property.slice(1)}  Owner  Due`
    const rows = ["Order tiles  Ruth Andersen  3 May", "Fix the tap  Tom Okafor  6 May", "Paint it  Priya Nair  9 May"]
    expect(resultOf(lists, [header, ...rows])).toHaveProperty(`${list}.1`, {
      [property]: "Fix the tap",
      owner: "Tom Okafor",
      due: "6 May"
    })
  })

  it("give sums of money to the property that the header names, whatever it is called", () => {
    const lists = { items: listOf({ item: text, spent: number, raised: number }) }
    expect(resultOf(lists, ["Item  Raised  Spent", "Paint  $200  $180", "Timber  $640  $702"])).toEqual({
      items: [{ item: "Paint", raised: 200, spent: 180 }, { item: "Timber", raised: 640, spent: 702 }]
    })
  })

  it("give a short form's column to the property in the plural that it is short for", () => {
    const lists = { table: listOf({ team: text, points: integer }) }
    expect(resultOf(lists, ["Team  Pld  Pts", "Ashby  4  9", "Delmont  3  5", "Brace  4  2"])).toEqual({
      table: [{ team: "Ashby", points: 9 }, { team: "Delmont", points: 5 }, { team: "Brace", points: 2 }]
    })
  })

  it("are all entries where two of a picture are called the same and hold other values", () => {
    const lists = { expenses: listOf({ shop: text, amount: number }) }
    const lines = ["Shop  Amount", "Tesco  £20.10", "Boots  £7.50", "Tesco  £13.40", "Aldi  £9.90"]
    expect(resultOf(lists, lines)).toEqual({
      expenses: [
        { shop: "Tesco", amount: 20.1 },
        { shop: "Boots", amount: 7.5 },
        { shop: "Tesco", amount: 13.4 },
        { shop: "Aldi", amount: 9.9 }
      ]
    })
  })
})
