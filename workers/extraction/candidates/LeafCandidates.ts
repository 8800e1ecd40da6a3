import { asClock, clockTimesIn, meantMinutes, YEAR_AS_SPOKEN } from "../lexicon/ClockTimes.ts"
import { toIsoDate } from "../lexicon/Dates.ts"
import { inScale } from "../lexicon/FieldScales.ts"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import { DURATIONS, MINOR } from "../lexicon/Numbers.ts"
import { isOtherUnit } from "../lexicon/Units.ts"
import type { Candidate, LeafCandidate } from "../text/Candidate.ts"
import { wantsClock, wantsCode, wantsWeekday } from "../text/FieldForms.ts"
import { labelledValues } from "../text/LabelledValues.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"
import { booleanCandidates } from "./BooleanCandidates.ts"
import { dateTimesFor, wantsDateTime } from "./DateTimes.ts"
import { callsAnother, isDisowned } from "./Disowned.ts"
import { enumCandidates } from "./EnumCandidates.ts"
import { clocksFor, codesFor, frequenciesFor, inClockForm, spotsFor, weekdaysFor } from "./FormCandidates.ts"
import { candidatesBetween, factorOf, inUnitOf, measured, measureOf, saysWhen } from "./Measures.ts"
import { isOwnSide } from "./OtherSide.ts"
import { isPerson, NUMBERED, personScore, untitled } from "./PersonClassifier.ts"
import type { Reading } from "./Reading.ts"
import { withDayOfMonth } from "./scan/DaysOfMonth.ts"

const TIME_UNITS: ReadonlyArray<readonly [RegExp, number]> = [[/minut/u, 60], [/hour/u, 3600], [/day|night/u, 86400]]

/** How many seconds one of the field's own time unit has, or undefined where it names none. */
const fieldSeconds = (leaf: Leaf): number | undefined => {
  const unit = measureOf(leaf)
  if (unit?.dimension === "time" && /^(?:second|minute|hour)$/u.test(unit.unit)) return DURATIONS[unit.unit]
  if (/second/u.test(Array.from(leaf.terms.keys()).join(" "))) return 1
  return TIME_UNITS.find(([unit]) => unit.test(`${leaf.name} ${leaf.words}`))?.[1]
}

/** Minutes may be said in hours and days in years; nobody says in years how many minutes something takes. */
const comparable = ({ text }: Candidate, seconds: number): boolean =>
  text.toLowerCase().split(/[^\p{L}]+/u).every((word) =>
    !Object.hasOwn(DURATIONS, word) || DURATIONS[word]! / seconds <= 400
  )

/** "Nine out of ten", "on a scale from one to ten": the scale is no value. */
const SCALE_BEFORE = /\b(?:out of|scale (?:from|of)(?: \S+ to)?) $/iu

/** Whether the word right after a plain number is what it counts, or goes on without a noun, rather than a unit of time. */
const countsSomething = ({ passage, to, unit }: Candidate): boolean =>
  unit !== undefined && !Object.hasOwn(DURATIONS, unit) && /^\s+\p{L}/u.test(passage.text.slice(to))

const headsDuration = ({ unit }: Candidate): boolean => unit !== undefined && Object.hasOwn(DURATIONS, unit)

/** "another one", "one of them", "one way": no number. */
const pronoun = ({ from, kind, passage: { text }, text: said, to }: Candidate): boolean =>
  kind === "number" && said.toLowerCase() === "one" &&
  (/\b(?:another|other|this|that|which|the|any|every|no|first|last|next|good|best)\s$/iu.test(
    text.slice(Math.max(0, from - 12), from)
  ) ||
    /^(?:\s(?:of|more|another|else|that|way|day|moment|thing|such|option|is|would|can|in|at|for)\b|[ -]?way\b)/iu.test(
      text.slice(to, to + 12)
    ))

