import type { Token } from "../text/Tokens.ts"
import { exactly } from "./Arithmetic.ts"

const UNITS: Readonly<Record<string, number>> = {
  zero: 0,
  nought: 0,
  naught: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19
}
const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90
}
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  mn: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12
}
export const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  thirtieth: 30
}

/** Signs and words of a currency → its ISO 4217 code. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  "$": "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  dollar: "USD",
  dollars: "USD",
  bucks: "USD",
  usd: "USD",
  cent: "USD",
  cents: "USD",
  euro: "EUR",
  euros: "EUR",
  eur: "EUR",
  pound: "GBP",
  pounds: "GBP",
  gbp: "GBP",
  quid: "GBP",
  penny: "GBP",
  pence: "GBP",
  yen: "JPY",
  jpy: "JPY",
  rupees: "INR",
  francs: "CHF",
  chf: "CHF"
}

/** Words for the hundredth part of a currency. */
export const MINOR = /^(?:cents?|penny|pence)$/u

/** Words of a time unit → its seconds. A month counts 30 days, a year 365. */
export const DURATIONS: Readonly<Record<string, number>> = {
  second: 1,
  seconds: 1,
  sec: 1,
  secs: 1,
  minute: 60,
  minutes: 60,
  min: 60,
  mins: 60,
  h: 3600,
  hour: 3600,
  hours: 3600,
  hr: 3600,
  hrs: 3600,
  day: 86400,
  days: 86400,
  night: 86400,
  nights: 86400,
  week: 604800,
  weeks: 604800,
  month: 2592000,
  months: 2592000,
  year: 31536000,
  years: 31536000
}

/** A number read from tokens `[from, end)`. */
export interface Numeral {
  readonly value: number
  readonly end: number
  readonly ordinal: boolean
}

const has = (table: Readonly<Record<string, number | string>>, word: string | undefined): boolean =>
  word !== undefined && Object.hasOwn(table, word)

/** "A 50m pool" is of metres; "50M", "$50m" and "50m views" are of millions. */
const isMetres = (tokens: ReadonlyArray<Token>, at: number): boolean => {
  const [before, unit, counted] = [tokens[at - 1], tokens[at + 1]!, tokens[at + 2]]
  const money = has(CURRENCIES, before?.norm) || has(CURRENCIES, counted?.norm)
  return unit.text === "m" && !money && !/^(?:people|\p{L}{2,}[^su]s)$/u.test(counted?.norm ?? "")
}

const digitsAt = (tokens: ReadonlyArray<Token>, at: number): Numeral | undefined => {
  const word = tokens[at]!.norm
  if (/^\d+(?:st|nd|rd|th)$/u.test(word)) return { value: Number.parseInt(word, 10), end: at + 1, ordinal: true }
  if (!/^\d+(?:,\d{3})*(?:\.\d+)?$/u.test(word)) return undefined
  const value = Number.parseFloat(word.replaceAll(",", ""))
  const next = tokens[at + 1]
  // "5 m" is five metres, "$5m" five million: a one-letter scale counts only where it touches its number.
  if (
    has(SCALES, next?.norm) && (next!.norm.length > 2 || next!.from === tokens[at]!.to) && !isMetres(tokens, at)
  ) return { value: exactly(value * SCALES[next!.norm]!), end: at + 2, ordinal: false }
  return { value, end: at + 1, ordinal: false }
}

/** Denominators in the plural: two of them are no two. */
const PARTS =
  /^(?:halves|thirds|quarters|fourths|fifths|sixths|sevenths|eighths|ninths|tenths|hundredths|thousandths)$/u
const PART = /^(?:half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth)$/u

/**
 * Whether a numeral is a part of a number that is said in another way than it was read: "two thirds", "three quarters of a
 * million", "a couple of hundred". Then it has no value.
 */
