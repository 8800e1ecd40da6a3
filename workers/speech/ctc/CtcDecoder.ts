import { alignTokens, type Posteriors, type TokenSpan } from "./CtcAlignment.ts"
import { type CtcTokens, WORD_MARK } from "./CtcTokens.ts"

/** A word with the frames it was heard in, `[from, to)`, and how sure its tokens were, 0 to 1. */
export interface DecodedWord {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly confidence: number
}

/** Token ids of the best token of every frame, repeats and blanks dropped (Graves et al. 2006). */
export const bestPath = ({ data, frames, tokens }: Posteriors, blank: number): Array<number> => {
  const sequence: Array<number> = []
  let last = blank
  for (let t = 0; t < frames; t++) {
    let best = 0
    for (let v = 1; v < tokens; v++) if (data[t * tokens + v]! > data[t * tokens + best]!) best = v
    if (best !== last && best !== blank) sequence.push(best)
    last = best
  }
  return sequence
}

/** Words of a token sequence with their places in time. A sequence that does not fit the frames throws a `RangeError`. */
export const wordsOf = (
  posteriors: Posteriors,
  sequence: ReadonlyArray<number>,
  tokens: CtcTokens
): Array<DecodedWord> => {
  const words: Array<DecodedWord> = []
  let text = ""
  let spans: Array<TokenSpan> = []
  const finish = () => {
    if (text !== "") {
      const sum = spans.reduce((total, span) => total + span.log_probability, 0)
      words.push({
        text,
        from: spans[0]!.from,
        to: spans.at(-1)!.to,
        // The geometric mean of the letters: one doubtful letter lowers a word, its length does not.
        confidence: Math.min(1, Math.exp(sum / spans.length))
      })
    }
    text = ""
    spans = []
  }
  for (const span of alignTokens(posteriors, sequence, tokens.blank)) {
    const token = tokens.texts[span.token]!
    const begins = token.startsWith(WORD_MARK)
    if (begins) finish()
    const letters = begins ? token.slice(WORD_MARK.length) : token
    text += letters
    // A bare mark is heard in the silence before its word and would pull the word's start there.
    if (letters !== "") spans.push(span)
  }
  finish()
  return words
}
