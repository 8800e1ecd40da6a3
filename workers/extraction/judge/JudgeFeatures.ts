import { measureMatch } from "../candidates/Measures.ts"
import { candidateKey, type Reading } from "../candidates/Reading.ts"
import { withoutHonorific } from "../lexicon/Honorifics.ts"
import { affirms } from "../lexicon/Polarity.ts"
import { type Ranked, scoreAll } from "../ranking/Rank.ts"
import { RANK_MODEL } from "../ranking/RankWeights.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { List, Plan } from "../text/Plan.ts"
import { asks, type Sentence } from "../text/Sentences.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { comeUpon, ENTRY_FEATURES, FOUND_FEATURES, standingOfEntries } from "./EntryFeatures.ts"
import { describedIn, type FieldWords, fieldWords, namedIn, nearnessOf, parentWords, stemsIn } from "./FieldWords.ts"
import type { Judgeable } from "./Judgeable.ts"
import { corrects, former, reported, settled, unsure, workedOut } from "./Manners.ts"
import { STANDING_FEATURES } from "./StandingFeatures.ts"

/** What tells a value that answers its field from the right words about something else, whoever proposes it. */
export const CITED_FEATURES = [
  // Who proposed it.
  "by_rule_on_screen",
  "by_rule_in_speech",
  "entry_of_records",
  "entry_of_texts",
  "proposed",
  "lead",
  "rival",
  // What the ranker holds of it, whoever proposed it: two who agree are surer than one.
  "ranked",
  "ranked_apart",
  "not_ranked",
  "better_elsewhere",
  "other_values",
  "other_values_close",
  // How the cited lines and those before them speak of this field and of others.
  "named_here",
  "named_all_here",
  "named_before",
  "described_here",
  "other_field_here",
  "other_field_before",
  "words_here",
  "words_asked",
  "nearness",
  "parent_here",
  // What is asked and what was found.
  "number",
  "enum",
  "boolean",
  "normalised",
  "inferred",
  "measured",
  "timed",
  "coded",
  "named",
  "fits_measure",
  "other_measure",
  "bare_measure",
  "kind_fits",
  "worked_out",
  "one_word",
  "long",
  "uncapitalised",
  // Where it stands, and what is said there.
  "seen_and_heard",
  "on_screen",
  "asked",
  "denied",
  "former",
  "unsure",
  "reported",
  "settled",
  "corrects",
  "sentence_length",
  "place",
  "speaker_share",
  "mentions",
  // What comes after it and before it.
  "corrected_soon",
  "other_value_soon",
  "better_later",
  "same_kind_near",
  "other_values_of_kind",
  "later_tied",
  "earlier_tied",
  "last_tied",
  // The result around it.
  "cited_twice",
  "entry_filled",
  "entries",
  "nested",
  "fields",
  "lists_in_lists",
  "fields_by_meaning"
] as const

/** Of what the built-in extractor proposes also how it came upon an entry, and how value and entry go with the others. */
export const JUDGE_FEATURES = [
  ...CITED_FEATURES,
  ...FOUND_FEATURES,
  ...ENTRY_FEATURES,
  ...STANDING_FEATURES
] as const

/** Judges the drafts of one source and schema. */
export interface JudgeContext {
  /** What a draft is judged by, whoever proposed it, in the order of `CITED_FEATURES`. */
  readonly cited: (draft: Judgeable) => ReadonlyArray<number>
  /** The same and what is known of the built-in extractor's own, in the order of `JUDGE_FEATURES`. */
  readonly of: (draft: Judgeable) => ReadonlyArray<number>
}

const flag = (condition: boolean): number => condition ? 1 : 0
const logit = (share: number): number => Math.max(-4, Math.min(4, Math.log((share + 1e-3) / (1 - share + 1e-3))))
const depthOf = (template: string): number => template.split("/*").length - 1
const listOf = (template: string): string => template.slice(0, template.lastIndexOf("/*") + 2)
const entryOf = ({ item_key, pointer_template }: Judgeable): string => `${listOf(pointer_template)}|${item_key ?? ""}`
const placeOf = ({ from, passage, to }: Span): string => `${passage.index}:${from}:${to}`
const overlaps = (a: Span, b: Span): boolean => a.passage === b.passage && a.from < b.to && b.from < a.to
/** About when a stretch of a passage is said. */
const secondOf = ({ from, passage: { t_end, t_start, text } }: Span): number =>
  t_start + ((t_end - t_start) * from) / Math.max(1, text.length)
