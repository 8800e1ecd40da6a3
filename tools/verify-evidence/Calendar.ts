import { plainText, quantitiesIn, tokensIn } from "./Quantities.ts"
import { saysTimeInWords } from "./Spelling.ts"

const months = "january february march april may june july august september october november december".split(" ")
const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

/** The month that a whole word names: "june", "jun", "sept". A word that only begins like one names none. */
const monthOf = (word: string): number =>
  word === "sept" ? 9 : 1 + months.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word)))

/** Words that may stand between a month and the day in it, beside numbers: "the third of June", "June 3rd to 5th". */
const joining = new Set(", . the of to and or through until till on st nd rd th".split(" ").concat(days))

/** Farther from its month no day stands. */
const nearby = 80

/** How a month and a number belong together across the words between them; undefined where they do not. */
const bridged = (between: string): "directly" | "in a list" | undefined => {
  if (between.length > nearby) return undefined
  const words = tokensIn(between)
  if (words.every(({ text }) => /^(?:[.,]|the|of|st|nd|rd|th)$/u.test(text))) return "directly"
  const numbers = quantitiesIn(between)
  return words.every(({ from, text }) =>
      joining.has(text) || /^\d/u.test(text) || numbers.some((one) => one.from <= from && from < one.to)
    )
    ? "in a list"
    : undefined
}

/** Day and month of each date in words; of two months the one that stands directly beside the day has it. */
const namedDates = (text: string): ReadonlyArray<{ readonly month: number; readonly days: ReadonlyArray<number> }> => {
  const plain = plainText(text)
  const named = tokensIn(plain).flatMap((token) =>
    monthOf(token.text) > 0 ? [{ ...token, month: monthOf(token.text) }] : []
  )
  let next = 0
  return quantitiesIn(plain).flatMap((number) => {
    while (next < named.length && named[next]!.from < number.to) next++
    const days = number.values.filter((value) => Number.isInteger(value) && value >= 1 && value <= 31)
    const [before, after] = [named[next - 1], named[next]]
    const beside = [
      ...(before === undefined ? [] : [{ month: before.month, way: bridged(plain.slice(before.to, number.from)) }]),
      ...(after === undefined ? [] : [{ month: after.month, way: bridged(plain.slice(number.to, after.from)) }])
    ].filter(({ way }) => days.length > 0 && way !== undefined)
    const direct = beside.filter(({ way }) => way === "directly")
    return (direct.length > 0 ? direct : beside).map(({ month }) => ({ month, days }))
  })
}

/** Dates in figures: year first, or day and month in either order and the year in two or four figures. */
const writtenDates = (
  text: string
): ReadonlyArray<{ readonly year: number; readonly pair: readonly [number, number]; readonly ordered: boolean }> => [
  ...Array.from(text.matchAll(/(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/gu), ([, year, , month, day]) => ({
    year: Number(year),
    pair: [Number(month), Number(day)] as const,
    ordered: true
  })),
  ...Array.from(
    text.matchAll(/(?<![\d.])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)/gu),
    ([, first, , second, year]) => ({
      year: Number(year),
      pair: [Number(first), Number(second)] as const,
      ordered: false
    })
  )
]

/**
 * Whether a text names this day (`YYYY-MM-DD`): in digits, by month and day of the month, by its weekday, or relative to
 * the day of the recording, which the artifacts do not tell.
 */
export const datesSaid = (text: string, value: string): boolean => {
  const lower = text.toLowerCase()
  const [year, month, day] = value.split("-").map(Number) as [number, number, number]
  const written = writtenDates(lower)
  const holds = written.some(({ ordered, pair: [a, b], year: said }) =>
    (said === year || (said < 100 && said === year % 100)) &&
    ((a === month && b === day) || (!ordered && a === day && b === month))
  )
  if (holds) return true
  const named = namedDates(lower)
  if (named.length > 0) {
    const years = lower.match(/(?<!\d)\d{4}(?!\d)/gu) ?? []
    return named.some((one) => one.month === month && one.days.includes(day)) &&
      (years.length === 0 || years.some((said) => Number(said) === year))
  }
  if (written.length > 0) return false
  const weekdays = days.filter((name) => lower.includes(name))
  if (weekdays.length > 0) return weekdays.includes(days[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]!)
  return /\b(?:today|tonight|tomorrow|yesterday)\b/u.test(lower)
}

