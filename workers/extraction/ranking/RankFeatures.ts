import { callsAnother } from "../candidates/Disowned.ts"
import { kindPrior } from "../candidates/LeafCandidates.ts"
import { measureMatch } from "../candidates/Measures.ts"
import { personScore } from "../candidates/PersonClassifier.ts"
import { candidateKey, type Reading } from "../candidates/Reading.ts"
import { fieldSubjects } from "../lexicon/KnownValues.ts"
import { type NameType, soughtType, typesOf } from "../lexicon/NameTypes.ts"
import type { Candidate } from "../text/Candidate.ts"
import { OPPOSITE, ROLE_BEFORE } from "../text/Concepts.ts"
import type { Leaf } from "../text/Plan.ts"
import { identifierWords, stem, STOP_WORDS, type Token } from "../text/Tokens.ts"
import { QUALIFIER_FEATURES } from "./Qualifiers.ts"
import { NAMELIKE, settingOf } from "./Setting.ts"
import { type Manner, STATE_FEATURES } from "./StateChanges.ts"

/** The features in the order of the weights. */
export const FEATURES = [
  "bias",
  "kind_prior",
  "context_here",
  "context_before",
  "context_in_question_before",
  "nearest_term",
  "direction_cue",
  "opposite_cue",
  "label_overlap",
  "said_by_two",
  "frequency",
  "position",
  "last_mention",
  "competing_field",
  "length",
  "counted_noun",
  "negated",
  "opens_passage",
  "is_answer",
  "enum_length",
  "is_enum",
  "is_boolean",
  "is_number",
  "after_question",
  "first_mention",
  "date_prior",
  "time_prior",
  "name_prior",
  "in_question",
  "is_phrase",
  "phrase_counted",
  "is_named",
  "is_plain_number",
  "recap",
  "correction",
  "corrected_after",
  "name_type_fits",
  "name_type_differs",
  "place_fits",
  "last_position",
  "unit_fits",
  "unit_differs",
  "introduces_self",
  "apposition",
  "welcome",
  "year",
  "screen_title",
  "label_hit",
  "bare_number",
  "unwanted_unit",
  "is_one",
  "opens_sentence",
  "own_line",
  "person",
  "unwanted_person",
  "no_person",
  "counts_other",
  "whole_run",
  "known_value",
  "known_otherwise",
  "known_phrase",
  "facility_for_city",
  "facility_wanted",
  "first_name_wanted",
  "first_name_unwanted",
  "ordinal",
  ...QUALIFIER_FEATURES,
  ...STATE_FEATURES
] as const

