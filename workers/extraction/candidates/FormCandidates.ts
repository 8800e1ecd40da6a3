import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"
import { asClock, byOneClock, type ClockTime, clockTimesIn, LEADS, LED, meantMinutes } from "../lexicon/ClockTimes.ts"
import { numberAt } from "../lexicon/Numbers.ts"
import { FREQUENCIES, rateAfter, rateOfField } from "../lexicon/Rates.ts"
import { type Spelled, spelledIn } from "../lexicon/Spelled.ts"
import { isWeekday, repeatedWeekdays, weekdayNamed } from "../lexicon/Weekdays.ts"
import type { LeafCandidate } from "../text/Candidate.ts"
import { spacedFor } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { identifierWords, stem, type Token } from "../text/Tokens.ts"
import { sentenceAt } from "./FieldWords.ts"
import type { Reading } from "./Reading.ts"

const honest = ({ passages, suspects }: Reading): ReadonlyArray<Passage> =>
  passages.filter(({ channel, index }) => channel !== "vision" && suspects.get(index) !== "forged")

/** Where a time stands, with the word before it where it is none without that: what is cited has to prove the time by itself. */
const withLead = (text: string, { from, to }: ClockTime): Pick<ClockTime, "from" | "to"> => {
  const lead = LEADS.exec(text.slice(Math.max(0, from - 8), from))?.[0]
  return lead === undefined || clockTimesIn(text.slice(from, to)).length > 0
    ? { from, to }
    : { from: from - lead.length, to }
}

/** A time of day, and the morning's where other times of the footage alone make it one of the evening. */
interface Clock extends LeafCandidate {
  readonly morning: string | undefined
}

const clocks = new WeakMap<Reading, ReadonlyArray<Clock>>()

const NOON = 720
/** Nobody opens before, without saying which half of the day is meant. */
const EARLY = 480

