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

/** A clause has its own subject or verb, a member of a series has none. */
const CLAUSE =
  /^(?:i|we|you|he|she|they|it|there|that|this|if|when|what)\b|\b(?:is|are|was|were|will|would|can|could|has|have|had|does|do|did)\b|['’](?:s|re|ll|ve|d|m)\b|n['’]t\b/iu
/** "No, tea or coffee": an answer denies nothing behind it. "I don't know, tea or coffee" neither. */
const ANSWER = /(?:^|[.!?;:,]\s*)(?:oh |well )?(?:no|nope|nah)$|\b(?:know|think|mean|mind|care|matter|sure)$/iu
/** Most members of a series, and the most words of one of them. */
const MOST_MEMBERS = 12
const LONGEST_MEMBER = 5

const isBare = (part: string): boolean => part.trim().split(/\s+/u).length <= LONGEST_MEMBER && !CLAUSE.test(part)

/** Whether a series goes on at a place of a text, right behind a comma, up to the member that "or" or "nor" joins to it. */
const isWithinSeries = (text: string, at: number): boolean => {
  if (!text.slice(0, at).endsWith(", ") || ANSWER.test(text.slice(0, at - 2))) return false
  for (const part of text.slice(at).split(/[.!?;:]\s|[.!?]$|,\s/u).slice(0, MOST_MEMBERS)) {
    if (!isBare(part)) return false
    if (/\b(?:or|nor)\s/iu.test(part)) return true
  }
  return false
}

/** Whether words that lead to something deny it. */
export const negates = (lead: string): boolean => NEGATED_BEFORE.test(lead.replaceAll(AGREEABLE, ""))

/**
 * Whether the clause around `[from, to)` of a text affirms what stands there. Clauses end at words that join them and at commas, other
 * than those between the members of a series with "or": "no eggs, milk or nuts" denies all three. "I don't mind" affirms, "non-" and
 * "un-" deny.
 */
export const affirms = (text: string, from: number, to: number): boolean => {
  const bounds = Array.from(text.matchAll(BOUNDARY), (match) => match.index + match[0].length)
  let first = bounds.findLastIndex((bound) => bound <= from)
  for (let members = 0; members < MOST_MEMBERS && first >= 0 && isWithinSeries(text, bounds[first]!); members++) first--
  const start = bounds[first] ?? 0
  const end = bounds.find((bound) => bound > to) ?? text.length
  const before = text.slice(start, from)
  // "Pets allowed: no" is no statement that they are.
  const told = /^\s*:\s+(.+)$/u.exec(text.slice(to))?.[1]
  if (told !== undefined && answerOf(told) === false) return false
  if (/\b(?:non|un)[- ]?$/iu.test(before)) return false
  return !negates(before) && !NEGATED_AFTER.test(text.slice(to, end))
}

/** What a field's word is denied by without a negation: entry that is paid for is not free. */
export const OPPOSITES: ReadonlyArray<readonly [own: RegExp, opposite: RegExp]> = [
  [/\bfree\b/iu, /\b(?:paid|charged?|costs?|fees?|pay)\b/iu],
  [/\bopen\b/iu, /\bclosed?\b/iu]
]
