import { tokenise } from "../text/Tokens.ts"
import { PAST_OR_TO, WITH_MINUTES } from "./ClockTimes.ts"
import { numbersIn, ORDINALS } from "./Numbers.ts"

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
const ORDINAL = `(?:${
  Object.keys(ORDINALS).join("|")
}|twenty[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirty[ -]first)`
const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
const NUMERAL = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})"
const UNIT = "(?:one|two|three|four|five|six|seven|eight|nine)"
const TEEN = "(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
/** "Twenty twenty-six", "two thousand and nine", "nineteen eighty-four". */
const SPOKEN_YEAR =
  `(?:twenty[ -](?:(?:twenty|thirty|forty)(?:[ -]${UNIT})?|${TEEN})|two thousand(?: and)? (?:${UNIT}|${TEEN})|nineteen[ -](?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]${UNIT})?|${TEEN}))\\b(?![ -](?:${UNIT}|${TEEN}|hundred|thousand|percent|euros?|pounds?|dollars?|metres?|meters?|millimetres?))`
/** What is counted by the number before it: any word but those with which a clause goes on. */
const COUNTED =
  "(?=[- ](?!(?:in|at|on|to|and|or|but|the|a|an|was|is|are|were|will|we|i|he|she|they|it|you|at|by|for|from|of|with|when|where|which|who|that|this|as|until|till|through|between|after|before|if|so|because|has|had|have|would|can|may|not|our|my|his|her|their|its)\\b)[a-z])"
/** "21 May, 1500 people came" names no year, and "3 May 2020 voters" may: with a number that people round to, nobody knows. */
const YEAR_DIGITS = `(?:(?:1[89]|20)\\d[1-9](?!\\d)|\\d{4}(?!\\d|${COUNTED}))`
const UNSURE_YEAR = `(?!,? (?:of )?(?:1[89]|20)\\d0${COUNTED})`
const YEAR = `(?:,? (?:of )?(?:${YEAR_DIGITS}|${SPOKEN_YEAR})|${UNSURE_YEAR})`
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

const iso = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}

/** The year that a text names, in digits or as it is spoken. */
const yearNamed = (text: string): number | undefined => {
  const digits = /\b(\d{4})\b/u.exec(text)
  if (digits !== null) return Number(digits[1])
  const spoken = new RegExp(`\\b${SPOKEN_YEAR}`, "iu").exec(text)
  if (spoken === null) return undefined
  const [numeral] = numbersIn(tokenise(spoken[0].replaceAll("-", " ")))
  return numeral === undefined || numeral.value < 1900 || numeral.value > 2099 ? undefined : numeral.value
}

const dayNumber = (word: string): number | undefined => {
  const digits = /^\d{1,2}/u.exec(word)
  if (digits !== null) return Number(digits[0])
  const parts = word.split(/[ -]/u)
  const last = ORDINALS[parts.at(-1)!]
  if (last === undefined) return undefined
  return parts.length === 1 ? last : (parts[0] === "thirty" ? 30 : 20) + last
}

/**
 * A named day as `YYYY-MM-DD`, or undefined where the text does not settle one. A day without a year, a weekday and
 * "tomorrow" are counted from `recordedAt` (`YYYY-MM-DD`, or `YYYY` where no more than the year is known, which settles no weekday) and stay
 * unsettled without it; `03/04/2026` is unsettled unless one of the two numbers cannot be a month.
 */
export const toIsoDate = (text: string, recordedAt?: string): string | undefined => {
  const lower = text.toLowerCase().replace(/^on /u, "").trim()
  if (/^\d{4}-\d{2}-\d{2}$/u.test(lower)) {
    const [year, month, day] = lower.split("-").map(Number)
    return iso(year!, month!, day!)
  }
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u.exec(lower)
  if (slashed !== null) {
    const [first, second, year] = slashed.slice(1).map(Number) as [number, number, number]
    if (first > 12) return iso(year, second, first)
    return second > 12 || first === second ? iso(year, first, second) : undefined
  }
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u.exec(lower)
  if (dotted !== null) return iso(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const base = recordedAt === undefined || recordedAt.length === 4 ? undefined : new Date(`${recordedAt}T00:00:00Z`)
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "u").test(lower)) + 1
  if (month > 0) {
    const day = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d)|\\b(${ORDINAL})\\b`, "iu").exec(
      lower.replace(/\b\d{4}\b/u, "")
    )
    const number = day === null ? undefined : dayNumber(day[0])
    const year = yearNamed(lower) ?? (recordedAt === undefined ? undefined : Number(recordedAt.slice(0, 4)))
    return number === undefined || year === undefined ? undefined : iso(year, month, number)
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

const onlyOne = (years: ReadonlyArray<number | string>): string | undefined => {
  const distinct = new Set(years.map(String))
  return distinct.size === 1 ? Array.from(distinct)[0] : undefined
}

/**
 * The year in which footage plays, as `YYYY`: that of its full dates, or else the only one that it names at all; undefined where these
 * are several, since a date that names none may then be of any.
 */
export const yearOf = (texts: ReadonlyArray<string>): string | undefined => {
  const dated = texts.flatMap((text) =>
    Array.from(text.matchAll(DATE_PATTERN), ([date]) => toIsoDate(date)?.slice(0, 4) ?? [])
  ).flat()
  if (dated.length > 0) return onlyOne(dated)
  const spoken = new RegExp(`\\b${SPOKEN_YEAR}`, "giu")
  return onlyOne(texts.flatMap((text) => [
    ...Array.from(text.matchAll(PLAIN_YEAR), ([, year]) => year!),
    ...Array.from(text.matchAll(spoken), ([year]) => yearNamed(year) ?? []).flat().filter((year) => year >= 2000)
  ]))
}
