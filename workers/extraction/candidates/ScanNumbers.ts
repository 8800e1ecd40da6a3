import { CURRENCIES, DURATIONS, numberAt } from "../lexicon/Numbers.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Passage } from "../text/SourceDocument.ts"
import type { Token } from "../text/Tokens.ts"

const has = (table: Readonly<Record<string, unknown>>, key: string | undefined): key is string =>
  key !== undefined && Object.hasOwn(table, key)

/** "two hours and a half", "an hour 20 minutes": the end of a duration that starts with one unit, in seconds and characters. */
const durationFrom = (
  tokens: ReadonlyArray<Token>,
  unitAt: number,
  value: number
): { readonly seconds: number; readonly to: number; readonly end: number } => {
  const unit = tokens[unitAt]!.norm
  const seconds = value * DURATIONS[unit]!
  const [next, article, half] = [tokens[unitAt + 1], tokens[unitAt + 2], tokens[unitAt + 3]]
  if (next?.norm === "and" && article?.norm === "a" && half?.norm === "half") {
    return { seconds: seconds + DURATIONS[unit]! / 2, to: half.to, end: unitAt + 1 }
  }
  const at = next?.norm === "and" ? unitAt + 2 : unitAt + 1
  const more = tokens[at] === undefined ? undefined : numberAt(tokens, at)
  const smaller = more === undefined ? undefined : tokens[more.end]
  return more !== undefined && has(DURATIONS, smaller?.norm) && DURATIONS[smaller!.norm]! < DURATIONS[unit]!
    ? { seconds: seconds + more.value * DURATIONS[smaller!.norm]!, to: smaller!.to, end: more.end }
    : { seconds, to: tokens[unitAt]!.to, end: unitAt + 1 }
}

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
  if (!/^[\s-]*$/u.test(text.slice(tokens[end - 1]!.to, second.from))) return undefined
  const after = tokens[cents.end]?.norm
  return has(DURATIONS, after) || after === "percent"
    ? undefined
    : { value: (value * 100 + cents.value) / 100, to: tokens[cents.end - 1]!.to }
}

/** "112 m2", "3 km2", "40 ft3": the figure of a unit is none. */
const exponent = (text: string, { from, to }: Token): boolean =>
  /^[23]$/u.test(text.slice(from, to)) &&
  /(?<!\p{L})(?:[cdkm]?m|in|ft|yd|mi)$/iu.test(text.slice(Math.max(0, from - 3), from))

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
    const below = /(?:\b(?:minus|negative)\s+|(?<![\p{L}\d)])[-−])$/iu.exec(
      text.slice(Math.max(0, tokens[at]!.from - 12), tokens[at]!.from)
    )
    const value = below === null ? numeral.value : -numeral.value
    const from = tokens[at]!.from - (below?.[0].length ?? 0)
    const to = tokens[end - 1]!.to
    const next = tokens[end]
    let inDuration = false
    let last = end
    if (sign !== undefined) push("money", from, to, value, sign)
    else if (has(CURRENCIES, next?.norm)) {
      push("money", from, next!.to, next!.norm === "cents" ? value / 100 : value, CURRENCIES[next!.norm])
    } else if (next?.norm === "%" || next?.norm === "percent") push("percent", from, next.to, value)
    else if (has(DURATIONS, next?.norm) && !ordinal && !taken(from, next!.to, "date")) {
      const duration = durationFrom(tokens, end, value)
      push("duration", from, duration.to, duration.seconds, "s")
      push("number", from, to, value, next!.norm)
      inDuration = true
      if (duration.end > end + 1) last = duration.end
    }
    if (sign === undefined && !inDuration && !taken(from, to, "any")) {
      push("number", from, to, value, next?.norm, ordinal)
      const price = ordinal ? undefined : priceAt(passage, at, value, end)
      if (price !== undefined) push("money", from, price.to, price.value)
    }
    at = Math.max(last, at + 1)
  }
  tokens.forEach((token, at) => {
    const unit = tokens[at + 2]
    if (!/^(?:half|quarter)$/u.test(token.norm) || !/^an?$/u.test(tokens[at + 1]?.norm ?? "")) return
    if (has(DURATIONS, unit?.norm)) {
      push("duration", token.from, unit!.to, (token.norm === "half" ? 0.5 : 0.25) * DURATIONS[unit!.norm]!, "s")
    }
  })
  return out
}
