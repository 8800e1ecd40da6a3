import { alignTokens, type Posteriors, type TokenSpan } from "./CtcAlignment.ts"
import { type CtcTokens, WORD_MARK } from "./CtcTokens.ts"

/** Where a word of a known text is heard: frames `[from, to)`, and how well its letters are, null where it has none. */
export interface AlignedWord {
  readonly from: number
  readonly to: number
  /** Mean natural logarithm of the probability of its letters. */
  readonly log_probability: number | null
}

/**
 * How much likelier than any letter a sound is taken to be a word that is not written in letters, such as "42": it has to take whatever
 * its neighbours do not.
 */
const ANY_PENALTY = -0.5

/** With one more column, for a sound whose letters are not known. */
const withAny = ({ data, frames, tokens }: Posteriors, blank: number): Posteriors => {
  const wider = new Float32Array(frames * (tokens + 1))
  for (let t = 0; t < frames; t++) {
    let best = -Infinity
    for (let v = 0; v < tokens; v++) {
      const here = data[t * tokens + v]!
      wider[t * (tokens + 1) + v] = here
      if (v !== blank && here > best) best = here
    }
    wider[t * (tokens + 1) + tokens] = best + ANY_PENALTY
  }
  return { data: wider, frames, tokens: tokens + 1 }
}

/**
 * Finds the words of a text in time: forced alignment of their letters with what a CTC network of letters heard (Kürzinger et al. 2020: CTC
 * segmentation). A word with a digit or a letter that the network does not know takes the sound between its neighbours. Null
 * where the text has more letters than the sound has frames.
 */
export const alignWords = (
  posteriors: Posteriors,
  { blank, texts }: CtcTokens,
  words: ReadonlyArray<string>
): ReadonlyArray<AlignedWord> | null => {
  const any = posteriors.tokens
  const mark = texts.indexOf(WORD_MARK)
  const sequence: Array<number> = []
  /** Of each token of the sequence, the word that it is of; -1 for what is between words. */
  const owners: Array<number> = []
  for (const [at, word] of words.entries()) {
    const letters = Array.from(word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, ""))
    const known = letters.map((letter) => texts.indexOf(letter)).filter((token) => token !== -1)
    const spelled = known.length > 0 && !/\p{N}/u.test(word)
    sequence.push(mark, ...(spelled ? known : [any]))
    owners.push(-1, ...Array.from({ length: spelled ? known.length : 1 }, () => at))
  }
  let spans: ReadonlyArray<TokenSpan>
  try {
    spans = alignTokens(withAny(posteriors, blank), sequence, blank)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  return words.map((_, at) => {
    const own = spans.filter((__, index) => owners[index] === at)
    const letters = own.filter(({ token }) => token !== any)
    return {
      from: own[0]!.from,
      to: own.at(-1)!.to,
      log_probability: letters.length === 0
        ? null
        : letters.reduce((sum, { log_probability }) => sum + log_probability, 0) / letters.length
    }
  })
}