/** Fields that "the third" may answer. */
const RANKED =
  /\b(?:place|rank|ranking|position|floor|storey|episode|season|chapter|lesson|round|quarter|century|grade|edition|stage|issue|number|week|day)\b(?! of)/u

/** "Two hundred and eighteen million dollars" as the 218 that a field in millions asks for. */
const scaledBy = (factor: number, candidate: Candidate): Candidate =>
  typeof candidate.value !== "number" || (candidate.kind !== "number" && candidate.kind !== "money")
    ? candidate
    : {
      ...candidate,
      value: inScale(factor, candidate.value, candidate.text, candidate.passage.modality === "audio")
    }

/** "Year 3": of a course, a school or a contract. */
const YEAR_OF = /\byear $/iu

/** Whether a field asks for a year of the calendar: "year_built", "release_year" and "founded_in" do, "prior_year_revenue" and "incidents_year" do not. */
export const asksYear = ({ name, words }: Leaf): boolean => {
  const own = identifierWords(name)
  if (saysWhen(own)) return true
  return (own[0] === "year" || own.at(-1) === "year") && !/\bper year\b|growth/u.test(words) &&
    !own.some((word) =>
      /^(?:per|last|this|next|previous|prior|full|one|count|number)$/u.test(word) || /[^s]s$/u.test(word)
    )
}

/** How far apart the parts of a measure begin, at most. */
const PART_REACH = 64

/** "6 ft 2 in", "2 kg and 300 g": a part of what is measured in two units, and no measure by itself. */
const isPart = (reading: Reading, one: Candidate): boolean => {
  const own = one.kind === "number" ? measured(one) : undefined
  const near = own === undefined
    ? []
    : candidatesBetween(reading, one.passage, one.from - PART_REACH, one.to + PART_REACH)
  return own !== undefined && near.some((other) => {
    if (other === one || other.kind !== "number") return false
    const unit = measured(other)
    if (unit?.dimension !== own.dimension || unit.unit === own.unit) return false
    const [first, second] = other.to <= one.from ? [other, one] : [one, other]
    return first.to <= second.from &&
      /^\s?\p{L}+\.?\s?(?:and\s)?$/u.test(one.passage.text.slice(first.to, second.from))
  })
}

/** "80 kg" for a field in pounds; what is a length of time is counted in the field's unit. */
const isOfOtherUnit = (candidate: Candidate, measure: ReturnType<typeof measureOf>): boolean =>
  candidate.kind !== "duration" && isOtherUnit(
    measured(candidate),
    candidate.kind === "money"
      ? candidate.text.replace(/^[^\p{L}$€£¥]+/u, "")
      : candidate.passage.text.slice(candidate.to),
    measure
  )

/** Fields that count things, by the plural that they are called: "previous_contacts", "boxes_outstanding". */
const countsThings = ({ name, type }: Leaf, measure: ReturnType<typeof measureOf>): boolean =>
  type === "integer" && measure === undefined && identifierWords(name).some((word) => /[^siu]s$/u.test(word))

/** "In 2019", "since nineteen eighty": when something was. */
const SINCE_WHEN = /\b(?:in|since|until|till|before|after)\s$/iu

/** Whether a number is a year: by how it is said, or by the word before it. */
const isYear = (one: Candidate): boolean =>
  YEAR_AS_SPOKEN.test(one.text) ||
  (one.kind === "number" && Number(one.value) >= 1900 && Number(one.value) < 2100 && measured(one) === undefined &&
    !/[,.]|hundred|thousand/iu.test(one.text) &&
    SINCE_WHEN.test(one.passage.text.slice(Math.max(0, one.from - 8), one.from)))

/** What is never below zero, though an account subtracts it: "Deposit paid -100.00". */
const PAID = /\b(?:prices?|costs?|fees?|deposits?|paid|payments?|discounts?|rents?|fares?|wages?|salary)\b/u

const numberCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const seconds = fieldSeconds(leaf)
  const percent = (leaf.kinds.get("percent") ?? 0) > 0
  const timed = identifierWords(leaf.name).some((word) => /^(?:minutes|hours|seconds)$/u.test(word))
  const { enum: allowed, maximum, minimum } = leaf.schema
  const measure = measureOf(leaf)
  const minor = identifierWords(leaf.name).some((word) => MINOR.test(word))
  const factor = factorOf(leaf)
  const ranks = RANKED.test(identifierWords(leaf.name).join(" "))
  const year = asksYear(leaf) && (measure === undefined || measure.dimension === "time")
  const counts = !timed && countsThings(leaf, measure)
  const paid = PAID.test(identifierWords(leaf.name).join(" "))
  const conversions = new Set<Candidate>()
  const found = reading.candidates.flatMap((scanned): ReadonlyArray<LeafCandidate> => {
    if (!["number", "money", "percent", "duration"].includes(scanned.kind)) return []
    const scaled = factor === undefined ? scanned : scaledBy(factor, scanned)
    const part = isPart(reading, scaled)
    const inUnit = part ? undefined : inUnitOf(measure, scaled)
    if (inUnit !== undefined) conversions.add(inUnit)
    const candidate = inUnit ?? scaled
    if (candidate.kind === "duration" && (seconds === undefined || !comparable(candidate, seconds))) return []
    if (pronoun(candidate) || (candidate.ordinal === true && !ranks)) return []
    const own = measured(candidate)
    if (measure !== undefined && own !== undefined && measure.dimension !== own.dimension) return []
    if (counts && (own !== undefined || candidate.kind === "percent")) return []
    if ((counts || ranks || measure !== undefined) && !year && isYear(candidate)) return []
    // "A 10K race" is of kilometres.
    if (measure?.unit === "km" && /\dk$/iu.test(candidate.text)) return []
    // "In one hour" measures nothing for a field that does not measure in hours; "one bedroom" is a count.
    if (leaf.type === "number" && /^one$/iu.test(candidate.text) && (measure === undefined || own === undefined)) {
      return []
    }
    // "99 cents" are no 99 of the currency.
    if (candidate.kind === "number" && !minor && MINOR.test(candidate.unit ?? "")) return []
    // The duration or the share that starts here has the same value, and its unit as well.
    if (seconds !== undefined && candidate.kind === "number" && headsDuration(candidate)) return []
    if (percent && candidate.kind === "number" && /^(?:%|percent)$/u.test(candidate.unit ?? "")) return []
    if (timed && candidate.kind === "number" && countsSomething(candidate)) return []
    if (SCALE_BEFORE.test(candidate.passage.text.slice(0, candidate.from))) return []
    const said = candidate.value as number
    const value = candidate.kind === "duration"
      ? said / seconds!
      : minor && candidate.kind === "money"
      ? Math.round(said * 1e4) / 100
      : said
    if (paid && value < 0) return []
    if (leaf.type === "integer" && !Number.isInteger(value)) return []
    if (year && (value < 1000 || value > 2200) && !YEAR_OF.test(candidate.passage.text.slice(0, candidate.from))) {
      return []
    }
    if (typeof minimum === "number" && value < minimum) return []
    if (typeof maximum === "number" && value > maximum) return []
    if (Array.isArray(allowed) && !allowed.includes(value)) return []
    return [
      part || isOfOtherUnit(candidate, measure)
        ? { candidate, value, barred: true }
        : { candidate, value }
    ]
  })
  // Whoever says something in the field's own unit means that: "10 cm" is no width beside "4.5 metres".
  const isOwn = ({ barred, candidate }: LeafCandidate): boolean =>
    barred === undefined && !conversions.has(candidate) && measured(candidate)?.unit === measure?.unit
  return conversions.size > 0 && found.some(isOwn)
    ? found.map((one) => conversions.has(one.candidate) ? Object.assign({}, one, { barred: true as const }) : one)
    : found
}

