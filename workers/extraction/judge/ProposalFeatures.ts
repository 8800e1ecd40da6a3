import type { Reading } from "../candidates/Reading.ts"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { ORGANISATION_WORD, PLACE_END, soughtType } from "../lexicon/NameTypes.ts"
import { NEGATION } from "../lexicon/Polarity.ts"
import { Context } from "../ranking/RankFeatures.ts"
import type { Kind } from "../text/Candidate.ts"
import { type Leaf, type List, listLeaves, type Plan } from "../text/Plan.ts"
import type { Sentence } from "../text/Sentences.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, stem, tokenise } from "../text/Tokens.ts"
import type { Judgeable } from "./Judgeable.ts"
import { CITED_FEATURES, judgeContext } from "./JudgeFeatures.ts"
import { STANDING_FEATURES, standingContext } from "./StandingFeatures.ts"

const KINDS = [
  ...["date", "time", "name", "money", "percent", "duration", "phone"] as const,
  ...["email", "url", "address", "code", "number", "phrase"] as const
] satisfies ReadonlyArray<Kind>

/** What a field asks for, by its name and description. */
const FIELD = [
  ...KINDS.map((kind) => `wants_${kind}` as const),
  ...["wants_person", "wants_place", "wants_organisation", "wants_title", "is_text", "is_integer"] as const,
  ...["has_format", "has_pattern", "name_words", "description_words", "asks_prose", "asks_count"] as const,
  ...["asks_year", "asks_name", "asks_code"] as const
] as const

/** What the value looks like, whatever it is for. */
const VALUE = [
  ...["value_words", "value_length", "capital", "capitals", "digits", "lower_case", "sentence"] as const,
  ...["first_name", "organisation", "place_name", "iso_date", "clock_time", "currency_quoted"] as const,
  ...["share_of_quote", "magnitude", "whole", "year_like", "small", "yes", "in_description", "in_name"] as const
] as const

/** How well the cited lines and those before them speak of the field and of the others of its type. */
const TIE = [
  ...["tie", "tie_other", "tied_better", "tie_of_best", "tie_other_of_best", "rare_tie"] as const,
  ...["rare_tie_other", "tie_cited", "tie_here"] as const
] as const

/** How the value follows from its quote, and how it is answered there. */
const ANSWER = [
  ...["classified", "computed", "generated", "fuzzy", "citations", "denies", "denies_yes", "says_no"] as const,
  ...["says_yes", "says_otherwise", "question_before"] as const
] as const

/** Where the rest of its entry stands, and where the entries beside it. */
const NEIGHBOURS = [
  ...["siblings", "sibling_distance", "others_distance", "nearer_others", "sibling_beside", "others_beside"] as const
] as const

/** What tells a proposal that answers its field from one whose true quote is about something else. */
export const PROPOSAL_FEATURES = [
  ...CITED_FEATURES,
  ...FIELD,
  ...VALUE,
  ...TIE,
  ...ANSWER,
  ...NEIGHBOURS,
  ...STANDING_FEATURES
] as const

/** Of the built-in's judge: who proposed it, and how full its entry is, which a model's answer says nothing by. */
const UNTOLD = new Set(
  "by_rule_on_screen by_rule_in_speech entry_of_records entry_of_texts proposed lead rival cited_twice entry_filled entries"
    .split(" ")
)
const untold = CITED_FEATURES.flatMap((name, at) => UNTOLD.has(name) ? [at] : [])

const PROSE =
  /\b(?:summary|why|reason|describe|description|notes?|how|explain|advice|comment|cause|issue|problem|instruction|sentence|what)\b/u
const NO = /^\W*(?:no|nope|nah|not|never|none)\b/iu
const YES = /^\W*(?:yes|yeah|yep|sure|of course|absolutely|correct|right|definitely)\b/iu

const flag = (condition: boolean): number => condition ? 1 : 0
const upTo = (most: number, count: number): number => Math.min(most, count) / most
const highest = (some: ReadonlyArray<number>): number => some.reduce((high, one) => Math.max(high, one), 0)
const groupOf = ({ type }: Leaf): string => type === "integer" ? "number" : type
const parentOf = (template: string): string => template.slice(0, template.lastIndexOf("/"))
const withNested = (lists: ReadonlyArray<List>): ReadonlyArray<List> =>
  lists.flatMap((list) => [list, ...withNested(list.nested)])

