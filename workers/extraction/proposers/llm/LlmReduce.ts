import { roundSeconds } from "../../../../src/artifacts/Moment.ts"
import type { Derivation } from "../../candidates/Mention.ts"
import type { Draft } from "../../grounding/Draft.ts"
import { type Support, verify } from "../../grounding/Verify.ts"
import type { List, Plan } from "../../text/Plan.ts"
import { momentOf, quoteOf } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import type { Proposed } from "../Propose.ts"
import { type ProposerTask, unitOf } from "../Proposer.ts"
import { isDerived } from "./LlmParts.ts"

const GRADES: Readonly<Record<Support, number>> = { verbatim: 3, normalised: 2, fuzzy: 1, inferred: 1 }

const gradeOf = ({ grade, leaf, span, value }: Draft, recordedAt: string | undefined): number =>
  grade !== undefined ? 1 : GRADES[verify(value, quoteOf(span), leaf, recordedAt) ?? "inferred"]

const inTime = (a: Draft, b: Draft): number =>
  a.span.passage.t_start - b.span.passage.t_start || a.span.passage.index - b.span.passage.index ||
  a.span.from - b.span.from

/**
 * Of the values that the chunks of a source gave one leaf, best first: the support that each has in all its places, then
 * the one said last, because what is corrected is corrected later.
 */
const ranked = (drafts: ReadonlyArray<Draft>, recordedAt: string | undefined): ReadonlyArray<Draft> =>
  Array.from(Map.groupBy(drafts, ({ value }) => normaliseValue(value)).values(), (same) => {
    const graded = same.map((draft) => ({ draft, grade: gradeOf(draft, recordedAt) })).toSorted((a, b) =>
      b.grade - a.grade || inTime(a.draft, b.draft)
    )
    const last = same.toSorted(inTime).at(-1)!
    return { best: graded[0]!.draft, last, votes: graded.reduce((sum, { grade }) => sum + grade, 0) }
  })
    .toSorted((a, b) => b.votes - a.votes || inTime(b.last, a.last))
    .map(({ best }) => best)

/** One entry of a list as a chunk told it. */
interface Entry {
  readonly key: string | undefined
  readonly drafts: ReadonlyArray<Draft>
}

const overlap = (a: Draft, b: Draft): boolean =>
  a.span.passage === b.span.passage && a.span.from < b.span.to && b.span.from < a.span.to

/** Two chunks that share lines tell an entry twice: its first text in the same words of the same line. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.drafts.some((one) =>
    b.drafts.some((other) =>
      one.leaf === other.leaf && one.leaf.type === "string" && overlap(one, other) &&
      normaliseValue(one.value) === normaliseValue(other.value)
    )
  ) || (a.drafts.length === 1 && b.drafts.length === 1 && a.drafts[0]!.leaf === b.drafts[0]!.leaf &&
    overlap(a.drafts[0]!, b.drafts[0]!))

/** Which entry of the outer array a draft is of, where it is of an array inside one. */
const outerKey = ({ item_key, pointer_template }: Draft): string | undefined =>
  item_key !== undefined && pointer_template.split("/*").length > 2 ? item_key.split("/")[0] : item_key

const entriesOf = (drafts: ReadonlyArray<Draft>): ReadonlyArray<Entry> => {
  const keyed = Map.groupBy(drafts, outerKey)
  const entries = Array.from(keyed).flatMap(([key, own]): ReadonlyArray<Entry> =>
    key === undefined ? own.map((draft) => ({ key, drafts: [draft] })) : [{ key, drafts: own }]
  )
  const kept: Array<Entry> = []
  // The fuller of two is kept, in the order of the chunks otherwise.
  for (const entry of entries.toSorted((a, b) => b.drafts.length - a.drafts.length)) {
    if (!kept.some((other) => isSame(entry, other))) kept.push(entry)
  }
  return kept.toSorted((a, b) => inTime(a.drafts.toSorted(inTime)[0]!, b.drafts.toSorted(inTime)[0]!))
}

const derivationOf = (name: string): Derivation =>
  /end/iu.test(name)
    ? "t_end"
    : /speaker|said/iu.test(name)
    ? "speaker"
    : /index|position|order|no/iu.test(name)
    ? "order"
    : "t_start"

/** What code knows of an entry better than a model: when it is said, by whom, the how many-th it is. */
const derivedDrafts = (
  { material }: ProposerTask,
  list: List,
  { drafts, key }: Entry,
  at: number
): ReadonlyArray<Draft> => {
  const first = drafts.toSorted(inTime)[0]!
  const { span } = first
  if (key === undefined) return []
  const given = new Set(drafts.map(({ leaf }) => leaf))
  const speakerOf = (id: string): string =>
    material.registry.speakers.get(id)?.name ?? material.reading.document.speakers.get(id) ?? id
  return Array.from(list.leaves.values()).filter((leaf) => isDerived(leaf) && !given.has(leaf)).flatMap(
    (leaf): ReadonlyArray<Draft> => {
      const derived = derivationOf(leaf.name)
      const { speaker } = span.passage
      if (derived === "speaker" && speaker === null) return []
      const value = derived === "speaker"
        ? speakerOf(speaker!)
        : derived === "order"
        ? at + 1
        : roundSeconds(momentOf(span)[derived])
      return [{ ...first, pointer_template: leaf.template, leaf, value, derived }]
    }
  )
}

/** The keys of a map once each, in the order in which they stand. */
const mapDrafts = (drafts: ReadonlyArray<Draft>, recordedAt: string | undefined): ReadonlyArray<Draft> =>
  Array.from(Map.groupBy(drafts, ({ item_key }) => item_key).values(), (same) => ranked(same, recordedAt)[0]!)

/** Joins what the chunks of a source gave: one value for each leaf, with its rivals, and each entry of a list once. */
export const reduceDrafts = (task: ProposerTask, drafts: ReadonlyArray<Draft>): Proposed => {
  const { plan, ground } = task
  const units = Map.groupBy(drafts, ({ pointer_template }) => unitOf(pointer_template))
  const out: Array<Draft> = []
  const rivals = new Map<string, ReadonlyArray<Draft>>()
  for (const { template } of plan.leaves) {
    const [best, ...others] = ranked(units.get(template) ?? [], ground.recordedAt)
    if (best === undefined) continue
    out.push(best)
    rivals.set(template, others)
  }
  for (const list of plan.lists) {
    entriesOf(units.get(`${list.template}/*`) ?? []).forEach((entry, at) => {
      const known = Map.groupBy(entry.drafts, ({ item_key, leaf }) => `${leaf.template}\n${item_key ?? ""}`)
      for (const same of known.values()) out.push(ranked(same, ground.recordedAt)[0]!)
      out.push(...derivedDrafts(task, list, entry, at))
    })
  }
  for (const { leaf } of plan.maps) out.push(...mapDrafts(units.get(leaf.template) ?? [], ground.recordedAt))
  return { drafts: out, rivals, below: [] }
}

/** Templates of every unit of a plan. */
export const allUnits = (plan: Plan): ReadonlyArray<string> => [
  ...plan.leaves.map(({ template }) => template),
  ...plan.lists.map(({ template }) => `${template}/*`),
  ...plan.maps.map(({ leaf }) => leaf.template)
]
