import { candidatesFor, inForm, wantsDay } from "../../candidates/LeafCandidates.ts"
import { measureOf } from "../../candidates/Measures.ts"
import type { Reading } from "../../candidates/Reading.ts"
import { unitAfter, unitsOf } from "../../lexicon/Units.ts"
import type { Candidate } from "../../text/Candidate.ts"
import { wantsClock } from "../../text/FieldForms.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Passage, Span } from "../../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS } from "../../text/Tokens.ts"

/** A value of one property of an entry. `sure` where its unit, its kind or the word beside it says which property it is of. */
export interface EntryValue extends Span {
  readonly leaf: Leaf
  readonly value: string | number | boolean
  readonly sure: boolean
  /** Of a number: whether its property has a unit of measure. */
  readonly measured: boolean
}

const NUMERIC: ReadonlySet<string> = new Set(["number", "money", "percent", "duration"])
const MONTH = /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/gu

/** Adjectives by the noun that a property is named by. */
const DIMENSIONS: Readonly<Record<string, RegExp>> = {
  length: /^(?:long|length|lengthways)$/u,
  width: /^(?:wide|width|across|broad)$/u,
  height: /^(?:high|tall|height)$/u,
  depth: /^(?:deep|depth)$/u,
  weight: /^(?:weighs?|weight|heavy)$/u,
  circumference: /^(?:round|around|circumference)$/u,
  diameter: /^(?:across|wide|diameter)$/u,
  spacing: /^(?:apart|between|spacing)$/u,
  distance: /^(?:away|far|distance)$/u,
  age: /^(?:old|aged?)$/u
}

interface Wanted {
  readonly leaf: Leaf
  readonly measures: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  readonly dimensions: ReadonlyArray<RegExp>
  readonly money: boolean
  readonly year: boolean
  /** Whether the property counts millions: "246 million" is its 246. */
  readonly millions: boolean
}

const COUNT_WORDS = new Set(["quantity", "count", "number", "amount", "qty", "total", "num", "per", "no"])

const wantedOf = (leaf: Leaf): Wanted => {
  const words = identifierWords(leaf.name)
  const described = String(leaf.schema["description"] ?? "").toLowerCase().match(/[\p{L}°%]+/gu) ?? []
  // `speed_m_s` names metres and seconds; `price_per_night_eur` ends with its unit.
  const own = words.slice(1).concat(words.length === 1 ? words : []).flatMap((word) =>
    Array.from(unitsOf(word.replace(/^m(?=(?:usd|eur|gbp)$)/u, "")))
  )
  const kinds = (["money", "percent"] as const).filter((kind) => (leaf.kinds.get(kind) ?? 0) >= 0.5)
  const last = own.length > 0 ? own.slice(-1) : described.flatMap((word) => Array.from(unitsOf(word))).slice(0, 1)
  const year = words.includes("year")
  return {
    leaf,
    measures: new Set(
      year
        ? []
        : words.includes("percent")
        ? ["%"]
        : own.length > 0
        ? own.filter((one) => unitsOf(words.at(-1)).has(one) || last.includes(one))
        : last
    ),
    words: new Set(words.filter((word) => !COUNT_WORDS.has(word)).map(stem)),
    dimensions: words.flatMap((word) => Object.hasOwn(DIMENSIONS, word) ? [DIMENSIONS[word]!] : []),
    money: kinds.includes("money"),
    year,
    millions: /\bmillions?\b|\bm(?:usd|eur|gbp)\b/u.test(leaf.words)
  }
}

const wordAfter = ({ passage, to }: Span): string =>
  /^[\s-]*([\p{L}°%]+)/u.exec(passage.text.slice(to))?.[1]?.toLowerCase() ?? ""
const measuresIn = (one: Candidate): ReadonlySet<string> => {
  if (one.kind === "percent") return unitsOf("percent")
  if (one.kind === "money") return unitsOf(one.unit ?? "")
  const after = wordAfter(one)
  return one.passage.text.startsWith("°", one.to) ? unitsOf("degrees") : unitsOf(after)
}

const overlap = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  Array.from(left).some((one) => right.has(one))

