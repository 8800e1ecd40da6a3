import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../../Footage.ts"

const text = { type: "string" }
const number = { type: "number" }
const integer = { type: "integer" }
const listOf = (properties: object) => ({ type: "array", items: { type: "object", properties } })

/** The lists of what these pictures give, one every ten seconds. */
const listsOf = (lists: Record<string, object>, ...pictures: ReadonlyArray<ReadonlyArray<string>>): unknown => {
  const shown = pictures.map((lines, at): Shown => [10 * at, lines])
  const schema = { type: "object", properties: lists }
  return extract(inputOf(schema, footage([], shown), { precision: "balanced" })).result
}

describe("rows of a table", () => {
  it.each([
    [
      "texts",
      { roles: listOf({ character: text, actor: text }) },
      ["Actor | Character", "Ana Lopez | Hamlet", "Tom Reed | Ghost", "Li Wei | Ophelia"],
      {
        roles: [
          { character: "Hamlet", actor: "Ana Lopez" },
          { character: "Ghost", actor: "Tom Reed" },
          { character: "Ophelia", actor: "Li Wei" }
        ]
      }
    ],
    [
      "numbers beside a column that nobody asks for",
      { medals: listOf({ country: text, gold: integer, silver: integer }) },
      ["Country  Silver  Bronze", "Norway  16  8", "Germany  12  10", "Canada  4  8"],
      {
        medals: [
          { country: "Norway", silver: 16 },
          { country: "Germany", silver: 12 },
          { country: "Canada", silver: 4 }
        ]
      }
    ],
    [
      "numbers behind a column that nobody asks for",
      { medals: listOf({ country: text, gold: integer, silver: integer }) },
      ["Country  Rank  Gold  Silver", "Norway  1  16  8", "Germany  2  12  10", "Canada  3  4  8"],
      {
        medals: [
          { country: "Norway", gold: 16, silver: 8 },
          { country: "Germany", gold: 12, silver: 10 },
          { country: "Canada", gold: 4, silver: 8 }
        ]
      }
    ]
  ])("give each property the cell under its own header: %s", (_, lists, lines, result) => {
    expect(listsOf(lists, lines)).toEqual(result)
  })

  it.each([
    [
      "a header that names another thing",
      { players: listOf({ name: text, goals: integer }) },
      ["Player  Assists", "Ana Lopez  7", "Tom Reed  4", "Li Wei  9"]
    ],
    [
      "no header over several like numbers",
      { medals: listOf({ country: text, gold: integer, silver: integer, bronze: integer }) },
      ["Medals", "Norway  13  8  16", "Germany  5  10  12", "Canada  14  8  4"]
    ],
    [
      "kilometres an hour",
      { birds: listOf({ name: text, distance_km: number }) },
      ["Birds", "Swift  110 km/h", "Heron  50 km/h", "Goose  70 km/h"]
    ],
    [
      "milligrams a kilogram",
      { drugs: listOf({ name: text, dose_mg: number }) },
      ["Drugs", "Ramipril  5 mg/kg", "Aspirin  100 mg/kg", "Digoxin  2 mg/kg"]
    ]
  ])("give no number that is of something else: %s", (_, lists, lines) => {
    expect(JSON.stringify(listsOf(lists, lines))).not.toMatch(/:\d/u)
  })

  it("give each number to the property of its unit, squares and cubes included", () => {
    const lists = { rooms: listOf({ name: text, area_m2: number, height_m: number }) }
    expect(listsOf(lists, ["Rooms", "Kitchen  12 m²  2.5 m", "Bedroom  16 m²  2.4 m"])).toEqual({
      rooms: [{ name: "Kitchen", area_m2: 12, height_m: 2.5 }, { name: "Bedroom", area_m2: 16, height_m: 2.4 }]
    })
  })

  it.each([
    [["Expenses", "Rent  $900", "Food  $300", "Grand total  $1200"], "Grand total"],
    [["Expenses", "Rent  $900", "Food  $300", "Paper  $50", "All together  $1250"], "All together"]
  ])("are none that sum up the rows above: %j", (lines, sum) => {
    const result = JSON.stringify(listsOf({ expenses: listOf({ item: text, amount: number }) }, lines))
    expect(result).toContain("Rent")
    expect(result).not.toContain(sum)
  })

  it("give no amount in brackets as one above zero", () => {
    const lists = { accounts: listOf({ name: text, balance: number }) }
    const result = JSON.stringify(listsOf(lists, ["Balances", "Alice  $50", "Bob  ($30)", "Carl  ($20)", "Dora  $10"]))
    expect(result).not.toMatch(/:(?:30|20)\b/u)
  })
})

