import { clockTimesIn } from "../../lexicon/ClockTimes.ts"
import { durationFrom } from "../../lexicon/Durations.ts"
import { DURATIONS, numberAt } from "../../lexicon/Numbers.ts"
import type { Candidate } from "../../text/Candidate.ts"
import { quoteOf, type Span } from "../../text/SourceDocument.ts"
import { stem, tokenise } from "../../text/Tokens.ts"
import { amountsIn, sameNumber } from "./Amounts.ts"

const HALF_DAY = 720
/** No time of day and no length of time is written longer. */
const LONGEST = 60

/**
 * Whether some words say the time of day that a text is, "6 am" or "6:00 PM", in the half of the day that they name. Undefined where the
 * text is no time of day, and where the words say none at all.
 */
export const saysTimeText = (words: string, text: string): boolean | undefined => {
  const value = text.trim()
  const [time] = value.length > LONGEST ? [] : clockTimesIn(value)
  if (time === undefined || time.from > 0 || time.to < value.length) return undefined
  const same = clockTimesIn(words).filter(({ minutes }) => minutes % HALF_DAY === time.minutes % HALF_DAY)
  return same.length === 0
    ? undefined
    : same.some(({ minutes, settled }) => minutes === time.minutes || !settled)
}

const ISO = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/u
const ISO_SECONDS = [604_800, 86_400, 3600, 60, 1]

/** The seconds of a text that is nothing but a length of time: "1 hour", "1.5 hours", "PT1H30M"; undefined for any other. */
export const lengthOf = (text: string): number | undefined => {
  const value = text.trim()
  if (value.length > LONGEST) return undefined
  const parts = ISO.exec(value)?.slice(1)
  if (parts !== undefined) return parts.reduce((sum, part, at) => sum + Number(part ?? 0) * ISO_SECONDS[at]!, 0)
  const tokens = tokenise(value)
  const number = tokens[0] === undefined ? undefined : numberAt(tokens, 0)
  if (number === undefined || number.ordinal || tokens[0]!.from > 0) return undefined
  const unit = tokens[number.end]
  if (unit === undefined || !Object.hasOwn(DURATIONS, unit.norm)) return undefined
  const { seconds, to } = durationFrom(value, tokens, number.end, number.value)
  return to === value.length ? seconds : undefined
}

const SECONDS = { dimension: "time", unit: "second" }

/** The end of the unit that an article counts: of "an hour" without it nothing is said. */
export const withUnit = ({ from, passage, to }: Span): Span => ({
  passage,
  from,
  to: /^an?$/iu.test(passage.text.slice(from, to))
    ? to + (/^\s+\p{L}+/u.exec(passage.text.slice(to, to + 40))?.[0].length ?? 0)
    : to
})

/** "At eight thirty-five" is a time of day. */
const AT_A_TIME = /\b(?:at|by|until|till|from|before|after|since|past)\s+$/iu

/** Where a span says a length of time as a whole, "takes an hour" too; undefined where it says another or a part of one. */
export const lengthIn = (span: Span, seconds: number, candidates: ReadonlyArray<Candidate>): Span | undefined => {
  const { from, passage, to } = span
  const durations = candidates.filter((one) => one.kind === "duration" && one.passage === passage)
  const whole = durations.find((one) =>
    one.from >= from && one.to <= to && typeof one.value === "number" && sameNumber(one.value, seconds)
  )
  if (whole !== undefined) return { passage, from: whole.from, to: whole.to }
  // "An hour" stands alone where nobody says "takes" before it.
  const amount = amountsIn(quoteOf(span), SECONDS).find((one) =>
    one.unit?.dimension === "time" && one.values.some((value) => sameNumber(value, seconds)) &&
    !durations.some((other) => other.from < from + one.to && from + one.from < other.to)
  )
  if (amount !== undefined) return withUnit({ passage, from: from + amount.from, to: from + amount.to })
  // "Eight thirty-five" of a stop watch: minutes and seconds, or hours and minutes.
  const text = quoteOf(span)
  const paired = amountsIn(text, undefined, false).find((amount) =>
    !AT_A_TIME.test(text.slice(0, amount.from)) &&
    amount.values.some((one) =>
      Number.isInteger(one) && one >= 100 && one < 10_000 && one % 100 < 60 &&
      [1, 60].some((unit) => sameNumber(unit * (Math.floor(one / 100) * 60 + one % 100), seconds))
    )
  )
  return paired === undefined ? undefined : { passage, from: from + paired.from, to: from + paired.to }
}

const MONEY = /^(?:([A-Z]{3}) ?([\d.,]+)|([\d.,]+) ?([A-Z]{3}))$/u

/** Where a span says the amount that a text has with its currency: "EUR 340000" of "three hundred and forty thousand euros". */
export const amountOfMoney = (span: Span, text: string): Span | undefined => {
  const [, before, figures, others, behind] = MONEY.exec(text.trim()) ?? []
  const [currency, value] = [before ?? behind, Number((figures ?? others ?? "").replaceAll(",", ""))]
  if (currency === undefined || !Number.isFinite(value)) return undefined
  const { from, passage } = span
  const amount = amountsIn(quoteOf(span), { dimension: "money", unit: currency }, false).find((one) =>
    one.unit?.dimension === "money" && one.unit.unit === currency && one.values.some((said) => sameNumber(said, value))
  )
  return amount === undefined ? undefined : { passage, from: from + amount.from, to: from + amount.to }
}

/** Where a span says the number of "eight seconds" or "four percent" in a passage that counts in the same unit. */
export const countedIn = (span: Span, text: string): Span | undefined => {
  const tokens = tokenise(text)
  const number = tokens[0] === undefined ? undefined : numberAt(tokens, 0)
  const unit = tokens.at(-1)
  if (number === undefined || number.ordinal || number.end !== tokens.length - 1) return undefined
  const { from, passage } = span
  const isCounted = passage.tokens.some(({ norm }) => stem(norm) === stem(unit!.norm))
  const said = isCounted
    ? amountsIn(quoteOf(span), undefined, false).find(({ values }) => values[0] === number.value)
    : undefined
  return said === undefined ? undefined : { passage, from: from + said.from, to: from + said.to }
}