const fieldFeatures = (leaf: Leaf): ReadonlyArray<number> => {
  const sought = leaf.type === "string" ? soughtType(leaf) : null
  const { description, format, pattern } = leaf.schema
  return [
    ...KINDS.map((kind) => leaf.kinds.get(kind) ?? 0),
    ...(["person", "place", "organisation", "title"] as const).map((type) => flag(sought === type)),
    flag(leaf.type === "string"),
    flag(leaf.type === "integer"),
    flag(format !== undefined),
    flag(pattern !== undefined),
    identifierWords(leaf.name).length,
    upTo(20, typeof description === "string" ? description.split(/\s+/u).length : 0),
    flag(PROSE.test(leaf.words)),
    flag(/\b(?:number of|count|how many|total)\b/u.test(leaf.words)),
    flag(/\byear\b/u.test(leaf.words)),
    flag(/\bname\b/u.test(leaf.words)),
    flag(/\b(?:id|code|number|reference|ref|serial|registration|model)\b/u.test(leaf.words))
  ]
}

const valueFeatures = ({ quote, value }: Judgeable, leaf: Leaf): ReadonlyArray<number> => {
  const text = typeof value === "string" ? value : ""
  const words = text === "" ? [] : text.split(/\s+/u)
  const number = typeof value === "number" ? value : undefined
  const whole = number !== undefined && Number.isInteger(number)
  const { description } = leaf.schema
  const said = typeof description === "string" ? description.toLowerCase() : ""
  const named = new Set(tokenise(leaf.words).map(({ norm }) => stem(norm)))
  return [
    upTo(20, words.length),
    upTo(80, text.length),
    flag(/^\p{Lu}/u.test(text)),
    words.filter((word) => /^\p{Lu}/u.test(word)).length / Math.max(1, words.length),
    text.replaceAll(/\D/gu, "").length / Math.max(1, text.length),
    flag(text !== "" && !/\p{Lu}|\d/u.test(text)),
    flag(/[.!?]$/u.test(text)),
    flag(FIRST_NAMES.has(words[0]?.toLowerCase() ?? "")),
    flag(ORGANISATION_WORD.test(text)),
    flag(PLACE_END.test(text)),
    flag(/^\d{4}-\d\d-\d\d/u.test(text)),
    flag(/^\d{1,2}:\d\d/u.test(text)),
    flag(/[$€£]/u.test(quote)),
    Math.min(1, text.length / Math.max(1, quote.length)),
    number === undefined ? 0 : Math.sign(number) * Math.log10(1 + Math.abs(number)),
    flag(whole),
    flag(whole && number >= 1900 && number < 2100),
    flag(number !== undefined && number <= 12),
    flag(value === true),
    flag(words.some((word) => word.length > 3 && said.includes(word.toLowerCase()))),
    flag(tokenise(text).some(({ norm }) => norm.length > 3 && named.has(stem(norm))))
  ]
}

/** The part of a field's words that some stems have, each word as heavy as it weighs in the field and by `heaviness`. */
const tieOf = ({ terms }: Leaf, stems: ReadonlySet<string>, heaviness: (term: string) => number = () => 1): number => {
  let [own, all] = [0, 0]
  for (const [term, weight] of terms) {
    const heavy = weight * heaviness(term)
    all += heavy
    if (stems.has(term)) own += heavy
  }
  return all === 0 ? 0 : own / all
}

const answerFeatures = (
  { citations, grade, support, value }: Judgeable,
  { text }: Passage,
  before: Passage | undefined
): ReadonlyArray<number> => {
  const boolean = typeof value === "boolean"
  const [denies, no, yes] = [NEGATION.test(text), NO.test(text), YES.test(text)]
  return [
    flag(grade === "classified"),
    flag(grade === "computed"),
    flag(grade === "generated"),
    flag(support === "fuzzy"),
    upTo(5, citations.length),
    flag(denies),
    flag(boolean && denies === value),
    flag(boolean && no),
    flag(boolean && yes),
    flag(boolean && ((no && value) || (yes && !value))),
    flag(before?.text.includes("?") === true)
  ]
}

/** Farther than this many passages two values of one entry are not near each other. */
const farthest = 12

const distanceTo = ({ span: { passage } }: Judgeable, some: ReadonlyArray<Judgeable>): number =>
  some.reduce(
    (low, { span }) =>
      span.passage.modality === passage.modality ? Math.min(low, Math.abs(span.passage.index - passage.index)) : low,
    farthest
  )