const isIncomplete = (tokens: ReadonlyArray<Token>, at: number, { end, ordinal, value }: Numeral): boolean => {
  const [first, next, after] = [tokens[at]!, tokens[end], tokens[end + 1]]
  const follows = next?.gap === "space" ? next.norm : ""
  if (!ordinal && (PARTS.test(follows) || (value === 1 && PART.test(follows)))) return true
  // "A dozen", "a couple" and "two dozen" of hundreds; "two of hundreds of people" counts two.
  const joins = follows === "of" ? after?.norm : follows
  const collective = /^(?:dozen|couple)$/u.test(tokens[end - 1]!.norm)
  if (collective && (joins === "dozen" || (has(SCALES, joins) && joins!.length > 2))) return true
  const [before, earlier] = [tokens[at - 1], tokens[at - 2]]
  // "One third", "a third of them"; "a third way" counts.
  if (ordinal && PART.test(first.norm) && first.gap === "space") {
    return before?.norm === "one" || (before?.norm === "a" && follows === "of")
  }
  return /^an?$/u.test(first.norm) && first.gap === "space" &&
    (before?.norm === "half" ||
      (before?.norm === "of" && (PART.test(earlier?.norm ?? "") || PARTS.test(earlier?.norm ?? ""))))
}

/** "Half a million", "half a dozen": half of what an article begins. */
const halfAt = (tokens: ReadonlyArray<Token>, at: number): Numeral | undefined => {
  if (tokens[at]!.norm !== "half" || !/^an?$/u.test(tokens[at + 1]?.norm ?? "") || parted(tokens, at + 1)) {
    return undefined
  }
  const next = tokens[at + 2]
  const whole = next?.norm === "dozen"
    ? 12
    : has(SCALES, next?.norm) && next!.norm.length > 2
    ? SCALES[next!.norm]!
    : undefined
  return whole === undefined || parted(tokens, at + 2)
    ? undefined
    : { value: whole / 2, end: at + 3, ordinal: false }
}

/** "Two dozen": as many twelves. */
const dozensAt = (tokens: ReadonlyArray<Token>, whole: Numeral): Numeral =>
  tokens[whole.end]?.norm === "dozen" && tokens[whole.end]!.gap === "space" && !whole.ordinal
    ? { value: whole.value * 12, end: whole.end + 1, ordinal: false }
    : whole

/** "a hundred", "a dozen", "a couple": what starts with an article. */
const articleAt = (tokens: ReadonlyArray<Token>, at: number): Numeral | "half" | "scale" | undefined => {
  if (tokens[at]!.norm !== "a" && tokens[at]!.norm !== "an") return undefined
  const next = tokens[at + 1]?.norm
  if (next === "dozen") return { value: 12, end: at + 2, ordinal: false }
  if (next === "couple") return { value: 2, end: at + 2, ordinal: false }
  if (next === "half" || next === "quarter") return "half"
  return has(SCALES, next) && next!.length > 2 ? "scale" : undefined
}

const decimalsAt = (
  tokens: ReadonlyArray<Token>,
  at: number
): { readonly digits: string; readonly end: number } => {
  const [first] = tokens.slice(at, at + 1)
  if (first !== undefined && /^\d{1,9}$/u.test(first.norm) && !parted(tokens, at)) {
    return { digits: first.norm, end: at + 1 }
  }
  let digits = ""
  let end = at
  for (; end < tokens.length && !parted(tokens, end); end++) {
    const word = tokens[end]!.norm
    if (word === "oh") digits += "0"
    else if (has(UNITS, word) && UNITS[word]! < 10) digits += String(UNITS[word])
    else break
  }
  return { digits, end }
}

/** What the decimals end in, and the scale behind them: "point two million". */
const behindPoint = (tokens: ReadonlyArray<Token>, at: number, whole: number): Numeral | undefined => {
  const { digits, end } = decimalsAt(tokens, at)
  if (digits === "") return undefined
  const value = Number.parseFloat(`${whole}.${digits}`)
  const scale = tokens[end]
  return has(SCALES, scale?.norm) && scale!.norm.length > 2 && !parted(tokens, end)
    ? { value: exactly(value * SCALES[scale!.norm]!), end: end + 1, ordinal: false }
    : { value, end, ordinal: false }
}

