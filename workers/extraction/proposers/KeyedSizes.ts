import { measureOf } from "../candidates/Measures.ts"
import type { Material } from "../candidates/Mention.ts"
import { isOtherUnit, unitAfter } from "../lexicon/Units.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Span } from "../text/SourceDocument.ts"
import { identifierWords } from "../text/Tokens.ts"
import { stated } from "./ScreenFields.ts"

/** Below what a label says. */
const SCORE = 0.87

/** How a field, and the key of a size, is called by the side that it measures. */
const SIDES: ReadonlyArray<readonly [side: string, called: RegExp]> = [
  ["height", /^(?:h|height|high)$/u],
  ["width", /^(?:w|width|wide)$/u],
  ["depth", /^(?:d|depth|deep)$/u],
  ["length", /^(?:l|length|long)$/u]
]
const sideOf = (word: string): string | undefined => SIDES.find(([, called]) => called.test(word))?.[0]

const NUMBER = String.raw`\d{1,6}(?:[.,]\d{1,3})?`
const TIMES = String.raw`\s?(?:cm|mm|m|in)?\s?[x×*]\s?`
const KEY = "(?:height|width|depth|length|[hwdl])"
/** "46 x 61 cm (h x w)", "38 × 34 × 12 cm (w × h × d)". */
const KEYED = new RegExp(
  String
    .raw`(?<![\d.,])(${NUMBER}(?:${TIMES}${NUMBER}){1,2})\s?(cm|mm|m|in(?:ches)?)?,?\s?\((${KEY}(?:\s?[x×*/]\s?${KEY}){1,2})\)`,
  "giu"
)

/** "W80 x D28 x H202 cm", "80W × 28D cm". */
const PART = String.raw`(?:[hwdl]\s?${NUMBER}|${NUMBER}\s?[hwdl])`
const LETTERED = new RegExp(
  String.raw`(?<![\p{L}\d.,])(${PART}(?:\s?[x×*]\s?${PART}){1,2})(?![\d.,]*\d)\s?(cm|mm|m|in(?:ches)?)?(?![\p{L}\d])`,
  "giu"
)

interface Size {
  readonly span: Span
  readonly value: number
}

const sizesIn = (leaf: Leaf, side: string, passage: Span["passage"]): ReadonlyArray<Size> =>
  [...passage.text.matchAll(KEYED), ...passage.text.matchAll(LETTERED)].flatMap((match) => {
    const { 1: numbers, 2: unit, index } = match
    const sides = (match[3] ?? numbers!.replaceAll(/[^hwdlx×*]/giu, "")).toLowerCase().split(/\s?[x×*/]\s?/u).map(
      sideOf
    )
    const said = Array.from(numbers!.matchAll(new RegExp(NUMBER, "gu")))
    const at = sides.indexOf(side)
    const number = said[at]
    if (number === undefined || said.length !== sides.length || sides.lastIndexOf(side) !== at) return []
    const [plain, words, wanted] = [Number(number[0].replace(",", ".")), ` ${unit ?? ""}`, measureOf(leaf)]
    const own = unitAfter(words)
    if (isOtherUnit(own, words, wanted)) return []
    const from = index + number.index
    return [{ span: { passage, from, to: from + number[0].length }, value: plain }]
  })

/**
 * The side of a thing that a field measures, where the screen gives its size with a key: 46 of "46 x 61 cm (h x w)" for `height_cm`.
 * Nothing where things of different sizes are shown, and where the field is in another unit.
 */
export const keyedSize = ({ reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const sides = identifierWords(leaf.name).filter((word) => word.length > 1).flatMap((word) => sideOf(word) ?? [])
  const [side, ...others] = new Set(sides)
  if (side === undefined || others.length > 0) return []
  const found = reading.passages.filter(({ channel }) => channel === "ocr")
    .flatMap((passage) => sizesIn(leaf, side, passage))
  const [first] = found
  if (first === undefined || found.some(({ value }) => value !== first.value)) return []
  return [stated("keyed-size", leaf, first.span, SCORE, first.value)]
}
