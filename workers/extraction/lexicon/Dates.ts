import { tokenise } from "../text/Tokens.ts"
import { PAST_OR_TO, WITH_MINUTES } from "./ClockTimes.ts"
import { numbersIn, ORDINALS } from "./Numbers.ts"

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const
export const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
const ORDINAL = `(?:${
  Object.keys(ORDINALS).join("|")
}|twenty[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirty[ -]first)`
export const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
/** A day by its number: "15th", "fifteenth", "twenty first". */
export const DAY_OF_MONTH = `(?:\\d{1,2}(?:st|nd|rd|th)|${ORDINAL})\\b`
const NUMERAL = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})"
const UNIT = "(?:one|two|three|four|five|six|seven|eight|nine)"
const TEEN = "(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
const OF_CENTURY =
  `(?:(?:oh|o)[ -]${UNIT}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]${UNIT})?|${TEEN})`
/** Behind what may be a year: then it counts. */
const NO_YEAR =
  `\\b(?![ -](?:${UNIT}|${TEEN}|hundred|thousand|percent|euros?|pounds?|dollars?|metres?|meters?|millimetres?))`
/** "Twenty twenty-six", "two thousand and nine", "nineteen eighty-four". */
const SPOKEN_YEAR =
  `(?:twenty[ -](?:(?:twenty|thirty|forty)(?:[ -]${UNIT})?|${TEEN})|two thousand(?: and)? (?:${UNIT}|${TEEN})|nineteen[ -]${OF_CENTURY})${NO_YEAR}`
/** "Eighteen thirteen", behind a day and a month alone: anywhere else it is as well a price. */
const OLD_YEAR = `(?:sixteen|seventeen|eighteen)[ -]${OF_CENTURY}${NO_YEAR}`
/** What is counted by the number before it: any word but those with which a clause goes on. */
const COUNTED =
  "(?=[- ](?!(?:in|at|on|to|and|or|but|the|a|an|was|is|are|were|will|we|i|he|she|they|it|you|at|by|for|from|of|with|when|where|which|who|that|this|as|until|till|through|between|after|before|if|so|because|has|had|have|would|can|may|not|our|my|his|her|their|its)\\b)[a-z])"
/** "21 May, 1500 people came" names no year, and "3 May 2020 voters" may: with a number that people round to, nobody knows. */
const YEAR_DIGITS = `(?:(?:1[89]|20)\\d[1-9](?!\\d)|\\d{4}(?!\\d|${COUNTED}))`
const UNSURE_YEAR = `(?!,? (?:of )?(?:1[89]|20)\\d0${COUNTED})`
const YEAR = `(?:,? (?:of )?(?:${YEAR_DIGITS}|${SPOKEN_YEAR}|${OLD_YEAR})|${UNSURE_YEAR})`
const YEAR_ALONE = new RegExp(`^(?:(?:1[5-9]|20)\\d\\d|${SPOKEN_YEAR}|${OLD_YEAR})$`, "iu")
/** Whether a text is a year and nothing else, in digits or as it is spoken: hardly anything else is said like that. */
export const isYearAlone = (text: string): boolean => YEAR_ALONE.test(text)
const PART_OF_DAY = "(?:\\s+(?:in the|this) (?:morning|afternoon|evening)|\\s+at night)"

/** Where a text names a day. */
export const DATE_PATTERN = new RegExp(
  `\\b(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}/\\d{1,2}/\\d{2,4}|\\d{1,2}\\.\\d{1,2}\\.\\d{4}|(?:(?:next|this|last|coming|on) )?(?:${WEEKDAY},?\\s+)?(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?|${ORDINAL})(?: of)? ${MONTH}\\b${YEAR}|${MONTH}\\.? (?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?(?!\\d|:)|${ORDINAL})${YEAR}|(?:the )?day after tomorrow|today|tonight|tomorrow|yesterday|(?:early|mid|late) ${MONTH}|(?:next|this|last|coming) (?:week|month|year|weekend|${WEEKDAY})|${WEEKDAY} (?:next|this) week|(?:later|earlier) this (?:week|month)|${WEEKDAY}|(?:the )?\\d{1,2}(?:st|nd|rd|th) of (?:this|next|the|last) month|the \\d{1,2}(?:st|nd|rd|th)|${MONTH} ${YEAR_DIGITS})\\b`,
  "gi"
)

