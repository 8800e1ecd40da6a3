import { describe, expect, it } from "vitest"
import { datesSaid, dayAcross, momentAcross } from "../../../tools/verify-evidence/Calendar.ts"

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

describe("dayAcross", () => {
  const may = "it's the twelfth of May twenty twenty-five"
  it.each([
    ["the twenty-first", may, "2025-05-21"],
    ["Friday the 21st", "12/05/2027", "2027-05-21"],
    ["Wednesday the third", "the 28th of November 2025", "2025-12-03"],
    ["Monday the fourth", "28 DEC 2026", "2027-01-04"]
  ])("takes from %j, with the month of %j, the day %s", (text, other, day) => {
    expect(dayAcross(text, [other], day)).toBe(true)
  })

  it.each([
    ["the twenty-first", may, "2025-05-22"],
    ["the twenty-first", may, "2025-06-21"],
    ["the twenty-first", "12 May 2024", "2025-05-21"],
    ["the third", "the 28th of November 2025", "2025-12-03"],
    ["Monday the third", "the 28th of November 2025", "2025-12-03"],
    ["the third of June", may, "2025-05-03"],
    ["the twenty-first", "we met on a Monday", "2025-05-21"]
  ])("does not take from %j, with the month of %j, the day %s", (text, other, day) => {
    expect(dayAcross(text, [other], day)).toBe(false)
  })
})

describe("momentAcross", () => {
  it.each([
    ["12 June 2025, 18:00 UTC", [], "2025-06-12T18:00:00Z", true],
    ["the fourteenth, at half past seven", ["10 January 2026"], "2026-01-14T19:30:00+00:00", true],
    ["LAUNCH 21:41:20", ["SAT 23 AUG 2025"], "2025-08-23T21:41:20+03:00", false],
    ["2026-05-06T05:58:00+02:00", [], "2026-05-06T05:58:00+02:00", true],
    ["2026-05-06T05:58:00+02:00", [], "2026-05-06T05:58:00+03:00", false],
    ["2025-10-21 09:14 (UTC+02:00)", [], "2025-10-21T09:14:00+02:00", true],
    ["2025-10-21 09:14 (UTC+02:00)", [], "2025-10-21T09:14:00Z", false],
    ["12 June 2025, 18:00 UTC", [], "2025-06-12T18:00:00+05:00", false],
    ["12 June 2025, 18:00", [], "2025-06-12T18:00:00+05:00", true],
    ["12 June 2025, 18:00 UTC", [], "2025-06-12T19:00:00Z", false],
    ["12 June 2025, 18:00 UTC", [], "2025-06-13T18:00:00Z", false],
    ["at half past seven", [], "2026-01-14T19:30:00+00:00", false]
  ])("takes %j beside %j for %s: %s", (text, others, moment, holds) => {
    expect(momentAcross(text, others, moment)).toBe(holds)
  })
})
