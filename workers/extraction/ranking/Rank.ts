import { asksYear, rivalsFor, wantsDay } from "../candidates/LeafCandidates.ts"
import type { Reading } from "../candidates/Reading.ts"
import { isYearAlone } from "../lexicon/Dates.ts"
import type { Candidate, LeafCandidate } from "../text/Candidate.ts"
import { wantsClock } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import { normaliseValue } from "../text/Tokens.ts"
import { pairedClauses } from "./PairedClauses.ts"
import { Qualifiers } from "./Qualifiers.ts"
import { Context, featuresOf, labelOverlap } from "./RankFeatures.ts"
import type { Rule } from "./Reliability.ts"
import { stateFeatures } from "./StateChanges.ts"

/** Leaves that are ranked alike: what tells one number from another says little about names. */
export const LEAF_GROUPS = ["string", "number", "enum", "boolean"] as const
export type LeafGroup = (typeof LEAF_GROUPS)[number]
export const groupOf = ({ type }: Leaf): LeafGroup => type === "integer" ? "number" : type

/** One weight per feature. */
export type RankWeights = Readonly<Record<LeafGroup, ReadonlyArray<number>>>

/** Weights from one row per feature with a column per group: fitted constants are read that way. */
export const columns = (rows: ReadonlyArray<readonly [number, number, number, number]>): RankWeights => ({
  string: rows.map(([weight]) => weight),
  number: rows.map(([, weight]) => weight),
  enum: rows.map(([, , weight]) => weight),
  boolean: rows.map(([, , , weight]) => weight)
})

/** Weights by group of leaves, and the probability below which nothing is said. */
export interface RankModel {
  readonly weights: RankWeights
  /** One weight per comparison: how sure a value is beside the other values of its leaf and the other leaves of its value. */
  readonly comparison: ReadonlyArray<number>
  readonly threshold: number
}

/** A value for a leaf with the candidate that says it best. `score` is a probability. */
export interface Ranked extends LeafCandidate {
  readonly leaf: Leaf
  readonly score: number
  /** Which rule said it: then the score only ranks. */
  readonly rule?: Rule
}

/** A ranked value with what it was ranked by, in the order of `FEATURES`. */
export interface Described extends Ranked {
  readonly features: ReadonlyArray<number>
}