/** Judges what a model proposes for one source and schema. */
export interface ProposalContext {
  /** What a proposal is judged by, in the order of `PROPOSAL_FEATURES`. */
  readonly of: (draft: Judgeable) => ReadonlyArray<number>
}

/**
 * Prepares the judging of proposals that a model made: all of them are `all`, and `standing` those among which each is judged, which
 * tell where its entry is spoken of. Pure.
 */
export const proposalContext = (
  reading: Reading,
  sentences: ReadonlyArray<Sentence>,
  plan: Plan,
  all: ReadonlyArray<Judgeable>,
  standing: ReadonlyArray<Judgeable> = all
): ProposalContext => {
  const judge = judgeContext(reading, sentences, plan, all, withNested(plan.lists))
  const leaves = [...plan.leaves, ...plan.lists.flatMap(listLeaves), ...plan.maps.map(({ leaf }) => leaf)]
  const leafAt = new Map(leaves.map((leaf) => [leaf.template, leaf]))
  const alike = Map.groupBy(leaves, groupOf)
  const context = new Context(reading, leaves)
  const beside = Map.groupBy(standing, ({ pointer_template }) => parentOf(pointer_template))
  const spokenOf = (leaf: Leaf, index: number): number => context.at(leaf, index) + 0.7 * context.at(leaf, index - 1)
  const most = new Map<Leaf, number>()
  /** How much a field is spoken of at a passage, beside where it is spoken of most. */
  const ofBest = (leaf: Leaf, at: number): number => {
    const best = most.get(leaf) ?? Math.max(1e-9, highest(reading.passages.map(({ index }) => spokenOf(leaf, index))))
    most.set(leaf, best)
    return spokenOf(leaf, at) / best
  }
  const goesWith = standingContext(leaves, standing, reading.document.duration_seconds)
  const rarity = (term: string): number => Math.min(4, reading.rarity.get(term) ?? 4)

  const tieFeatures = ({ citations, span: { passage } }: Judgeable, leaf: Leaf, before: Passage | undefined) => {
    const here = new Set(passage.tokens.map(({ norm }) => stem(norm)))
    const near = new Set([...here, ...(before?.tokens ?? []).map(({ norm }) => stem(norm))])
    const cited = new Set([
      ...near,
      ...citations.flatMap(({ quote }) => tokenise(quote).map(({ norm }) => stem(norm)))
    ])
    const others = alike.get(groupOf(leaf))!.filter((other) => other !== leaf)
    const own = tieOf(leaf, near)
    const ties = others.map((other) => tieOf(other, near))
    return [
      own,
      highest(ties),
      ties.filter((tie) => tie > own).length / Math.max(1, ties.length),
      ofBest(leaf, passage.index),
      highest(others.map((other) => ofBest(other, passage.index))),
      tieOf(leaf, near, rarity),
      highest(others.map((other) => tieOf(other, near, rarity))),
      tieOf(leaf, cited),
      tieOf(leaf, here)
    ]
  }

  const neighbourFeatures = (draft: Judgeable): ReadonlyArray<number> => {
    const { item_key, pointer_template } = draft
    const near = beside.get(parentOf(pointer_template)) ?? []
    const siblings = near.filter((one) => one.item_key === item_key && one.pointer_template !== pointer_template)
    const others = item_key === undefined ? [] : near.filter((one) => one.item_key !== item_key)
    const [own, other] = [distanceTo(draft, siblings), distanceTo(draft, others)]
    return [upTo(8, siblings.length), own, other, own - other, flag(own === 0), flag(other === 0)]
  }

  const of = (draft: Judgeable): ReadonlyArray<number> => {
    const leaf = leafAt.get(draft.pointer_template)
    if (leaf === undefined) return PROPOSAL_FEATURES.map(() => 0)
    const judged = [...judge.cited(draft)]
    for (const at of untold) judged[at] = 0
    const { passage } = draft.span
    const above = reading.passages[passage.index - 1]
    const before = above?.modality === passage.modality ? above : undefined
    return [
      ...judged,
      ...fieldFeatures(leaf),
      ...valueFeatures(draft, leaf),
      ...tieFeatures(draft, leaf, before),
      ...answerFeatures(draft, passage, before),
      ...neighbourFeatures(draft),
      ...goesWith(draft, leaf)
    ]
  }
  return { of }
}