/** Whether a text has to be a day, by its schema's format or by what its description shows. */
export const wantsDay = ({ schema, type }: Leaf): boolean =>
  type === "string" &&
  (schema["format"] === "date" || /\bYYYY-MM-DD\b(?![T ])/u.test(String(schema["description"] ?? "")))

/** A text in the form that the schema asks for, or undefined where the words do not settle one. */
export const inForm = (leaf: Leaf, text: string, recordedAt: string | undefined): string | undefined => {
  if (wantsDay(leaf)) return toIsoDate(text, recordedAt)
  // A rule's words are a moment only with a day, a time and an offset, which `dateTimesFor` looks for.
  if (wantsDateTime(leaf)) return undefined
  if (!wantsClock(leaf)) return text
  const [time, other] = clockTimesIn(text)
  if (time === undefined || other !== undefined) return undefined
  return inClockForm(leaf, asClock(meantMinutes(time, [])))
}

const LOOSE_KINDS = new Set(["answer", "label", "quoted"])

/** How readily a candidate's kind is accepted for a leaf; 0 is never. */
export const kindPrior = (leaf: Leaf, candidate: Candidate): number =>
  leaf.kinds.get(candidate.kind) ?? (candidate.kind === "answer" ? 0.35 : candidate.kind === "label" ? 0.5 : 0)

/** Texts that want "4" of "4 days": all others want the whole. */
const BARE_NUMBER =
  /\bnumber of\b|\bhow many\b|\bcount\b|\bin (?:seconds|minutes|hours|days|nights|weeks|months|years)\b/u

const known = new WeakMap<Reading, Map<Leaf, ReadonlyArray<LeafCandidate>>>()

/** Every candidate that competes for a leaf, those included that say something and not its value; remembered, since the judge asks after the proposer. */
export const rivalsFor = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const ofReading = known.get(reading) ?? new Map<Leaf, ReadonlyArray<LeafCandidate>>()
  known.set(reading, ofReading)
  const found = ofReading.get(leaf) ??
    withoutOthers(leaf, lookedFor(reading, leaf)).flatMap((one): ReadonlyArray<LeafCandidate> => {
      const { candidate } = one
      // Whoever takes a value back mostly says the right one next, which must not suffer from it.
      if (isDisowned(reading, leaf, candidate)) return []
      const isAnother = candidate.label !== undefined && callsAnother(candidate.label, leaf)
      return [isAnother ? Object.assign({}, one, { barred: true as const }) : one]
    })
  ofReading.set(leaf, found)
  return found
}

/** How far a field's word stands from the name that it is said of: "Owen Birch, who is the judge". */
const NEAR_NAME = 28

/**
 * Names without those of others where a text tells whose the field is: by a verb for who won, by the field's own word as a title ("Judge
 * Amara Singh"). Another name stays only beside the field's word.
 */
const withoutOthers = (leaf: Leaf, found: ReadonlyArray<LeafCandidate>): ReadonlyArray<LeafCandidate> => {
  const words = identifierWords(leaf.name)
  const own = new Set(words.map(stem))
  const says = (text: string): boolean => tokenise(text).some(({ norm }) => own.has(stem(norm)))
  // Of a list's entries each has its own: "Councillor Pell", "Councillor Bram Fielding".
  const titles = soughtType(leaf) === "person" && !leaf.template.includes("/*") ? words.slice(-1) : []
  const isTitled = ({ from, kind, passage: { text } }: Candidate): boolean =>
    kind === "name" &&
    titles.some((title) => text.slice(Math.max(0, from - NEAR_NAME), from).toLowerCase().endsWith(`${title} `))
  if (!found.some(({ candidate }) => isOwnSide(leaf, candidate) || isTitled(candidate))) return found
  return found.filter(({ candidate }) => {
    const { from, kind, passage, to } = candidate
    return kind !== "name" || isOwnSide(leaf, candidate) ||
      says(passage.text.slice(Math.max(0, from - NEAR_NAME), from)) || says(passage.text.slice(to, to + NEAR_NAME))
  })
}

