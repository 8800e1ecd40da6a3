import { DATE_PATTERN, toIsoDate } from "../../lexicon/Dates.ts"
import { amountsIn } from "./Amounts.ts"
import { namesDayFrom } from "./RelativeDays.ts"

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
const DAY_MS = 86_400_000

const pad = (value: number): string => String(value).padStart(2, "0")

/** Full dates of a text, as `YYYY-MM-DD`. */
export const datesIn = (text: string): ReadonlyArray<string> => {
  const found = [
    ...Array.from(text.matchAll(DATE_PATTERN), ([date]) => toIsoDate(date)),
    // "21 May 2024", "MAY 21, 2024", "12.03.2024", "06 MAR 2024".
    ...Array.from(
      text.matchAll(/\b(\d{1,2})(?:st|nd|rd|th)?[ .-]+(\p{L}{3,9})\.?,?[ .-]+(\d{4})\b/giu),
      ([, day, month, year]) => {
        const at = MONTHS.indexOf(month!.slice(0, 3).toLowerCase())
        return at < 0 ? undefined : `${year}-${String(at + 1).padStart(2, "0")}-${day!.padStart(2, "0")}`
      }
    ),
    ...Array.from(
      text.matchAll(/\b(\d{4})[-/.](\d{2})[-/.](\d{2})\b/gu),
      ([, year, month, day]) => `${year}-${month}-${day}`
    ),
    ...Array.from(
      text.matchAll(/\b(\d{2})[/.](\d{2})[/.](\d{4})\b/gu),
      ([, day, month, year]) => `${year}-${month}-${day}`
    )
  ]
  return found.filter((date) => date !== undefined)
}

const numbersOf = (text: string): ReadonlySet<number> => new Set(amountsIn(text).flatMap(({ values }) => values))

/** "January 2027", "2021-05": a month of a year. */
const monthOf = (value: string): readonly [year: number, month: number] | undefined => {
  const [, year, month] = /^(\d{4})-(\d{2})$/u.exec(value) ?? []
  if (month !== undefined) return [Number(year), Number(month)]
  const [, name, of] = /^(\p{L}{3,9}) (\d{4})$/u.exec(value) ?? []
  const at = MONTHS.indexOf(name?.slice(0, 3).toLowerCase() ?? "")
  return of === undefined || at < 0 ? undefined : [Number(of), at + 1]
}

const namesMonth = (
  words: string,
  [year, month]: readonly [number, number],
  bases: ReadonlyArray<string>
): boolean => {
  // "08/2027", "2027-08".
  if (new RegExp(`(?<![\\d/.-])(?:0?${month}[/.-]${year}|${year}[/.-]${pad(month)})(?![\\d/.-])`, "u").test(words)) {
    return true
  }
  if (!new RegExp(`\\b${MONTHS[month - 1]}`, "iu").test(words)) return false
  const numbers = numbersOf(words)
  return numbers.has(year) || numbers.has(year % 100) ||
    (/\bnext year\b/iu.test(words) &&
      [...bases, ...datesIn(words)].some((base) => Number(base.slice(0, 4)) + 1 === year))
}

/** Whether some words name a day: by its number, its weekday, or counted from a day that is known. */
const namesDay = (words: string, date: string, bases: ReadonlyArray<string>): boolean => {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number]
  const at = new Date(Date.UTC(year, month - 1, day))
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== date) return false
  const lower = words.toLowerCase()
  const named = new RegExp(`\\b${MONTHS[month - 1]}`, "u").test(lower)
  const months = MONTHS.filter((name) => new RegExp(`\\b${name}(?:\\b|[a-z]{2,})`, "u").test(lower))
  const numbers = numbersOf(words)
  const ofYear = numbers.has(year) || numbers.has(year % 100)
  const ofBase = bases.some((base) => Math.abs(Date.parse(base) - at.getTime()) < 400 * DAY_MS)
  if (numbers.has(day) && (named || (months.length === 0 && ofBase) || (numbers.has(month) && ofYear))) {
    return ofYear || ofBase
  }
  if (lower.includes(DAYS[at.getUTCDay()]!)) {
    return bases.some((base) => Math.abs(Date.parse(base) - at.getTime()) < 22 * DAY_MS)
  }
  return namesDayFrom(lower, date, bases)
}

/** Whether some words name a time of day, in figures or as people say it. */
const namesTime = (words: string, hour: number, minute: number): boolean => {
  const lower = words.toLowerCase()
  if (new RegExp(`(?<!\\d)0?(?:${hour}|${hour % 12 || 12})[:.h ]?${pad(minute)}(?!\\d)`, "u").test(lower)) return true
  if (hour === 12 && minute === 0 && /\b(?:noon|midday)\b/u.test(lower)) return true
  if (hour === 0 && minute === 0 && lower.includes("midnight")) return true
  const numbers = numbersOf(words)
  if (hour > 0 && numbers.has(hour * 100 + minute)) return true
  const saysHour = (value: number): boolean => numbers.has(value) || numbers.has(value % 12 || 12)
  const said = minute === 0 || numbers.has(minute) || (minute === 30 && /\bhalf\b/u.test(lower)) ||
    (minute === 15 && /\bquarter\b/u.test(lower))
  const before = /\bto\b|\bbefore\b/u.test(lower) &&
    (numbers.has(60 - minute) || (minute === 45 && /\bquarter\b/u.test(lower)))
  return (saysHour(hour) && said) || (before && saysHour(hour + 1))
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u
const TIME = /^(\d{2}):(\d{2})(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?$/u

/** Whether a value is a date, a month of a year, a time of day, or date and time, in the form that results have. */
export const isMoment = (value: string): boolean => DATE.test(value) || TIME.test(value) || monthOf(value) !== undefined

/**
 * Whether some words name the date or the time of day that a value is. A day without its year, or a weekday, is counted from
 * one of `bases`: dates that are known to be those of the footage.
 */
export const namesMoment = (words: string, value: string, bases: ReadonlyArray<string>): boolean => {
  const month = monthOf(value)
  if (month !== undefined) return namesMonth(words, month, bases)
  const [, date, hour, minute] = DATE.exec(value) ?? []
  if (date !== undefined) {
    return (datesIn(words).includes(date) || namesDay(words, date, bases)) &&
      (hour === undefined || namesTime(words, Number(hour), Number(minute)))
  }
  const time = TIME.exec(value)
  return time !== null && namesTime(words, Number(time[1]), Number(time[2]))
}
