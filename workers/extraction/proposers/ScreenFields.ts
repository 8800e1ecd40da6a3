import { callsAnother, OCCASION } from "../candidates/Disowned.ts"
import { candidatesFor } from "../candidates/LeafCandidates.ts"
import { measured } from "../candidates/Measures.ts"
import { type Material, mentionText } from "../candidates/Mention.ts"
import { FULL_NAME } from "../candidates/PersonClassifier.ts"
import { tellingWords } from "../grounding/ExplicitOnly.ts"
import { nameBeforeDocument } from "../lexicon/Documents.ts"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import { unitOfField } from "../lexicon/Units.ts"
import { guestsOf } from "../lists/kinds/PeopleAndOrganisations.ts"
import { wholeOf } from "../lists/kinds/SlideContents.ts"
import { summaryOf } from "../lists/kinds/Summary.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Slide, Span } from "../text/SourceDocument.ts"
import { identifierWords, stem } from "../text/Tokens.ts"

/** How surely each rule is right, relative to the ranker's probabilities: they only decide who yields. */
const SCORES = { labelled: 0.95, heading: 0.92, named: 0.91, address: 0.91, summary: 0.91 } as const

const TITLE = /\b(?:title|topic|subject|headline|heading)\b/u
/** Who has a job and what it is called; a slide's heading is neither. */
const JOB = /\b(?:job|position|role|occupation)\b/u
/** "WE ARE HIRING": why something is shown, and not what it is called. */
const ANNOUNCES = /^we(?:['’]re| are) (?:hiring|moving|open|closed|back)\b/iu
const NAMED_THING =
  /^(?:product|app|project|dish|recipe|event|show|talk|lecture|episode|video|meeting|game|model|tool|film|movie)(?: name)?$/u
/** What a field that is just called `name` is the name of, by its description: "Name of the talk". */
const NAME_OF =
  /^(?:the )?(?:full |official )?(?:name|title) of (?:the |this |a )?(product|app|project|dish|recipe|event|show|talk|lecture|episode|video|meeting|game|model|tool|film|movie|podcast|course|lesson|webinar|programme|program)\b/iu
const COURSE = /\b(?:course|class|module|lecture series)\b/u
const COURSE_NUMBER = /^\p{Lu}[\p{L} ]{1,40}\s?\d{2,4}[A-Z]?$/u
export const PRESENTING =
  /\b(?:lecturer|presenter|speaker|host|instructor|teacher|professor|author|narrator|interviewer|researcher|moderator|reviewer|chef|cook|agent|presented|taught|guide|trainer|coach|anchor)\b/u
/** What somebody has, and is no name: "agent phone" asks for no agent. */
export const BELONGS =
  /\b(?:role|title|position|company|team|club|phone|mobile|e ?mail|file|id|number|age|address|city|country|town|quote|comment|advice)\b/u
const ADDRESS = /\b(?:url|uri|website|web ?site|homepage|web address|link)\b/u
const SUMMARY = /\b(?:summary|abstract|synopsis|digest|gist)\b/u

export const stated = (
  rule: NonNullable<Ranked["rule"]>,
  leaf: Leaf,
  span: Span,
  score: number,
  value?: Ranked["value"]
): Ranked => {
  const text = span.passage.text.slice(span.from, span.to)
  const candidate: Candidate = { passage: span.passage, from: span.from, to: span.to, kind: "label", text, value: text }
  return { leaf, candidate, value: value ?? text, score, rule }
}

/**
 * How many words of a label call a field by its name. "Course name" calls `course`, "Price" calls `asking_price`; but not
 * "Licence" `licence_plate`, not "Team plan" `home_team`, and not "Family plan" `plan_name_of_family`.
 */
const calls = (called: ReadonlyArray<string>, named: ReadonlyArray<string>): number => {
  const [label, words] = [called.map(stem), named.map(stem)]
  const hits = label.filter((word) => words.includes(word)).length
  if (hits < label.length / 2) return 0
  const whole = words.every((word) => label.includes(word))
  return whole || (hits === label.length && label.includes(words.at(-1)!)) ? hits : 0
}

/** What a unit measures by itself: "Min: 2 °C" is a temperature without the word. */
const DIMENSION_NOUN =
  /^(?:temperature|temp|price|cost|amount|weight|mass|distance|speed|time|duration|area|volume|power)$/u

/**
 * What a field measures without its unit, and without a noun that the unit tells: "width" of `width_mm`, "min temperature" and "min" of
 * `min_temperature_c`; nothing where its name has no unit.
 */
const withoutUnit = ({ name }: Leaf): ReadonlyArray<ReadonlyArray<string>> => {
  const words = identifierWords(name)
  if (unitOfField(words, "") === undefined) return []
  const to = words.findLastIndex((_, at) => at > 0 && unitOfField(words.slice(0, at), "") === undefined)
  if (to < 0) return []
  return to > 1 && DIMENSION_NOUN.test(words[to - 1]!)
    ? [words.slice(0, to), words.slice(0, to - 1)]
    : [words.slice(0, to)]
}

/** What a label calls by its last telling word, without the number of it. */
const nounOf = (label: ReadonlyArray<string>): string =>
  tellingWords(label.filter((word) => !/^[\W\d]+$/u.test(word))).at(-1) ?? ""

/** `Lecturer: Mary Brown` on screen for the field `lecturer`. */
const labelled = ({ reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const number = leaf.type === "number" || leaf.type === "integer"
  if (leaf.type !== "string" && !number) return []
  const named = [leaf.name, String(leaf.schema["title"] ?? "")].map(identifierWords)
  const measures = number ? withoutUnit(leaf) : []
  return reading.candidates.flatMap((one) => {
    if (one.label === undefined || one.passage.channel !== "ocr") return []
    const label = one.label.toLowerCase().split(/\s+/u)
    // A number of another unit is no candidate of the field, and one without a unit may be of any.
    const names = measures.length > 0 && measured(one) !== undefined ? [...named, ...measures] : named
    const hits = Math.max(...names.flatMap((words) => [
      calls(label, words),
      // "Class trip" is a trip, and says nothing for `class_name`; "Episode 42" is one for `episode_title`.
      tellingWords(words).length < words.length && !words.map(stem).includes(stem(nounOf(label)))
        ? 0
        : calls(tellingWords(label), tellingWords(words))
    ]))
    if (hits === 0 || callsAnother(one.label, leaf)) return []
    // "Home score" before "Away score" for `home_score`.
    const score = SCORES.labelled - 0.01 * (1 - hits / label.length)
    if (!number) return one.kind === "label" ? [stated("screen-label", leaf, one, score)] : []
    // In "Speed: how far a thing moves in one hour" the number is not what the label calls.
    const heads = !/\p{L}{3}|\d/u.test(
      one.passage.text.slice(one.passage.text.indexOf(one.label) + one.label.length, one.from)
    )
    if (!["number", "money", "percent", "duration"].includes(one.kind) || !heads) return []
    const fits = candidatesFor(reading, leaf).find(({ candidate }) => candidate === one)
    return fits === undefined ? [] : [stated("screen-label", leaf, one, score, fits.value)]
  })
}

const placeOf = ({ candidate: { from, passage } }: Ranked): string => `${passage.index}:${from}`

/** "Class teacher: Mr Adeyemi" is of `class_teacher`, where there is one, and not of `class`: without what a label calls less wholly than another field. */
const ofBestCalled = (found: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const best = new Map<string, number>()
  for (const one of found) best.set(placeOf(one), Math.max(one.score, best.get(placeOf(one)) ?? 0))
  return found.filter((one) => one.score >= best.get(placeOf(one))!)
}

/** What only numbers or dates a title: "Lecture 9", "PHYS 142", "Day 2", "3 Feb 2027". */
const COUNTED =
  /^(?:(?:\p{L}+\.? )?(?:no\.? ?)?#?\d+(?:[./:]\d+)*[a-z]?|(?:\p{L}{3,9},? )?\d{1,2}\.? \p{L}{3,9}\.?(?: \d{4})?|\d{4}-\d{2}-\d{2})$/iu
/** What kind of thing a title is of: "Training: the night hatch". */
const KIND_OF_TITLE =
  /^(?:[\p{L}-]+ )?(?:training|lecture|lesson|talk|webinar|episode|session|seminar|workshop|unit|chapter|module|part|topic|title|today)(?: \d+)?:\s+/iu
const DASH = /\s+[–—|·•-]\s+|\s{2,}/u

/** The part of a title card's line that is the title: what follows a spaced dash is said about it, and what only counts it is none. */
const titleOf = (line: Passage): Span | undefined => {
  const kind = KIND_OF_TITLE.exec(line.text)?.[0] ?? ""
  const part = line.text.slice(kind.length).split(DASH).find((one) =>
    /\p{L}{2}/u.test(one) && !COUNTED.test(one.trim())
  )
  return part === undefined ? undefined : mentionText(wholeOf(line), part.trim())?.span
}

/** The slide that opens the video: on screen within the first minute and the first fifth. */
export const openingSlide = ({ reading: { document } }: Material): Slide | undefined => {
  const [first] = document.slides
  return first !== undefined && first.t_start <= Math.min(60, document.duration_seconds / 5) ? first : undefined
}

/** "Joost Brandsma" over "Host" is a caption, though nobody is called so in speech. */
export const isPersonsName = (text: string): boolean =>
  FULL_NAME.test(text) && FIRST_NAMES.has(text.split(" ")[0]!.toLowerCase())

const fromOpening = (material: Material, leaf: Leaf, slide: Slide): ReadonlyArray<Ranked> => {
  const name = identifierWords(leaf.name).join(" ")
  const on = (span: Span): boolean => span.passage.source_ref === slide.source_ref
  const named = (list: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>): ReadonlyArray<Ranked> => {
    const spans = list.flatMap((one) => one.spans.slice(0, 1)).filter(on)
    return spans.slice(0, 1).map((span) => stated("screen-name", leaf, span, SCORES.named))
  }
  const of = name === "name" ? NAME_OF.exec(String(leaf.schema["description"] ?? "")) : null
  const titled = (TITLE.test(name) && !JOB.test(name)) || NAMED_THING.test(name) || of !== null
  if (titled && slide.heading !== null) {
    const people = new Set(material.registry.people.map((person) => person.name))
    const lines = [slide.heading, ...slide.lines].filter(({ text }) =>
      !people.has(text) && !ANNOUNCES.test(text) && !OCCASION.test(text) && !isPersonsName(text)
    )
    const title = lines.flatMap((line) => titleOf(line) ?? [])[0]
    return title === undefined ? [] : [stated("screen-heading", leaf, title, SCORES.heading)]
  }
  if (PRESENTING.test(name) && !BELONGS.test(name)) {
    const guests = new Set(guestsOf(material).map((guest) => guest.name))
    return named(material.registry.people.filter((person) => !guests.has(person.name)))
  }
  if (COURSE.test(name)) {
    const numbered = [slide.heading, ...slide.lines].find((line) => line !== null && COURSE_NUMBER.test(line.text))
    return numbered ? [stated("screen-name", leaf, wholeOf(numbered), SCORES.named)] : []
  }
  return soughtType(leaf) === "organisation" && !/\b(?:team|venue|attraction|property)\b/u.test(name)
    ? named(material.registry.organisations.filter(({ name: own }) => nameBeforeDocument(own) === undefined))
    : []
}

/**
 * What the screen says plainly: labelled values, the opening slide's heading and names, the address that is shown, the
 * line that sums up. Rules, not probabilities; each is better than any guess from noisy speech.
 */
export const screenFields = (material: Material, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Ranked> => {
  const opening = openingSlide(material)
  const called = Map.groupBy(ofBestCalled(leaves.flatMap((leaf) => labelled(material, leaf))), ({ leaf }) => leaf)
  return leaves.flatMap((leaf) => {
    const found = called.get(leaf) ?? []
    if (found.length > 0 || leaf.type !== "string") return found
    const name = identifierWords(leaf.name).join(" ")
    if (SUMMARY.test(name)) {
      const summary = summaryOf(material)
      return summary === undefined ? [] : [stated("summary", leaf, summary.span, SCORES.summary)]
    }
    if (ADDRESS.test(name)) {
      const shown = material.reading.candidates.filter((one) => one.kind === "url" && one.passage.channel === "ocr")
      return shown.slice(-1).map((one) => stated("screen-address", leaf, one, SCORES.address))
    }
    return opening === undefined ? [] : fromOpening(material, leaf, opening)
  })
}