/** "Seventeen fifty" with nothing that makes it a time is as well a price: no other time is read by it. */
const maySayOtherwise = (text: string, { from, settled, to }: ClockTime): boolean =>
  settled && !LEADS.test(text.slice(Math.max(0, from - 8), from)) &&
  /^(?!noon|midday|midnight)\p{L}+(?:[ -]\p{L}+)*$/iu.test(text.slice(from, to)) &&
  !/\b(?:hours|past|to|[ap]m|o['’]?clock|morning|afternoon|evening|night|half|quarter)\b/iu.test(text.slice(from, to))

/** "Fifteen forty an hour" is a wage. */
const isPaid = (text: string, time: ClockTime): boolean =>
  maySayOtherwise(text, time) &&
  /^\s(?:an? (?:hour|day|week|month|year|night|head|person)|per|each|euros?|pounds?|dollars?|for (?:adults?|children|kids|students|seniors|members|guests))\b/iu
    .test(
      text.slice(time.to, time.to + 20)
    )

/** What stands between the two times of a period: "6:30 – 10:00", "from half six to ten". */
const PERIOD = /^\s?(?:[-–—]|to|until|till)\s?$/iu

/** The minutes that are meant; where nobody says which half of the day a period is of, it does not begin after it ends: "6:30 – 10:00" is of a morning. */
const meantOf = (
  text: string,
  time: ClockTime,
  next: ClockTime | undefined,
  all: ReadonlyArray<ClockTime>
): number => {
  const meant = meantMinutes(time, all)
  if (time.settled || next === undefined || !PERIOD.test(text.slice(time.to, next.from))) return meant
  const end = meantMinutes(next, all)
  return meant > end && meant - NOON < end && meant >= NOON ? meant - NOON : meant
}

/** Every time of day of a source as `HH:MM`, remembered. */
const clockCandidates = (reading: Reading): ReadonlyArray<Clock> => {
  const known = clocks.get(reading)
  if (known !== undefined) return known
  const places = honest(reading).flatMap((passage) =>
    clockTimesIn(passage.text).filter((time) => !isPaid(passage.text, time)).map((time) => ({ passage, time }))
  )
  const all = byOneClock(places.map(({ time }) => time))
  const told = places.map(({ passage }, at) => ({ passage, time: all[at]! }))
  const sure = told.filter(({ passage, time }) => !maySayOtherwise(passage.text, time)).map(({ time }) => time)
  const found = told.map(({ passage, time }, at): Clock => {
    const { from, to } = withLead(passage.text, time)
    const text = passage.text.slice(from, to)
    const follows = told[at + 1]
    const meant = meantOf(passage.text, time, follows?.passage === passage ? follows.time : undefined, sure)
    const morning = !time.settled && meant - NOON >= EARLY ? asClock(meant - NOON) : undefined
    return {
      candidate: { kind: "time", passage, from, to, text, value: text },
      value: asClock(meant),
      morning
    }
  })
  clocks.set(reading, found)
  return found
}

/** `HH:MM`, or the form of JSON Schema's `time` where the leaf asks for it. */
export const inClockForm = ({ schema }: Leaf, clock: string): string =>
  schema["format"] === "time" ? `${clock}:00Z` : clock

/** What begins in the morning where nobody says otherwise, though all else that is told be of the evening: "we open at ten". */
const OF_MORNINGS = /\b(?:opens?|opening|reopens?|breakfast|check ?out|service)\b/u

/** A field's words that every field of a time has. */
const OF_ANY_TIME = /^(?:time|at|hour|clock|on|from|to|until)$/u

/**
 * Times of day in the form that the leaf wants. A bare hour only in a sentence with a word of the field: of four that were
 * taken without one, on 340 videos, none was right.
 */
export const clocksFor = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const own = Array.from(new Set(identifierWords(leaf.name).filter((word) => !OF_ANY_TIME.test(word)).map(stem)))
  // By the words that were read once: a text without stops is one sentence with thousands of hours.
  const isMeant = ({ candidate: { from, passage, text } }: LeafCandidate): boolean => {
    if (!LED.test(text)) return true
    const sentence = sentenceAt(passage, from)
    return own.some((word) =>
      reading.stems[passage.index]?.get(word)?.some((place) => {
        const at = passage.tokens[place]!.from
        return at >= sentence.from && at < sentence.from + sentence.text.length
      }) === true
    )
  }
  const ofMornings = OF_MORNINGS.test(identifierWords(leaf.name).join(" "))
  return clockCandidates(reading).filter(isMeant).map(({ candidate, morning, value }) => ({
    candidate,
    value: inClockForm(leaf, ofMornings ? morning ?? String(value) : String(value))
  }))
}

/** What is a text by how it is written alone: "CLOSED MONDAYS" and a shop's name are no day. */
const CALLED: ReadonlySet<LeafCandidate["candidate"]["kind"]> = new Set(["name", "phrase", "quoted"])

/**
 * Texts for a day of the week: "Mondays" is Monday, and "last month" or "tomorrow" is none, but for the day that an entry is of: a forecast
 * has one for tomorrow.
 */
export const weekdaysFor = (
  reading: Reading,
  { template }: Pick<Leaf, "template">,
  others: ReadonlyArray<LeafCandidate>
): ReadonlyArray<LeafCandidate> => {
  const repeated = honest(reading).flatMap((passage) =>
    repeatedWeekdays(passage.text).map(({ from, text }): LeafCandidate => ({
      candidate: { kind: "date", passage, from, to: from + text.length, text, value: text },
      value: text
    }))
  )
  return [...others, ...repeated].flatMap((one) => {
    if (CALLED.has(one.candidate.kind) && !isWeekday(String(one.value))) return []
    const value = weekdayNamed(String(one.value)) ?? (template.includes("/*/") ? String(one.value) : undefined)
    return value === undefined ? [] : [Object.assign({}, one, { value })]
  })
}

type SpelledCandidate = LeafCandidate & Pick<Spelled, "at" | "counted">

const spelled = new WeakMap<Reading, ReadonlyArray<SpelledCandidate>>()

/** What is spelled aloud or read out figure by figure, as it is written, remembered: on the screen nobody spells. */
const spelledCandidates = (reading: Reading): ReadonlyArray<SpelledCandidate> => {
  const known = spelled.get(reading)
  if (known !== undefined) return known
  const found = honest(reading).filter(({ modality }) => modality === "audio").flatMap((passage) =>
    spelledIn(passage.text, passage.tokens).map(({ at, counted, from, to, value }): SpelledCandidate => ({
      candidate: { kind: "code", passage, from, to, text: passage.text.slice(from, to), value },
      value,
      at,
      counted
    }))
  )
  spelled.set(reading, found)
  return found
}

const digitsIn = (value: unknown): number => String(value).replaceAll(/\D/gu, "").length
/** The fewest figures of a telephone number. */
const LEAST_DIALLED = 6
const isDialled = ({ value }: LeafCandidate): boolean =>
  digitsIn(value) >= LEAST_DIALLED && !/\p{L}/u.test(String(value))

/** Words that may be letters alone: a code word, a plate; nobody numbers in letters. */
const LETTERED = /\b(?:code|plate|call ?sign|designator|reg|registration|postcode|zip)\b/u

/** Words that any such field has, and the passages up to which one may be announced before it is spelled. */
const GENERAL = /^(?:no|nr|num|number|id|ids|ref|reference|the|of|contact|phone)$/u
const ANNOUNCED = 2

/** What links a number to the word before it: "lot number is 47". */
const LINK = /^(?:no|nr|num|number|id|code|ref|reference|is|was|are|the|reads|says|being)$/u
/** Words right before figures that are said one by one, whatever the field. */
const CODE = /^(?:no|number|code|pin|id|password|combination|digits?|ref|reference)$/u
const MOST_LINKS = 4

/** The word that a number right behind it is said of, with what links them. */
const leadOf = (tokens: ReadonlyArray<Token>, at: number): ReadonlyArray<Token> => {
  let back = at - 1
  while (back > at - 1 - MOST_LINKS && back >= 0 && LINK.test(tokens[back]!.norm)) back--
  return tokens.slice(Math.max(0, back), at)
}

/** Whether another number than what is spelled stands right behind a word: "Lot 47" announces nothing more. */
const hasOwnNumber = (passage: Passage, word: number, spelled: Span): boolean => {
  const { tokens } = passage
  let next = word + 1
  while (next <= word + MOST_LINKS && tokens[next] !== undefined && LINK.test(tokens[next]!.norm)) next++
  const number = tokens[next]
  const isOther = passage !== spelled.passage || number === undefined || number.from < spelled.from ||
    number.from >= spelled.to
  return isOther && number?.gap === "space" && numberAt(tokens, next) !== undefined
}

/**
 * Whether a field is spoken of where something is spelled: a number of something else is as easily spelled, and what reads as several
 * numbers is one only right behind a word for it.
 */
const isAnnounced = (
  { passages, stems }: Reading,
  { name }: Leaf,
  wanted: "code" | "phone"
): (one: SpelledCandidate) => boolean => {
  const words = identifierWords(name)
  const telling = words.filter((word) => !GENERAL.test(word))
  const telltale = new Set((telling.length > 0 ? telling : words).map(stem))
  if (wanted === "phone") { for (const word of ["phone", "mobile", "call", "ring", "number"]) telltale.add(stem(word)) }
  return ({ at, candidate, counted }) => {
    const { passage } = candidate
    if (counted) {
      return leadOf(passage.tokens, at).some(({ norm }) => CODE.test(norm) || telltale.has(stem(norm)))
    }
    const near = passages.slice(Math.max(0, passage.index - ANNOUNCED), passage.index + 1)
    return near.some((one) =>
      Array.from(telltale).some((word) =>
        stems[one.index]!.get(word)?.some((place) => !hasOwnNumber(one, place, candidate)) === true
      )
    )
  }
}

/** Numbers right after a word of the field: "paddle seventy-seven", "line 11". */
const numbersOf = ({ candidates }: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const named = new Set([...identifierWords(leaf.name).map(stem), "number", "no"])
  return candidates.flatMap((candidate): ReadonlyArray<LeafCandidate> => {
    const { from, kind, ordinal, passage: { tokens }, text, value } = candidate
    if (kind !== "number" || ordinal === true || !Number.isInteger(value)) return []
    const at = tokens.findIndex((token) => token.from === from)
    const before = tokens.slice(Math.max(0, at - 2), Math.max(0, at)).map(({ norm }) => stem(norm))
    return before.some((word) => named.has(word))
      ? [{ candidate, value: /^\d/u.test(text) ? text : String(value) }]
      : []
  })
}

/** What places are called by that have a letter and a number: "room B twelve", "gate C four". */
const SPOT =
  /(?:^| )(?:room|classroom|office|gate|platform|hall|seat|bay|stand|booth|table|unit|flat|apartment|suite|track|terminal|locker|block|zone|dock|berth|pitch|court|studio|lab|ward|desk)$/u

/** Texts for a place's name, with what is said as a letter and a number right behind the field's last word in place of its parts. */
export const spotsFor = (
  reading: Reading,
  { name }: Leaf,
  others: ReadonlyArray<LeafCandidate>
): ReadonlyArray<LeafCandidate> => {
  const words = identifierWords(name)
  if (!SPOT.test(words.join(" "))) return others
  const own = spelledCandidates(reading).filter(({ at, candidate: { passage }, counted, value }) =>
    !counted && /\d/u.test(String(value)) &&
    leadOf(passage.tokens, at).some(({ norm }) => stem(norm) === stem(words.at(-1)!))
  )
  const isPart = ({ candidate: { from, passage, to } }: LeafCandidate): boolean =>
    own.some(({ candidate }) => candidate.passage === passage && from < candidate.to && candidate.from < to)
  return own.length === 0 ? others : [...own, ...others.filter((one) => !isPart(one))]
}

const LAST_FOUR = /\blast (?:four|4)\b/u
const PLATE_FIELD = /(?:^| )(?:plate|reg|registration)(?: (?:number|no|num))?$/u
/** "KX19 TVB", "DR-MV 208", "WK 883 TL", alone in its cell: letters and figures in groups of four at most. */
const PLATE =
  /(?<=^|\s{2})(?=[^\d]{0,9}\d)(?=[\d -]{0,9}\p{Lu}[\d -]{0,9}\p{Lu})(?![\p{Lu}\d -]{11})[\p{Lu}\d]{1,4}(?:[ -][\p{Lu}\d]{1,4}){1,2}(?=$|\s{2})/gu

/** What stands on the screen as a vehicle's plate, for a field that asks for one. */
const platesFor = (reading: Reading, { name }: Leaf): ReadonlyArray<LeafCandidate> =>
  PLATE_FIELD.test(identifierWords(name).join(" "))
    ? honest(reading).filter(({ channel }) => channel === "ocr").flatMap((passage) =>
      Array.from(passage.text.matchAll(PLATE), ({ 0: text, index: from }): LeafCandidate => ({
        candidate: { kind: "code", passage, from, to: from + text.length, text, value: text },
        value: text
      }))
    )
    : []

/** What a text says that something is numbered by; names and phrases without a figure or a capital throughout are none. */
export const codesFor = (
  reading: Reading,
  leaf: Leaf,
  wanted: "code" | "phone",
  others: ReadonlyArray<LeafCandidate>
): ReadonlyArray<LeafCandidate> => {
  const { name, schema: { pattern } } = leaf
  const plates = platesFor(reading, leaf)
  const lettered = LETTERED.test(identifierWords(name).join(" "))
  const written = Map.groupBy(
    reading.candidates.filter(({ kind, text }) => (kind === "code" || kind === "phone") && /\d/u.test(text)),
    ({ passage }) => passage
  )
  // What stands there as a code is taken as it is written, unless more is spelled around it.
  const isMeant = isAnnounced(reading, leaf, wanted)
  const own = spelledCandidates(reading).filter((one) => {
    const { candidate: { from, passage, to }, value } = one
    return isMeant(one) && (lettered || /\d/u.test(String(value))) &&
      written.get(passage)?.some((other) => other.from <= from && to <= other.to) !== true
  })
  const ownIn = Map.groupBy(own, ({ candidate }) => candidate.passage)
  const apart = others.filter(({ candidate: { kind, text } }) =>
    kind !== "number" && kind !== "address" && kind !== "url" && kind !== "email" && kind !== "date" &&
    kind !== "time" && (/\d/u.test(text) || (lettered && /^[\p{Lu}\d-]{3,}$/u.test(text)))
  )
  const rest = [...apart, ...(wanted === "code" ? numbersOf(reading, leaf) : [])].filter((
    { candidate: { from, passage, to } }
  ) => ownIn.get(passage)?.some(({ candidate: other }) => other.from < to && from < other.to) !== true)
  const all = (plates.length > 0 ? plates : [...own, ...rest]).map((one) =>
    typeof one.value === "string" ? Object.assign({}, one, { value: spacedFor(leaf, one.value) }) : one
  )
  const form = typeof pattern === "string"
    ? linearPattern(pattern)
    : LAST_FOUR.test(identifierWords(name).join(" "))
    ? /^\d{4}$/u
    : /^[^$€£¥]*$/u
  const fits = all.filter(({ value }) => form.test(String(value)))
  return wanted === "phone" ? fits.filter(isDialled) : fits
}

const ONCE = new RegExp(String.raw`\b(?:${Object.keys(FREQUENCIES).join("|")})(?=\s)`, "giu")

/** How often something is, for a field that asks it of the same stretch of time: "twice a week" of `waterings_per_week`. */
export const frequenciesFor = (reading: Reading, { name, type }: Leaf): ReadonlyArray<LeafCandidate> => {
  const rate = type === "number" || type === "integer" ? rateOfField(name) : undefined
  return rate === undefined ?
    [] :
    honest(reading).flatMap((passage) =>
      Array.from(passage.text.matchAll(ONCE)).flatMap(({ 0: text, index: from }): ReadonlyArray<LeafCandidate> => {
        const [to, value] = [from + text.length, FREQUENCIES[text.toLowerCase()]!]
        return rateAfter(passage.text.slice(to, to + RATE_REACH)) === rate
          ? [{ candidate: { kind: "number", passage, from, to, text, value }, value }]
          : []
      })
    )
}
/** As long as " times each fortnight". */
const RATE_REACH = 24
