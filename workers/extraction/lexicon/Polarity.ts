import { answerOf } from "./Answers.ts"

/** Words that turn the statement after them round. */
export const NEGATION =
  /\b(?:no|not|don['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|aren['’]?t|won['’]?t|never|without|instead of|rather than|nope|nah|cannot|can['’]?t)\b/iu

const NEGATED_BEFORE =
  /\b(?:no|not|nobody|none|nothing|\p{L}+n['’]t|(?:do|does|did|is|are|wo|would|ca|could|should|was|were|have|has|had)nt|never|without|neither|nor|instead of|rather than|nope|nah|cannot|lacks?|free of|turned? off|remove)\b/iu
const NEGATED_AFTER =
  /^\S*\s*(?:\p{L}+\s+){0,4}?(?:not|\p{L}+n['’]t|never|no longer|nowhere|unavailable|prohibited|forbidden|banned|unfortunately not|off)\b/iu
/** Negations that agree: "I don't mind sharing", "no problem with pets". */
const AGREEABLE =
  /\b(?:(?:don['’]?t|won['’]?t|wouldn['’]?t|do not|would not|will not) (?:really )?mind|no (?:problem|issue)s?|not only|why not|can['’]?t wait|no matter|don['’]t forget)\b/giu
const BOUNDARY = /[.!?;,:]\s|\s[–—-]\s|\b(?:and|but|though|although|because|so|while|which)\b/giu

/**
 * Whether the clause around `[from, to)` of a text affirms what stands there. Clauses end at commas and at words that
 * join them; "I don't mind" affirms, "non-" and "un-" deny.
 */
export const affirms = (text: string, from: number, to: number): boolean => {
  const bounds = Array.from(text.matchAll(BOUNDARY), (match) => match.index + match[0].length)
  const start = bounds.findLast((bound) => bound <= from) ?? 0
  const end = bounds.find((bound) => bound > to) ?? text.length
  const before = text.slice(start, from).replaceAll(AGREEABLE, "")
  // "Pets allowed: no" is no statement that they are.
  const told = /^\s*:\s+(.+)$/u.exec(text.slice(to))?.[1]
  if (told !== undefined && answerOf(told) === false) return false
  if (/\b(?:non|un)[- ]?$/iu.test(before)) return false
  return !NEGATED_BEFORE.test(before) && !NEGATED_AFTER.test(text.slice(to, end))
}

/** What a field's word is denied by without a negation: entry that is paid for is not free. */
export const OPPOSITES: ReadonlyArray<readonly [own: RegExp, opposite: RegExp]> = [
  [/\bfree\b/iu, /\b(?:paid|charged?|costs?|fees?|pay)\b/iu],
  [/\bopen\b/iu, /\bclosed?\b/iu]
]
