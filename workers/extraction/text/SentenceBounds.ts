const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** A stretch of a text, by character offsets. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

/** The sentences of a text, in order and without a gap: each ends where the next begins. */
export const sentencesIn = (text: string): ReadonlyArray<Bounds> =>
  Array.from(segmenter.segment(text), ({ index, segment }) => ({ from: index, to: index + segment.length }))
