/** Always capitalised in English; `may` and `march` are left out because they are mostly no months. */
const proper = new Set(
  ("monday tuesday wednesday thursday friday saturday sunday january february april june july august september " +
    "october november december").split(" ")
)

const bare = (word: string): string => word.toLowerCase().replaceAll("’", "'")

const asks =
  /^(?:what|why|who|whose|where|which|how)(?:'s| (?:\S+ ){0,3}?(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had) )/u
const asksYesOrNo =
  /^(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have) (?:i|you|he|she|it|we|they|this|that|these|those|there|the|my|your|our|any) /u

/** A sentence with the word order of a question; the voice's rise is not heard. "What a day" and "How I did it" stay statements. */
const isQuestion = (words: ReadonlyArray<string>): boolean => {
  const text = `${words.map(bare).join(" ")} `
  return asks.test(text) && !/^(?:how|what) (?:i|you|he|she|it|we|they|a|an) /u.test(text) || asksYesOrNo.test(text)
}

const capital = (word: string): string => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** A silence that ended a sentence. */
const SENTENCE_PAUSE = 0.45

/**
 * What the learnt model replaced, to be measured beside it: a sentence between two silences, a capital where it starts, a
 * mark by its word order where it ends, `I`, days and months.
 */
export const writeByRules = (words: ReadonlyArray<string>, pauses: ReadonlyArray<number> | null): Array<string> => {
  const out: Array<string> = []
  let sentence: Array<string> = []
  words.forEach((word, i) => {
    sentence.push(word)
    if (i + 1 < words.length && (pauses === null || pauses[i]! < SENTENCE_PAUSE)) return
    const written = sentence.map((one) =>
      /^i('|$)/u.test(one) || proper.has(one.replace(/'s$/u, "")) ? capital(one) : one
    )
    written[0] = capital(written[0]!)
    written[written.length - 1] = `${written.at(-1)!}${isQuestion(sentence) ? "?" : "."}`
    out.push(...written)
    sentence = []
  })
  return out
}