/** "110 km/h", "16 m²", "5 mg/kg": the first letters alone are another unit. */
const COMPOUND = /^[\s-]*[\p{L}°%]+(?:[²³/]|\d(?![\d.])|\s+per\s)/u

/** Whether a number is in the compound unit that a property is measured in; undefined where its unit is none. */
const compoundFits = (leaf: Leaf, { kind, passage: { text }, to }: Candidate): boolean | undefined => {
  const after = text.slice(to, to + 40)
  if (kind !== "number" || !COMPOUND.test(after)) return undefined
  const [said, wanted] = [unitAfter(after), measureOf(leaf)]
  return said !== undefined && said.dimension === wanted?.dimension && said.unit === wanted.unit
}

const AMONG =
  /^(?:by|and|or|to|in|at|on|for|with|from|a|per|each|long|wide|high|tall|deep|round|apart|across|between|again|now|today|tomorrow|here|there|because|as|is|was|so|but|if|when|which|that|the|of|x)?$/u

const PER = /^\s+(?:an?|per|each|every)\s+(\p{L}+)/iu

/** In "Hauler 2 €3,199" the sign belongs to the number after it. */
export const hasOthersSign = ({ kind, passage: { text }, to }: Candidate): boolean =>
  kind === "money" && /[$€£¥]/u.test(text[to - 1] ?? "") && /^\d/u.test(text.slice(to))

const outOfBounds = ({ schema: { maximum, minimum }, type }: Leaf, value: number): boolean =>
  (type === "integer" && !Number.isInteger(value)) || (typeof minimum === "number" && value < minimum) ||
  (typeof maximum === "number" && value > maximum)

/** A sum of money as the value of a number property whose name no unit of measure ends: where a header says that it is its value. */
export const amountFor = (leaf: Leaf, one: Candidate): EntryValue | undefined => {
  const { from, kind, passage, to, value } = one
  const numeric = leaf.type === "number" || leaf.type === "integer"
  return !numeric || kind !== "money" || typeof value !== "number" || hasOthersSign(one) ||
      outOfBounds(leaf, value) || wantedOf(leaf).measures.size > 0
    ? undefined
    : { leaf, value, sure: true, measured: false, passage, from, to }
}

/** Properties that tell when in hours, days or minutes of something: `minute`, `lap_second`, but not `minutes`. */
const WHICH = /^(?:second|minute|hour|day|week|month|lap|round)$/u
/** "Ten minutes in, …", "ten minutes into the match": how long it had taken is when it was. */
const SINCE_START = /^[\s-]*\p{L}+\s+(?:in(?=\s*(?:[,.;!?]|$))|into\b|gone\b)/iu

/** Whether a number counts how many of what its property asks which one of: "ten minutes" are no tenth minute. */
const countsSpan = ({ name }: Leaf, { ordinal, passage, to, value }: Candidate): boolean => {
  const which = identifierWords(name).at(-1) ?? ""
  const rest = passage.text.slice(to, to + 40)
  return WHICH.test(which) && ordinal !== true && value !== 1 &&
    (/^[\s-]*(\p{L}+)/u.exec(rest)?.[1]?.toLowerCase() === `${which}s`) && !SINCE_START.test(rest)
}