const best = (some: ReadonlyArray<Ranked>): number => some.reduce((high, { score }) => Math.max(high, score), 0)
const differing = (some: ReadonlyArray<{ readonly value: unknown }>): number =>
  new Set(some.map(({ value }) => String(value))).size

/** What the ranker holds of one field: asked by every draft of it, and an hour has thousands of candidates. */
interface Standing {
  readonly all: ReadonlyArray<Ranked>
  /** The best score of each value. */
  readonly bestOf: ReadonlyMap<string, number>
}

const standingOf = (all: ReadonlyArray<Ranked>): Standing => {
  const bestOf = new Map<string, number>()
  for (const { score, value } of all) bestOf.set(String(value), Math.max(score, bestOf.get(String(value)) ?? 0))
  return { all, bestOf }
}
const nobody: Standing = { all: [], bestOf: new Map() }

/** Candidates of one kind and unit. */
interface Alike {
  readonly values: ReadonlySet<string>
  readonly inPassage: ReadonlyMap<Passage, ReadonlyArray<Candidate>>
}
const upTo = (most: number, count: number): number => Math.min(most, count) / most

/** Passages after a value in which it is looked for a correction. */
const soonPassages = 4
/** Characters around a value in which others of its kind are near. */
const nearCharacters = 120

/**
 * Prepares the judging of drafts: how well the cited lines speak of the field, how well of the other fields, what they and the
 * lines around them do with the value, and how surely it was chosen. `all` are the drafts that would stand in one result. Pure.
 */
