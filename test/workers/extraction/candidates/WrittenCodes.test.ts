import { describe, expect, it } from "vitest"
import { scanNames } from "../../../../workers/extraction/candidates/scan/ScanNames.ts"
import { documentOf } from "../Footage.ts"

describe("scanNames", () => {
  it.each([
    ["We sit in room B12 today.", ["B12"]],
    ["an Airbus A321neo and a Boeing 747", ["Airbus A321neo", "Boeing 747"]],
    ["take the F-16 or the MH-370.", ["F-16", "MH-370"]],
    ["a Canon MG3650, a Torx T20", ["Canon MG3650", "Torx T20"]],
    ["John Smith-jones spoke", ["John Smith-jones"]]
  ])("ends no name before the figures of its last word: %j", (text, names) => {
    expect(scanNames(documentOf([[0, "S1", text]]).passages[0]!, new Map()).map((one) => one.text)).toEqual(names)
  })
})
