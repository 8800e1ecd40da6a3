import { scaleOfField } from "../lexicon/FieldScales.ts"
import { CURRENCIES, DURATIONS, MINOR } from "../lexicon/Numbers.ts"
import { rateAfter, rateOfField, withoutPeriod } from "../lexicon/Rates.ts"
import { converted, type Unit, unitAfter, unitOfField } from "../lexicon/Units.ts"
import type { Candidate } from "../text/Candidate.ts"
import { COUNTED } from "../text/Concepts.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, normaliseWord, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"
import { candidatesIn, type Reading } from "./Reading.ts"

interface Measure {
  readonly unit: Unit | undefined
  readonly factor: number | undefined
}

/** What happened in a year. */
const HAPPENED =
  /^(?:acquired|founded|built|opened|established|bought|made|born|released|published|launched|completed|retired|started|joined)$/u
/** Whether a field's name ends by when something happened, "founded_in": no inches. */
export const saysWhen = (words: ReadonlyArray<string>): boolean =>
  words.at(-1) === "in" && HAPPENED.test(words.at(-2) ?? "")

const remembered = new WeakMap<Leaf, Measure>()

const measureFor = (leaf: Leaf): Measure => {
  const known = remembered.get(leaf)
  if (known !== undefined) return known
  const whole = identifierWords(leaf.name)
  const description = leaf.words.slice(whole.join(" ").length)
  const money = (leaf.kinds.get("money") ?? 0) >= 0.6 ? { dimension: "money", unit: "" } : undefined
  const share = (leaf.kinds.get("percent") ?? 0) >= 1 ? { dimension: "share", unit: "%" } : undefined
  const { factor, name } = scaleOfField(withoutPeriod(leaf.name), description, money !== undefined)
  const measure = { unit: (saysWhen(whole) ? undefined : unitOfField(name, description)) ?? money ?? share, factor }
  remembered.set(leaf, measure)
  return measure
}

/** What a field measures, by its name, its description or, for money without a currency, by its words. */
export const measureOf = (leaf: Leaf): Unit | undefined => measureFor(leaf).unit

/** 1000, a million or more where a field counts in so many. */
export const factorOf = (leaf: Leaf): number | undefined => measureFor(leaf).factor

/** "Two metres forty", "2.1 tonnes" as a whole: the unit stands inside of the words. */
const unitInside = ({ text, unit }: Candidate): Unit | undefined =>
  unit !== undefined && tokenise(text).slice(1).some(({ norm }) => unitAfter(` ${norm}`) !== undefined)
    ? unitAfter(` ${unit}`)
    : undefined

