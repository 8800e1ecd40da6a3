import { exactly } from "../../lexicon/Arithmetic.ts"
import { countsNothing, durationFrom, lengthsIn, opensDuration } from "../../lexicon/Durations.ts"
import { CURRENCIES, DURATIONS, MINOR, numberAt } from "../../lexicon/Numbers.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import type { Token } from "../../text/Tokens.ts"

const has = (table: Readonly<Record<string, unknown>>, key: string | undefined): key is string =>
  key !== undefined && Object.hasOwn(table, key)

/** "Thirty-eight fifty", "four fifty": a price said as its two parts, in words and with no unit after them. */
const priceAt = (
  { text, tokens }: Passage,
  at: number,
  value: number,
  end: number
): { readonly value: number; readonly to: number } | undefined => {
  const [first, second] = [tokens[at]!, tokens[end]]
  const cents = second === undefined ? undefined : numberAt(tokens, end)
  if (second === undefined || cents === undefined || cents.ordinal) return undefined
  if (![first, second].every((token) => /^\p{L}/u.test(token.text))) return undefined
  if (!Number.isInteger(value) || value < 1 || value > 999 || cents.value < 10 || cents.value > 99) return undefined
  if (!Number.isInteger(cents.value)) return undefined
  if (!/^[\s-]*$/u.test(text.slice(tokens[end - 1]!.to, second.from))) return undefined
  const after = tokens[cents.end]?.norm
  return has(DURATIONS, after) || after === "percent"
    ? undefined
    : { value: (value * 100 + cents.value) / 100, to: tokens[cents.end - 1]!.to }
}

/**
 * "One eighty", "twelve fifty", "two-oh-five", "three ninety point six": a number said as its hundreds and the rest. From twenty on
 * the first part is that of a year, which is read as one number already.
 */
const hundredsAt = (
  { text, tokens }: Passage,
  at: number,
  value: number,
  end: number
): { readonly value: number; readonly end: number } | undefined => {
  const oh = tokens[end]?.norm === "oh"
  const second = oh ? end + 1 : end
  const rest = tokens[second] === undefined ? undefined : numberAt(tokens, second)
  if (rest === undefined || rest.ordinal || end !== at + 1 || value < 1 || value > 19) return undefined
  const fits = oh ? rest.value >= 1 && rest.value <= 9 : rest.value >= 10 && rest.value <= 99
  const inWords = /^\p{L}/u.test(tokens[at]!.text) && /^\p{L}/u.test(tokens[second]!.text)
  if (!fits || !inWords) return undefined
  const parts = [tokens[end]!, ...(oh ? [tokens[second]!] : [])]
  const joined = parts.every((token, part) =>
    /^[ -]$/u.test(text.slice((part === 0 ? tokens[at] : parts[part - 1])!.to, token.from))
  )
  return joined ? { value: exactly(value * 100 + rest.value), end: rest.end } : undefined
}

/** "Eight pounds forty", "one dollar and six cents", "eight metres twenty": the hundredths that are said after the unit. */
const hundredthsAt = (
  { text, tokens }: Passage,
  unitAt: number,
  value: number
): { readonly value: number; readonly end: number } | undefined => {
  const joins = tokens[unitAt + 1]?.norm === "and"
  const at = joins ? unitAt + 2 : unitAt + 1
  const rest = tokens[at] === undefined ? undefined : numberAt(tokens, at)
  if (rest === undefined || rest.ordinal || !Number.isInteger(value)) return undefined
  if (!Number.isInteger(rest.value) || rest.value < 1 || rest.value > 99) return undefined
  if (!/^ (?:and )?$/u.test(text.slice(tokens[unitAt]!.to, tokens[at]!.from))) return undefined
  const after = tokens[rest.end]
  const minor = after !== undefined && MINOR.test(after.norm)
  const whole = (value * 100 + rest.value) / 100
  if (minor) return { value: whole, end: rest.end + 1 }
  // "Eight pounds forty minutes ago" and "ten euros twenty people" have two numbers.
  return joins || !countsNothing(text, tokens, rest.end) ? undefined : { value: whole, end: rest.end }
}

/** "112 m2", "3 km2", "40 ft3": the figure of a unit is none. */
const exponent = (text: string, { from, to }: Token): boolean =>
  /^[23]$/u.test(text.slice(from, to)) &&
  /(?<!\p{L})(?:[cdkm]?m|in|ft|yd|mi)$/iu.test(text.slice(Math.max(0, from - 3), from))

/** "2½ cups", "1/2", "3/4": a number goes on behind these digits, and none of them is it. "9/10" is nine of ten. */
const FRACTION = /^(?:\s?[¼-¾⅐-⅞]|\/[2348](?![\d/]))/u

/**
 * What makes the number behind it one below zero. A hyphen or an en dash only where it touches the number and nothing stands
 * right before it: "10–15" is a range, and "Team – 5 people" has none.
 */
export const MINUS = /(?:\b(?:minus|negative)\s+|(?<![\p{L}\d)%]|\d\s)[-−–]|(?<![\p{L}\d)%]\s?)−\s)$/iu

/** ".5 mg": no point ends a sentence that a figure follows at once. */
const pointBefore = (text: string, { from, norm }: Token): boolean =>
  /^\d{1,9}$/u.test(norm) && /(?:^|[^\p{L}\d.…])\.$/u.test(text.slice(Math.max(0, from - 2), from))

