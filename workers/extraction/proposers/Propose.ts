import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"
import { inForm, wantsDay } from "../candidates/LeafCandidates.ts"
import type { Material } from "../candidates/Mention.ts"
import type { Reading } from "../candidates/Reading.ts"
import { choicesBy } from "../choice/Choice.ts"
import { type Option, optionsOf } from "../choice/ChoiceFeatures.ts"
import { choiceTrees } from "../choice/ChoiceWeights.ts"
import { type Draft, draftOf, isToldByRule } from "../grounding/Draft.ts"
import { mayStand, saidPlainly } from "../grounding/ExplicitOnly.ts"
import type { Trees } from "../judge/Trees.ts"
import { toIsoDate } from "../lexicon/Dates.ts"
import { distinctBy, finderFor } from "../lists/kinds/ListKinds.ts"
import { listDrafts } from "../lists/Lists.ts"
import { innerDrafts } from "../lists/records/InnerTexts.ts"
import { recordDrafts, type RecordTrees, ruledEntries } from "../lists/records/Records.ts"
import { recordTrees } from "../lists/records/RecordWeights.ts"
import { chooseValues, type Ranked, type RankModel, rankValues } from "../ranking/Rank.ts"
import { CONVERSATION_RANK_MODEL, RANK_MODEL, UNCASED_RANK_MODEL } from "../ranking/RankWeights.ts"
import { reliabilityOf } from "../ranking/Reliability.ts"
import type { Leaf, Plan } from "../text/Plan.ts"
import { ORDERED } from "../text/PromptInjection.ts"
import { supposes } from "../text/Sentences.ts"
import { isConversation } from "../text/SourceDocument.ts"
import { countedBy, countedFields } from "./CountedFields.ts"
import { currencyFields } from "./Currencies.ts"
import { screenFields } from "./ScreenFields.ts"
import { ofOneThing } from "./SlidesOfOneThing.ts"
import { spokenFields } from "./SpokenFields.ts"
import { mayPresent } from "./WhoPresents.ts"

export interface Proposed {
  readonly drafts: ReadonlyArray<Draft>
  /** Per leaf, what was ranked behind the value that was proposed, best first. */
  readonly rivals: ReadonlyMap<string, ReadonlyArray<Draft>>
  /** Of single leaves that nothing is proposed for: what was ranked too low to be, best first. */
  readonly below: ReadonlyArray<Draft>
}

/** As many as a person looks at for one leaf that stayed open. */
const MOST_BELOW = 3
/** Less likely than this a value is noise: of an unanswered field the best one mostly is. */
const LEAST_BELOW = 0.05

/** A value that its field's pattern refuses is no candidate. */
const fitsPattern = ({ leaf: { schema: { pattern } }, value }: Ranked): boolean =>
  typeof pattern !== "string" || typeof value !== "string" || linearPattern(pattern).test(value)

/** Whether a person could take it. */
const isTakable = (one: Ranked): boolean => one.score >= LEAST_BELOW && fitsPattern(one)

/** What a day that is only named relative to the recording is worth beside one that is written out. */
const COUNTED_DAY = 0.6

/** The value in the form that the schema's `format` asks for, or undefined where the words do not settle one. */
const formatted = (one: Ranked, recordedAt: string | undefined): Ranked | undefined => {
  if (typeof one.value !== "string") return one
  const { day, text } = one.candidate
  const value = one.rule === undefined ? one.value : inForm(one.leaf, one.value, recordedAt)
  // "Friday" is settled by counting, "the 11th of June" by itself.
  const counted = wantsDay(one.leaf) && day === undefined && toIsoDate(text, recordedAt?.slice(0, 7)) === undefined
  return value === undefined ? undefined : { ...one, value, score: counted ? one.score * COUNTED_DAY : one.score }
}

/**
 * Whether a value stands in a sentence that only imagines it. A yes or no is read from its question as well, which may well
 * suppose: "if it had a pool, would you take it?".
 */
const isSupposed = ({ sentences }: Material): (one: Ranked) => boolean => {
  const supposed = sentences.filter(({ text }) => supposes(text))
  return ({ candidate: { from, passage }, leaf }) =>
    leaf.type !== "boolean" &&
    supposed.some((one) => one.passage === passage && one.from <= from && from < one.to)
}

/** Whether a value may stand for its field, by what says it and by who it is. */
const standing = (material: Material): (one: Ranked) => boolean => {
  const [stands, presents] = [mayStand(material), mayPresent(material)]
  return (one) => presents(one) && stands(one)
}

