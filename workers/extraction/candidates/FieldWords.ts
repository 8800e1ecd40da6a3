import { verbsIn } from "../text/EvokedWords.ts"
import type { Leaf } from "../text/Plan.ts"
import { type Passage, sentencesWithin } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, type Token, tokenise } from "../text/Tokens.ts"
import { ADVERB, propositionOf, saysWhatBecomes } from "./Propositions.ts"
import type { Reading } from "./Reading.ts"

// Stems that any yes-or-no field's name or description may hold and that say nothing about which field it is.
const EMPTY_STEM =
  /^(?:whether|flag|boolean|has|need|requir|includ|availabl?|provid|offer|plac|place|want|user|reserv|number|should|restaurant|hotel|hous|car|rid|ride|add|trip|serv|servic|salon|accommodat|event|transact|privat|attract|attraction|free|property|allow|permit|show|cinema|home|indicat|desir|option|adequat|insid|good|welcom|tak|take|book|movi|dentist|doctor|person|thing|true|fals|false|yes|set)$/u

/** How a description asks, whatever it asks for: "null if nobody says so" is about no field. */
const ASKING_STEM =
  /^(?:only|shown|said|say|state|stated|stat|give|given|giv|null|none|nothing|nobody|anybody|anyone|somebody|someone|unless|otherwis|one|video)$/u

const groups = (...some: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  some.map((group) => group.split(" ").map(stem))

/** Stems that mean the same as a telling one: fields are named by one word and spoken of by another. */
const SAME = groups(
  "subtitle caption",
  "wifi wi-fi internet",
  "kid child children",
  "entry entrance admission",
  "outdoor outside outdoors",
  "share shared sharing",
  "refund refundable",
  "smoke smoking",
  "injury injuries injured hurt casualty casualties",
  "medication medicine medicines pill tablet",
  "advertising advert ad ads advertisement",
  "bath bathtub tub",
  "bike bicycle",
  "ebike e-bike",
  "lift elevator",
  "vaccinated vaccination vaccine jab",
  "loss losses lost lose"
)

/** A kind of thing, and the things of that kind: who has a cat has a pet, who has no cat or has a pet says nothing of the other. */
const KINDS = groups(
  "pet dog cat",
  "animal pet dog cat",
  "alcohol liquor wine beer",
  "drinks alcohol liquor wine beer",
  "family child children kid",
  "vegetarian vegan",
  "parking garage",
  "outdoor patio terrace"
)

const unique = (stems: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(stems))

/** "Foldable", "profitable", "delivery": stems of what is made of a verb or a noun, which say it as well. */
const MADE_OF = /^(\p{L}{3,}?)(?:abl|ibl|(?<=[lnrtv]er)y)$/u

const withSame = (own: ReadonlyArray<string>): ReadonlyArray<string> =>
  unique([
    ...own,
    ...own.flatMap((term) => MADE_OF.exec(term)?.[1] ?? []),
    ...SAME.filter((group) => own.some((term) => group.includes(term))).flat()
  ])

/** Stems that say of a thing that it is one of these: its own, their synonyms, and those of its kinds. */
export const sameAs = (own: ReadonlyArray<string>): ReadonlyArray<string> => {
  const same = withSame(own)
  return unique([...same, ...KINDS.filter(([kind]) => same.includes(kind!)).flat()])
}

/** The stems of a field's name that tell it from others. */
export const namedStems = (leaf: Leaf): ReadonlyArray<string> =>
  Array.from(leaf.terms).flatMap(([term, weight]) => weight >= 0.9 && !EMPTY_STEM.test(term) ? [term] : [])

/** A field's own stems and their synonyms: denied, they deny the field. */
export const ownStems = (leaf: Leaf): ReadonlyArray<string> => {
  const proposition = propositionOf(leaf)
  if (proposition !== undefined) return proposition.predicate
  const of = (least: number): ReadonlyArray<string> =>
    Array.from(leaf.terms).flatMap(([term, weight]) => weight >= least ? [term] : [])
  const described = of(0.6).filter((term) => !EMPTY_STEM.test(term) && !ASKING_STEM.test(term))
  const own = [namedStems(leaf), described].find((terms) => terms.length > 0) ?? of(0.9)
  return withSame(own)
}

/** The stems that state a yes-or-no field: its name's predicate, else those of its name, or of its description where its name has none, and of their kinds. */
export const statingStems = (leaf: Leaf): ReadonlyArray<string> => sameAs(ownStems(leaf))

/**
 * The stems that a yes-or-no field is recognised by. Those of the kind that its thing is of find a question ("Any pets?" for
 * a dog) and state nothing; its siblings, cats for dogs, do neither.
 */
export const tellingStems = (leaf: Leaf): ReadonlyArray<string> => {
  const own = ownStems(leaf)
  const kinds = KINDS.flatMap(([kind, ...things]) => things.some((thing) => own.includes(thing)) ? [kind!] : [])
  return unique([...sameAs(own), ...withSame(kinds)])
}

/** The stems of what a description says the name of: "Whether the migration finished" is about the migration. */
const describedSubject = ({ name, schema }: Leaf): ReadonlyArray<string> => {
  const [only, ...others] = identifierWords(name).filter((word) => !STOP_WORDS.has(word))
  if (only === undefined || others.length > 0 || !saysWhatBecomes(only)) return []
  const words = String(schema["description"] ?? "").toLowerCase().match(/[\p{L}-]+/gu) ?? []
  const from = words.findIndex((word) => /^(?:whether|if|that)$/u.test(word))
  const to = words.findIndex((word, at) => at > from && stem(word) === stem(only))
  return words.slice(from < 0 ? words.length : from + 1, Math.max(0, to))
    .filter((word) => !STOP_WORDS.has(word) && !ADVERB.test(word)).map(stem)
    .filter((term) => !EMPTY_STEM.test(term) && !ASKING_STEM.test(term))
}

/** The stems of what a field is about: its name's own subject, or its description's where the name is a predicate alone. */
const subjectStems = (leaf: Leaf): ReadonlyArray<string> => propositionOf(leaf)?.subject ?? describedSubject(leaf)

const POINTS_BACK = /\b(?:it|that|this|they|these|those|which|both|all|everything)\b|^\W*$/iu
const POINTS_BACK_AFTER = /^\s+(?:it|that|this|them|these|those|both|all|everything|anything|nothing)\b/iu
/** How many passages, and characters of its own, a pronoun is followed back. */
const BACK = 3
const BACK_CHARACTERS = 1000

interface Said {
  readonly from: number
  readonly text: string
}

const sentenceIndex = (passage: Passage, at: number): number => {
  const sentences = sentencesWithin(passage)
  let [low, high] = [0, sentences.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sentences[middle]!.from <= at) low = middle
    else high = middle - 1
  }
  return low
}