/** "Is point five", "by point three one": a number may begin with its point behind these. */
const LEADS_TO_POINT =
  /^(?:is|was|are|were|be|been|equals|of|by|to|at|from|about|around|under|below|over|above|than|roughly|nearly|almost|only|just|approximately)$/u
const STATES = /^(?:is|was|are|were|be|been|equals)$/u
/** "At this point five minutes are left": a point in time or of an agenda. */
const POINTED =
  /^(?:the|this|that|which|what|each|every|some|any|one|first|second|third|next|last|my|our|your|his|her|their|its)$/u
const MEASURED =
  /^(?:percent|%|degrees?|inch(?:es)?|miles?|tonnes?|tons?|kilos?|(?:milli|centi|kilo|micro|mega|giga)?(?:gram(?:me)?|met(?:er|re)|lit(?:er|re)|watt|volt|hertz|byte|bar|second)s?|[mck]m|[mk]?g|ml)$/u

/**
 * "Nil point two", "point three one": a number that begins with its decimal point. "unsure" where these words may as well say another
 * number, or none: "the dose, point five".
 */
const pointAt = (tokens: ReadonlyArray<Token>, at: number): Numeral | "unsure" | undefined => {
  const nil = tokens[at]!.norm === "nil" ? 1 : 0
  const point = at + nil
  if (tokens[point]?.norm !== "point" || (nil > 0 && parted(tokens, point))) return undefined
  const found = behindPoint(tokens, point + 1, 0)
  if (found === undefined || nil > 0) return found
  const before = tokens[at - 1]?.norm
  const opens = at === 0 || tokens[at]!.gap === "end"
  if (!opens && (has(UNITS, before) || has(TENS, before) || POINTED.test(before!))) return undefined
  const next = found.end < tokens.length && !parted(tokens, found.end) ? tokens[found.end]!.norm : undefined
  const isMeasured = next !== undefined &&
    (MEASURED.test(next) || has(DURATIONS, next) || has(CURRENCIES, next) || has(SCALES, tokens[found.end - 1]!.norm))
  const long = decimalsAt(tokens, point + 1).digits.length > 1
  if (opens || LEADS_TO_POINT.test(before!)) {
    if (isMeasured || long || (next === undefined && !opens && STATES.test(before!))) return found
    return opens ? undefined : "unsure"
  }
  return isMeasured || long ? "unsure" : undefined
}

/**
 * The longest number that starts at token `at`, in digits or English words ("12.4 million", "twelve point four", "the
 * twenty-first" from "twenty"), or undefined where none does. Words are read greedily, as people speak them: "nineteen
 * ninety" is 1990. What is only a part of a number ("two thirds") is none.
 */
export const numberAt = (tokens: ReadonlyArray<Token>, at: number): Numeral | undefined => {
  const half = halfAt(tokens, at)
  if (half !== undefined) return half
  const point = pointAt(tokens, at)
  if (typeof point === "object") return point
  const found = wholeAt(tokens, at)
  if (found === undefined || (at > 0 && pointAt(tokens, at - 1) !== undefined)) return undefined
  const numeral = withHalf(tokens, dozensAt(tokens, found))
  return isIncomplete(tokens, at, numeral) ? undefined : numeral
}

/** "Two and a half million": what is said behind a whole number. */
const withHalf = (tokens: ReadonlyArray<Token>, whole: Numeral): Numeral => {
  if (whole.ordinal || !Number.isInteger(whole.value)) return whole
  const [and, article, half, scale] = tokens.slice(whole.end, whole.end + 4).map(({ norm }) => norm)
  if (and !== "and" || article !== "a" || half !== "half") return whole
  const scaled = has(SCALES, scale) && scale!.length > 2
  return {
    value: (whole.value + 0.5) * (scaled ? SCALES[scale!]! : 1),
    end: whole.end + (scaled ? 4 : 3),
    ordinal: false
  }
}

