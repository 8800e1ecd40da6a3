import { clockTimesIn, saysMinutesTo } from "../../lexicon/ClockTimes.ts"
import { quoteOf, type Span } from "../../text/SourceDocument.ts"
import { amountsIn } from "./Amounts.ts"

/** A time of day that is said, in minutes after midnight; which half of the day is mostly left out. */
interface ClockTime {
  readonly minutes: number
  readonly span: Span
}

const HALF_DAY = 720
const WRITTEN = /\b([01]?\d|2[0-3])[:.h]([0-5]\d)\b/gu
const TOLD = /\b(?:(half|quarter|a quarter|[\p{L}-]+|\d{1,2}) (past|to|after) ([\p{L}-]+|\d{1,2}))\b/giu

const numberOf = (word: string): number | undefined =>
  /quarter$/iu.test(word) ? 15 : /half$/iu.test(word) ? 30 : amountsIn(word)[0]?.values[0]

const timesIn = (span: Span): ReadonlyArray<ClockTime> => {
  const text = quoteOf(span)
  const at = (from: number, length: number): Span => ({
    passage: span.passage,
    from: span.from + from,
    to: span.from + from + length
  })
  const written = Array.from(text.matchAll(WRITTEN), (match): ClockTime => ({
    minutes: Number(match[1]) * 60 + Number(match[2]),
    span: at(match.index, match[0].length)
  }))
  const told = Array.from(text.matchAll(TOLD)).flatMap((match): ReadonlyArray<ClockTime> => {
    const [minute, hour] = [numberOf(match[1]!), numberOf(match[3]!)]
    if (minute === undefined || hour === undefined || minute > 59 || hour > 23) return []
    const to = match[2]!.toLowerCase() === "to"
    if (to && !saysMinutesTo(minute)) return []
    const minutes = to ? hour * 60 - minute : hour * 60 + minute
    return [{ minutes, span: at(match.index, match[0].length) }]
  })
  // "Twenty-three fifty", "six twenty-two", "fourteen hundred and six".
  const said = amountsIn(text).flatMap(({ from, to, values }) =>
    values.filter((value) => Number.isInteger(value) && value >= 100 && value < 2400 && value % 100 < 60)
      .map((value): ClockTime => ({ minutes: Math.floor(value / 100) * 60 + value % 100, span: at(from, to - from) }))
  )
  // "At eight", "ten at night", "noon".
  const hours = clockTimesIn(text).map(({ from, minutes, to }): ClockTime => ({ minutes, span: at(from, to - from) }))
  return [...written, ...told, ...said, ...hours]
}

const MOST_TIMES = 32

/** Minutes of hours that are written with two places behind the point: 3.17 are 190. */
const ROUNDING = 0.31

/** The two times of day whose distance is a number of minutes, within half a day; undefined where no two have it. */
export const betweenTimes = (length: number, spans: ReadonlyArray<Span>): ReadonlyArray<Span> | undefined => {
  const minutes = Math.round(length)
  if (Math.abs(length - minutes) > ROUNDING || minutes < 1 || minutes >= HALF_DAY) return undefined
  const times = spans.flatMap(timesIn).slice(0, MOST_TIMES)
  for (const [at, from] of times.entries()) {
    const to = times.slice(at + 1).find((other) =>
      other.span.passage !== from.span.passage || other.span.from >= from.span.to
        ? (other.minutes - from.minutes - minutes) % HALF_DAY === 0
        : false
    )
    if (to !== undefined) return [from.span, to.span]
  }
  return undefined
}