/** Every candidate that could be the value of a leaf, judged by type alone. */
export const candidatesFor = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> =>
  rivalsFor(reading, leaf).filter(({ barred }) => barred === undefined)

const lookedFor = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  if (leaf.type === "enum") return enumCandidates(reading, leaf)
  if (leaf.type === "boolean") return booleanCandidates(reading, leaf)
  if (leaf.type === "number" || leaf.type === "integer") {
    return [...numberCandidates(reading, leaf), ...frequenciesFor(reading, leaf)]
  }
  if (wantsClock(leaf)) return clocksFor(reading, leaf)
  if (wantsDateTime(leaf)) return dateTimesFor(reading, leaf)
  const code = wantsCode(leaf)
  const texts = textCandidates(reading, leaf)
  if (wantsWeekday(leaf)) return weekdaysFor(reading, leaf, texts)
  return code === undefined ? spotsFor(reading, leaf, texts) : codesFor(reading, leaf, code, texts)
}

/** Fields that ask for where people live, none of which is called a street. */
const SETTLEMENT = /^(?:city|town|village|country|county)$/u
const STREET = /\b(?:street|road|lane|avenue|drive|boulevard|terrace|crescent|row)\.?$/iu

const ARTICLE_IN_NAME =
  /^(?:Hague|Netherlands|United|Philippines|Gambia|Bahamas|Maldives|Bronx|Congo|Ivory|Vatican|Czech|Dominican|Central|Sudan|U\.?K|U\.?S|UAE)\b/u
/** "The Old Lighthouse in Brennick": hardly a town or a country has an article. */
const hasArticle = ({ from, passage, text }: Candidate): boolean =>
  passage.modality === "audio" && /\bthe\s$/iu.test(passage.text.slice(Math.max(0, from - 5), from)) &&
  !ARTICLE_IN_NAME.test(text)

/** Whether it stands in the label of a line, which has a word of the field's name. */
const isInLabel = ({ passage, to }: Candidate, own: ReadonlySet<string>): boolean => {
  const label = /^([^:]{1,40}):\s/u.exec(passage.text)?.[1]
  return label !== undefined && to <= label.length &&
    label.toLowerCase().split(/[\s-]+/u).some((word) => own.has(stem(word)))
}

const labelsBehind = new WeakMap<Passage, ReadonlyArray<{ readonly from: number; readonly to: number }>>()

/** Whether it is itself the label of a later pair on its line: "Arrival" of "Departure: 10:15 Arrival: 10:58". */
const isLabelBehind = ({ from, passage, to }: Candidate): boolean => {
  const labels = labelsBehind.get(passage) ??
    labelledValues(passage.text).slice(1).map(({ label, start }) => ({ from: start, to: start + label.length }))
  labelsBehind.set(passage, labels)
  return labels.some((label) => label.from <= from && to <= label.to)
}

/** What is no person, whoever is named beside it. */
const THING =
  /^(?:course|class|sample|lecture|lesson|event|meeting|product|item|dish|recipe|ingredient|material|medium|technique|route|address|weather|vehicle|device|software|tool|sport|language|cause|reason|issue|problem|symptom)$/u
/** What is told as a number, or in words, and never by a name. */
const MAGNITUDE =
  /^(?:pace|speed|duration|length|height|width|depth|weight|distance|temperature|price|cost|fee|rent|rate|volume|capacity|age|size|score|time|amount|quantity)$/u

/** "Plant garlic" for `plant`, "aluminium frame" for `frame_material`: a pair of words of which one is the field's, and only the other its value. */
const saysField = ({ text }: Candidate, own: ReadonlyArray<string>): boolean => {
  const pair = text.toLowerCase().split(/\s+/u).map(stem)
  return pair.length === 2 && (own.includes(pair[0]!) || (own.includes(pair[1]!) && own.at(-1) !== pair[1]))
}

