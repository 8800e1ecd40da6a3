import { describe, expect, it } from "vitest"
import { datesSaid } from "../../../tools/verify-evidence/Calendar.ts"

describe("datesSaid", () => {
  it.each([
    ["3.6.2026", "2026-06-03"],
    ["24.05.2026", "2026-05-24"],
    ["2026/06/03", "2026-06-03"],
    ["03/06/26", "2026-06-03"],
    ["June 3, 2026", "2026-06-03"],
    ["the third of June", "2026-06-03"],
    ["the twenty-first of May, 2026", "2026-05-21"],
    ["We may meet on June 3", "2026-06-03"],
    ["The market opens on June 3, 2026", "2026-06-03"],
    ["We decided in March to launch on June 3, 2026", "2026-06-03"],
    ["from 3 to 5 June", "2026-06-03"],
    ["Sept. 3", "2026-09-03"],
    ["June, Wednesday the 3rd", "2026-06-03"]
  ])("takes from %j the day %s", (text, day) => {
    expect(datesSaid(text, day)).toBe(true)
  })

  it.each([
    ["We marked 3 boxes", "2026-03-03"],
    ["We may meet on June 3", "2026-05-03"],
    ["from May 3 to June 5", "2026-06-03"],
    ["from May 3 to June 5", "2026-05-05"],
    ["3.6.2026", "2026-06-04"],
    ["3.6.2026", "2025-06-03"],
    ["June 3, 2026", "2025-06-03"],
    ["In June we sold 3 boats", "2026-06-03"]
  ])("does not take from %j the day %s", (text, day) => {
    expect(datesSaid(text, day)).toBe(false)
  })
})
