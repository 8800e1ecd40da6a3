/** Longer than any caption, shorter than a page: what a model that repeats itself may leave in an artifact. */
const MOST_CHARACTERS = 600

/** Controls, formats that reverse or hide text, private and unassigned characters, halves of pairs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu
/** Places and marks that a model writes between its words. */
const marks = /<\/?(?:loc_\d+|[a-z_|-]{1,40})>/giu

/**
 * What a model wrote as plain text: printable, on one line, of at most 600 characters, and up to the end of its last
 * sentence where it was cut off (`complete` false). Null where no word is left.
 */
export const plainSentence = (written: string, complete: boolean): string | null => {
  const text = written.replaceAll(marks, " ").replaceAll(unprintable, " ").replaceAll(/\s+/gu, " ").trim()
  if (!/\p{L}/u.test(text)) return null
  const characters = Array.from(text)
  const fits = complete && characters.length <= MOST_CHARACTERS
  if (fits) return /[.!?…]["”’')\]]*$/u.test(text) ? text : `${text}.`
  const part = characters.slice(0, MOST_CHARACTERS - 1).join("")
  const sentences = /^.*[.!?…]["”’')\]]*(?= |$)/u.exec(part)?.[0]
  return sentences ?? `${part.replace(/[\s.,;:-]+$/u, "")}…`
}