/** `6.4" OLED` on the screen; a sign that closes a quotation is no measure. */
const isInInches = ({ from, kind, passage }: Candidate, after: string): boolean =>
  kind === "number" && passage.channel === "ocr" && /^\s?["″”](?!\p{L})/u.test(after) &&
  !/["“]/u.test(passage.text.slice(0, from))

/** What a number measures by its sign or by the word after it. */
export const measured = (candidate: Candidate): Unit | undefined => {
  if (candidate.kind === "money") return { dimension: "money", unit: candidate.unit ?? "" }
  if (candidate.kind === "percent") return { dimension: "share", unit: "%" }
  if (candidate.kind === "duration") return { dimension: "time", unit: "second" }
  const after = candidate.passage.text.slice(candidate.to, candidate.to + 40)
  if (isInInches(candidate, after)) return { dimension: "length", unit: "inch" }
  // "Two hundred a day" are no days.
  return (/^\s+(?:an?|per|each|every)\s/iu.test(after) ? undefined : unitAfter(after)) ?? unitInside(candidate)
}

/** Where the unit of a number ends that stands right behind it. */
const unitEnd = ({ passage: { text }, to }: Candidate): number =>
  to + (/^[\s-]*[\p{L}°%²/]+\d?/u.exec(text.slice(to, to + 40))?.[0].length ?? 0)

/** A number in the field's own metric unit, with the unit that it was said in: 2100 of "2.1 tonnes"; undefined where there is nothing to convert. */
export const inUnitOf = (wanted: Unit | undefined, one: Candidate): Candidate | undefined => {
  if (one.kind !== "number" || typeof one.value !== "number" || wanted === undefined) return undefined
  const { passage: { text } } = one
  const follows = unitAfter(text.slice(one.to, one.to + 40))
  const unit = follows ?? measured(one)
  const words = follows === undefined ? one.unit ?? "" : text.slice(one.to, one.to + 40)
  const value = converted(one.value, unit, words, wanted)
  if (value === undefined) return undefined
  const to = follows === undefined ? one.to : unitEnd(one)
  return { ...one, to, text: text.slice(one.from, to), value, unit: wanted.unit }
}

/** The words for what a field counts, as they would stand after a number. */
const countedBy = (leaf: Leaf): ReadonlySet<string> => {
  const words = `${leaf.words}`.split(/[^\p{L}\d$%°]+/u).filter((word) => word.length > 1)
  return new Set(COUNTED.filter((group) => words.some((word) => group.includes(word))).flat())
}

/** `[fits, differs, bare, unwanted]`: whether what a number measures or counts is what the field does. */
export const measureMatch = (
  leaf: Leaf,
  candidate: Candidate,
  after: string
): readonly [number, number, number, number] => {
  const wanted = measureOf(leaf)
  const found = measured(candidate)
  const [rate, said] = [rateOfField(leaf.name), rateAfter(after)]
  const other = wanted !== undefined && found !== undefined && wanted.dimension !== found.dimension
  if (rate !== undefined && rate === said && !other) return [1, 0, 0, 0]
  if (wanted !== undefined && found !== undefined) {
    if (wanted.dimension !== found.dimension) return [0, 1, 0, 0]
    return wanted.unit === "" || wanted.unit === found.unit ? [1, 0, 0, 0] : [0, 0.5, 0, 0]
  }
  const counted = countedBy(leaf)
  const next = /^\s*([\p{L}°%$]+)(?:\s+([\p{L}]+))?/u.exec(after)
  if (next?.slice(1).some((word) => word !== undefined && counted.has(word.toLowerCase())) === true) return [1, 0, 0, 0]
  return [0, 0, wanted !== undefined ? 1 : 0, found !== undefined ? 1 : 0]
}

const NUMERIC: ReadonlySet<Candidate["kind"]> = new Set(["number", "money", "percent", "duration"])

/** "Seven injured" and "three people" may count the same. */
const ANYBODY = /^(?:people|persons?|ones?)$/u
/** "Ninety-nine now": what stands behind a number and counts nothing. */
const BESIDE =
  /^(?:now|today|tonight|tomorrow|yesterday|here|there|then|currently|again|instead|altogether|already|please|anyway|because|since)$/u

/** What a value is of: money, time, a share, the thing that is counted; empty for a number with nothing beside it. */
const sortOf = ({ kind, passage, to }: Candidate): string => {
  if (kind !== "number") return kind
  const unit = normaliseWord(/^[\s-]?(\p{L}+|[%€$£])/u.exec(passage.text.slice(to, to + 30))?.[1] ?? "")
  if (Object.hasOwn(CURRENCIES, unit) || MINOR.test(unit)) return "money"
  if (Object.hasOwn(DURATIONS, unit)) return "duration"
  if (/^(?:%|percent)$/u.test(unit)) return "percent"
  return STOP_WORDS.has(unit) || ANYBODY.test(unit) || BESIDE.test(unit) ? "" : stem(unit)
}

/** Whether two values at different places may be values of one field: of one kind, numbers of one unit or one of them without. */
export const areAlike = (one: Candidate, other: Candidate): boolean => {
  if (one.from < other.to && other.from < one.to && one.passage === other.passage) return false
  if (!NUMERIC.has(one.kind) || !NUMERIC.has(other.kind)) return one.kind === other.kind
  const [own, its] = [sortOf(one), sortOf(other)]
  return own === its || own === "" || its === ""
}

const placed = new WeakMap<Reading, Map<Passage, ReadonlyArray<Candidate>>>()

/** The candidates of a passage that begin in `[from, to)`: by halves, since a passage may be as long as a video. */
export const candidatesBetween = (
  reading: Reading,
  passage: Passage,
  from: number,
  to: number
): ReadonlyArray<Candidate> => {
  const ofReading = placed.get(reading) ?? new Map<Passage, ReadonlyArray<Candidate>>()
  placed.set(reading, ofReading)
  const all = ofReading.get(passage) ?? candidatesIn(reading, passage).toSorted((a, b) => a.from - b.from)
  ofReading.set(passage, all)
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.from < from) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < all.length && all[end]!.from < to) end++
  return all.slice(low, end)
}

