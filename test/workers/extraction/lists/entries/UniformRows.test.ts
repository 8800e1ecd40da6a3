import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { uniformLines } from "../../../../../workers/extraction/lists/entries/UniformLines.ts"
import { makeSourceDocument } from "../../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf } from "../../Footage.ts"

const text = { type: "string" }
const number = { type: "number" }
const integer = { type: "integer" }
const clock = { type: "string", description: "HH:MM" }
const listOf = (properties: object) => ({ type: "array", items: { type: "object", properties } })

const given = (
  lists: Record<string, object>,
  lines: ReadonlyArray<string>,
  precision: "balanced" | "strict" = "balanced"
) => extract(inputOf({ type: "object", properties: lists }, footage([], [[0, lines]]), { precision })).result

describe("rows that are made alike, without a header", () => {
  it.each([
    [
      "the number of the row, a name and a number",
      { standings: listOf({ rank: integer, player: text, points: number }) },
      ["Final table", "1  Ottoline Brack  6", "2  Piet Varga  5.5", "3  Samir Holt  4.5"],
      {
        standings: [
          { rank: 1, player: "Ottoline Brack", points: 6 },
          { rank: 2, player: "Piet Varga", points: 5.5 },
          { rank: 3, player: "Samir Holt", points: 4.5 }
        ]
      }
    ],
    [
      "days and hours, with blanks around their dashes",
      { hours: listOf({ days: text, hours: text }) },
      ["OPENING TIMES", "Mon - Fri 06:00 - 22:00", "Sat - Sun 07:00 - 19:00"],
      { hours: [{ days: "Mon - Fri", hours: "06:00 - 22:00" }, { days: "Sat - Sun", hours: "07:00 - 19:00" }] }
    ],
    [
      "names and shares, without a line in brackets and the number below that another field asks for",
      {
        candidates: listOf({ name: text, percent: number }),
        turnoutPercent: number
      },
      [
        "Result",
        "Dorothea Quill  47.8 %",
        "Emre Sandoval  30.9 %",
        "(last time: Hugh Parnaby  21.3 %)",
        "Turnout 63.9 %"
      ],
      {
        candidates: [{ name: "Dorothea Quill", percent: 47.8 }, { name: "Emre Sandoval", percent: 30.9 }],
        turnoutPercent: 63.9
      }
    ],
    [
      "an amount with its unit, known or one of the schema's",
      { ingredients: listOf({ name: text, amount: number, unit: { type: "string", enum: ["g", "ml", "handful"] } }) },
      ["Rye flour 600 g", "Water 580 ml", "Walnuts 2 handful"],
      {
        ingredients: [
          { name: "Rye flour", amount: 600, unit: "g" },
          { name: "Water", amount: 580, unit: "ml" },
          { name: "Walnuts", amount: 2, unit: "handful" }
        ]
      }
    ],
    [
      "a weekday, short, and both ends of a time",
      { sessions: listOf({ name: text, day: text, start: clock, end: clock }) },
      ["Early lanes   Wed   06:30-08:00", "Aqua fit   Thu   18:15-19:00"],
      {
        sessions: [
          { name: "Early lanes", day: "Wednesday", start: "06:30", end: "08:00" },
          { name: "Aqua fit", day: "Thursday", start: "18:15", end: "19:00" }
        ]
      }
    ],
    [
      "a year and a price",
      { wines: listOf({ name: text, vintage: integer, price: number }) },
      ["Monteluro 2022   12.90", "Cala Serena 2024   9.80"],
      {
        wines: [
          { name: "Monteluro", vintage: 2022, price: 12.9 },
          { name: "Cala Serena", vintage: 2024, price: 9.8 }
        ]
      }
    ],
    [
      "a word of the property before each of its numbers",
      { stations: listOf({ km: integer, offers: text }) },
      ["km 12  water", "km 24  tea", "km 33  cola"],
      { stations: [{ km: 12, offers: "water" }, { km: 24, offers: "tea" }, { km: 33, offers: "cola" }] }
    ],
    [
      "a header that says which price was before",
      { fares: listOf({ ticket: text, oldPrice: number, newPrice: number }) },
      ["Ticket | until now | new", "Single adult | 2.40 | 2.60", "Day ticket | 6.50 | 6.90"],
      {
        fares: [
          { ticket: "Single adult", oldPrice: 2.4, newPrice: 2.6 },
          { ticket: "Day ticket", oldPrice: 6.5, newPrice: 6.9 }
        ]
      }
    ],
    [
      "two of them on each line",
      { scores: listOf({ name: text, score: integer }) },
      ["Wenna 81 · Obafemi 76", "Lisbet 79 · Karel 84"],
      {
        scores: [
          { name: "Wenna", score: 81 },
          { name: "Obafemi", score: 76 },
          { name: "Lisbet", score: 79 },
          { name: "Karel", score: 84 }
        ]
      }
    ]
  ])("are entries: %s", (_, lists, lines, wanted) => {
    assert.deepEqual(given(lists, lines), wanted as never)
  })

  it.each([
    ["two teams with their goals", { goals: listOf({ scorer: text, minute: integer }) }, [
      "FULL TIME",
      "Rovers 3",
      "Vale 1"
    ]],
    [
      "two like columns for two like properties",
      { wins: listOf({ team: text, home: integer, away: integer }) },
      ["Rovers  3  4", "Vale  1  6", "Oxmoor  2  2"]
    ]
  ])("are none where nothing says what a number is: %s", (_, lists, lines) => {
    assert.notMatch(JSON.stringify(given(lists, lines)), /"(?:minute|home|away)":\d/u)
  })

  it("are of the list that has more of their columns", () => {
    const lists = {
      falls: listOf({ place: text, km: number }),
      checkpoints: listOf({ name: text, km: number, clock })
    }
    const lines = ["CP1 Alm   km 14.0   07:41", "CP2 Scharte   km 27.5   09:58", "CP3 Klamm   km 43.0   12:07"]
    const result = given(lists, lines) as { readonly falls?: unknown; readonly checkpoints: ReadonlyArray<unknown> }
    assert.isUndefined(result.falls)
    assert.deepEqual(result.checkpoints[0], { name: "CP1 Alm", km: 14, clock: "07:41" })
  })

  it("are in no strict result with a number that nothing names", () => {
    const lists = { segments: listOf({ segment: text, revenue: number }) }
    const lines = ["Water 108.9", "Industry 71.2", "Service 32.3"]
    assert.include(JSON.stringify(given(lists, lines)), "108.9")
    assert.notInclude(JSON.stringify(given(lists, lines, "strict")), "108.9")
  })

  it("have parts that stand where they say, whatever is on the lines", () => {
    const word = fc.constantFrom(
      "Axle",
      "12",
      "4.5 kg",
      "|",
      "  ",
      " - ",
      "7:30",
      "Wed",
      "€5",
      "/ month",
      "1.",
      "3 x",
      "%",
      "–",
      "..."
    )
    fc.assert(fc.property(fc.array(fc.array(word, { maxLength: 8 }), { maxLength: 6 }), (rows) => {
      const { passages } = makeSourceDocument(
        footage([], [[0, rows.map((words) => words.join(" ")).filter((line) => line.trim() !== "")]])
      )
      for (const { rows: lines } of uniformLines(passages, new Set())) {
        for (const { line, parts } of lines) {
          assert.lengthOf(parts, lines[0]!.parts.length)
          for (const { from, text: said, to } of parts) assert.strictEqual(line.text.slice(from, to), said)
        }
      }
    }))
  })
})
