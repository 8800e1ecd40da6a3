import { aboutSubject, asksToCome } from "../candidates/FieldWords.ts"
import { candidatesBetween } from "../candidates/Measures.ts"
import type { Material } from "../candidates/Mention.ts"
import { isOfAnother } from "../candidates/OtherHolders.ts"
import type { Reading } from "../candidates/Reading.ts"
import { statedBy } from "../candidates/StatedYes.ts"
import { isAsserted } from "../lexicon/Assertion.ts"
import { affirms, NEGATION } from "../lexicon/Polarity.ts"
import type { Ranked } from "../ranking/Rank.ts"
import { apposition, REJECTED } from "../ranking/RankFeatures.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks, isConditional, supposes } from "../text/Sentences.ts"
import { leadOf, type Span } from "../text/SourceDocument.ts"
import { identifierWords, stem } from "../text/Tokens.ts"
import { keyedSize } from "./KeyedSizes.ts"
import { ofCaption } from "./LowerThirds.ts"
import { noneCounted } from "./NoneCounted.ts"
import { markGiven, plainForms } from "./PlainForms.ts"
import { BELONGS, PRESENTING, stated } from "./ScreenFields.ts"
import { shownRange } from "./ShownRanges.ts"
import { whoIsServed } from "./WhoIsServed.ts"
import { isOwnName, namesItself, whoPresents } from "./WhoPresents.ts"

/** Below what the screen says plainly, above what is only likely. */
const SCORES = { introduced: 0.9, numbered: 0.9, onAir: 0.89, apposition: 0.88, asserted: 0.85 } as const

const HELPER = /^(?:has|have|is|are|was|were|does|with|includes?|offers?|allows?|available|free)$/u
/** How a sentence states that something is there, or is not, right before naming it. */
const ASSERTION =
  /\b(?:there'?s|there (?:is|are)|it'?s|it is|(?:it|they|we|you)(?:'ve| have| has| get)|has|comes with|includes?)\s(?:[\p{L}'’]+\s){0,4}$/iu

/**
 * "There's no garage" for `has_garage`, "police were not called" for `police_called`: a statement, not a question, that holds
 * every word of the field's name and says something of one of them; a single one has to be said to be there.
 */
const assertions = ({ reading, sentences }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const wanted = identifierWords(leaf.name).filter((word) => !HELPER.test(word)).map(stem)
  if (wanted.length === 0) return []
  const isAbout = aboutSubject(reading, leaf)
  const mayCome = asksToCome(leaf)
  const says = statedBy(leaf)
  return sentences.flatMap((sentence) => {
    if (asks(sentence.text) || REJECTED.test(reading.passages[sentence.passage.index + 1]?.text ?? "")) return []
    const tokens = sentence.passage.tokens.filter((token) => token.from >= sentence.from && token.to <= sentence.to)
    const found = tokens.filter((token) => wanted.includes(stem(token.norm)))
    if (new Set(found.map((token) => stem(token.norm))).size < wanted.length) return []
    if (!isAbout(sentence.passage, found[0]!)) return []
    const [place, last] = [found[0]!.from, found.at(-1)!.from].map((at) => at - sentence.from) as [number, number]
    if (isConditional(sentence.text, place) || isOfAnother(leaf, sentence.text, last)) return []
    if (![place, last].every((at) => isAsserted(sentence.text, at, mayCome))) return []
    const said = (at: number): boolean | undefined => {
      const { from, to } = found.at(at)!
      return says(sentence.text, from - sentence.from, to - sentence.from)
    }
    const before = sentence.passage.text.slice(sentence.from, found[0]!.from)
    if (ASSERTION.test(before)) {
      const holds = !NEGATION.test(before)
      return said(0) === holds ? [stated("assertion", leaf, sentence, SCORES.asserted, holds)] : []
    }
    if (wanted.length < 2 || supposes(sentence.text)) return []
    const [from, to] = [found[0]!.from - sentence.from, found.at(-1)!.to - sentence.from]
    const holds = affirms(sentence.text, from, to) && !NEGATION.test(sentence.text.slice(from, to))
    return said(0) === holds || said(-1) === holds
      ? [stated("assertion", leaf, sentence, SCORES.asserted, holds)]
      : []
  })
}

