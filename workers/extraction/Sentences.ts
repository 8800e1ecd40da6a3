import type { Passage, SourceDocument, Span } from "./SourceDocument.ts"

/** One sentence of speech or one line on screen, without the spaces around it. */
export interface Sentence extends Span {
  readonly text: string
}

/** A pause that ends a sentence where nothing else does: recognisers give words without full stops. */
const PAUSE_SECONDS = 0.4

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** Where a passage's sentences start: after full stops, and after pauses in speech that has none. */
const starts = (passage: Passage): ReadonlyArray<number> => {
  const byStops = Array.from(segmenter.segment(passage.text), (part) => part.index)
  if (passage.modality === "visual" || /[.!?](?:\s|$)/u.test(passage.text)) return byStops
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

const ASKING_WORD =
  /^(?:(?:so|and|but|okay|ok|well|now|then|um|uh)[\s,]+)*(?:what|how|why|when|where|who|whom|whose|which)\b/iu
const ASKING_VERB =
  /^(?:(?:so|and|but|okay|ok|well|now|then|um|uh)[\s,]+)*(?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|may)\s+(?:i|you|we|it|he|she|they|there|this|that|these|those|the|a|an|any|your|our|my|its|someone|anyone)\b/iu
// "What we want is …", "when you start …": openings of statements that begin with an asking word.
const TELLING =
  /^(?:(?:so|and|but|now)\s+)*(?:what|how|when|where|who|which|why)\s+(?:i|you|we|it|he|she|they|the|this|that|these|those|your|our)\b/iu

/** Whether a sentence asks, also where the recogniser writes no question marks. */
export const asks = (text: string): boolean => {
  if (text.endsWith("?")) return true
  if (/[.!]$/u.test(text)) return false
  return (ASKING_WORD.test(text) && !TELLING.test(text)) || ASKING_VERB.test(text)
}