const named = (rows: ReadonlyArray<string>, property: string): unknown =>
  rows.map((row) => ({ [property]: row.split(" $")[0], amount: Number(row.split(" $")[1]) }))

describe("tables under several headings", () => {
  const income = ["Income", "Dues $900", "Grants $300", "Sales $120"]
  const expenses = ["Expenses", "Rent $700", "Food $80", "Printing $40"]

  it("are each the list that its heading names", () => {
    const lists = {
      income: listOf({ source: text, amount: number }),
      expenses: listOf({ item: text, amount: number })
    }
    expect(listsOf(lists, income, expenses)).toEqual({
      income: named(income.slice(1), "source"),
      expenses: named(expenses.slice(1), "item")
    })
  })

  it("give a list only the one that its heading names, and none to a list whose sister it names", () => {
    expect(listsOf({ expenses: listOf({ item: text, amount: number }) }, income, expenses)).toEqual({
      expenses: named(expenses.slice(1), "item")
    })
    const lists = { income: listOf({ source: text, amount: number }), payments: listOf({ item: text, amount: number }) }
    expect(JSON.stringify((listsOf(lists, income, expenses) as { readonly payments?: unknown }).payments ?? "")).not
      .toMatch(
        /Dues|Grants|Sales/u
      )
  })

  it("are told apart within one picture", () => {
    const lists = {
      starters: listOf({ name: text, price: number }),
      desserts: listOf({ name: text, price: number })
    }
    const picture = ["Menu", "Starters", "Soup $5", "Salad $6", "Desserts", "Cake $7", "Sorbet $4"]
    expect(listsOf(lists, picture)).toEqual({
      starters: [{ name: "Soup", price: 5 }, { name: "Salad", price: 6 }],
      desserts: [{ name: "Cake", price: 7 }, { name: "Sorbet", price: 4 }]
    })
  })

  it("give nothing that is called old", () => {
    const lists = { services: listOf({ name: text, price: number }) }
    const result = listsOf(lists, ["Old prices", "Tune-up $30", "Chain $20"], [
      "New prices",
      "Tune-up $40",
      "Chain $25"
    ])
    expect(JSON.stringify(result)).not.toMatch(/:(?:30|20)\b/u)
  })
})

describe("the header of a table without a title", () => {
  it("is no title: a column of what was planned makes no other table of it", () => {
    const lists = { expenses: listOf({ category: text, planned: number, actual: number }) }
    expect(listsOf(lists, ["Category  Planned  Actual", "Hall hire  1800  1950", "Sheet music  600  420"])).toEqual({
      expenses: [
        { category: "Hall hire", planned: 1800, actual: 1950 },
        { category: "Sheet music", planned: 600, actual: 420 }
      ]
    })
  })
})

describe("prices under several headings", () => {
  const ours = ["Tea $2.50", "Latte $3.20", "Mocha $3.50"]
  const theirs = ["Tea $4.50", "Latte $5.20", "Mocha $5.80"]
  it.each([
    ["Old prices", "Prices from May"],
    ["Prices at the airport", "Our prices"],
    ["Competitor", "Prices"]
  ])("are those of the list: not %j but %j", (other, own) => {
    const result = listsOf({ prices: listOf({ item: text, price: number }) }, [other, ...theirs], [own, ...ours])
    expect(result).toEqual({
      prices: [{ item: "Tea", price: 2.5 }, { item: "Latte", price: 3.2 }, { item: "Mocha", price: 3.5 }]
    })
  })
})
