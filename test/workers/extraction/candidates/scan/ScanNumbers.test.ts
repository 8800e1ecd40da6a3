import { describe, expect, it } from "vitest"
import { scanNumbers } from "../../../../../workers/extraction/candidates/scan/ScanNumbers.ts"
import type { Kind } from "../../../../../workers/extraction/text/Candidate.ts"
import { documentOf } from "../../Footage.ts"

const scanned = (text: string, kind: Kind) =>
  scanNumbers(documentOf([[0, "S1", text]]).passages[0]!, () => false).filter((one) => one.kind === kind)
    .map((one) => [one.text, one.value])

describe("scanNumbers", () => {
  it.each([
    ["two hours, four minutes and nine seconds", 7449],
    ["one hour forty", 6000],
    ["2h 45m", 9900],
    ["1h30 min", 5400],
    ["4m 30s", 270],
    ["an hour ten", 4200],
    ["two hours and a half", 9000],
    ["three weeks, two days and one hour", 1_990_800]
  ])("takes %j for one duration", (text, seconds) => {
    expect(scanned(`It took ${text}.`, "duration")).toEqual([[text, seconds]])
  })

  it.each([
    ["one hour 30 people waited", "one hour"],
    ["in two hours 10 am is over", "two hours"],
    ["one hour 5 m away", "one hour"]
  ])("ends a duration before what is counted: %j", (text, duration) => {
    expect(scanned(text, "duration").map(([own]) => own)).toEqual([duration])
  })

  it.each([
    ["Budget for Q4: $20", [["$20", 20]]],
    ["Coffee 2 $9.00", [["$9.00", 9]]],
    ["Day 1: £35", [["£35", 35]]],
    ["Coffee 9.50 $", [["9.50 $", 9.5]]],
    ["it costs 20 euros", [["20 euros", 20]]]
  ])("gives a sign of money to its own number: %j", (text, found) => {
    expect(scanned(text, "money")).toEqual(found)
  })

  it.each([["a dose of .5 mg", ".5", 0.5], ["it fell by -.25 points", "-.25", -0.25]])(
    "reads the point before the figures of %j",
    (text, own, value) => {
      expect(scanned(text, "number")).toEqual([[own, value]])
    }
  )
})
