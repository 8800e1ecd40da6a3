import type { Material } from "../candidates/Mention.ts"
import { countedNouns } from "../judge/Ties.ts"
import { unitsOf } from "../lexicon/Units.ts"
import type { Ranked } from "../ranking/Rank.ts"
import { COUNTED } from "../text/Concepts.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks, supposes } from "../text/Sentences.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"
import { stated } from "./ScreenFields.ts"

const PEOPLE =
  /^(?:people|persons?|guests?|members?|attendees?|participants?|visitors?|passengers?|children|pupils?|students?|patients?|employees?|staff|volunteers?|residents?|absentees|walkers|men|women)$/u
/** Whom something happened to: people by what is said of them. */
const AFFECTED = /^(?:victims?|casualties|injured|wounded|killed|dead|missing)$/u
const NOBODY = /\b(?:nobody|no[ -]one|not a (?:single )?(?:soul|person))\b/giu
const NONE = /\b(?:no|none|zero|not (?:a single|one))\s+(?:(?:more|further|new|other)\s+)?(\p{L}+)/giu
/** Words of a count's field that name neither what is counted nor what it did. */
const COUNTING =
  /^(?:number|count|total|num|nr|how|many|people|person|who|that|which|anybody|anyone|all|were|been|got)$/u

/** Below what is labelled, as sure as a number that follows its field's words. */
const SCORE = 0.9

/** "injuries", "queen_cells", "accidents_reported": a plural that nothing measures. */
const isCounted = (word: string): boolean =>
  word.length > 4 && /[^su]s$/u.test(word) && unitsOf(word).size === 0 && !/^(?:points|goals|sales|times)$/u.test(word)

/** Whom or what a field counts: by its description, by the people that its name has, or by the plural in it. */
const nounsOf = (leaf: Leaf): ReadonlyArray<string> => {
  if (leaf.type !== "integer" && leaf.type !== "number") return []
  const words = identifierWords(leaf.name)
  const plurals = leaf.type === "integer" && words.length <= 2 ? words.filter(isCounted) : []
  return [...countedNouns(leaf), ...words.filter((word) => PEOPLE.test(word) || AFFECTED.test(word)), ...plurals]
}

/** What they did or what became of them: the field's other words. */
const telling = (leaf: Leaf, nouns: ReadonlyArray<string>): ReadonlySet<string> => {
  const own = new Set(nouns.filter((noun) => !AFFECTED.test(noun)).map(stem))
  const words = [
    ...identifierWords(leaf.name),
    ...tokenise(String(leaf.schema["description"] ?? "")).map(({ norm }) => norm)
  ]
  return new Set(
    words.filter((word) => word.length > 2 && !STOP_WORDS.has(word) && !COUNTING.test(word) && !own.has(stem(word)))
      .map(stem)
  )
}

/** So many letters two words of one root begin alike with: "injuries" and "injured", "complaints" and "complained". */
const ROOT = 5
const rootOf = (word: string): string => stem(word).slice(0, ROOT)

const FEE = /^(?:fee|charge|deposit|surcharge|cost|price|fare|penalty|toll|premium|rent|interest)s?$/u

/** "There's no joining fee", "NO JOINING FEE": 0 for `joining_fee`, where all of a sum's name is denied. */
const noFee = ({ reading: { suspects }, sentences }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const words = identifierWords(leaf.name).filter((word) => unitsOf(word).size === 0)
  if ((leaf.kinds.get("money") ?? 0) < 0.5 || leaf.type === "string" || words.length < 2 || !FEE.test(words.at(-1)!)) {
    return []
  }
  const called = words.map(stem).join(" ")
  return sentences.flatMap(({ from, passage, text }) => {
    if (suspects.has(passage.index) || asks(text) || supposes(text)) return []
    const tokens = tokenise(text)
    const at = tokens.findIndex(({ norm }, place) =>
      norm === "no" &&
      tokens.slice(place + 1, place + 1 + words.length).map((one) => stem(one.norm)).join(" ") === called
    )
    if (at < 0) return []
    const [first, last] = [tokens[at]!, tokens[at + words.length]!]
    return [stated("number-of", leaf, { passage, from: from + first.from, to: from + last.to }, SCORE, 0)]
  })
}

/**
 * "Nobody joined" for the number of people who joined, "no injuries" for the number of injuries, and so
 * "nobody was injured": none are 0, where the sentence says of
 * what the field counts what the field says of it. A question says nothing, and neither does what is only supposed.
 */
export const noneCounted = (material: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const { sentences } = material
  const nouns = nounsOf(leaf)
  if (nouns.length === 0) return noFee(material, leaf)
  const [called, did, people] = [
    new Set(nouns.map(stem)),
    telling(leaf, nouns),
    nouns.some((noun) => PEOPLE.test(noun) || AFFECTED.test(noun))
  ]
  const happened = new Set(nouns.map(rootOf).filter(({ length }) => length >= ROOT))
  const isCalled = (word: string): boolean =>
    called.has(stem(word)) ||
    COUNTED.some((group) => group.includes(word) && nouns.some((noun) => group.includes(noun)))
  return sentences.flatMap((sentence) => {
    const { from, passage, text } = sentence
    if (passage.modality !== "audio" || asks(text) || supposes(text)) return []
    const tokens = tokenise(text)
    const clauseFrom = (after: number): ReadonlyArray<string> =>
      tokens.filter((token) => token.from >= after && !/[,;]/u.test(text.slice(after, token.from)))
        .slice(0, 6)
        .map(({ norm }) => norm)
    const tells = (after: number): boolean => clauseFrom(after).some((word) => did.has(stem(word)))
    const nobody = Array.from(text.matchAll(NOBODY)).filter(({ 0: said, index }) => {
      const after = index + said.length
      return people
        ? tells(after)
        : did.size === 0 && clauseFrom(after).slice(0, 2).some((word) => happened.has(rootOf(word)))
    })
    const none = Array.from(text.matchAll(NONE)).filter(({ 0: said, 1: noun, index }) =>
      isCalled(noun!.toLowerCase()) &&
      (did.size === 0 || tells(index + said.length) || did.has(stem(noun!.toLowerCase())))
    )
    return [...nobody, ...none].map(({ 0: said, index }) =>
      stated("number-of", leaf, { passage, from: from + index, to: from + index + said.length }, SCORE, 0)
    )
  })
}