/** From a passage that gives orders nothing is guessed or taken at a rule's word, and what it states plainly is ranked lower; from a forged one nothing comes. */
const trusted = (one: Ranked, { reading }: Material): Ranked | undefined => {
  const suspicion = reading.suspects.get(one.candidate.passage.index)
  if (suspicion === undefined) return one
  return suspicion === "orders" && one.rule !== undefined && !isToldByRule(one)
    ? { ...one, score: one.score * ORDERED }
    : undefined
}

/**
 * Two people's talk by the weights that were fitted on dialogues in which a form of single fields is filled: of 49 conversations of our own footage 45 are asked for
 * a list as well, and boosted trees, which have not seen dialogues, are right there more often (clips: 28 values more, 7 fewer).
 */
const modelFor = (reading: Material["reading"], { lists }: Plan): RankModel =>
  reading.uncased
    ? UNCASED_RANK_MODEL
    : lists.length === 0 && isConversation(reading.document)
    ? CONVERSATION_RANK_MODEL
    : RANK_MODEL

/** `Label: value` lines on screen as keys and values. */
const mapDrafts = ({ reading }: Material, plan: Plan): ReadonlyArray<Draft> =>
  plan.maps.flatMap(({ leaf }) => {
    const number = leaf.type === "number" || leaf.type === "integer"
    const labelled = reading.candidates.filter((one) =>
      one.label !== undefined && (number ? ["number", "money", "percent"].includes(one.kind) : one.kind === "label")
    )
    return distinctBy(labelled, (one) => one.label).map((candidate): Draft =>
      draftOf(
        { leaf, candidate, value: candidate.value as string | number, score: 0.6, rule: "screen-map" },
        candidate.label
      )
    )
  })

/** A guess, however probable, stands behind what is said or shown in so many words. */
const order = ({ rule, score }: Ranked): number => rule !== undefined ? score : Math.min(score, 0.84)

/**
 * What is said or shown in so many words, the more reliable before the less, before what is only likely; what a passage that gives orders
 * says plainly is no more than likely.
 */
const toldFirst = ({ suspects }: Reading): (a: Ranked, b: Ranked) => number => {
  const reliability = ({ candidate: { passage }, rule }: Ranked): number =>
    rule === undefined || suspects.has(passage.index) ? 0 : reliabilityOf(`rules:${rule}`)
  return (a, b) => reliability(b) - reliability(a) || b.score - a.score
}

/** From this probability on boosted trees propose a value: whether it is given is for the judge to say. */
const PROPOSED = 0.06
/** From this on a value that is not given is told as another reading of its field. */
const RIVAL = 0.1

/** What may be said of single leaves, and what is proposed of it. */
interface Choosing {
  /** The strongest first. */
  readonly ranked: ReadonlyArray<Ranked>
  readonly isProposed: (one: Ranked) => boolean
  readonly rival: number
}

const asForm = (some: ReadonlyArray<Ranked>, { reading }: Material): ReadonlyArray<Ranked> =>
  some.flatMap((one) => formatted(one, reading.recordedAt) ?? [])

/** What rules say of single leaves. */
const ruled = (material: Material, open: ReadonlyArray<Leaf>): ReadonlyArray<Ranked> => [
  ...screenFields(material, open),
  ...spokenFields(material, open),
  ...currencyFields(material, open),
  ...saidPlainly(material, open)
]

const isOpen = (leaf: Leaf): boolean => leaf.expected !== "computed" && countedBy(leaf) === undefined

/** What boosted trees are to choose from: of each single leaf that is looked for, the values that it may have. */
export const choicesIn = (material: Material, plan: Plan): ReadonlyArray<ReadonlyArray<Option>> => {
  const open = plan.leaves.filter(isOpen)
  const supposed = isSupposed(material)
  const stands = standing(material)
  const rules = asForm(ruled(material, open).filter((one) => stands(one)), material).filter(fitsPattern)
  return optionsOf(
    material,
    plan,
    open,
    rules,
    RANK_MODEL,
    (one) => !supposed(one) && stands(one) && fitsPattern(one)
  )
}

/** Whether an entry is put together from names and values, or merely likely: where a rule knows its list, it has all of it. */
const isGuessed = ({ proposed_by }: Draft): boolean => /^(?:list:(?:entries|table)|ranker)$/u.test(proposed_by)

