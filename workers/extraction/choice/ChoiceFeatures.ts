import type { Material } from "../candidates/Mention.ts"
import type { Judgeable } from "../judge/Judgeable.ts"
import { PROPOSAL_FEATURES, proposalContext } from "../judge/ProposalFeatures.ts"
import { compareValues, COMPARISONS, groupOf, LEAF_GROUPS, type Ranked, type RankModel } from "../ranking/Rank.ts"
import { FEATURES } from "../ranking/RankFeatures.ts"
import type { Rule } from "../ranking/Reliability.ts"
import type { Kind } from "../text/Candidate.ts"
import type { Leaf, Plan } from "../text/Plan.ts"
import { normaliseValue } from "../text/Tokens.ts"

const KINDS = [
  ...["number", "percent", "money", "duration", "date", "time", "email", "url", "phone", "name"] as const,
  ...["address", "answer", "label", "quoted", "phrase", "named", "code"] as const
] satisfies ReadonlyArray<Kind>

const RULES = [
  ...["screen-label", "screen-heading", "screen-name", "screen-address", "summary", "introduction"] as const,
  ...["number-of", "on-air", "apposition", "assertion", "said-plainly"] as const
] satisfies ReadonlyArray<Rule>

/** What a value is chosen by: all that ranks it, who says it, and all that judges its place in the source. */
export const CHOICE_FEATURES = [
  ...FEATURES,
  ...COMPARISONS.map((name) => `compared_${name}` as const),
  "rank",
  "options",
  ...KINDS.map((kind) => `is_of_${kind}` as const),
  "on_a_picture",
  "group",
  "likely",
  "behind_first",
  "field_place",
  // Fields stand in a schema in the order in which people come to speak of them: rank correlation 0.75 over 180 videos of twelve hands.
  "field_before_place",
  ...RULES.map((rule) => `rule_${rule}` as const),
  "rule_says_otherwise",
  ...PROPOSAL_FEATURES.map((name) => `cited_${name}` as const)
] as const

/** One value that a leaf might have. */
export interface Option {
  readonly one: Ranked
  /** In the order of `CHOICE_FEATURES`. */
  readonly features: ReadonlyArray<number>
}

/**
 * So many values of a leaf are looked at, the likeliest first; of 990 fields whose right value is a candidate at all it is among them in
 * all but a few, and the features of one take 0.2 ms.
 */
const most = 25
const mostTogether = 800
const least = 6

/** What of a passage is looked at beside a value: it may be as long as a video. */
const quoted = 80

const flag = (condition: boolean): number => condition ? 1 : 0
const likely = (features: ReadonlyArray<number>, { comparison }: RankModel): number =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * comparison[at]!, 0)))

const judgeable = ({ candidate: { from, passage, to }, leaf, value }: Ranked, score: number): Judgeable => ({
  pointer_template: leaf.template,
  proposed_by: "ranker",
  score,
  value: value as Judgeable["value"],
  quote: passage.text.slice(Math.max(0, from - quoted), to + quoted),
  span: { passage, from, to },
  modality: passage.modality,
  support: "verbatim",
  grade: leaf.type === "boolean" || leaf.type === "enum" ? "classified" : "stated",
  citations: [],
  alternatives: []
})

/**
 * What rules say, each value once: the word of a rule is what it says most strongly. Of two people who introduce themselves the first one
 * leads, and the second is a value like any other.
 */
const distinct = (some: ReadonlyArray<Ranked>): ReadonlyMap<string, Ranked> => {
  const strongest = new Map(some.toSorted((a, b) => a.score - b.score).map(({ rule, score }) => [rule, score]))
  return new Map(
    some.filter(({ rule, score }) => score === strongest.get(rule)).map((one) => [normaliseValue(one.value), one])
  )
}

const nothing = { features: FEATURES.map(() => 0), compared: COMPARISONS.map(() => 0) }

/**
 * The values that each leaf might have, those of rules first where ranking has not found them, with all that they are chosen by. A value
 * that a rule says cites what the rule read.
 */
export const optionsOf = (
  { reading, sentences }: Material,
  plan: Plan,
  leaves: ReadonlyArray<Leaf>,
  ruled: ReadonlyArray<Ranked>,
  model: RankModel,
  mayStand: (one: Ranked) => boolean
): ReadonlyArray<ReadonlyArray<Option>> => {
  const byLeaf = Map.groupBy(compareValues(reading, leaves, model.weights, mayStand), ([{ leaf }]) => leaf)
  const ruledFor = Map.groupBy(ruled, ({ leaf }) => leaf)
  const upTo = Math.max(least, Math.min(most, Math.floor(mostTogether / Math.max(1, leaves.length))))
  const found = leaves.map((leaf, at) => {
    const rules = distinct(ruledFor.get(leaf) ?? [])
    const ranked = (byLeaf.get(leaf) ?? [])
      .filter(([one]) => mayStand(one))
      .map(([one, compared]) => ({ one, compared, chance: likely(compared, model) }))
      .toSorted((a, b) =>
        b.chance - a.chance || a.one.candidate.passage.index - b.one.candidate.passage.index ||
        a.one.candidate.from - b.one.candidate.from
      )
      .slice(0, upTo)
    const seen = new Set(ranked.flatMap(({ one }) => one.barred === undefined ? [normaliseValue(one.value)] : []))
    const told = Array.from(rules.values()).filter(({ value }) => !seen.has(normaliseValue(value))).map((one) => ({
      one: Object.assign({}, one, { features: nothing.features }),
      compared: nothing.compared,
      chance: 0.01
    }))
    const first = ranked[0]?.chance ?? 0
    const all = [...ranked, ...told]
    return all.map(({ chance, compared, one }, rank) => {
      const rule = one.barred === undefined ? rules.get(normaliseValue(one.value)) : undefined
      const { candidate: { kind, passage } } = one
      const place = at / leaves.length
      return {
        one: rule ?? one,
        asked: judgeable(one, chance),
        features: [
          ...one.features,
          ...compared,
          rank,
          all.length,
          ...KINDS.map((name) => flag(name === kind)),
          flag(passage.modality === "visual"),
          LEAF_GROUPS.indexOf(groupOf(leaf)),
          chance,
          first - chance,
          place,
          place - passage.t_start / Math.max(1, reading.document.duration_seconds),
          ...RULES.map((name) => flag(rule?.rule === name)),
          flag(rules.size > (rule === undefined ? 0 : 1))
        ]
      }
    })
  })
  const context = proposalContext(reading, sentences, plan, found.flat().map(({ asked }) => asked), [])
  return found.map((some) =>
    some.map(({ asked, features, one }) => ({ one, features: [...features, ...context.of(asked)] }))
  )
}