/** Whether a sentence, a clause or another number begins at a token: a comma goes on only behind a thousand or more. */
const parted = (tokens: ReadonlyArray<Token>, at: number): boolean => {
  const { gap } = tokens[at]!
  if (gap !== "comma") return gap === "end"
  const before = tokens[at - 1]?.norm
  return !has(SCALES, before) || SCALES[before!]! < 1000
}

const wholeAt = (tokens: ReadonlyArray<Token>, at: number): Numeral | undefined => {
  const digits = digitsAt(tokens, at)
  if (digits !== undefined) return digits
  const first = tokens[at]!.norm
  if (has(ORDINALS, first) && first !== "second") return { value: ORDINALS[first]!, end: at + 1, ordinal: true }
  const article = articleAt(tokens, at)
  if (article === "half") return undefined
  if (typeof article === "object") return article

  let end = article === "scale" ? at + 1 : at
  let current = article === "scale" ? 1 : 0
  let seen = article === "scale"
  let total = 0
  /** What is said up to the last scale: where another number begins behind it, this one has ended there. */
  let upToScale: Numeral | undefined
  let lastScale = Infinity
  for (; end < tokens.length; end++) {
    if (end > at && parted(tokens, end)) break
    const word = tokens[end]!.norm
    const next = end + 1 < tokens.length && !parted(tokens, end + 1) ? tokens[end + 1]!.norm : undefined
    if (has(UNITS, word)) {
      // "twenty fifteen" is a year; no other number says two tens in a row.
      if (seen && current === 20 && total === 0 && UNITS[word]! >= 10) {
        return { value: 2000 + UNITS[word]!, end: end + 1, ordinal: false }
      }
      if (seen && (current % 10 !== 0 || (current % 100 !== 0 && UNITS[word]! >= 10))) break
      current += UNITS[word]!
      seen = true
    } else if (has(TENS, word)) {
      if (seen && current % 100 !== 0) {
        if (current < 17 || current > 20 || total !== 0) break
        current = current * 100 + TENS[word]!
      } else current += TENS[word]!
      seen = true
    } else if (has(SCALES, word) && word.length > 2 && seen) {
      const scale = SCALES[word]!
      // "Two hundred and three hundred", "one million, two million": the second number is not part of the first.
      // "One thousand six hundred and eighty million" is one.
      const counts = total > 0 && scale > lastScale && current >= 100
      if (
        upToScale !== undefined &&
        (word === "hundred" ? current > 100 : total > 0 && current > 0 && scale >= lastScale && !counts)
      ) {
        return upToScale
      }
      if (word === "hundred") current = (current || 1) * 100
      else {
        const isRest = total > 0 && (current === 0 || counts)
        total = isRest ? (total + current) * scale : total + (current || 1) * scale
        current = 0
      }
      if (word !== "hundred") lastScale = scale
      upToScale = { value: total + current, end: end + 1, ordinal: false }
    } else if (word === "and" && seen && (has(UNITS, next) || has(TENS, next)) && current % 100 === 0) continue
    else if (word === "point" && seen && (has(UNITS, next) || /^(?:oh|\d{1,9})$/u.test(next ?? ""))) {
      return behindPoint(tokens, end + 1, total + current) ??
        { value: total + current, end: decimalsAt(tokens, end + 1).end, ordinal: false }
    } else if (has(ORDINALS, word) && seen && current % 10 === 0 && ORDINALS[word]! < 10) {
      return { value: total + current + ORDINALS[word]!, end: end + 1, ordinal: true }
    } else break
  }
  return seen ? { value: total + current, end, ordinal: false } : undefined
}

/** Every number of a text from left to right, none inside another. */
export const numbersIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<Numeral & { readonly at: number }> => {
  const out: Array<Numeral & { readonly at: number }> = []
  for (let at = 0; at < tokens.length;) {
    const numeral = numberAt(tokens, at)
    if (numeral === undefined) at++
    else {
      out.push({ ...numeral, at })
      at = Math.max(numeral.end, at + 1)
    }
  }
  return out
}