const SHOW = /^(?:show|podcast|programme|program)(?: name)?$/u
const ON_AIR =
  /\b(?:this is|welcome (?:back )?to|(?:you['’]re|you are) (?:watching|listening to)|listening to|watching)(?: the)?\s+$/iu

/** "This is Night Shift" for `show`: a whole name, and nobody's. "This is the Atlas weekly" goes on after the name. */
const onAir = ({ registry, reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const people = new Set(registry.people.map(({ name }) => name))
  return reading.candidates
    .filter(({ from, kind, passage, text, to }) =>
      kind === "name" && passage.modality === "audio" && !people.has(text) &&
      ON_AIR.test(leadOf({ from, passage })) && /^(?:[,.!?;]|$|\sand\b)/u.test(passage.text.slice(to))
    )
    .slice(0, 1)
    .map((name) => stated("on-air", leaf, name, SCORES.onAir))
}

/** Fields for a place that is visited, and how a voice there says where one is. */
const PLACE_FIELD =
  /^(?:campsite|hotel|hostel|inn|restaurant|cafe|bar|pub|brewery|winery|shop|store|bookshop|stall|bakery|farm|dairy|museum|gallery|station|school|college|club|library|theat(?:er|re)|cinema|market|nursery)(?: name)?$/u
const WELCOME = /\b(?:welcome (?:back |aboard )?to|here at)(?: the)?\s+$/iu
/** Fields for a firm, and how who answers for it says so: one is welcome to much that is none, a house for sale say. */
const FIRM_FIELD =
  /^(?:company|business|firm|provider|clinic|practice|surgery|salon|bank|agency|garage|organi[sz]ation|charity)(?: name)?$/u
const CALLED = /\b(?:thank(?:s| you) for (?:calling|choosing)|through to|here at)(?: the)?\s+$/iu

/** The one name, and nobody's, that a voice welcomes to, for a field that asks for such a place or firm. */
const welcomedTo = ({ reading, registry }: Material, leaf: Leaf): Span | undefined => {
  const name = identifierWords(leaf.name).join(" ")
  const welcomes = PLACE_FIELD.test(name) ? WELCOME : FIRM_FIELD.test(name) ? CALLED : undefined
  if (welcomes === undefined) return undefined
  const people = new Set(registry.people.map(({ name }) => name))
  const found = reading.candidates.filter((one) =>
    one.kind === "name" && one.passage.modality === "audio" && !people.has(one.text) && welcomes.test(leadOf(one)) &&
    /^(?:[,.!?;]|$|\s(?:and|in|at|here|where|how)\b)/u.test(one.passage.text.slice(one.to))
  )
  return new Set(found.map(({ text }) => text)).size === 1 ? found[0] : undefined
}

const NUMBER = /^(?:number|no|nr|num)$/u
/** Words of a name that ask for the place in a row, and for how many there are of it. */
const PLACE = /^(?:number|no|nr|num|current|this|which)$/u
const WHOLE = /^(?:total|number|num|count|all|of|in|how|many|course|series|programme|program)$/u
/** "Week two of six". */
const ROW = /^\s?(?:of|out of|\/)\s?$/u

interface Numbered {
  readonly one: Candidate
  readonly whole: Candidate | undefined
}

const numberedIn = (reading: Reading): ReadonlyMap<string, ReadonlyArray<Numbered>> => {
  const found = reading.candidates.flatMap((one): ReadonlyArray<Numbered & { readonly noun: string }> => {
    if (one.kind !== "number" || one.ordinal === true || typeof one.value !== "number") return []
    const before = /(\p{L}+)(?: (?:number|no\.?|nr\.?))?(?:,? #?|#)$/iu.exec(leadOf(one))?.[1]
    if (before === undefined) return []
    const whole = candidatesBetween(reading, one.passage, one.to, one.to + " out of ".length + 1)
      .find(({ from, kind }) => kind === "number" && ROW.test(one.passage.text.slice(one.to, from)))
    return [{ noun: stem(before.toLowerCase()), one, whole }]
  })
  return Map.groupBy(found, ({ noun }) => noun)
}

const byNoun = new WeakMap<Reading, ReadonlyMap<string, ReadonlyArray<Numbered>>>()

/** The numbers that stand behind a noun, each with the one that it is said to be of; remembered, since every number field asks. */
const numberedBy = (reading: Reading, noun: string): ReadonlyArray<Numbered> => {
  const known = byNoun.get(reading) ?? numberedIn(reading)
  byNoun.set(reading, known)
  return known.get(noun) ?? []
}

const isOne = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === 1

/**
 * "Episode 42", "episode number forty-two" for `episode_number`, on screen or in speech; "week two of six" also for `week`, and its
 * six for `weeks`.
 */
const numbered = ({ reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const words = identifierWords(leaf.name)
  const nouns = words.filter((word) => !PLACE.test(word) && !WHOLE.test(word))
  // "Series 3" is the `series_number`.
  const noun = stem(nouns.at(-1) ?? words.findLast((word) => !PLACE.test(word)) ?? "")
  if (noun === "") return []
  const found = numberedBy(reading, noun)
  const rows = found.filter(({ whole }) => whole !== undefined)
  const take = (one: Candidate): Ranked => stated("number-of", leaf, one, SCORES.numbered, Number(one.value))
  const asksWhole = nouns.length === 1 &&
    (/[^s]s$/u.test(nouns[0]!) || words.some((word) => /^(?:total|count)$/u.test(word)))
  if (asksWhole) return isOne(rows.map(({ whole }) => whole!.value)) ? rows.map(({ whole }) => take(whole!)) : []
  const isPlace = words.every((word) => PLACE.test(word) || word === nouns[0]) && nouns.length === 1
  if (isPlace && isOne(rows.map(({ one }) => one.value))) return rows.map(({ one }) => take(one))
  return NUMBER.test(words.at(-1)!) && words.length > 1 ? found.map(({ one }) => take(one)) : []
}

/**
 * What speech says plainly: "There's no garage" for `has_garage`, "I'm Lena Okafor" for who presents, in order of introduction, and "Dana Whitfield, our chief
 * executive officer" for the field `ceo`.
 */
export const spokenFields = (
  { registry, reading, sentences }: Material,
  leaves: ReadonlyArray<Leaf>
): ReadonlyArray<Ranked> =>
  leaves.filter((leaf) => leaf.type !== "enum").flatMap((leaf) => {
    if (leaf.type === "boolean") return assertions({ registry, reading, sentences }, leaf)
    if (leaf.type !== "string") {
      const material = { registry, reading, sentences }
      return numbered(material, leaf).concat(
        noneCounted(material, leaf),
        markGiven(material, leaf),
        keyedSize(material, leaf),
        shownRange(material, leaf)
      )
    }
    const captioned = ofCaption({ registry, reading, sentences }, leaf)
    if (captioned.length > 0) return captioned
    const ofItself = namesItself({ registry, reading, sentences }, leaf)
    const name = identifierWords(leaf.name).join(" ")
    const presents = PRESENTING.test(name) && !BELONGS.test(name)
    if (ofItself || presents) {
      const given = whoPresents({ registry, reading, sentences }, leaf)
      if (presents || given.length > 0) {
        return given.map((span, at) => {
          const rule = ofItself || isOwnName(span) ? "own-name" : "introduction"
          return stated(rule, leaf, span, SCORES.introduced - at / 1000)
        })
      }
    }
    const plain = plainForms({ registry, reading, sentences }, leaf, leaves)
    if (plain.length > 0) return plain
    const served = whoIsServed({ registry, reading, sentences }, leaf)
    if (served !== undefined) return [stated("own-name", leaf, served, SCORES.introduced)]
    const welcomed = welcomedTo({ registry, reading, sentences }, leaf)
    if (welcomed !== undefined) return [stated("welcome", leaf, welcomed, SCORES.onAir)]
    if (SHOW.test(name)) return onAir({ registry, reading, sentences }, leaf)
    return reading.candidates
      .filter(({ kind, passage, to }) =>
        kind === "name" && passage.modality === "audio" && apposition(leaf, passage.text.slice(to, to + 30))
      )
      .map((name) => stated("apposition", leaf, name, SCORES.apposition))
  })