const RECAP =
  /\b(?:confirm|verify|double[- ]check|to recap|in summary|to summari[sz]e|just to be (?:sure|clear)|is (?:this|that) (?:correct|right|alright|okay)|correct\?|okay\?|sound right|has been (?:made|booked|set|reserved|confirmed|added)|i(?:'ve| have) (?:booked|reserved|set|made|added))\b/iu
const CORRECTION =
  /^\W*(?:no\b|nope|nah|actually|wait|sorry|oh|i(?:'d| would) (?:rather|prefer)|make (?:it|that)|instead|change|rather)|\b(?:instead|rather than|i meant|change (?:it|that|the))\b/iu
/** How a passage opens that takes the one before it back. */
export const REJECTED = /^\W*(?:no\b|nope|nah|actually)/iu
const PERSON_FIELD =
  /\b(?:presenter|presented|host|cook|chef|agent|reviewer|lecturer|professor|teacher|anchor|author|speaker|narrator|interviewer|instructor|name of the (?:person|\w+er|\w+or)|person (?:presenting|speaking)|who)\b/u
/** A capitalised word that opens a sentence alone is a name far less often than one inside. */
const opensSentence = ({ from, passage: { text }, text: said }: Candidate): boolean =>
  !said.includes(" ") && /(?:^|[.?!:"“]\s*)$/u.test(text.slice(Math.max(0, from - 3), from))
const SHOW_FIELD =
  /\b(?:show|channel|station|course|series|podcast|programme|program|company|topic|event|conference|tool|product|model)\b/u
const TITLE_FIELD = /\b(?:title|name|company|course|project|show|model)\b/u
const INTRODUCTION = /\b(?:i'?m|i am|this is|my name is|name'?s|i’m|professor|prof\.?|dr\.?|with)\s+$/iu
const WELCOME = /\b(?:welcome (?:back )?to(?: the)?|you'?re watching|this is(?: the)?(?: new)?|topic is|called)\s+$/iu
const TWO_OR_THREE_NAMES = /^\p{Lu}\p{L}+(?:[ -]\p{Lu}[\p{L}.]+){1,2}$/u
const NOTHING_KNOWN: ReadonlyArray<number> = [0, 0, 0, 0, 0, 0, 0]
const flag = (condition: boolean): number => condition ? 1 : 0
const ACRONYMS: Readonly<Record<string, string>> = {
  ceo: "chief executive officer",
  cfo: "chief financial officer",
  cto: "chief technology officer",
  coo: "chief operating officer",
  cmo: "chief marketing officer",
  vp: "vice president"
}

/** "Dana Whitfield, our chief executive officer" for the field `ceo`. */
export const apposition = (leaf: Leaf, after: string): boolean => {
  if (!after.startsWith(",")) return false
  const tail = /^,?\s*(?:(?:our|the|their|my|a|an)\s+)?([\p{L} ]{3,40})/u.exec(after)?.[1]?.toLowerCase() ?? ""
  const asked = `${leaf.words} ${
    leaf.words.split(/\s+/u).map((word) => Object.hasOwn(ACRONYMS, word) ? ACRONYMS[word]! : "").join(" ")
  }`
  if (callsAnother(tail, leaf)) return false
  const words = tail.split(/\s+/u).filter((word) => word.length > 3).slice(0, 4)
  return words.length > 0 && words.filter((word) => asked.includes(word)).length >= Math.min(2, words.length)
}

const CITY_FIELD = /\b(?:city|town|area|location|origin|destination)\b/u
const FACILITY_FIELD =
  /\b(?:airport|station|venue|hotel|property|restaurant|place name|pickup location|attraction|stop)\b/u

interface Sought {
  readonly name: string
  readonly subjects: ReturnType<typeof fieldSubjects>
}
const soughtOf = new WeakMap<Leaf, Sought>()

/** Whether a value belongs to a closed list, to a kind of building or to people, and whether the field wants such a one. */
const knownAs = (leaf: Leaf, candidate: Candidate, sought: NameType | null): ReadonlyArray<number> => {
  if (leaf.type !== "string" || !NAMELIKE.has(candidate.kind)) return NOTHING_KNOWN
  let known = soughtOf.get(leaf)
  if (known === undefined) {
    const name = identifierWords(leaf.name).join(" ")
    known = { name, subjects: fieldSubjects(name, leaf.words) }
    soughtOf.set(leaf, known)
  }
  const { name } = known
  const { hasFirstName: first, isFacility: facility, subjects } = settingOf(candidate)
  const fits = subjects.some((subject) => known.subjects.includes(subject))
  return [
    flag(fits),
    flag(subjects.length > 0 && !fits),
    flag(fits && candidate.kind === "phrase"),
    flag(facility && CITY_FIELD.test(name)),
    flag(facility && FACILITY_FIELD.test(name)),
    flag(first && sought === "person"),
    flag(first && sought !== null && sought !== "person")
  ]
}

/** Features that read the few characters around a candidate. */
const nearby = (reading: Reading, leaf: Leaf, candidate: Candidate, before: string, after: string) => {
  const sought = leaf.type === "string" ? soughtType(leaf) : null
  const number = leaf.type === "number" || leaf.type === "integer"
  const [fits, differs, bare, unwanted] = number ? measureMatch(leaf, candidate, after) : [0, 0, 0, 0]
  const string = leaf.type === "string"
  const introduces = string && PERSON_FIELD.test(leaf.words) && candidate.kind === "name" &&
    TWO_OR_THREE_NAMES.test(candidate.text) && INTRODUCTION.test(before)
  const named = string && candidate.kind === "name"
  const year = number && /\byear\b/u.test(leaf.words) && !/growth|percent/u.test(leaf.words)
  const plausible = typeof candidate.value === "number" && candidate.value >= 1800 && candidate.value <= 2100
  const onTop = string && candidate.passage.channel === "ocr" && TITLE_FIELD.test(leaf.words) &&
    (candidate.kind === "name" || candidate.kind === "label") &&
    candidate.passage.t_start < (reading.passages[0]?.t_end ?? 0) + 15
  const labelled = candidate.label?.toLowerCase().split(/\s+/u).some((word) => (leaf.terms.get(stem(word)) ?? 0) >= 0.6)
  return [
    fits,
    differs,
    introduces ? 1 : 0,
    candidate.kind === "name" && apposition(leaf, after) ? 1 : 0,
    string && SHOW_FIELD.test(leaf.words) && WELCOME.test(before) ? 1 : 0,
    year ? (plausible ? 1 : -1) : 0,
    onTop ? 1 : 0,
    labelled === true ? 1 : 0,
    bare,
    unwanted,
    flag(number && /^one$/iu.test(candidate.text)),
    flag(string && candidate.kind === "name" && opensSentence(candidate)),
    flag(
      string && candidate.passage.channel === "ocr" && candidate.text.length === candidate.passage.text.trim().length
    ),
    named && sought === "person" ? personScore(reading, candidate) : 0,
    named && sought !== "person" ? personScore(reading, candidate) : 0,
    flag(string && sought === "person" && (candidate.kind !== "name" || !/^\p{Lu}/u.test(candidate.text)))
  ]
}

/** How many of the tokens, which stand in order, hold. */
const countWhile = (tokens: ReadonlyArray<Token>, holds: (token: Token) => boolean): number => {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(tokens[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

const nearestTerm = (reading: Reading, leaf: Leaf, candidate: Candidate): number => {
  const { tokens } = candidate.passage
  const first = countWhile(tokens, ({ to }) => to <= candidate.from)
  const after = countWhile(tokens, ({ from }) => from < candidate.to)
  let best = 0
  for (const [term, weight] of leaf.terms) {
    const places = reading.stems[candidate.passage.index]!.get(term)
    if (places === undefined) continue
    const rarity = reading.rarity.get(term) ?? 1
    for (const at of places) {
      const word = tokens[at]!
      if (word.from >= candidate.from && word.to <= candidate.to) continue
      // A term after the value binds less: "for three people" against "three for people".
      const between = at < first ? first - at - 1 : Math.max(0, at - after) * 1.5
      best = Math.max(best, (weight * Math.min(rarity, 3)) / 3 / (1 + between / 3))
    }
  }
  return best
}

/** How much of a value's label is words of the field, from 0 to 1. */
export const labelOverlap = (leaf: Leaf, label: string | undefined): number => {
  const stems = label?.toLowerCase().split(/\s+/u).map(stem) ?? []
  return stems.reduce((sum, key) => sum + (leaf.terms.get(key) ?? 0), 0) / Math.max(1, stems.length)
}

const titled = (text: string): string => text.replaceAll(/(?<!\p{L})\p{Ll}/gu, (letter) => letter.toUpperCase())

/** How much a passage speaks of each of the leaves that compete; remembered, since every candidate in it asks again. */
export class Context {
  readonly #reading: Reading
  readonly #leaves: ReadonlyArray<Leaf>
  readonly #known = new Map<Leaf, Map<number, number>>()
  readonly #strongest = new Map<string, ReadonlyArray<{ readonly leaf: Leaf; readonly strength: number }>>()
  readonly #manners = new Map<number, Manner>()
  constructor(reading: Reading, leaves: ReadonlyArray<Leaf>) {
    this.#reading = reading
    this.#leaves = leaves
  }
  at(leaf: Leaf, index: number): number {
    const known = this.#known.get(leaf) ?? new Map<number, number>()
    this.#known.set(leaf, known)
    const found = known.get(index)
    if (found !== undefined) return found
    const stems = this.#reading.stems[index]
    let [score, best] = [0, 0]
    if (stems !== undefined) {
      for (const [term, weight] of leaf.terms) {
        const rarity = this.#reading.rarity.get(term)
        if (rarity === undefined) continue
        best = Math.max(best, weight * rarity * 0.35)
        if (stems.has(term)) score += weight * rarity
      }
    }
    known.set(index, score / (1 + best))
    return score / (1 + best)
  }

  /** What a whole passage does, whoever asks: recaps, corrects, is rejected by the next one, asks, follows a question. */
  manner(index: number): Manner {
    const known = this.#manners.get(index)
    if (known !== undefined) return known
    const text = (at: number): string => this.#reading.passages[at]?.text ?? ""
    const manner: Manner = {
      recaps: RECAP.test(text(index)),
      corrects: CORRECTION.test(text(index)),
      rejected: REJECTED.test(text(index + 1)),
      asks: text(index).includes("?"),
      asked: text(index - 1).includes("?")
    }
    this.#manners.set(index, manner)
    return manner
  }

  /** How much the strongest of the other leaves that take such a value is spoken of here or right before. */
  competing(leaf: Leaf, kind: Candidate["kind"], index: number): number {
    const key = `${kind}|${index}`
    let strongest = this.#strongest.get(key)
    if (strongest === undefined) {
      strongest = this.#leaves
        .filter((other) => (other.kinds.get(kind) ?? 0) >= 0.5)
        .map((other) => ({ leaf: other, strength: this.at(other, index) + 0.7 * this.at(other, index - 1) }))
        .toSorted((a, b) => b.strength - a.strength)
        .slice(0, 2)
      this.#strongest.set(key, strongest)
    }
    return strongest.find((other) => other.leaf !== leaf)?.strength ?? 0
  }
}

/** The features of one candidate for one leaf, in the order of `FEATURES`. */
export const featuresOf = (
  reading: Reading,
  leaf: Leaf,
  candidate: Candidate,
  context: Context,
  qualifiers: ReadonlyArray<number>,
  state: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const { passage } = candidate
  const { index } = passage
  const last = Math.max(1, reading.passages.length - 1)
  const own = context.at(leaf, index)
  const previous = context.at(leaf, index - 1)
  const { asked, asks, corrects, recaps, rejected } = context.manner(index)
  const { after, before, head, negated, words } = settingOf(candidate)
  const cue = leaf.role !== null && ROLE_BEFORE[leaf.role].test(before)
  const opposite = leaf.role !== null && !cue && ROLE_BEFORE[OPPOSITE[leaf.role]].test(before)
  const same = reading.same.get(candidateKey(candidate)) ?? [candidate]
  const competing = context.competing(leaf, candidate.kind, index)
  const counted = head === undefined ? 0 : leaf.terms.get(stem(head.toLowerCase())) ?? 0
  const prior = kindPrior(leaf, candidate)
  const typed = leaf.type === "string" && ["name", "answer", "phrase"].includes(candidate.kind)
  const sought = typed ? soughtType(leaf) : null
  const types = sought === null
    ? new Set()
    : typesOf(reading.uncased ? titled(candidate.text) : candidate.text, before, after)
  const number = leaf.type === "integer" || leaf.type === "number"
  return [
    1,
    prior,
    own,
    previous,
    asked ? previous : 0,
    nearestTerm(reading, leaf, candidate),
    flag(cue),
    flag(opposite),
    labelOverlap(leaf, candidate.label),
    flag(same.some((one) => one.passage.speaker !== same[0]!.passage.speaker)),
    Math.min(same.length, 5) / 5,
    index / last,
    flag(same.at(-1) === candidate),
    Math.max(0, competing - own - 0.7 * previous),
    Math.min(words, 6) / 6,
    counted,
    flag(negated),
    flag(candidate.from === 0),
    flag(candidate.kind === "answer"),
    leaf.type === "enum" ? Math.min(1, candidate.text.length / 10) : 0,
    flag(leaf.type === "enum"),
    flag(leaf.type === "boolean"),
    flag(number),
    flag(asked),
    flag(same[0] === candidate),
    candidate.kind === "date" ? prior : 0,
    candidate.kind === "time" ? prior : 0,
    candidate.kind === "name" ? prior : 0,
    flag(asks),
    flag(candidate.kind === "phrase"),
    candidate.kind === "phrase" ? counted : 0,
    flag(candidate.kind === "named"),
    flag(candidate.kind === "number"),
    flag(recaps),
    flag(corrects),
    flag(rejected),
    flag(sought !== null && types.has(sought)),
    flag(sought !== null && types.size > 0 && !types.has(sought)),
    flag(sought === "place" && types.has("place")),
    (same.at(-1)?.passage.index ?? 0) / last,
    ...nearby(reading, leaf, candidate, before, after),
    flag(number && counted === 0 && head !== undefined && !STOP_WORDS.has(head.toLowerCase())),
    flag(candidate.whole === true),
    ...knownAs(leaf, candidate, sought),
    flag(number && candidate.ordinal === true),
    ...qualifiers,
    ...state
  ]
}