/** What joins the ends of a range, with the unit of the first one before it: "200 watts to 800 watts", "9:00–17:30", "14 July – Fri 18 July". */
const JOINT =
  /^(?:\s?(?:[%°]|\p{L}+\.?)){0,2}\s?(?:to|and|till|until|up to|[-–—])\s?(?:(?:about|around|(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*\.?,?(?:\sthe)?)\s)?$/iu
const BETWEEN = /\bbetween\s(?:\p{L}+\s){0,2}$/iu
const LONGEST_JOINT = 32

/** A value as one end of a range that is said or shown as a whole. */
interface End {
  readonly place: "first" | "last"
  readonly other: Candidate
}

/** "From Oslo to Madrid" has two places and no range; "nine-forty" is one number. */
const RANGED: ReadonlySet<Candidate["kind"]> = new Set([
  "number",
  "money",
  "percent",
  "duration",
  "date",
  "time",
  "code"
])

const joins = ({ from, passage: { text }, to }: Candidate, { from: next }: Candidate): boolean => {
  const joint = text.slice(to, next)
  // "Three and four" are two numbers where nobody says "between".
  const spelled = /^-$/u.test(joint) && /\p{L}/u.test(text[to - 1] ?? "")
  return JOINT.test(joint) && !spelled &&
    (!/\band\s/iu.test(joint) || BETWEEN.test(text.slice(Math.max(0, from - 40), from)))
}

const endOf = (reading: Reading, one: Candidate): End | undefined => {
  const { from, kind, passage, to } = one
  if (!RANGED.has(kind)) return undefined
  const near = candidatesBetween(reading, passage, from - LONGEST_JOINT * 2, to + LONGEST_JOINT)
    .filter((other) => areAlike(one, other))
  const last = near.find((other) => other.from >= to && joins(one, other))
  if (last !== undefined) return { place: "first", other: last }
  const first = near.find((other) => other.to <= from && joins(other, one))
  return first === undefined ? undefined : { place: "last", other: first }
}

const LOW = /^(?:min|minimum|low|lower|lowest|least|smallest)$/u
const HIGH = /^(?:max|maximum|high|higher|highest|upper|largest)$/u
const FIRST = /^(?:from|starts?|begins?|opens?|opening)$/u
const LAST = /^(?:to|until|till|ends?|closes?|closing)$/u
/** What may stand behind "from" and "to" in a name that asks for an end: a unit. "Distance to station" asks for none. */
const UNIT = /^(?:\p{L}{1,3}|euros?|dollars?|pounds?|percent|years?|hours?|minutes?|days?|date|time|at)$/u

/** Which end of a range a field asks for, by its name. */
export const wantedEnd = ({ name }: Pick<Leaf, "name">): "low" | "high" | "first" | "last" | undefined => {
  const words = identifierWords(name)
  if (words.some((word) => LOW.test(word))) return words.some((word) => HIGH.test(word)) ? undefined : "low"
  if (words.some((word) => HIGH.test(word))) return "high"
  const at = words.findIndex((word) => FIRST.test(word) || LAST.test(word))
  if (at < 0 || !words.slice(at + 1).every((word) => UNIT.test(word))) return undefined
  return FIRST.test(words[at]!) ? "first" : "last"
}

const SCALED = /\d\s?(?:k|m|bn)\b|\b(?:thousand|million|billion|mn|bn)\b/iu

/** "Two to three million": the two is no value by itself. */
const lacksScale = (one: Candidate, { place, other }: End): boolean =>
  place === "first" && SCALED.test(other.text) &&
  typeof one.value === "number" && typeof other.value === "number" &&
  // "Between one thousand six hundred and forty and one thousand six hundred and eighty million".
  other.value / one.value >= (SCALED.test(one.text) ? 1e5 : 1000)

const rangesKnown = new WeakMap<Candidate, { readonly end: End | undefined }>()

const rangeOf = (reading: Reading, one: Candidate): End | undefined => {
  const known = rangesKnown.get(one) ?? { end: endOf(reading, one) }
  rangesKnown.set(one, known)
  return known.end
}

/** What a number measures: "between 3000 and 4500 euros" says of both that they are money. */
export const measuredInRange = (reading: Reading, one: Candidate): Unit | undefined => {
  const own = measured(one)
  if (own !== undefined || one.kind !== "number") return own
  const end = rangeOf(reading, one)
  return end?.place === "first" ? measured(end.other) : undefined
}

/** For which fields a value is the wrong end of its range. */
interface RangeEnd {
  readonly isWrongFor: (leaf: Leaf) => boolean
}

/** The end of a range that a value is; undefined for what is no end of one. */
export const rangeEnd = (reading: Reading, one: Candidate): RangeEnd | undefined => {
  const end = rangeOf(reading, one)
  if (end === undefined) return undefined
  const { other, place } = end
  const isFirst = place === "first"
  const isLow = typeof one.value === "number" && typeof other.value === "number" && one.value !== other.value
    ? one.value < other.value
    : isFirst
  const cut = lacksScale(one, end)
  const start = isFirst ? one.from : other.from
  const unsettled = BETWEEN.test(one.passage.text.slice(Math.max(0, start - 40), start))
  return {
    isWrongFor: (leaf) => {
      const wanted = wantedEnd(leaf)
      // "Between forty and fifty" is neither, for a field that asks for no end.
      if (wanted === undefined && unsettled && leaf.type !== "string") return true
      return cut || (wanted !== undefined &&
        (wanted === "low" ? !isLow : wanted === "high" ? isLow : wanted === "first" ? !isFirst : isFirst))
    }
  }
}