/** "Q4: $20", "Coffee 2 $9.00": a sign that begins a number of its own, or stands behind a stop, is not the one's before it. */
const isItsCurrency = (text: string, to: number, { from, to: end }: Token): boolean =>
  /^[\s-]*$/u.test(text.slice(to, from)) && !(/[$€£¥]/u.test(text.slice(from, end)) && /\d/u.test(text[end] ?? ""))

/** Numbers of a passage with what they count: money, percent, durations, plain. `taken` are spans that are no numbers. */
export const scanNumbers = (
  passage: Passage,
  taken: (from: number, to: number, kind: "any" | "date") => boolean
): ReadonlyArray<Candidate> => {
  const { text, tokens } = passage
  const out: Array<Candidate> = []
  const push = (kind: Candidate["kind"], from: number, to: number, value: number, unit?: string, ordinal = false) =>
    out.push({ kind, passage, from, to, text: text.slice(from, to), value, unit, ordinal })

  for (let at = 0; at < tokens.length;) {
    const sign = /^[$€£¥]$/u.test(tokens[at]!.text) ? CURRENCIES[tokens[at]!.text] : undefined
    const start = sign === undefined ? at : at + 1
    const numeral = tokens[start] === undefined ? undefined : numberAt(tokens, start)
    if (numeral === undefined || exponent(text, tokens[start]!)) {
      at++
      continue
    }
    const { end, ordinal } = numeral
    // "1.250 €" is 1250 to half of Europe, and no price has three decimals but that of a litre.
    const [said, around] = [tokens[end - 1]!.text, text.slice(tokens[end - 1]!.to, tokens[end - 1]!.to + 12)]
    const priced = sign !== undefined || /^\s?(?:[$€£¥]|EUR|USD|GBP|CHF|euros?|dollars?|pounds?)/iu.test(around)
    if (priced && /^[1-9]\d{0,2}\.\d{3}$/u.test(said) && !/\/|\bper\b|\ban?\b/u.test(around)) {
      at = end
      continue
    }
    const fraction = FRACTION.exec(text.slice(tokens[end - 1]!.to, tokens[end - 1]!.to + 3))?.[0]
    if (fraction !== undefined) {
      at = fraction.startsWith("/") ? end + 1 : end
      continue
    }
    const first = tokens[at]!.from - (start === at && pointBefore(text, tokens[at]!) ? 1 : 0)
    const below = MINUS.exec(text.slice(Math.max(0, first - 12), first))
    const inside = start > at && /^\s?[-−–]$/u.test(text.slice(tokens[at]!.to, tokens[start]!.from))
    const figures = tokens[start]!
    const size = pointBefore(text, figures) ? exactly(numeral.value / 10 ** figures.norm.length) : numeral.value
    const value = below === null && !inside ? size : -size
    const from = first - (below?.[0].length ?? 0)
    const to = tokens[end - 1]!.to
    const next = tokens[end]
    let inDuration = false
    let last = end
    if (sign !== undefined) push("money", from, to, value, sign)
    else if (has(CURRENCIES, next?.norm) && isItsCurrency(text, to, next)) {
      const parts = MINOR.test(next!.norm) ? undefined : hundredthsAt(passage, end, value)
      const whole = MINOR.test(next!.norm) ? value / 100 : parts?.value ?? value
      push("money", from, parts === undefined ? next!.to : tokens[parts.end - 1]!.to, whole, CURRENCIES[next!.norm])
      if (parts !== undefined) last = parts.end
    } else if (next?.norm === "%" || next?.norm === "percent") push("percent", from, next.to, value)
    else if (
      (has(DURATIONS, next?.norm) || opensDuration(tokens, end)) && !ordinal && !taken(from, next!.to, "date")
    ) {
      const duration = durationFrom(text, tokens, end, value)
      push("duration", from, duration.to, duration.seconds, "s")
      push("number", from, to, value, next!.norm)
      inDuration = true
      if (duration.end > end + 1) last = duration.end
    }
    if (sign === undefined && !inDuration && !taken(from, to, "any")) {
      const hundreds = ordinal ? undefined : hundredsAt(passage, at, value, end)
      if (hundreds !== undefined && !taken(from, tokens[hundreds.end - 1]!.to, "any")) {
        push("number", from, tokens[hundreds.end - 1]!.to, hundreds.value, tokens[hundreds.end]?.norm)
        last = hundreds.end
      }
      const metres = /^met(?:er|re)s?$/u.test(next?.norm ?? "") ? hundredthsAt(passage, end, value) : undefined
      if (metres !== undefined) {
        push("number", from, tokens[metres.end - 1]!.to, metres.value, next!.norm)
        last = metres.end
      } else if (hundreds === undefined) push("number", from, to, value, next?.norm, ordinal)
      const price = ordinal ? undefined : priceAt(passage, at, value, end)
      if (price !== undefined) push("money", from, price.to, price.value)
    }
    at = Math.max(last, at + 1)
  }
  const lengths = lengthsIn(text, passage.tokens)
  // "An hour and five minutes" takes no five minutes.
  const whole = out.filter(({ from, kind, to, unit }) =>
    !((kind === "duration" || has(DURATIONS, unit)) && lengths.some((one) => one.from < from && to <= one.to))
  )
  return [
    ...whole,
    ...lengths.map(({ from, seconds, to }): Candidate => ({
      kind: "duration",
      passage,
      from,
      to,
      text: text.slice(from, to),
      value: seconds,
      unit: "s",
      ordinal: false
    }))
  ]
}
