import { amountsIn } from "./Amounts.ts"

const DAY_MS = 86_400_000

/** Days from the one on which they are said. */
const NAMED: ReadonlyArray<readonly [pattern: RegExp, days: number]> = [
  [/\bday after tomorrow\b/u, 2],
  [/\bday before yesterday\b/u, -2],
  [/(?<!\bday after )\btomorrow\b/u, 1],
  [/(?<!\bday before )\byesterday\b/u, -1],
  [/\blast night\b/u, -1],
  [/\b(?:today|tonight|this (?:morning|afternoon|evening))\b/u, 0]
]
const WEEKS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 }
const WEEK = /\b(last|this|next) week\b/gu
const COUNTED = /\b(?:(days?)|weeks?|(fortnights?))\b/gu
const MONTH_END = /\bend of (?:the|this) month\b/u
const BACK = /^\s+(?:ago|before)\b/u
const ON = /^['’]?\s+(?:from (?:now|today)|later|on|time|today)\b/u

/** How many days or weeks are counted: "two weeks", "a day". Undefined where no number stands right before. */
const countBefore = (words: string): { readonly count: number; readonly from: number } | undefined => {
  const article = /\ban?\s+$/u.exec(words)
  if (article !== null) return { count: 1, from: article.index }
  const said = amountsIn(words, undefined, false).findLast(({ to }) => /^\s+$/u.test(words.slice(to)))
  return said?.values[0] === undefined ? undefined : { count: said.values[0], from: said.from }
}

/** Days from the one on which some words are said to each that they count. */
const counted = (words: string): ReadonlyArray<number> =>
  Array.from(words.matchAll(COUNTED)).flatMap((match) => {
    const before = words.slice(Math.max(0, match.index - 40), match.index)
    const said = countBefore(before)
    if (said === undefined) return []
    const behind = words.slice(match.index + match[0].length, match.index + match[0].length + 20)
    const days = said.count * (match[1] !== undefined ? 1 : match[2] !== undefined ? 14 : 7)
    if (BACK.test(behind)) return [-days]
    return ON.test(behind) || /\bin\s+(?:about\s+)?$/u.test(before.slice(0, said.from)) ? [days] : []
  })

/** Weeks from Monday on since some Monday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7)

/**
 * Whether some words, in small letters, name a day by how far it is from one of `bases`: "tomorrow", "in ten days", "two weeks ago", the "end of the month", and any day of "next
 * week".
 */
export const namesDayFrom = (words: string, date: string, bases: ReadonlyArray<string>): boolean => {
  const offsets = new Set([
    ...NAMED.filter(([pattern]) => pattern.test(words)).map(([, days]) => days),
    ...counted(words)
  ])
  const weeks = Array.from(words.matchAll(WEEK), ([, which]) => WEEKS[which!]!)
  const day = Date.parse(date) / DAY_MS
  const at = new Date(date)
  const isLast = MONTH_END.test(words) && new Date(at.getTime() + DAY_MS).getUTCDate() === 1
  return bases.some((base) => {
    if (isLast && base.slice(0, 7) === date.slice(0, 7)) return true
    const from = Math.floor(Date.parse(base) / DAY_MS)
    return offsets.has(day - from) || weeks.some((week) => weekOf(day) - weekOf(from) === week)
  })
}
