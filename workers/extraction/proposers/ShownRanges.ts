import { wantedEnd } from "../candidates/Measures.ts"
import type { Material } from "../candidates/Mention.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { identifierWords, stem } from "../text/Tokens.ts"
import { stated } from "./ScreenFields.ts"

/** Below what a label says. */
const SCORE = 0.87

/** What a field's name has beside what it is about: which end it asks for, in what unit, and how it is reckoned. */
const BESIDE =
  /^(?:min|max|minimum|maximum|low|lower|lowest|high|higher|highest|upper|least|most|end|from|to|starts?|ends?|opens?|closes?|opening|closing|until|till|finish|of|the|eur|usd|gbp|cm|mm|km|kg|pct|percent|per|person|hours?|minutes?|price|time|date|value)$/u
const NUMBER = String.raw`[$€£]?\d[\d,]*(?:\.\d+)?`
/** "12,000 – 18,000", "2-5". */
const RANGE = new RegExp(String.raw`(?<![\d.,:/-])(${NUMBER})\s?(?:[–—-]|to)\s?(${NUMBER})(?![\d.,:/-]*\d)`, "dgu")

/** What a field is about, by the words of its name and of the objects that hold it. */
const nounsOf = (leaf: Leaf): ReadonlyArray<string> =>
  leaf.template.split("/").flatMap(identifierWords).filter((word) => word.length > 2 && !BESIDE.test(word))

/** "Est." is short for what a field asks an estimate of. */
const names = (line: string, nouns: ReadonlyArray<string>): boolean =>
  (line.toLowerCase().match(/\p{L}+\.?/gu) ?? []).some((word) =>
    nouns.some((noun) =>
      stem(word) === stem(noun) || (word.endsWith(".") && word.length > 3 && noun.startsWith(word.slice(0, -1)))
    )
  )

/** The one end of the one range on a line that is about what the field is. */
const endIn = (line: Passage, nouns: ReadonlyArray<string>, end: 1 | 2): Span | undefined => {
  const [range, ...others] = line.text.matchAll(RANGE)
  if (range === undefined || others.length > 0 || !names(line.text, nouns)) return undefined
  const [from, to] = range.indices![end]!
  return { passage: line, from, to }
}

const numberOf = ({ from, passage, to }: Span): number =>
  Number(passage.text.slice(from, to).replaceAll(/[$€£,]/gu, ""))

/**
 * The end of a range on the screen that a field asks for: 2 of "2-5 players" for `min_players`, 12,000 of "Estimate £12,000 – 18,000" for `estimate_low`. Nothing where
 * the screen shows two such ranges, and where the first number is not the lower one.
 */
export const shownRange = ({ reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const wanted = wantedEnd(leaf)
  const nouns = nounsOf(leaf)
  if (wanted === undefined || nouns.length === 0) return []
  const shown = reading.passages.filter(({ channel }) => channel === "ocr")
  const [low, high] = ([1, 2] as const).map((end) => shown.flatMap((line) => endIn(line, nouns, end) ?? []))
  const [first, last] = [low![0], high![0]]
  if (first === undefined || last === undefined || numberOf(first) >= numberOf(last)) return []
  const all = wanted === "low" || wanted === "first" ? low! : high!
  const value = numberOf(all[0]!)
  return all.some((one) => numberOf(one) !== value) ? [] : [stated("screen-range", leaf, all[0]!, SCORE, value)]
}