/** The months that a text names, in words or in a date in figures, as years and months; of a year that it does not name, undefined. */
const monthsSaid = (text: string): ReadonlyArray<{ readonly year: number | undefined; readonly month: number }> => {
  const lower = text.toLowerCase()
  const years = lower.match(/(?<!\d)\d{4}(?!\d)/gu) ?? []
  const year = years.length === 1 ? Number(years[0]) : undefined
  return [
    ...tokensIn(plainText(lower)).flatMap((token) =>
      monthOf(token.text) > 0 ? [{ year, month: monthOf(token.text) }] : []
    ),
    ...writtenDates(lower).map(({ ordered, pair, year }) => ({ year, month: ordered ? pair[0] : pair[1] }))
  ]
}

/**
 * Whether a text names this day (`YYYY-MM-DD`) by its number alone, and one of the others the month: that one or, where the text names the
 * weekday too, the month before.
 */
export const dayAcross = (text: string, others: ReadonlyArray<string>, value: string): boolean => {
  const [year, month, day] = value.split("-").map(Number) as [number, number, number]
  const lower = text.toLowerCase()
  if (monthsSaid(lower).length > 0) return false
  if (!quantitiesIn(plainText(lower)).some(({ values }) => values.includes(day))) return false
  const weekdays = days.filter((name) => lower.includes(name))
  const isOnIt = weekdays.includes(days[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]!)
  if (weekdays.length > 0 && !isOnIt) return false
  const whole = 12 * year + month
  return others.flatMap(monthsSaid).some((said) => {
    const behind = said.year === undefined ? (month - said.month + 12) % 12 : whole - 12 * said.year - said.month
    return behind === 0 || (behind === 1 && isOnIt)
  })
}

/** The offsets from UTC that a text names, in minutes: "+02:00", "UTC+1", "UTC". */
const offsetsSaid = (text: string): ReadonlyArray<number> =>
  Array.from(
    text.matchAll(
      /(?:\b(?:UTC|GMT)\s?|(?<=\d\s?\(?))([+−-])(\d{1,2})(?::?(\d{2}))?(?![\d:.%-])|\b(?:UTC|GMT)\b|(?<=\d)Z\b/gu
    ),
    ([, sign, hours, minutes = "0"]) =>
      sign === undefined ? 0 : (sign === "+" ? 1 : -1) * (60 * Number(hours) + Number(minutes))
  )

/**
 * Whether a text names this moment (RFC 3339): the time of day and its day, whose month one of the others may tell. An offset that the
 * text names has to be the moment's; where it names none, the field's description or another screen did, which is not proven.
 */
export const momentAcross = (text: string, others: ReadonlyArray<string>, value: string): boolean => {
  const [, day, time, zone] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/u.exec(value) ?? []
  if (day === undefined || !saysTime(text, time!)) return false
  const said = offsetsSaid(text.replaceAll(/\d{4}-\d{2}-\d{2}/gu, " "))
  if (said.length > 0 && !said.includes(offsetsSaid(`0${zone}`)[0]!)) return false
  return datesSaid(text, day) || dayAcross(text, others, day)
}

/** Whether a text names this time of day (`HH:MM` or `HH:MM:SS`). */
export const saysTime = (text: string, value: string): boolean => {
  const lower = text.toLowerCase()
  const [hour, minute] = value.split(":").map(Number) as [number, number]
  if (/\bnoon\b/u.test(lower) && hour === 12 && minute === 0) return true
  if (/\bmidnight\b/u.test(lower) && hour === 0 && minute === 0) return true
  if (saysTimeInWords(lower, hour, minute)) return true
  return [...lower.matchAll(/\b(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*([ap]\.?m)?/gu)].some(([, h, m, half]) => {
    if (m === undefined && half === undefined) return false
    const said = half === undefined ? Number(h) % 24 : (Number(h) % 12) + (half.startsWith("p") ? 12 : 0)
    return said === hour && Number(m ?? 0) === minute
  })
}