/** Whether a number can be the value of a numeric property, and whether its unit or the word beside it says so. */
const numberFor = (wanted: Wanted, one: Candidate): EntryValue | undefined => {
  const { leaf, measures, words, dimensions, money, year } = wanted
  if (!NUMERIC.has(one.kind) || typeof one.value !== "number" || hasOthersSign(one)) return undefined
  if (countsSpan(leaf, one)) return undefined
  const scaled = wanted.millions ? / ?(?:million|mn|m)\b/iu.exec(one.text) : null
  const value = one.kind === "duration" ? undefined : scaled === null ? one.value : one.value / 1e6
  const to = scaled === null ? one.to : one.from + scaled.index
  if (value === undefined || outOfBounds(leaf, value)) return undefined
  const made = (sure: boolean): EntryValue => ({
    leaf,
    value,
    sure,
    measured: measures.size > 0,
    passage: one.passage,
    from: one.from,
    to
  })
  if (year) {
    return one.kind === "number" && value >= 1000 && value <= 2200 && measuresIn(one).size === 0
      ? made(true)
      : undefined
  }
  const compound = compoundFits(leaf, one)
  if (compound !== undefined) return compound ? made(true) : undefined
  const [has, after] = [measuresIn(one), wordAfter(one)]
  if (measures.size > 0 && has.size > 0) return overlap(measures, has) ? made(true) : undefined
  if (one.kind === "money") return money ? made(true) : undefined
  if (one.kind === "percent") return (leaf.kinds.get("percent") ?? 0) >= 0.5 ? made(true) : undefined
  if (words.has(stem(after)) && after !== "") return made(true)
  // "Forty-one a night" is the price per night.
  const each = PER.exec(one.passage.text.slice(one.to))?.[1]
  if (each !== undefined && words.has(stem(each.toLowerCase()))) return made(true)
  if (dimensions.some((dimension) => dimension.test(after))) return made(true)
  // Minutes, days, apples: it counts something else.
  if (has.size > 0 || one.ordinal === true || !AMONG.test(after) || one.text.toLowerCase() === "one") return undefined
  return made(false)
}

const typedKinds = (leaf: Leaf): ReadonlyArray<Candidate["kind"]> => {
  const name = identifierWords(leaf.name).join(" ")
  return [
    ...(/\b(?:date|day|deadline|due|when)\b/u.test(name) ? ["date" as const] : []),
    ...(/\b(?:time|starts?|ends?|when|from|until|opens?|closes?)\b/u.test(name) ? ["time" as const] : []),
    ...(["email", "url", "phone"] as const).filter((kind) => (leaf.kinds.get(kind) ?? 0) >= 1)
  ]
}

const monthsIn = (passages: ReadonlyArray<Passage>, leaf: Leaf): ReadonlyArray<EntryValue> =>
  passages.flatMap((passage) =>
    Array.from(passage.text.matchAll(MONTH), ({ 0: value, index }): EntryValue => ({
      leaf,
      value,
      sure: true,
      measured: false,
      passage,
      from: index,
      to: index + value.length
    }))
  )

/** Whether a string property is told by its form alone: a day, a time, an address. */
export const isTyped = (leaf: Leaf): boolean =>
  leaf.type !== "string" || wantsClock(leaf) || wantsDay(leaf) || typedKinds(leaf).length > 0 ||
  identifierWords(leaf.name).includes("month")

/** Every value that any property of an entry but its name could have, in order of the passages. */
export const entryValues = (reading: Reading, leaves: ReadonlyArray<Leaf>): ReadonlyArray<EntryValue> => {
  const values = leaves.flatMap((leaf): ReadonlyArray<EntryValue> => {
    if (leaf.type === "number" || leaf.type === "integer") {
      const wanted = wantedOf(leaf)
      return reading.candidates.flatMap((one) => numberFor(wanted, one) ?? [])
    }
    if (leaf.type === "enum" || leaf.type === "boolean" || wantsClock(leaf)) {
      // "For" and "against": a label that any sentence holds says nothing there.
      const labels = candidatesFor(reading, leaf).filter(({ value }) => !STOP_WORDS.has(String(value)))
      return labels.map(({ candidate: { from, passage, to }, value }) => ({
        leaf,
        value,
        // A talk is full of times: only beside its name one is an entry's.
        sure: !wantsClock(leaf) || passage.modality === "visual",
        measured: false,
        passage,
        from,
        to
      }))
    }
    if (identifierWords(leaf.name).includes("month")) return monthsIn(reading.passages, leaf)
    const kinds = typedKinds(leaf)
    return reading.candidates.filter(({ kind }) => kinds.includes(kind)).map(({ from, passage, text, to }) => ({
      leaf,
      // A day that nothing settles still tells where its entry is spoken of.
      value: inForm(leaf, text, reading.recordedAt) ?? text,
      sure: true,
      measured: false,
      passage,
      from,
      to
    }))
  })
  return values.filter(({ passage }) => passage.channel !== "vision" && !reading.suspects.has(passage.index)).toSorted((
    a,
    b
  ) => a.passage.index - b.passage.index || a.from - b.from || Number(b.sure) - Number(a.sure))
}