const propertyOf = ({ item_key, pointer_template }: Draft): string => `${item_key}|${pointer_template}`

/** Whether some drafts have a value of the same property of the same entry from the screen: what is put together from speech is no better. */
const shownBy = (drafts: ReadonlyArray<Draft>): (one: Draft) => boolean => {
  const shown = new Set(drafts.filter(({ span }) => span.passage.modality === "visual").map(propertyOf))
  return (one) => shown.has(propertyOf(one))
}

/** In two people's talk that fills a form, and without capitals, by the weights that were fitted on such dialogues; else by boosted trees. */
const choosing = (material: Material, plan: Plan, trees: Trees): Choosing => {
  const { reading } = material
  const model = modelFor(reading, plan)
  if (model === RANK_MODEL) {
    const ranked = choicesIn(material, plan).flatMap((options) => choicesBy(trees, options))
      .flatMap((one) => trusted(one, material) ?? [])
      .toSorted(toldFirst(reading))
    return { ranked, isProposed: ({ rule, score }) => rule !== undefined || score >= PROPOSED, rival: RIVAL }
  }
  const open = plan.leaves.filter(isOpen)
  const supposed = isSupposed(material)
  const stands = standing(material)
  const ranked = asForm(
    [...ruled(material, open), ...rankValues(reading, open, model, (one) => !supposed(one) && stands(one))]
      .filter((one) => stands(one)),
    material
  )
    .flatMap((one) => trusted(one, material) ?? [])
    .toSorted((a, b) => order(b) - order(a))
  return { ranked, isProposed: ({ score }) => score >= model.threshold, rival: model.threshold }
}

/**
 * Everything that the built-in extractor would say about a schema: ranked values for single leaves, recognised entries for
 * lists, labelled lines for maps. It only proposes; what cannot be verified is dropped after it.
 */
export const propose = (
  material: Material,
  plan: Plan,
  trees: Trees = choiceTrees,
  records: RecordTrees | null = recordTrees
): Proposed => {
  const model = modelFor(material.reading, plan)
  const { isProposed, ranked, rival } = choosing(material, plan, trees)
  const likeliest = chooseValues(ranked, isProposed)
  const chosen = chooseValues(ranked.filter(ofOneThing(material, likeliest.values())), isProposed)
  // What stands on a slide of another thing still tells that the source says another value as well.
  const rivals = new Map(Array.from(chosen.values(), (one) => [
    one.leaf.template,
    // A guess does not contradict what the screen says plainly; another plain statement does.
    ranked.filter((other) =>
      other.leaf === one.leaf && other !== one && (one.rule === undefined || other.rule !== undefined)
    )
      .filter((other) => other.score >= rival)
      .map((other) => draftOf(other))
  ]))
  const ruledLists = new Map(
    plan.lists.map((list) => [list, listDrafts(material, list, model, plan.lists, plan.leaves)])
  )
  const lists = Array.from(ruledLists.values()).flat()
  // Two people's talk, and speech without capitals, is nothing that these trees have seen.
  const entries = records === null || model !== RANK_MODEL
    ? []
    : plan.lists.flatMap((list) => {
      const ruled = ruledLists.get(list)!
      // A list that a finder knows by its name is empty where that finds nothing: no place is a decision.
      const isUnknown = finderFor(list) === undefined && ruled.every(isGuessed)
      const isShown = shownBy(ruled)
      return isUnknown
        ? recordDrafts(material, list, ruledEntries(list, ruled), records).filter((one) => !isShown(one))
        : []
    })
  const outer = Map.groupBy([...lists, ...entries], ({ pointer_template }) => pointer_template.split("/*")[0])
  const inner = plan.lists.flatMap((list) => innerDrafts(material, list, outer.get(list.template) ?? []))
  const singles = Array.from(chosen.values(), (one) => draftOf(one))
  const open_still = Map.groupBy(
    ranked.filter((one) => !chosen.has(one.leaf.template) && isTakable(one)),
    ({ leaf }) => leaf
  )
  const below = Array.from(
    open_still.values(),
    (some) => distinctBy(some, ({ value }) => value).slice(0, MOST_BELOW)
  ).flat().map((one) => draftOf(one))
  return {
    drafts: [
      ...singles,
      ...countedFields(material, plan.leaves),
      ...lists,
      ...entries,
      ...inner,
      ...mapDrafts(material, plan)
    ],
    rivals,
    below
  }
}