const saidWithin = (passage: Passage, { from, to }: { readonly from: number; readonly to: number }): Said => ({
  from,
  text: passage.text.slice(from, to).trimEnd()
})

/** The sentence that a character of a passage is in. */
export const sentenceAt = (passage: Passage, at: number): Said =>
  saidWithin(passage, sentencesWithin(passage)[sentenceIndex(passage, at)] ?? { from: 0, to: passage.text.length })

/** So many sentences of a passage right behind the one that a character is in. */
export const sentencesAfter = (passage: Passage, at: number, count: number): ReadonlyArray<Said> => {
  const next = sentenceIndex(passage, at) + 1
  return sentencesWithin(passage).slice(next, next + count).map((one) => saidWithin(passage, one))
}

/** Names and descriptions that ask what is to come, has to be or may be. */
const ASKS_TO_COME =
  /\b(?:will|would|should|shall|must|may|might|can|could|plan(?:s|ned)?|intend(?:s|ed)?|expect(?:s|ed)?|want(?:s|ed)?|wish(?:es)?|need(?:s|ed)?|requir(?:es|ed?)|mandatory|compulsory|obligatory|necessary|scheduled|upcoming|next|future|propos(?:es|ed)|possible|likely|to be|going to)\b/iu

/** Whether a field asks what is to come, has to be or may be, so that such a statement answers it. */
export const asksToCome = ({ name, schema }: Leaf): boolean =>
  ASKS_TO_COME.test(`${identifierWords(name).join(" ")} ${String(schema["description"] ?? "")}`)

/** Whether a text names a subject, and no other of its kind: "the away team" is not the home team, "the team" may be. */
const namesSubject = (subject: ReadonlyArray<string>): (text: string) => boolean => {
  const same = withSame(subject)
  const named = new Set([...same, ...same.flatMap((term) => verbsIn(term))])
  return (text) => {
    const tokens = tokenise(text)
    return tokens.some(({ norm }, at) => {
      // An inspector makes the inspection.
      if (![stem(norm), ...verbsIn(norm)].some((term) => named.has(term))) return false
      const before = at > 0 && tokens[at]!.gap === "space" ? tokens[at - 1]!.norm : undefined
      return subject.length < 2 || before === undefined || STOP_WORDS.has(before) || !/^\p{L}{3,}$/u.test(before) ||
        named.has(stem(before))
    })
  }
}

/**
 * Whether a statement in a field's predicate is about what the field is about: somebody's finished coffee is no finished
 * migration. What "it" is was said shortly before. Always so for fields without a predicate.
 */
export const aboutSubject = (reading: Reading, leaf: Leaf): (passage: Passage, word: Token) => boolean => {
  const subject = subjectStems(leaf)
  if (subject.length === 0) return () => true
  const names = namesSubject(subject)
  const stems = withSame(subject)
  return (passage, { from, to }) => {
    const sentence = sentenceAt(passage, from)
    if (names(sentence.text)) return true
    const refers = POINTS_BACK.test(passage.text.slice(sentence.from, from)) ||
      POINTS_BACK_AFTER.test(passage.text.slice(to))
    const before = reading.stems.slice(Math.max(0, passage.index - BACK), passage.index)
    return refers && (names(passage.text.slice(Math.max(0, sentence.from - BACK_CHARACTERS), sentence.from)) ||
      before.some((said) => stems.some((term) => said.has(term))))
  }
}
