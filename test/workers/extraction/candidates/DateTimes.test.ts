import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../Footage.ts"

const moment = { type: "string", format: "date-time" }
const found = (properties: Record<string, object>, said: ReadonlyArray<string>, shown: ReadonlyArray<Shown> = []) => {
  const source = footage(said.map((text, at) => [1 + 6 * at, "S1", text]), shown)
  return extract({ ...inputOf({ type: "object", properties }, source), precision: "balanced" }).result
}

describe("a field that wants a moment with its offset", () => {
  it.each([
    ["Started at: 2026-05-06T05:58:00+02:00", "2026-05-06T05:58:00+02:00"],
    ["Started at: 2026-05-06T05:58+02:00", "2026-05-06T05:58:00+02:00"],
    ["Started at: 2026-01-22 06:14:30 +01:00", "2026-01-22T06:14:30+01:00"],
    ["Started at: 2025-10-21 09:14 (UTC+02:00)", "2025-10-21T09:14:00+02:00"],
    ["Started at: 12 June 2025, 18:00 UTC", "2025-06-12T18:00:00Z"]
  ])("has what a screen shows as %j", (line, value) => {
    expect(found({ started_at: moment }, [], [[2, ["CHARGING LOG", line]]])).toEqual({ started_at: value })
  })

  it("has what is said of a day and a time, in the offset that its description names", () => {
    const strike_starts = { ...moment, description: "local time, offset +02:00" }
    const said = ["The strike starts on the ninth of September 2026, at four in the morning."]
    expect(found({ strike_starts }, said)).toEqual({ strike_starts: "2026-09-09T04:00:00+02:00" })
  })

  it("stays empty where nobody says how far local time is from UTC, or no day stands with the time", () => {
    const said = ["The strike starts on the ninth of September 2026, at four in the morning."]
    expect(found({ strike_starts: moment }, said)).toEqual({})
    expect(
      found({ strike_starts: { ...moment, description: "offset +02:00" } }, [
        "The strike starts at four in the morning."
      ])
    ).toEqual({})
  })
})
