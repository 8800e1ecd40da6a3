import { spokenLabels } from "../candidates/EnumCandidates.ts"
import { candidatesFor, kindPrior } from "../candidates/LeafCandidates.ts"
import type { Material } from "../candidates/Mention.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks, type Sentence, supposes } from "../text/Sentences.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"

/** "Only if it is said", "only those that are shown", "null when nobody says so". */
const STATED_ONLY = /\bonly (?:if|when|where|those|what)\b|\bnull (?:if|when|where|unless)\b/u

/** Fields that are worked out from what is said, unless somebody says the outcome. */
const RECKONED =
  /\b(?:total|sum|difference|remaining|left|gap|margin|average|mean|net|combined|altogether|overall|elapsed|change|lost|missing)\b/u
/** How somebody says an outcome. */
const RECKONING =
  /\b(?:total\p{L}*|altogether|in all|all told|sum|comes? to|came to|adds? up|makes?|difference|left|remain\p{L}*|gap|margin|average\p{L}*|mean|net|combined|overall|took|takes|lasted|lost|missing|minus|between|change\p{L}*|duration)\b/iu

/** Whether a field asks for a number that is worked out. */
const isReckoned = (leaf: Leaf): boolean =>
  (leaf.type === "number" || leaf.type === "integer") && RECKONED.test(identifierWords(leaf.name).join(" "))

/** Whether a field would rather have nothing than a value that is not stated. */
export const wantsStated = ({ words }: Leaf): boolean => STATED_ONLY.test(words)

/** Words of a name that fit any field: a sentence with "number" in it is about no case in particular. */
const GENERAL =
  /^(?:has|have|is|are|was|were|does|number|name|title|date|days?|years?|time|seconds?|minutes?|hours?|percent|dollars?|euros?|amount|total|type|kind|count|id|value|text)$/u

/** The words of a name or a label that tell it from others, or all of them where none does. */
export const tellingWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const telling = words.filter((word) => !GENERAL.test(word))
  return telling.length > 0 ? telling : words
}

/** The stems by which a field is named, its noun last. */
const namedBy = (leaf: Leaf): ReadonlyArray<string> => {
  const words = identifierWords(leaf.name).filter((word) => !STOP_WORDS.has(word))
  return Array.from(new Set(tellingWords(words).map(stem)))
}

/** How a description asks, whatever it asks for. */
const ASKING =
  /^(?:only|show|shown|said|say|says|state|stated|give|given|null|nothing|true|false|nobody|whether|if|one)$/u

/** The stems of a field's own words and of those that describe it. */
const describedBy = (leaf: Leaf): ReadonlyArray<string> => {
  const words = leaf.words.match(/[\p{L}-]+/gu) ?? []
  const telling = words.filter((word) => !STOP_WORDS.has(word) && !GENERAL.test(word) && !ASKING.test(word))
  return Array.from(new Set(telling.map(stem)))
}

const hits = (text: string, stems: ReadonlyArray<string>): number => {
  const said = new Set(tokenise(text).map(({ norm }) => stem(norm)))
  return stems.filter((one) => said.has(one)).length
}

/** An hour of speech has thousands of sentences and tens of thousands of guesses to look up. */
const sentencesBy = (sentences: ReadonlyArray<Sentence>): ReadonlyMap<Passage, ReadonlyArray<Sentence>> =>
  Map.groupBy(sentences, ({ passage }) => passage)

/**
 * Whether a guess may stand for a field whose description would rather have nothing than a guess. It may where its own
 * sentence, or the question right before it, names the field: with every word of the name for a yes or no (in an answer, if
 * that is one word), with its noun and half of its words or two words of its description otherwise, with the very label for
 * an enum. A question states nothing, and neither does what is only supposed. Other fields take every guess.
 */