const probability = (features: ReadonlyArray<number>, weights: ReadonlyArray<number>): number => {
  let sum = 0
  for (let at = 0; at < features.length; at++) sum += features[at]! * (weights[at] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}

const HOPELESS = 0.02

/**
 * Only what has a form of its own (a name, a code, an address) may answer a field that nothing ties it to. Without this rule
 * for measures 13.3 instead of 12.6 of 100 leaves that left-out dialogues do not settle were invented, and F1 was no better;
 * without it for loose texts a field nobody speaks of took whatever was labelled or quoted.
 */
const NEEDS_TIE: ReadonlySet<Candidate["kind"]> = new Set([
  ...["number", "money", "percent", "duration", "date", "time"] as const,
  ...["label", "quoted", "phrase", "answer", "named"] as const
])

/** Pairs of leaf and candidate that are looked at, 3 s of work: an hour of speech with 30 leaves stays below it. */
const MOST_PAIRS = 1_000_000

/** The candidates around which a leaf is spoken of most, where there are more than there is time for. */
const mostSpokenOf = (
  candidates: ReadonlyArray<LeafCandidate>,
  leaf: Leaf,
  context: Context,
  most: number
): ReadonlyArray<LeafCandidate> => {
  if (candidates.length <= most) return candidates
  const spokenOf = ({ candidate: { passage } }: LeafCandidate): number =>
    context.at(leaf, passage.index) + context.at(leaf, passage.index - 1)
  return candidates
    .map((candidate, at) => ({ candidate, at, weight: spokenOf(candidate) }))
    .toSorted((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at)
    .map(({ candidate }) => candidate)
}

/**
 * What has the form that its field asks for stands for it without a word about the field: few days, years and times of the clock are told in
 * one video, and a title card gives its own with nothing beside it.
 */
const formOf = (leaf: Leaf): ((one: LeafCandidate) => boolean) | undefined => {
  if (wantsDay(leaf)) return ({ candidate: { kind } }) => kind === "date"
  if (wantsClock(leaf)) return ({ candidate: { kind } }) => kind === "time"
  if ((leaf.type === "integer" || leaf.type === "number") && asksYear(leaf)) {
    return ({ candidate: { text } }) => isYearAlone(text)
  }
  return undefined
}

/** What became of the candidates of a leaf is the same whatever leaves compete with it. */
const statesOf = new WeakMap<ReadonlyArray<LeafCandidate>, ReturnType<typeof stateFeatures>>()

/**
 * Candidates of all leaves with what a ranker is told about them; measures that nothing ties to their field are gone. What ties a value to a field are words
 * of the field around it, or another value of the field that it takes the place of: that is looked at first, since it drops four of five pairs.
 */
export const describeCandidates = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>,
  isWanted: (leaf: Leaf, candidate: Candidate) => boolean = () => true
): ReadonlyArray<LeafCandidate & { readonly leaf: Leaf; readonly features: ReadonlyArray<number> }> => {
  const context = new Context(reading, leaves)
  const qualifiers = new Qualifiers(reading, leaves)
  const isOfAnother = pairedClauses(reading, leaves)
  const most = Math.max(200, Math.floor(MOST_PAIRS / Math.max(1, leaves.length)))
  return leaves.flatMap((leaf) => {
    const candidates = mostSpokenOf(rivalsFor(reading, leaf), leaf, context, most)
    const qualified = qualifiers.of(leaf, candidates)
    const state = statesOf.get(candidates) ?? stateFeatures(reading, candidates, (index) => context.manner(index))
    statesOf.set(candidates, state)
    const form = formOf(leaf)
    return candidates.flatMap((one) => {
      if (!isWanted(leaf, one.candidate)) return []
      const { candidate: { kind, label, passage: { index } } } = one
      // A yes or no is read from its field's own words, some of which only mean the same.
      const isLoose = NEEDS_TIE.has(kind) && leaf.type !== "enum" && one.manner === undefined && form?.(one) !== true
      const isTied = !isLoose || context.at(leaf, index) !== 0 || context.at(leaf, index - 1) !== 0 ||
        labelOverlap(leaf, label) !== 0 || qualified.isOfWantedUnit(one) || state.takesPlace(one)
      return isTied
        ? [{
          ...one,
          ...(isOfAnother(leaf, one.candidate) ? { barred: true as const } : {}),
          leaf,
          features: featuresOf(reading, leaf, one.candidate, context, qualified.of(one), state.of(one))
        }]
        : []
    })
  })
}

/** Probabilities of all candidates of all leaves, or of those that are wanted: logistic regression over `FEATURES`. */
export const scoreAll = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>,
  weights: RankWeights,
  isWanted?: (leaf: Leaf, candidate: Candidate) => boolean
): ReadonlyArray<Described> =>
  describeCandidates(reading, leaves, isWanted).map((one) =>
    Object.assign({}, one, { score: probability(one.features, weights[groupOf(one.leaf)]) })
  )

/** Mentions of one value strengthen each other, by a quarter of a noisy-or: repetition is a hint, not a proof. */
const pool = (scored: ReadonlyArray<Described>): ReadonlyArray<Described> => {
  const byValue = new Map<string, { best: Described; total: number }>()
  for (const one of scored) {
    const key = `${one.leaf.template}|${one.barred === true}|${normaliseValue(one.value)}`
    const pooled = byValue.get(key)
    if (pooled === undefined) {
      byValue.set(key, { best: one, total: one.score })
      continue
    }
    const high = Math.max(pooled.total, one.score)
    pooled.total = high + 0.25 * Math.min(pooled.total, one.score) * (1 - high)
    if (one.score > pooled.best.score) pooled.best = one
  }
  return Array.from(byValue.values(), ({ best, total }) => ({ ...best, score: total }))
}

/** What decides between values, in the order of `RankModel.comparison`. */
export const COMPARISONS = [
  "bias",
  "own",
  "ahead_of_other_values",
  "ahead_of_other_leaves",
  "boolean",
  "mentions"
] as const

const logit = (score: number): number => Math.log((score + 1e-4) / (1 - score + 1e-4))
const clamp = (value: number): number => Math.max(-3, Math.min(3, value))

const spanKey = ({ candidate: { from, passage, to } }: Ranked): string => `${passage.index}:${from}:${to}`