const HALF_OF_DAY = "\\s*(?:[ap]m\\b|[ap]\\.m\\b\\.?)"
/** "Five pm" is no part of "thirty-five pm". */
const HOUR = `(?<!\\b(?:twenty|thirty|forty|fifty)[ -])${NUMERAL}`

/** Where a text names a time of day, the whole of it: "twenty past four in the afternoon" and not "four in the afternoon". */
export const TIME_PATTERN = new RegExp(
  `\\b(?:(?:afternoon|morning|evening) at )?(?:\\d{1,2}:\\d{2}(?::\\d{2})?(?:${HALF_OF_DAY})?${PART_OF_DAY}?|${WITH_MINUTES}(?:${HALF_OF_DAY}|${PART_OF_DAY})|${PAST_OR_TO}|${HOUR}(?::\\d{2})?(?:${HALF_OF_DAY}|\\s*o['’]?clock)${PART_OF_DAY}?|${HOUR}${PART_OF_DAY}|noon|midnight|(?:morning|afternoon|evening) (?:at )?(?:half past |quarter (?:past|to) )?${NUMERAL}(?::\\d{2})?)`,
  "giu"
)

/** A day as `YYYY-MM-DD`; undefined where the month has no such day. */
export const isoDay = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}

const CENTURIES: Readonly<Record<string, number>> = {
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20
}

/** The year that a text names, in digits or as it is spoken. */
const yearNamed = (text: string): number | undefined => {
  const digits = /\b(\d{4})\b/u.exec(text)
  if (digits !== null) return Number(digits[1])
  const spoken = new RegExp(`\\b(?:${SPOKEN_YEAR}|${OLD_YEAR})`, "iu").exec(text)
  if (spoken === null) return undefined
  const words = spoken[0].toLowerCase().replaceAll("-", " ")
  const [century, ...rest] = words.split(" ")
  // "Two thousand and nine" is a number as it stands; "eighteen thirteen" is two.
  const [whole, within] = [words, rest.join(" ").replace(/^oh? /u, "")].map((said) =>
    numbersIn(tokenise(said))[0]?.value
  )
  return century === "two" ? whole : 100 * CENTURIES[century!]! + within!
}

/** The number of a day in its month: of "15th", "fifteenth", "twenty-first" in small letters. */
export const dayNumber = (word: string): number | undefined => {
  const digits = /^\d{1,2}/u.exec(word)
  if (digits !== null) return Number(digits[0])
  const parts = word.split(/[ -]/u)
  const last = ORDINALS[parts.at(-1)!]
  if (last === undefined) return undefined
  return parts.length === 1 ? last : (parts[0] === "thirty" ? 30 : 20) + last
}

/** The year of a month that is named without one: of those around the recording the nearest, where its month is known. */
const yearNear = (recordedAt: string, month: number): number => {
  const [year, own = month] = recordedAt.split("-").map(Number) as [number, number?]
  return year + (month - own > 6 ? -1 : own - month > 6 ? 1 : 0)
}

/**
 * A named day as `YYYY-MM-DD`, or undefined where the text does not settle one. A day without a year, a weekday and
 * "tomorrow" are counted from `recordedAt` (`YYYY-MM-DD`, `YYYY-MM` or `YYYY` where no more is known, which settles no weekday) and stay
 * unsettled without it; `03/04/2026` is unsettled unless one of the two numbers cannot be a month.
 */
