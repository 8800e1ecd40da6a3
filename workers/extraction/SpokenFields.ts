import type { Material } from "./Found.ts"
import { NEGATION } from "./LeafCandidates.ts"
import type { Leaf } from "./Plan.ts"
import type { Ranked } from "./Rank.ts"
import { apposition, REJECTED } from "./RankFeatures.ts"
import { PRESENTING, stated } from "./ScreenFields.ts"
import { asks } from "./Sentences.ts"
import { identifierWords, stem } from "./Tokens.ts"

/** Below what the screen says plainly, above what is only likely. */
const SCORES = { introduced: 0.9, apposition: 0.88, asserted: 0.85 } as const

const HELPER = /^(?:has|have|is|are|was|were|does|with|includes?|offers?|allows?|available|free)$/u
/** How a sentence states that something is there, or is not, right before naming it. */
const ASSERTION =
  /\b(?:there'?s|there (?:is|are)|it'?s|it is|(?:it|they|we|you)(?:'ve| have| has| get)|has|comes with|includes?)\s(?:[\p{L}'’]+\s){0,4}$/iu

/** "There's no garage" for `has_garage`: a statement, not a question, that holds every word of the field's name. */
const assertions = ({ reading, sentences }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const wanted = identifierWords(leaf.name).filter((word) => !HELPER.test(word)).map(stem)
  if (wanted.length === 0) return []
  return sentences.flatMap((sentence) => {
    if (asks(sentence.text) || REJECTED.test(reading.passages[sentence.passage.index + 1]?.text ?? "")) return []
    const tokens = sentence.passage.tokens.filter((token) => token.from >= sentence.from && token.to <= sentence.to)
    const found = tokens.filter((token) => wanted.includes(stem(token.norm)))
    if (new Set(found.map((token) => stem(token.norm))).size < wanted.length) return []
    const before = sentence.passage.text.slice(sentence.from, found[0]!.from)
    return ASSERTION.test(before) ? [stated(leaf, sentence, SCORES.asserted, !NEGATION.test(before))] : []
  })
}

/**
 * What speech says plainly: "There's no garage" for `has_garage`, "I'm Lena Okafor" for who presents, in order of introduction, and "Dana Whitfield, our chief
 * executive officer" for the field `ceo`.
 */
export const spokenFields = (
  { cast, reading, sentences }: Material,
  leaves: ReadonlyArray<Leaf>
): ReadonlyArray<Ranked> =>
  leaves.filter((leaf) => leaf.type === "string" || leaf.type === "boolean").flatMap((leaf) => {
    if (leaf.type === "boolean") return assertions({ cast, reading, sentences }, leaf)
    if (PRESENTING.test(identifierWords(leaf.name).join(" "))) {
      return Array.from(
        cast.speakers.values(),
        ({ spans }, at) => stated(leaf, spans[0]!, SCORES.introduced - at / 1000)
      )
    }
    return reading.candidates
      .filter(({ kind, passage, to }) =>
        kind === "name" && passage.modality === "audio" && apposition(leaf, passage.text.slice(to, to + 30))
      )
      .map((name) => stated(leaf, name, SCORES.apposition))
  })