/** Every value of every leaf with its features beside its rivals: what a comparison is fitted on. */
export const compareValues = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>,
  weights: RankWeights,
  mayStand: (one: Ranked) => boolean = () => true
): ReadonlyArray<readonly [Described, ReadonlyArray<number>]> => {
  // What is hopeless by itself needs no second look, and looking takes longer than scoring.
  const scored = scoreAll(reading, leaves, weights).filter((one) => one.score < HOPELESS || mayStand(one))
  const pooled = pool(scored)
  const byLeaf = Map.groupBy(pooled, ({ leaf }) => leaf)
  for (const values of byLeaf.values()) values.sort((a, b) => b.score - a.score)
  // Of all values at one place, the two best of different leaves: either leaf has its best rival in them.
  const byKey = new Map<string, [Ranked, Ranked | undefined]>()
  const add = (key: string, one: Ranked): void => {
    const [first, second] = byKey.get(key) ?? [one, undefined]
    if (one.leaf === first.leaf) {
      if (one.score > first.score) byKey.set(key, [one, second])
      else if (one === first) byKey.set(key, [first, second])
    } else if (one.score > first.score) byKey.set(key, [one, first])
    else if (second === undefined || one.score > second.score) byKey.set(key, [first, one])
  }
  for (const one of pooled) {
    add(spanKey(one), one)
    if (one.leaf.type === "string") add(normaliseValue(one.value), one)
  }
  const counts = new Map<string, number>()
  for (const one of scored) {
    const key = `${one.leaf.template}|${normaliseValue(one.value)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return pooled.map((one) => {
    const { leaf } = one
    const own = logit(one.score)
    const rival = byLeaf.get(leaf)!.find((other) => other !== one)
    const rivalAt = (key: string): number => {
      const [first, second] = byKey.get(key)!
      return first.leaf === leaf ? second?.score ?? 0 : first.score
    }
    const elsewhere = Math.max(
      0,
      rivalAt(spanKey(one)),
      leaf.type === "string" ? rivalAt(normaliseValue(one.value)) : 0
    )
    return [one, [
      1,
      own,
      rival === undefined ? 3 : clamp(own - logit(rival.score)),
      leaf.type === "boolean" || elsewhere === 0 ? 3 : clamp(own - logit(elsewhere)),
      leaf.type === "boolean" ? 1 : 0,
      Math.log(counts.get(`${leaf.template}|${normaliseValue(one.value)}`) ?? 1)
    ]]
  })
}

/**
 * Values per leaf, best first, mentions pooled and rivals compared, before any is given to a leaf. A mention that may not stand for
 * its leaf strengthens nothing.
 */
export const rankValues = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>,
  model: RankModel,
  mayStand?: (one: Ranked) => boolean
): ReadonlyArray<Ranked> =>
  compareValues(reading, leaves, model.weights, mayStand)
    .filter(([{ barred }]) => barred === undefined)
    .map(([one, features]): Ranked => Object.assign({}, one, { score: probability(features, model.comparison) }))
    .toSorted((a, b) =>
      b.score - a.score || a.candidate.passage.index - b.candidate.passage.index ||
      a.candidate.from - b.candidate.from
    )

/**
 * At most one value per leaf, strongest first, and no value for two leaves: what was given to the better match is gone. Yes-or-no
 * leaves share freely, and what bears the leaf's own label is its, whatever else is called the same.
 */
export const chooseValues = (
  ranked: ReadonlyArray<Ranked>,
  isLikely: (one: Ranked) => boolean
): ReadonlyMap<string, Ranked> => {
  const chosen = new Map<string, Ranked>()
  const used = new Set<string>()
  for (const one of ranked) {
    if (chosen.has(one.leaf.template) || !isLikely(one)) continue
    // "Chair: Priya Nair" and "Minutes by: Priya Nair" are two values.
    const labelled = one.rule === "screen-label"
    const key = one.leaf.type === "string" && !labelled
      ? `value:${normaliseValue(one.value)}`
      : `${one.candidate.passage.index}:${one.candidate.from}:${one.candidate.to}`
    if (one.leaf.type !== "boolean" && used.has(key)) continue
    used.add(key)
    if (labelled && one.leaf.type === "string") used.add(`value:${normaliseValue(one.value)}`)
    chosen.set(one.leaf.template, one)
  }
  return chosen
}