export const judgeContext = (
  reading: Reading,
  sentences: ReadonlyArray<Sentence>,
  plan: Plan,
  all: ReadonlyArray<Judgeable>,
  planned: ReadonlyArray<List> = plan.lists
): JudgeContext => {
  const lists = planned.flatMap((list) => Array.from(list.leaves.values(), (leaf) => ({ leaf, list })))
  const leaves = [...plan.leaves, ...lists.map(({ leaf }) => leaf), ...plan.maps.map(({ leaf }) => leaf)]
  const leafAt = new Map(leaves.map((leaf) => [leaf.template, leaf]))
  const listAt = new Map(lists.map(({ leaf, list }) => [leaf.template, list]))
  const words = new Map(leaves.map((leaf) => [leaf, fieldWords(leaf)]))
  // Of a field that nothing is proposed for only what it makes of the cited places is asked, which is little.
  const drafted = new Set(all.map(({ pointer_template }) => pointer_template))
  const placed = Map.groupBy(all.map(({ span }) => span), ({ passage }) => passage)
  const ranked = all.length === 0
    ? []
    : scoreAll(
      reading,
      leaves,
      RANK_MODEL.weights,
      ({ template }, { from, passage, to }) =>
        drafted.has(template) || placed.get(passage)?.some((span) => span.from === from && span.to === to) === true
    )
  const rankedFor = new Map(
    Array.from(Map.groupBy(ranked, ({ leaf }) => leaf.template), ([template, some]) => [template, standingOf(some)])
  )
  const rankedAt = Map.groupBy(ranked, ({ candidate }) => placeOf(candidate))
  const sentencesIn = Map.groupBy(sentences, ({ passage }) => passage.index)
  const speaking = Map.groupBy(reading.passages, ({ speaker }) => speaker ?? "")
  const listsInLists = plan.lists.some(({ schema }) => JSON.stringify(schema["items"] ?? {}).includes("\"array\""))
  const byMeaning = leaves.filter(({ type }) => type === "boolean" || type === "enum").length /
    Math.max(1, leaves.length)
  const places = Map.groupBy(all, ({ span }) => placeOf(span))
  const entries = Map.groupBy(all.filter(({ pointer_template }) => depthOf(pointer_template) > 0), entryOf)
  const entriesOf = (list: string): number =>
    Array.from(entries.keys()).filter((entry) => entry.startsWith(`${list}|`)).length

  // Every candidate asks again about its sentence, and an hour has thousands of candidates.
  const known = new Map<string, ReadonlySet<string>>()
  const stemsOf = (text: string): ReadonlySet<string> => {
    const stems = known.get(text) ?? stemsIn(text)
    known.set(text, stems)
    return stems
  }
  const candidatesIn = Map.groupBy(reading.candidates, ({ passage }) => passage.index)
  const ofKindAndUnit = new Map(
    Array.from(
      Map.groupBy(reading.candidates, ({ kind, unit }) => `${kind}|${unit ?? ""}`),
      ([key, some]): [string, Alike] => [key, {
        values: new Set(some.map(({ value }) => String(value))),
        inPassage: Map.groupBy(some, ({ passage }) => passage)
      }]
    )
  )
  const textBeside = ({ passage }: Span, step: 1 | -1): string => {
    const other = reading.passages[passage.index + step]
    return other?.modality === passage.modality ? other.text : ""
  }
  const around = (span: Span) => {
    const own = sentencesIn.get(span.passage.index) ?? []
    const at = own.findLastIndex(({ from }) => from <= span.from)
    const here = own[at]?.text ?? span.passage.text
    return { here, before: own[at - 1]?.text ?? textBeside(span, -1), from: own[at]?.from ?? 0 }
  }
  /** Whether the sentence of a candidate, or the one before it, has half of the field's own words. */
  const namedNear = (field: FieldWords, span: Span): boolean => {
    const { before, here } = around(span)
    return namedIn(field, stemsOf(here)) >= 0.5 || namedIn(field, stemsOf(before)) >= 0.5
  }

  const namedFor = new Map<string, ReadonlyArray<Ranked>>()
  /** What is ranked for a field where the field is named. */
  const namedNearFor = (template: string, field: FieldWords): ReadonlyArray<Ranked> => {
    const known = namedFor.get(template) ??
      (rankedFor.get(template) ?? nobody).all.filter((one) => namedNear(field, one.candidate))
    namedFor.set(template, known)
    return known
  }

  const cited = (draft: Judgeable): ReadonlyArray<number> => {
    const { alternatives, pointer_template: template, proposed_by, quote, score, span, support, value } = draft
    const leaf = leafAt.get(template)
    const field = leaf === undefined ? undefined : words.get(leaf)
    const list = listAt.get(template)
    const inList = depthOf(template) > 0
    const byRule = proposed_by.startsWith("rules:")
    const screen = span.passage.modality === "visual"
    const number = typeof value === "number"
    // "Mrs Pettigrew" was ranked by her name.
    const bare = withoutHonorific(String(value))
    const isOther = (one: { readonly value: unknown }): boolean =>
      String(one.value) !== String(value) && String(one.value) !== bare

    const { all: own, bestOf } = rankedFor.get(template) ?? nobody
    const same = own.filter((one) => overlaps(one.candidate, span) && !isOther(one))
    const [first] = same
    const kind = first?.candidate.kind
    const mine = best(same)
    const rivals = Array.from(bestOf).filter(([other]) => other !== String(value) && other !== bare)
    const bestRival = rivals.reduce((high, [, score]) => Math.max(high, score), 0)
    const elsewhere = best((rankedAt.get(placeOf(span)) ?? []).filter((one) => one.leaf !== leaf))

    const { before, from, here } = around(span)
    const [stems, stemsBefore] = [stemsOf(here), stemsOf(before)]
    const [named, namedBefore] = field === undefined ? [0, 0] : [namedIn(field, stems), namedIn(field, stemsBefore)]
    const others = leaves.filter((other) => other !== leaf && other.type === leaf?.type).map((other) =>
      words.get(other)!
    )
    const otherHere = others.reduce((high, other) => Math.max(high, namedIn(other, stems)), 0)
    const otherBefore = others.reduce((high, other) => Math.max(high, namedIn(other, stemsBefore)), 0)

    const ofKind = first === undefined
      ? undefined
      : ofKindAndUnit.get(`${first.candidate.kind}|${first.candidate.unit ?? ""}`)
    const passages = Array.from({ length: soonPassages + 1 }, (_, step) => span.passage.index + step)
    const soon = passages.flatMap((index) => sentencesIn.get(index) ?? []).filter(({ from: start, passage }) =>
      passage.modality === span.passage.modality && (passage !== span.passage || start > span.to)
    )
    const hasOther = ({ passage }: Sentence): boolean =>
      ofKind?.inPassage.get(passage)?.some((one) =>
        !overlaps(one, span) && String(one.value) !== String(first!.candidate.value) &&
        (passage !== span.passage || one.from > span.to)
      ) === true
    // Other values of the kind where the field is named: what it was before, or has become.
    const tied = field === undefined || kind === undefined
      ? []
      : namedNearFor(template, field).filter((one) => one.candidate.kind === kind && isOther(one))
    const [earlier, later] = [
      tied.filter((one) => secondOf(one.candidate) < secondOf(span)),
      tied.filter((one) => secondOf(one.candidate) > secondOf(span))
    ]
    const near = (candidatesIn.get(span.passage.index) ?? []).filter((one) =>
      one.kind === kind && !overlaps(one, span) &&
      Math.abs(one.from - span.from) < nearCharacters
    )
    const wanted = Math.max(1, list?.leaves.size ?? 1)
    const length = quote.split(/\s+/u).length
    const after = span.passage.text.slice(span.to, span.to + 30)
    const measures = first === undefined || leaf === undefined || !number
      ? [0, 0, 0]
      : measureMatch(leaf, first.candidate, after).slice(0, 3)
    return [
      flag(byRule && !inList && screen),
      flag(byRule && !inList && !screen),
      flag(inList && wanted > 1),
      flag(inList && wanted <= 1),
      inList ? 0 : logit(score),
      flag(!inList && alternatives.length === 0),
      alternatives.length / 3,

      first === undefined ? 0 : logit(mine),
      first === undefined ? 0 : Math.max(-4, Math.min(4, logit(mine) - logit(bestRival))),
      flag(first === undefined),
      Math.max(-1, Math.min(1, elsewhere - mine)),
      upTo(10, bestOf.size),
      upTo(5, rivals.filter(([, score]) => score >= mine * 0.5).length),

      named,
      flag(named === 1),
      namedBefore,
      field === undefined ? 0 : Math.min(2, describedIn(field, stems)),
      Math.max(0, otherHere - named),
      Math.max(0, otherBefore - Math.max(named, namedBefore)),
      field === undefined ? 0 : upTo(3, named * field.name.size),
      field === undefined ? 0 : upTo(4, field.name.size),
      field === undefined ? 0 : nearnessOf(field, span),
      flag(parentWords(template).some((word) => stems.has(word))),

      flag(number),
      flag(leaf?.type === "enum"),
      flag(typeof value === "boolean"),
      flag(support === "normalised"),
      flag(support === "inferred"),
      flag(kind === "money" || kind === "percent" || kind === "duration"),
      flag(kind === "date" || kind === "time"),
      flag(kind === "code" || kind === "email" || kind === "url" || kind === "phone" || kind === "address"),
      flag(kind === "name" || kind === "named"),
      ...measures,
      kind === undefined ? 0 : leaf?.kinds.get(kind) ?? 0,
      flag(number && leaf !== undefined && workedOut.test(leaf.words)),
      flag(length === 1),
      upTo(20, length),
      flag(typeof value === "string" && leaf?.type === "string" && !/\p{Lu}|\d/u.test(value)),

      flag(draft.modality === "both"),
      flag(screen),
      flag(asks(here)),
      flag(typeof value !== "boolean" && !affirms(here, Math.max(0, span.from - from), Math.max(0, span.to - from))),
      ...[former, unsure, reported, settled, corrects].map((manner) => flag(manner.test(here))),
      upTo(40, here.split(/\s+/u).length),
      span.passage.t_start / Math.max(1, reading.document.duration_seconds),
      (span.passage.speaker === null ? 0 : speaking.get(span.passage.speaker)?.length ?? 0) /
      Math.max(1, reading.passages.length),
      upTo(4, first === undefined ? 1 : reading.same.get(candidateKey(first.candidate))?.length ?? 1),

      flag(soon.some((sentence) => corrects.test(sentence.text) && (!number || hasOther(sentence)))),
      flag(soon.some(hasOther)),
      flag(
        bestRival > mine &&
          own.some((one) =>
            one.score > mine && isOther(one) && one.candidate.passage.modality === span.passage.modality &&
            one.candidate.passage.index > span.passage.index
          )
      ),
      upTo(3, near.length),
      upTo(
        6,
        ofKind === undefined ? 0 : ofKind.values.size - (ofKind.values.has(String(first!.candidate.value)) ? 1 : 0)
      ),
      upTo(3, differing(later)),
      upTo(3, differing(earlier)),
      flag(tied.length > 0 && later.length === 0),

      flag((places.get(placeOf(span))?.length ?? 1) > 1 && typeof value !== "boolean"),
      inList ? (entries.get(entryOf(draft))?.length ?? 1) / wanted : 0,
      inList ? upTo(10, entriesOf(listOf(template))) : 0,
      flag(list !== undefined && JSON.stringify(list.schema["items"] ?? {}).includes("\"array\"")),
      upTo(30, leaves.length),
      flag(listsInLists),
      byMeaning
    ]
  }

  // Only what is judged asks: the choice has thousands of candidates.
  let made: ReturnType<typeof standingOfEntries> | undefined
  const of = (draft: Judgeable): ReadonlyArray<number> => {
    made ??= standingOfEntries(reading, plan, planned, leaves, all)
    return [...cited(draft), ...comeUpon(draft), ...made(draft, leafAt.get(draft.pointer_template))]
  }
  return { cited, of }
}
