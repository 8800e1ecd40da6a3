const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** A stretch of a text, by character offsets. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

/** What a full stop after shortens, and a name or number goes on with: "Dr. Hale", "St. Anne", "Fig. 3". */
const title =
  /(?:^|[\s(“"])(?:dr|mr|mrs|ms|prof|rev|hon|st|mt|capt|col|gen|lt|sgt|sr|jr|fig|figs|vol|ch|sec|approx|ext|tel|ave|vs|e\.g|i\.e|cf|al)\.\s*$/iu
/** "No. 4 Mill St." goes on, "No. Four of them left." does not. */
const numbered = /(?:^|[\s(“"])(?:no|nos|nr|p|pp|art|item)\.\s*$/iu
/** "J. Smith" and "Ada B. Lane", but not "Plan B. Then". */
const initial = /(?:^|[\s(“"]|\p{Lu}\.)\p{Lu}\.\s*$/u
const afterName = /(?:^|[\s(“"])(?:\p{Lu}\p{Ll}+\s+)?\p{Lu}\.\s*$/u
const commonNoun =
  /(?:plan|option|type|vitamin|group|class|grade|point|part|section|room|team|platform|route|line|step|block|hall|side|exhibit|appendix|size|hepatitis)\s+\p{Lu}\.\s*$/iu

const goesOn = (text: string, next: string): boolean =>
  title.test(text) ||
  (numbered.test(text) && /^\d/u.test(next)) ||
  (initial.test(text) && afterName.test(text) && !commonNoun.test(text) && /^\p{Lu}\p{Ll}/u.test(next))

/**
 * The sentences of a text, in order and without a gap: each ends where the next begins. The one place where sentences are told: Unicode's
 * rules (UAX #29), but that stops of abbreviations, of initials and inside of numbers end none. A text without stops is one sentence.
 */
export const sentencesIn = (text: string): ReadonlyArray<Bounds> => {
  const out: Array<Bounds> = []
  for (const { index, segment } of segmenter.segment(text)) {
    const last = out.at(-1)
    const joins = last !== undefined && goesOn(text.slice(last.from, last.to), segment)
    if (joins) out[out.length - 1] = { from: last.from, to: index + segment.length }
    else out.push({ from: index, to: index + segment.length })
  }
  return out
}