/** "Car park C": the letter is of the noun before it, and answers a field that is called by that alone. */
const isLetterOfAnother = ({ from, passage, text }: Candidate, own: ReadonlySet<string>): boolean => {
  const noun = /^\p{Lu}$/u.test(text)
    ? /(\p{Ll}{3,})\s$/u.exec(passage.text.slice(Math.max(0, from - 16), from))?.[1]
    : undefined
  return noun !== undefined && !STOP_WORDS.has(noun) && !own.has(stem(noun))
}

/** Who is always somebody: a winner may be a team, an applicant a firm. */
const SOMEBODY =
  /\b(?:host|reviewer|reporter|presenter|speaker|teacher|instructor|trainer|lecturer|narrator|guide|chef|coach|nurse|doctor|driver|pilot|author|interviewer|interviewee|moderator|handler|keeper|caller|patient|student|owner)\b/u
/** Below it a name is a thing's, a firm's or a place's: by its last word, its number, or the article before it wherever it stands. */
const NOBODY = -0.5
const isNobody = (reading: Reading, candidate: Candidate, somebody: boolean): boolean =>
  !FIRST_NAMES.has(candidate.text.split(/\s/u)[0]!.toLowerCase()) &&
  (NUMBERED.test(candidate.text) || (somebody && personScore(reading, candidate) < NOBODY))

const textCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const person = soughtType(leaf) === "person"
  const place = soughtType({ ...leaf, schema: {} }) === "place"
  const somebody = SOMEBODY.test(identifierWords(leaf.name).join(" "))
  const names = identifierWords(leaf.name)
  const words = names.map(stem)
  const own = new Set(words)
  const bare = BARE_NUMBER.test(leaf.words)
  const single = !leaf.template.includes("/*")
  const last = names.at(-1) ?? ""
  const [thing, magnitude] = [THING.test(last), MAGNITUDE.test(last)]
  const settlement = SETTLEMENT.test(last)
  const wholeDay = single && !wantsDay(leaf) ? withDayOfMonth : (one: Candidate): Candidate => one
  const offered = [...reading.candidates, ...reading.guesses, ...wantsDay(leaf) ? reading.days : []]
  return offered.flatMap((candidate) => {
    if (!bare && candidate.kind === "number" && headsDuration(candidate)) return []
    const prior = leaf.kinds.get(candidate.kind) ?? (LOOSE_KINDS.has(candidate.kind) ? 0.3 : 0)
    // "Team" on the screen is what a field is called, not what it holds.
    if (prior < 0.15 || candidate.text.toLowerCase().split(/\s+/u).every((word) => own.has(stem(word)))) return []
    // "Former CEO:" is no name of a CEO.
    if (candidate.passage.channel === "ocr" && isInLabel(candidate, own)) return []
    // A list may well be one of labels and values.
    if (single && candidate.passage.channel === "ocr" && isLabelBehind(candidate)) return []
    if (settlement && (STREET.test(candidate.text) || hasArticle(candidate))) return []
    // Nobody's full name is a place.
    if (place && candidate.kind === "name" && isPerson(candidate)) return []
    const named = candidate.kind === "name" || candidate.kind === "named"
    if (candidate.kind === "phrase" && saysField(candidate, words)) return []
    if (named && isLetterOfAnother(candidate, own)) return []
    if (person && candidate.kind === "name" && isNobody(reading, candidate, somebody)) return []
    if (magnitude && named && !/\d/u.test(candidate.text)) return []
    if (thing && named && isPerson(untitled(candidate))) return []
    const plain = person && candidate.kind === "name" ? untitled(candidate) : wholeDay(candidate)
    const value = candidate.day?.iso ?? inForm(leaf, plain.text, reading.recordedAt)
    return value === undefined ? [] : [{ candidate: plain, value }]
  })
}
