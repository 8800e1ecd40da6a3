import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  DATE_PATTERN,
  periodOf,
  TIME_PATTERN,
  toIsoDate,
  toIsoTime
} from "../../../../workers/extraction/lexicon/Dates.ts"

const found = (pattern: RegExp, text: string) => Array.from(text.matchAll(pattern), ([match]) => match.trim())

describe("DATE_PATTERN", () => {
  it.each([
    ["we meet on Tuesday the 4th of June", "on Tuesday the 4th of June"],
    ["due March 3, 2026 at noon", "March 3, 2026"],
    ["by next Monday please", "next Monday"],
    ["since 2026-02-28 it works", "2026-02-28"],
    ["the twenty-first of May", "the twenty-first of May"],
    [
      "harvested on the twenty-first of October, twenty twenty-four, in snow",
      "on the twenty-first of October, twenty twenty-four"
    ],
    ["June the ninth two thousand and nine", "June the ninth two thousand and nine"],
    ["received 24.04.2027 11:06", "24.04.2027"],
    ["baptised second of April eighteen thirteen, born", "second of April eighteen thirteen"],
    ["the fourth of June nineteen oh five", "the fourth of June nineteen oh five"],
    ["on the first of May eighteen fifty euros were paid", "on the first of May"]
  ])("finds the day in %j", (text, date) => {
    expect(found(DATE_PATTERN, text)).toContain(date)
  })

  it.each([
    ["On 21 May, 1500 people came to the march.", ["On 21 May"]],
    ["It is due on March 3, 2500 copies will be printed.", ["March 3"]],
    ["Delivery date: 5 June 1200 units", ["5 June"]],
    ["On 3 May 2024 voters went", ["On 3 May 2024"]],
    ["On 14 October 1066 in Hastings", ["On 14 October 1066"]],
    // A year, or how many went: nobody knows.
    ["On 3 May 2020 voters went", []]
  ])("takes what is counted behind a day for no year: %j", (text, dates) => {
    expect(found(DATE_PATTERN, text)).toEqual(dates)
  })
})

describe("toIsoDate", () => {
  it.each([
    ["second of April eighteen thirteen", "1813-04-02"],
    ["the fourth of June nineteen oh five", "1905-06-04"],
    ["the first of May two thousand and nine", "2009-05-01"]
  ])("reads the year of %j as it is spoken", (text, day) => {
    expect(toIsoDate(text, "2025")).toBe(day)
  })

  it("gives back every day that is written out in full", () => {
    const months = "January February March April May June July August September October November December".split(" ")
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2100-12-31"), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10)
          const [year, month, day] = iso.split("-").map(Number) as [number, number, number]
          expect(toIsoDate(`${day} ${months[month - 1]} ${year}`)).toBe(iso)
          expect(toIsoDate(`${months[month - 1]} ${day}, ${year}`)).toBe(iso)
          expect(toIsoDate(iso)).toBe(iso)
        }
      )
    )
  })

  it.each([
    ["Tuesday the 4th of June", "2026-06-01", "2026-06-04"],
    ["tomorrow", "2026-12-31", "2027-01-01"],
    ["next Monday", "2026-11-21", "2026-11-23"],
    ["last Friday", "2026-11-21", "2026-11-20"],
    ["25/12/2026", undefined, "2026-12-25"],
    ["12/25/2026", undefined, "2026-12-25"],
    ["the twenty-first of May 2026", undefined, "2026-05-21"],
    ["the third of March, twenty twenty-five", undefined, "2025-03-03"],
    ["May the first, nineteen eighty-four", undefined, "1984-05-01"],
    ["the second of August, two thousand and nine", "2026", "2009-08-02"],
    ["30.01.2026", undefined, "2026-01-30"],
    ["the ninth of June", "2026", "2026-06-09"]
  ])("settles %j recorded on %s", (text, recorded, iso) => {
    expect(toIsoDate(text, recorded)).toBe(iso)
  })

  it.each(["tomorrow", "Tuesday", "4 June", "03/04/2026", "early May", "31 February 2026", "2026-02-30"])(
    "leaves %j unsettled where nothing more is known",
    (text) => {
      expect(toIsoDate(text)).toBeUndefined()
    }
  )
})

describe("when footage plays", () => {
  it.each([
    [["We meet on the ninth of June.", "Exam: 16 June 2026, 09:00"], "2026-06"],
    [["Newsletter, December 2025", "Founded 1998"], "2025-12"],
    [["Opened 3 May 2026.", "Exam: 16 June 2026, 09:00"], "2026"],
    [["THE LANTERN APPEAL 2026", "The plant sale is the second of May."], "2026"],
    [["So that's October, twenty twenty-four, and it snows."], "2024"],
    [["First registered 19 September 2024.", "Seen on 3 May 2026."], undefined],
    [["Three thousand nine hundred long, two thousand six hundred and forty high.", "Ref 2026-114"], undefined],
    [["Nothing of the kind."], undefined]
  ])("is the only one that %j names", (texts, year) => {
    expect(periodOf(texts)).toBe(year)
  })

  it.each([
    ["the twenty-eighth of March", "2025-12", "2026-03-28"],
    ["20 December", "2026-01-05", "2025-12-20"],
    ["12 June", "2025-12", "2025-06-12"],
    ["the twenty-eighth of March", "2025", "2025-03-28"]
  ])("makes %j, seen from %s, the nearest such day", (text, recordedAt, day) => {
    expect(toIsoDate(text, recordedAt)).toBe(day)
  })

  it("settles no weekday", () => {
    expect(toIsoDate("tomorrow", "2026")).toBeUndefined()
    expect(toIsoDate("Friday", "2026")).toBeUndefined()
  })
})

describe("TIME_PATTERN", () => {
  it.each([
    "twenty past four in the afternoon",
    "ten to six in the evening",
    "twenty-five past seven this morning",
    "two thirty-five pm",
    "four forty-two in the afternoon",
    "a quarter to nine",
    "ten past nine",
    "4 o'clock"
  ])("finds the whole of %j", (text) => {
    expect(found(TIME_PATTERN, `It leaves at ${text}.`)).toEqual([text])
  })

  it("takes the end of a range and no time out of numbers of people", () => {
    expect(found(TIME_PATTERN, "open from ten to six in the evening, for ten to six people"))
      .toEqual(["six in the evening"])
  })
})

describe("toIsoTime", () => {
  it.each([["6 am", "06:00:00"], ["12:30 pm", "12:30:00"], ["12 am", "00:00:00"], ["15:45", "15:45:00"], [
    "noon",
    "12:00:00"
  ]])(
    "settles %j",
    (text, iso) => {
      expect(found(TIME_PATTERN, `at ${text}`)).toContain(text)
      expect(toIsoTime(text)).toBe(iso)
    }
  )

  it.each(["half past six", "six in the evening", "ten"])("leaves %j as it was said", (text) => {
    expect(toIsoTime(text)).toBeUndefined()
  })
})
