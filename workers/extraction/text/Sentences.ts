import { sentencesIn } from "./SentenceBounds.ts"
import type { Passage, SourceDocument, Span } from "./SourceDocument.ts"

/** One sentence of speech or one line on screen, without the spaces around it. */
export interface Sentence extends Span {
  readonly text: string
}

/** A pause that ends a sentence where nothing else does: recognisers give words without full stops. */
const PAUSE_SECONDS = 0.4

/** Where a passage's sentences start: after full stops, and after pauses in speech that has none. */
const starts = (passage: Passage): ReadonlyArray<number> => {
  const byStops = sentencesIn(passage.text).map(({ from }) => from)
  if (passage.modality === "visual" || /[.!?]\s/u.test(passage.text)) return byStops
  const byPauses = passage.timings.flatMap((timing, at) => {
    const before = passage.timings[at - 1]
    return before !== undefined && timing.t_start - before.t_end >= PAUSE_SECONDS ? [timing.from] : []
  })
  return [0, ...byPauses]
}

/** Every sentence in the order of the passages. A line on screen stays whole. */
export const sentencesOf = (document: SourceDocument): ReadonlyArray<Sentence> =>
  document.passages.flatMap((passage) => {
    if (passage.channel === "vision") return []
    const bounds = passage.modality === "visual" ? [0] : starts(passage)
    return bounds.flatMap((from, at) => {
      const piece = passage.text.slice(from, bounds[at + 1] ?? passage.text.length)
      const text = piece.trim()
      const start = from + piece.indexOf(text)
      return text === "" ? [] : [{ passage, from: start, to: start + text.length, text }]
    })
  })

const PADDING = "^(?:(?:so|and|but|okay|ok|well|now|then|um|uh)[\\s,]+)*"
const SUBJECT =
  "(?:i|you|we|it|he|she|they|there|this|that|these|those|the|a|an|any|your|our|my|its|someone|anyone|everyone)"
/** "how do …", "what is …", "how much does …": an asking word with its verb before its subject. */
const INVERTED = new RegExp(
  `${PADDING}(?:what|how|why|when|where|who|whom|whose|which)(?:'s)?\\s+(?:(?:much|many|long|often|far|kind of|sort of|else)\\s+)?(?:\\p{L}+\\s+)?(?:do|does|did|is|are|was|were|can|could|will|would|should|has|have)\\s+${SUBJECT}\\b`,
  "iu"
)
const VERB_FIRST = new RegExp(
  `${PADDING}(?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|may)\\s+${SUBJECT}\\b`,
  "iu"
)

/**
 * Whether a sentence asks. Word order decides where there is no question mark: recognisers write none, or a full stop after
 * every turn.
 */
export const asks = (text: string): boolean => text.endsWith("?") || INVERTED.test(text) || VERB_FIRST.test(text)

/** Whether what stands at a place of a sentence is its condition: "If parking is available, we will tell you" says neither. */
export const isConditional = (text: string, at: number): boolean =>
  /^(?:(?:and|so|but|well),?\s)?(?:if|whether|unless)\b/iu.test(text) && !text.slice(0, at).includes(",")

const CONDITION =
  /\bif\s(?:\p{L}+\s){1,4}?(?:were|was|had|cost|used|did|went|bought|took|gave|got|made|knew|saw|came|ran|left|sold|(?!interested|excited)\p{L}{3,}ed)\b/iu
const CONSEQUENCE = /\b(?:would|could|might)\b|['’]d\b/iu

/** Whether a sentence only imagines what it says: "if it were ninety dollars, I would hang up". */
export const supposes = (text: string): boolean => CONDITION.test(text) && CONSEQUENCE.test(text)
