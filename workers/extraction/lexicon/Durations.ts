import { STOP_WORDS, type Token } from "../text/Tokens.ts"
import { exactly } from "./Arithmetic.ts"
import { CURRENCIES, DURATIONS, numberAt } from "./Numbers.ts"

const has = (table: Readonly<Record<string, unknown>>, key: string | undefined): key is string =>
  key !== undefined && Object.hasOwn(table, key)

const PARTS: Readonly<Record<string, number>> = { half: 0.5, quarter: 0.25 }

/** What is counted by the number before it, or a unit. */
const MANY_THINGS = /^(?:people|men|women|children|percent|%|\p{L}*[^su]s|kilo|gram|hour|minute|day)$/u

/** Whether what stands behind a number is not counted by it: "eight pounds forty today" against "eight pounds forty minutes ago". */
export const countsNothing = (text: string, tokens: ReadonlyArray<Token>, end: number): boolean => {
  const after = tokens[end]
  return after === undefined || STOP_WORDS.has(after.norm) || !MANY_THINGS.test(after.norm) ||
    /[^\s]/u.test(text.slice(tokens[end - 1]!.to, after.from))
}

/** How much a duration goes on by, and the token behind that; `unit` in seconds. */
interface Part {
  readonly seconds: number
  readonly unit: number
  readonly end: number
}

/** "M" and "s" are minutes and seconds behind hours alone: everywhere else metres, millions and more. */
const SHORT: Readonly<Record<string, number>> = { m: 60, s: 1 }

/** What makes another number of the one before it: a time of day, a share, a decimal, a measure. */
const MEASURED = /^(?:am|pm|a|p|o'clock|past|to|percent|%|point|[ckm]?m|[km]?g|m?l|k|°)$/u

/** "One hour forty", "three minutes ten", "1h30": the next smaller unit is not said. */
const bareAt = (text: string, tokens: ReadonlyArray<Token>, at: number, unit: number): Part | undefined => {
  const next = unit === 3600 ? 60 : unit === 60 ? 1 : undefined
  const token = tokens[at]!
  const touches = token.from === tokens[at - 1]!.to
  const numeral = next === undefined ? undefined : numberAt(tokens, at)
  if (next === undefined || numeral === undefined || numeral.ordinal || token.gap !== "space") return undefined
  if (!Number.isInteger(numeral.value) || numeral.value < (touches ? 0 : 2) || numeral.value > 59) return undefined
  const after = tokens[numeral.end]?.norm ?? ""
  if (MEASURED.test(after) || has(CURRENCIES, after) || !countsNothing(text, tokens, numeral.end)) return undefined
  return { seconds: numeral.value * next, unit: next, end: numeral.end }
}

const partAt = (
  text: string,
  tokens: ReadonlyArray<Token>,
  start: number,
  unit: number
): Part | undefined => {
  const next = tokens[start]
  const joins = next?.norm === "and"
  const at = joins ? start + 1 : start
  const first = tokens[at]
  // "The talk is two hours. 20 minutes later there is a break" has two lengths.
  if (first === undefined || next!.gap === "end" || first.gap === "end") return undefined
  const [after, behind] = [tokens[at + 1], tokens[at + 2]]
  if (joins && first.norm === "a" && has(PARTS, after?.norm)) {
    return { seconds: PARTS[after.norm]! * unit, unit: 0, end: at + 2 }
  }
  if (/^\d{1,2}$/u.test(first.norm) && has(SHORT, after?.norm) && SHORT[after.norm]! < unit && unit <= 3600) {
    // "One hour 5 m away" is as far.
    const touches = tokens[at + 1]!.from === first.to
    if (touches || !/^\p{L}/u.test(behind?.norm ?? "") || behind!.gap !== "space" || STOP_WORDS.has(behind!.norm)) {
      return { seconds: Number(first.norm) * SHORT[after.norm]!, unit: SHORT[after.norm]!, end: at + 2 }
    }
  }
  const more = numberAt(tokens, at)
  const smaller = more === undefined ? undefined : tokens[more.end]?.norm
  if (more !== undefined && !more.ordinal && has(DURATIONS, smaller) && DURATIONS[smaller]! < unit) {
    return { seconds: more.value * DURATIONS[smaller]!, unit: DURATIONS[smaller]!, end: more.end + 1 }
  }
  return joins ? undefined : bareAt(text, tokens, at, unit)
}

/**
 * The whole of a duration that starts with one unit, over any number of smaller ones: "two hours, four minutes and nine seconds", "one
 * hour forty", "an hour and a half". In seconds and characters; `end` is the token behind it.
 */
export const durationFrom = (
  text: string,
  tokens: ReadonlyArray<Token>,
  unitAt: number,
  value: number
): { readonly seconds: number; readonly to: number; readonly end: number } => {
  const { norm } = tokens[unitAt]!
  let unit = DURATIONS[norm] ?? SHORT[norm]!
  let seconds = value * unit
  let end = unitAt + 1
  for (let part = partAt(text, tokens, end, unit); part !== undefined; part = partAt(text, tokens, end, unit)) {
    seconds += part.seconds
    unit = part.unit
    end = part.end
    // "1h30 min".
    if (tokens[unitAt]!.norm === "h" && unit === 60 && /^min(?:ute)?s?$/u.test(tokens[end]?.norm ?? "")) end++
  }
  return { seconds: exactly(seconds), to: tokens[end - 1]!.to, end }
}

/** "4m 30s": without hours before them, minutes are these only where seconds follow. */
export const opensDuration = (tokens: ReadonlyArray<Token>, unitAt: number): boolean => {
  const [unit, figures, seconds] = tokens.slice(unitAt, unitAt + 3)
  return unit?.norm === "m" && /^[0-5]?\d$/u.test(figures?.norm ?? "") && seconds?.norm === "s" &&
    unit.from === tokens[unitAt - 1]?.to && seconds.from === figures!.to && figures!.gap === "space"
}

/** How people begin to say how long something takes. */
const TAKES =
  /\b(?:takes?|took|taking|for|lasts?|lasted|about|around|roughly|nearly|almost|just|only|within|under|over|is|was|whole) $/iu

/** "An hour and a half", "a quarter of an hour", "it takes an hour": lengths of time without a number. */
export const lengthsIn = (
  text: string,
  tokens: ReadonlyArray<Token>
): ReadonlyArray<{ readonly from: number; readonly to: number; readonly seconds: number }> =>
  tokens.flatMap((token, at) => {
    const [next, third, fourth] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]]
    if (/^(?:half|quarters?)$/u.test(token.norm)) {
      const skipped = next?.norm === "of" ? 1 : 0
      const [article, unit] = skipped === 1 ? [third, fourth] : [next, third]
      if (!/^an?$/u.test(article?.norm ?? "") || !has(DURATIONS, unit?.norm)) return []
      const three = token.norm === "quarters" && tokens[at - 1]?.norm === "three"
      if (token.norm === "quarters" && !three) return []
      const share = token.norm === "half" ? 0.5 : three ? 0.75 : 0.25
      const from = three ? tokens[at - 1]!.from : token.from
      return [{ from, to: unit!.to, seconds: share * DURATIONS[unit!.norm]! }]
    }
    if (!/^an?$/u.test(token.norm) || !has(DURATIONS, next?.norm) || next!.norm.endsWith("s")) return []
    const { seconds, to } = durationFrom(text, tokens, at + 1, 1)
    const more = to > next!.to
    return more || (next!.norm === "hour" && TAKES.test(text.slice(Math.max(0, token.from - 12), token.from)))
      ? [{ from: token.from, to, seconds }]
      : []
  })
