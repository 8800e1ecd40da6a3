import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { stackedLines } from "../../../../../workers/extraction/lists/entries/StackedLines.ts"
import { makeSourceDocument } from "../../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf } from "../../Footage.ts"

const text = { type: "string" }
const number = { type: "number" }
const integer = { type: "integer" }
const listOf = (properties: object) => ({ type: "array", items: { type: "object", properties } })

const given = (lists: Record<string, object>, lines: ReadonlyArray<string>) =>
  extract(inputOf({ type: "object", properties: lists }, footage([], [[0, lines]]), { precision: "balanced" })).result

describe("rows whose cells stand one below the other", () => {
  it.each([
    [
      "a name over its price",
      { repairs: listOf({ part: text, price: number }) },
      ["Invoice", "Drive belt", "£31.50", "Door hinge", "£18.00", "Filter", "£7.25", "Total to pay", "£56.75"],
      {
        repairs: [
          { part: "Drive belt", price: 31.5 },
          { part: "Door hinge", price: 18 },
          { part: "Filter", price: 7.25 }
        ]
      }
    ],
    [
      "two prices under the words of their columns",
      { hire_items: listOf({ item: text, per_day: number, weekend: number }) },
      ["HARBOUR HIRE", "Day", "Weekend", "Paddle", "€4", "€7", "Canoe", "€22", "€40", "Wetsuit", "€6", "€9"],
      {
        hire_items: [
          { item: "Paddle", per_day: 4, weekend: 7 },
          { item: "Canoe", per_day: 22, weekend: 40 },
          { item: "Wetsuit", per_day: 6, weekend: 9 }
        ]
      }
    ],
    [
      "a number behind the same words each time",
      { rooms: listOf({ room: text, price: number, seats: integer }) },
      ["Oak room", "$140", "up to 8 seats", "Elm room", "$220", "up to 12 seats", "Ash room", "$90", "up to 4 seats"],
      {
        rooms: [
          { room: "Oak room", price: 140, seats: 8 },
          { room: "Elm room", price: 220, seats: 12 },
          { room: "Ash room", price: 90, seats: 4 }
        ]
      }
    ],
    [
      "how many of it, and without what it cost before",
      { basket: listOf({ name: text, quantity: integer, total: number }) },
      ["Lentils 1 kg", "x3", "£3.10", "Olive oil", "Was £8.49", "x1", "£6.99", "Coffee beans", "x2", "£9.20"],
      {
        basket: [
          { name: "Lentils 1 kg", quantity: 3, total: 3.1 },
          { name: "Olive oil", quantity: 1, total: 6.99 },
          { name: "Coffee beans", quantity: 2, total: 9.2 }
        ]
      }
    ],
    [
      "a heading between them begins another list",
      { open_orders: listOf({ title: text, value: number }) },
      ["Open orders (2)", "Bench, oak", "€1,840", "Desk Bristol", "€625", "Lost orders (1)", "Shelf", "€290"],
      { open_orders: [{ title: "Bench, oak", value: 1840 }, { title: "Desk Bristol", value: 625 }] }
    ]
  ])("are entries: %s", (_, lists, lines, wanted) => {
    assert.deepEqual(given(lists, lines), wanted as never)
  })

  it("have a remark between them that is of neither, and a text behind the value", () => {
    const lines = ["Otters", "11:00", "Mill pond", "with Imke", "Lynxes", "12:15", "North wood"]
    const { passages } = makeSourceDocument(footage([], [[0, lines]]))
    const [table] = stackedLines(passages, new Set(), 2)
    assert.deepEqual(
      table?.rows.map(({ parts }) => parts.map((part) => part.text)),
      [["Otters", "11:00", "Mill pond"], ["Lynxes", "12:15", "North wood"]]
    )
  })

  it("are none of a name and a bare number alone, where there are only two", () => {
    const { passages } = makeSourceDocument(footage([], [[0, ["FULL TIME", "Rovers", "3", "Vale", "1"]]]))
    assert.deepEqual(stackedLines(passages, new Set(), 2), [])
  })

  it("have parts that stand where they say, whatever is on the lines", () => {
    const line = fc.constantFrom(
      "Axle",
      "12",
      "£4.50",
      "was £9",
      "7:30",
      "Wed 4 May",
      "• Bolt M4",
      "1. Nut",
      "(2)",
      "up to 3 kg",
      "A: b",
      "x | y"
    )
    fc.assert(fc.property(fc.array(line, { maxLength: 14 }), fc.integer({ min: 1, max: 4 }), (lines, texts) => {
      const { passages } = makeSourceDocument(footage([], [[0, lines]]))
      for (const { rows } of stackedLines(passages, new Set(), texts)) {
        assert.isAtLeast(rows.length, 2)
        for (const { below, line: first, parts } of rows) {
          assert.lengthOf(parts, rows[0]!.parts.length)
          assert.isNotEmpty(below ?? [])
          for (const { from, line: own = first, text: said, to } of parts) {
            assert.strictEqual(own.text.slice(from, to), said)
          }
        }
      }
    }))
  })
})
