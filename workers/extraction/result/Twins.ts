import { isWordMisread } from "../candidates/NameSpellings.ts"
import type { Sentence } from "../text/Sentences.ts"
import { normaliseValue } from "../text/Tokens.ts"

/** A slide stands beside the words about it no longer than this. */
const TWIN_SECONDS = 60
/** Share of words that two wordings of one statement have in common. */
const TWIN_WORDS = 0.8

/** What a speaker adds to the words of a slide, or leaves out of them, without saying something else. */
const PADDING = new Set("the a an so well and um uh okay now then just really".split(" "))

/** Antonyms mostly differ in how they start ("possible", "impossible"), misread words hardly ever. */
const isSameWord = (a: string, b: string): boolean => a === b || (a.length > 4 && a[0] === b[0] && isWordMisread(a, b))

/** Whether two texts are the same words in the same order, but for single misread ones. */
const isTwin = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((word, at) => isSameWord(word, b[at]!)) &&
  a.filter((word, at) => word === b[at]).length >= TWIN_WORDS * a.length

/**
 * By each sentence the one that stands for it: what is shown and said in the same words within a minute, neither denied nor
 * with another number, is one statement, known by its first place.
 */
export const twinsOf = (claims: ReadonlyArray<Sentence>): ReadonlyMap<Sentence, Sentence> => {
  const twins = new Map<Sentence, Sentence>()
  let heads: Array<{ readonly claim: Sentence; readonly words: ReadonlyArray<string> }> = []
  const ordered = claims.toSorted((a, b) =>
    a.passage.t_start - b.passage.t_start || a.passage.index - b.passage.index || a.from - b.from
  )
  for (const claim of ordered) {
    const words = normaliseValue(claim.text).split(" ").filter((word) => !PADDING.has(word))
    heads = heads.filter((head) => claim.passage.t_start - head.claim.passage.t_end <= TWIN_SECONDS)
    const twin = heads.findLast((head) =>
      head.claim.passage.modality !== claim.passage.modality && isTwin(words, head.words)
    )
    if (twin === undefined) heads.push({ claim, words })
    else twins.set(claim, twin.claim)
  }
  return twins
}
