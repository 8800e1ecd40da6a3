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

/**
 * Writes recognised words as text: a capital where a sentence starts, a full stop or a question mark where it ends, `I`, days and months,
 * and the caller's own terms in the caller's spelling where all their words follow each other. It changes letters' case
 * and adds stops, nothing else, and gives as many words as it was given.
 */
export const makeCasing = (terms: ReadonlyArray<string>) => {
  const spellings = terms.map((term) => term.split(/\s+/u).filter((word) => word !== "")).filter((words) =>
    words.length > 0
  )
  return (
    words: ReadonlyArray<string>,
    { ends, starts }: { readonly starts: boolean; readonly ends: boolean }
  ): Array<string> => {
    const written = words.map((word) =>
      /^i('|$)/u.test(word) || proper.has(word.replace(/'s$/u, "")) ? capital(word) : word
    )
    for (const spelling of spellings) {
      for (let at = 0; at + spelling.length <= words.length; at++) {
        if (spelling.every((word, i) => bare(word) === words[at + i])) written.splice(at, spelling.length, ...spelling)
      }
    }
    if (starts && written.length > 0) written[0] = capital(written[0]!)
    if (ends && written.length > 0) {
      written[written.length - 1] = `${written.at(-1)!}${starts && isQuestion(words) ? "?" : "."}`
    }
    return written
  }
}
