/** Words that turn the statement after them round. */
export const NEGATION =
  /\b(?:no|not|don['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|aren['’]?t|won['’]?t|never|without|instead of|rather than|nope|nah|cannot|can['’]?t)\b/iu

const NEGATED_BEFORE =
  /\b(?:no|not|nobody|none|nothing|\p{L}+n['’]t|(?:do|does|did|is|are|wo|would|ca|could|should|was|were|have|has|had)nt|never|without|neither|nor|instead of|rather than|nope|nah|cannot|lacks?|free of|turned? off|remove)\b/iu
const NEGATED_AFTER =
  /^\S*\s*(?:\p{L}+\s+){0,4}?(?:not|\p{L}+n['’]t|never|unavailable|prohibited|forbidden|banned|unfortunately not|off)\b/iu
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
  if (/\b(?:non|un)[- ]?$/iu.test(before)) return false
  return !NEGATED_BEFORE.test(before) && !NEGATED_AFTER.test(text.slice(to, end))
}

export const YES =
  /^\W*(?:(?:oh|well|ok(?:ay)?|um|uh)[\s,]+)*(?:yes|yeah|yep|yup|sure|correct|right|of course|(?:they|it|we|i|you) (?:do|does|is|are|has|have|can|did|am)\b(?!n['’]t| not)|please(?=\W*$)|absolutely|definitely|exactly|certainly|indeed|sounds (?:good|great)|perfect|go ahead|that (?:is|['’]?s|would|works|sounds)(?! not|n['’]t| wrong| incorrect)|that['’]s (?!not|wrong|incorrect)|ok(?:ay)?\b)/iu
export const NO =
  /^\W*(?:(?:oh|well|ok(?:ay)?|um|uh|wait|sorry|actually)[\s,]+)*(?:no|nope|nah|not|i don['’]?t|i do not|it (?:doesn['’]?t|isn['’]?t|does not|is not)|that['’]?s not|that is not|they don['’]?t|they do not|they aren['’]?t|unfortunately|sadly|i['’]m afraid|never)\b|\b(?:don['’]?t (?:need|want|care)|(?:it|they) (?:doesn['’]?t|isn['’]?t|don['’]?t|aren['’]?t|does not|is not|do not|are not))\b/iu

/** What an answer says to a yes-or-no question, or undefined where it does not answer it. */
export const answerOf = (text: string): boolean | undefined => NO.test(text) ? false : YES.test(text) ? true : undefined
