import { describe, expect, it } from "vitest"
import { typedRows } from "../../../../../workers/extraction/lists/entries/TypedRows.ts"
import { planOf } from "../../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../../Footage.ts"

const clock = { type: "string", description: "HH:MM" }
const times = { departs: clock, arrives: clock }

const rowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<unknown>> => {
  const rows = { type: "array", items: { type: "object", properties: times } }
  const [list] = planOf({ type: "object", properties: { rows } }).lists
  return typedRows(materialOf([], [[0, lines]]), list!).map((row) => row.map(([, { value }]) => value))
}

describe("rows whose entries nothing names", () => {
  it("are the lines of the screen that fill the same properties by their forms", () => {
    expect(rowsOf(["Ferry", "dep 08:15  arr 08:50", "dep 10:45  arr 11:20"])).toEqual([
      ["08:15", "08:50"],
      ["10:45", "11:20"]
    ])
  })

  it.each([
    ["a line alone", ["Ferry", "dep 08:15  arr 08:50"]],
    ["lines that fill one property", ["Ferry", "dep 08:15", "dep 10:45"]],
    ["sentences", [
      "Ferry",
      "We leave here at 08:15 on most days and land by about 08:50",
      "On the way home it leaves at 10:45 and lands at around 11:20"
    ]]
  ])("are not %s", (_what, lines) => {
    expect(rowsOf(lines)).toEqual([])
  })
})