export const toIsoDate = (text: string, recordedAt?: string): string | undefined => {
  const lower = text.toLowerCase().replace(/^on /u, "").trim()
  if (/^\d{4}-\d{2}-\d{2}$/u.test(lower)) {
    const [year, month, day] = lower.split("-").map(Number)
    return isoDay(year!, month!, day!)
  }
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u.exec(lower)
  if (slashed !== null) {
    const [first, second, year] = slashed.slice(1).map(Number) as [number, number, number]
    if (first > 12) return isoDay(year, second, first)
    return second > 12 || first === second ? isoDay(year, first, second) : undefined
  }
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u.exec(lower)
  if (dotted !== null) return isoDay(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const base = recordedAt?.length !== 10 ? undefined : new Date(`${recordedAt}T00:00:00Z`)
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "u").test(lower)) + 1
  if (month > 0) {
    const day = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d)|\\b(${ORDINAL})\\b`, "iu").exec(
      lower.replace(/\b\d{4}\b/u, "")
    )
    const number = day === null ? undefined : dayNumber(day[0])
    const year = yearNamed(lower) ?? (recordedAt === undefined ? undefined : yearNear(recordedAt, month))
    return number === undefined || year === undefined ? undefined : isoDay(year, month, number)
  }
  if (base === undefined) return undefined
  const shift = (days: number): string => new Date(base.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  if (/\bday after tomorrow\b/u.test(lower)) return shift(2)
  if (/^(?:today|tonight)$/u.test(lower)) return shift(0)
  if (lower === "tomorrow") return shift(1)
  if (lower === "yesterday") return shift(-1)
  // A bare weekday is the next one after the recording; "next Tuesday" is taken the same way, "last Tuesday" backwards.
  const weekday = /^(?:(next|this|coming|last) )?(\w+day)$/u.exec(lower)
  const index = weekday === null ? -1 : DAYS.indexOf(weekday[2] as (typeof DAYS)[number])
  if (weekday === null || index < 0) return undefined
  const ahead = (index - base.getUTCDay() + 7) % 7
  return weekday[1] === "last" ? shift(ahead === 0 ? -7 : ahead - 7) : shift(ahead === 0 ? 7 : ahead)
}

/** The weekday of a day as `YYYY-MM-DD`, in small letters. */
export const weekdayOf = (day: string): string => DAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!

/** The month that a date names, and its day where it names one; undefined where it names none or no year is known. */
export const monthIn = (
  text: string,
  recordedAt: string | undefined
): { readonly year: number; readonly month: number; readonly day: number | undefined } | undefined => {
  const lower = text.toLowerCase()
  if (!/\d[-/.]\d/u.test(lower) && !MONTHS.some((name) => new RegExp(`\\b${name}`, "u").test(lower))) return undefined
  const day = toIsoDate(text, recordedAt?.slice(0, 7))
  if (day !== undefined) {
    const [year, month, number] = day.split("-").map(Number) as [number, number, number]
    return { year, month, day: number }
  }
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "u").test(lower)) + 1
  const year = yearNamed(lower)
  return month === 0 || year === undefined ? undefined : { year, month, day: undefined }
}

/** A time of day as `HH:MM:SS`, or undefined where it is not plain ("half past" and parts of the day stay text). */
export const toIsoTime = (text: string): string | undefined => {
  const lower = text.toLowerCase().trim()
  if (lower === "noon") return "12:00:00"
  if (lower === "midnight") return "00:00:00"
  const clock = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*([ap])?\.?(?:m\.?)?$/u.exec(lower)
  if (clock === null || (clock[2] === undefined && clock[4] === undefined)) return undefined
  const hour = (Number(clock[1]) % (clock[4] === undefined ? 24 : 12)) + (clock[4] === "p" ? 12 : 0)
  return [hour, Number(clock[2] ?? 0), Number(clock[3] ?? 0)].map((part) => String(part).padStart(2, "0")).join(":")
}

const PLAIN_YEAR = /(?<![\p{L}\d.,-])(20\d{2})(?![\p{L}\d]|[.,-]\d)/gu

/** What all of these are, if they are one. */
export const onlyOne = (years: ReadonlyArray<number | string>): string | undefined => {
  const distinct = new Set(years.map(String))
  return distinct.size === 1 ? Array.from(distinct)[0] : undefined
}

/**
 * When footage plays, as `YYYY-MM` or `YYYY`: the month or the year of its full dates, or else the only year that it names at all;
 * undefined where these are of several years, since a date that names none may then be of any.
 */
export const periodOf = (texts: ReadonlyArray<string>): string | undefined => {
  const dates = texts.flatMap((text) => text.match(DATE_PATTERN) ?? [])
  const days = dates.flatMap((date) => toIsoDate(date) ?? [])
  if (days.length > 0) {
    return onlyOne(days.map((day) => day.slice(0, 7))) ?? onlyOne(days.map((day) => day.slice(0, 4)))
  }
  const months = dates.flatMap((date) => monthIn(date, undefined) ?? [])
  if (months.length > 0) {
    return onlyOne(months.map(({ month, year }) => `${year}-${String(month).padStart(2, "0")}`)) ??
      onlyOne(months.map(({ year }) => year))
  }
  const spoken = new RegExp(`\\b${SPOKEN_YEAR}`, "giu")
  return onlyOne(texts.flatMap((text) => [
    ...Array.from(text.matchAll(PLAIN_YEAR), ([, year]) => year!),
    ...Array.from(text.matchAll(spoken), ([year]) => yearNamed(year) ?? []).flat().filter((year) => year >= 2000)
  ]))
}