export const mayStand = ({ sentences }: Material): (one: Ranked) => boolean => {
  const around = sentencesBy(sentences)
  const heard = sentences.filter(({ passage }) => passage.modality === "audio")
  const before = new Map<Sentence, Sentence | undefined>(heard.map((sentence, at) => [sentence, heard[at - 1]]))
  // An hour has thousands of candidates for one field.
  const known = new Map<Leaf, { readonly reckoned: boolean; readonly only: boolean }>()
  return ({ candidate: { from, label, passage, text, to }, leaf, manner, rule, value }) => {
    if (rule !== undefined) return true
    const wants = known.get(leaf) ?? { reckoned: isReckoned(leaf), only: wantsStated(leaf) }
    known.set(leaf, wants)
    if (!wants.reckoned && !wants.only) return true
    const own = around.get(passage)?.find((one) => one.from < to && from < one.to)
    if (wants.reckoned && !RECKONING.test(`${label ?? ""} ${own?.text ?? passage.text}`)) return false
    if (!wants.only) return true
    if (own === undefined || asks(own.text) || supposes(own.text)) return false
    if (leaf.type === "enum") return spokenLabels(String(value)).includes(text.toLowerCase())
    // A label that called this field would have given it its value by rule.
    if (label !== undefined && leaf.type !== "boolean") return false
    const stems = namedBy(leaf)
    // "We saw a flat with a lift" has the only word of `has_lift` and says nothing of this one.
    if (leaf.type === "boolean" && stems.length === 1 && manner !== "answered") return false
    const needed = leaf.type === "boolean" ? stems.length : Math.ceil(stems.length / 2)
    const described = leaf.type === "boolean" ? [] : describedBy(leaf)
    const names = (said: string): boolean =>
      (hits(said, stems) >= needed && hits(said, stems.slice(-1)) > 0) || hits(said, described) >= 2
    const question = before.get(own)
    return names(own.text) || (question !== undefined && asks(question.text) && names(question.text))
  }
}

/** Below what the screen says plainly and what speakers say of themselves, above what is only likely. */
const PLAINLY = 0.9
const LINK = /^(?:is|are|was|were|of|at|about|around|comes|came|only|just|exactly|roughly|now|the|an?)$/u

/** How many of a passage's tokens end at or before a character: by halves, since a passage may be as long as a video. */
const tokensBefore = ({ tokens }: Passage, at: number): number => {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokens[middle]!.to <= at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Numbers that follow their field's own words: "the damage is about four thousand dollars", "a refund of twelve dollars". Of
 * names the same rule took 0.02 from the F1 of dialogues, where "the restaurant is" opens more than it names.
 */
export const saidPlainly = (material: Material, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Ranked> => {
  const around = sentencesBy(material.sentences)
  return leaves.filter(({ type }) => type === "number" || type === "integer").flatMap((leaf) => {
    const stems = namedBy(leaf)
    const candidates = candidatesFor(material.reading, leaf)
    const said = candidates.filter(({ candidate }) => {
      const { from, passage, to } = candidate
      if (passage.modality !== "audio" || kindPrior(leaf, candidate) < 0.5) return false
      const upTo = tokensBefore(passage, from)
      const before = passage.tokens.slice(Math.max(0, upTo - 12), upTo)
      const linked = before.findLastIndex(({ norm }) => !LINK.test(norm)) + 1
      const named = new Set(before.slice(Math.max(0, linked - stems.length - 1), linked).map(({ norm }) => stem(norm)))
      if (linked === before.length || !stems.every((one) => named.has(one))) return false
      const own = around.get(passage)?.find((one) => one.from <= from && to <= one.to)
      return own !== undefined && before[Math.max(0, linked - stems.length)]!.from >= own.from && !asks(own.text) &&
        !supposes(own.text)
    })
    // "Twenty percent" and "ten minutes" rather than the number in them.
    const whole = said.map((one) =>
      candidates.filter(({ candidate: { from, passage }, value }) =>
        passage === one.candidate.passage && from === one.candidate.from && value === one.value
      ).toSorted((a, b) => b.candidate.to - a.candidate.to)[0]!
    )
    return whole.map(({ candidate, value }) => ({ leaf, candidate, value, score: PLAINLY, rule: "said-plainly" }))
  })
}
