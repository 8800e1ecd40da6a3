import { wantsDay } from "../candidates/LeafCandidates.ts"
import type { Material, Mention } from "../candidates/Mention.ts"
import type { Draft } from "../grounding/Draft.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import type { RankModel } from "../ranking/Rank.ts"
import { wantsClock } from "../text/FieldForms.ts"
import type { Leaf, List } from "../text/Plan.ts"
import { asks, type Sentence } from "../text/Sentences.ts"
import { findEntries } from "./entries/FindEntries.ts"
import { distinctBy, draftsOf, finderFor, listsNames, listsThings, recordDrafts } from "./kinds/ListKinds.ts"
import { statesEntries } from "./kinds/Stated.ts"
import { likelyEntries } from "./LikelyEntries.ts"
import { announcements, namesSubject, type Subject, subjectOf } from "./texts/ListSubject.ts"
import { echoedLines, headedLines, signedLines } from "./texts/SlideLists.ts"
import { countedSeries, seriesIn } from "./texts/SpokenSeries.ts"

const ORDERED_LIST = /\b(?:steps?|stages?|procedure|instructions?|in order|sequence|order)\b/u
const GOOD = /\b(?:pros|likes|advantages?|positives?|strengths)\b/u
const BAD = /\b(?:cons|dislikes?|drawbacks?|negatives?|weaknesses)\b/u

/** Least that the sentences around a series speak of its list. */
const ANNOUNCED = 0.6

interface Told {
  readonly said: ReadonlyArray<Sentence>
  readonly announced: ReadonlyArray<number>
}

/** What speech counts where it speaks of the list, or counts at all for a list that is in order. */
const counted = ({ announced, said }: Told, list: List): ReadonlyArray<Mention> =>
  countedSeries(said).find(({ at }) => announced[at]! >= ANNOUNCED || ORDERED_LIST.test(list.words))?.members ?? []

/** What speech strings together right where it speaks of the list. */
const strungTogether = ({ announced, said }: Told, subject: Subject, words: string): ReadonlyArray<Mention> => {
  let best: { readonly score: number; readonly members: ReadonlyArray<Mention> } | undefined
  said.forEach((sentence, at) => {
    if (announced[at]! < ANNOUNCED || asks(sentence.text)) return
    // "Tools-wise, a socket, a flathead and a mallet": the list's own name is none of its members.
    const members = seriesIn(sentence).filter(({ value }) => !namesSubject(subject, String(value)))
    // Two things joined by "and" are a list only where its own name announces them.
    if (members.length < (announced[at]! >= 1 ? 2 : 3)) return
    const ends = [members[0]!, members.at(-1)!].map(({ span }) => span)
    if (!ends.every(({ from, to }) => statesEntries(sentence, from - sentence.from, to - sentence.from, words))) return
    const score = announced[at]! + members.length / 10
    if (best === undefined || score > best.score) best = { score, members }
  })
  return best?.members ?? []
}

/** Entries of a list of texts, and by which rule they were found. */
interface Texts {
  readonly name: string
  readonly found: ReadonlyArray<Mention>
}

const NO_TEXTS: Texts = { name: "none", found: [] }

/** What the screen lists as such: by signs for and against, or under a heading in the list's own words. */
const shownTexts = (material: Material, list: List, subject: Subject): Texts => {
  const signed = GOOD.test(list.words)
    ? signedLines(material, true)
    : BAD.test(list.words)
    ? signedLines(material, false)
    : []
  return signed.length > 0
    ? { name: "signed-lines", found: signed }
    : { name: "headed-lines", found: headedLines(material, subject) }
}

/** What nothing names as this list, and speech or screen give as one where they come to speak of it. */
const toldTexts = (material: Material, list: List, subject: Subject): Texts => {
  const said = material.sentences.filter(({ passage }) => passage.modality === "audio")
  const told = { said, announced: announcements(subject, said) }
  const inOrder = counted(told, list)
  if (inOrder.length > 0) return { name: "counted", found: inOrder }
  const echoed = echoedLines(material, subject)
  return echoed.length > 0
    ? { name: "echoed-lines", found: echoed }
    : { name: "strung", found: strungTogether(told, subject, list.words) }
}

/** Whether a text can be a name: "Speed: how far a thing moves in one hour" is no place, whatever list it stands in. */
const isNamelike = ({ value }: Mention): boolean => {
  const text = String(value)
  return text.split(/\s+/u).length <= 6 && !/:\s/u.test(text) && /^[\p{Lu}\p{N}]/u.test(text)
}

const textDrafts = (material: Material, list: List, single: Leaf, model: RankModel): ReadonlyArray<Draft> => {
  const subject = subjectOf(list)
  const finder = finderFor(list)
  const free = single.type === "string"
  const sought = soughtType({ ...single, schema: {} })
  const named = sought !== null && sought !== "title"
  const drafts = (name: string, found: ReadonlyArray<Mention>): ReadonlyArray<Draft> =>
    draftsOf(name, distinctBy(found, (one) => one.value).map((one) => [[single, one]]))
  const fits = (texts: Texts): Texts => named && !texts.found.every(isNamelike) ? NO_TEXTS : texts
  const known = finder === undefined ? [] : recordDrafts(material, list, finder)
  // A finder that found its own on the screen knows which of the lines under a heading are meant.
  const seen = known.some(({ span }) => span.passage.modality === "visual")
  const shown = free && !seen ? fits(shownTexts(material, list, subject)) : NO_TEXTS
  if (shown.found.length > 0) return drafts(shown.name, shown.found)
  if (known.length > 0) return known
  const told = free && listsThings(finder) ? fits(toldTexts(material, list, subject)) : NO_TEXTS
  if (told.found.length > 0) return drafts(told.name, told.found)
  return finder === undefined ? likelyEntries(material, list, model) : []
}

/** Least lines that make a schedule. */
const LEAST_LINES = 3

/**
 * Lines of the screen that each have their time or day, as "22:07 a customer notices" in a timeline: they tell of an event or a step what no
 * sentence tells alone.
 */
const scheduleShown = (material: Material, list: List, rivals: ReadonlyArray<List>): ReadonlyArray<Draft> => {
  const found = draftsOf("entries", findEntries(material, list, rivals))
  const timed = found.filter(({ leaf, span }) =>
    span.passage.modality === "visual" && (wantsClock(leaf) || wantsDay(leaf))
  )
  const entries = new Set(found.map(({ item_key }) => item_key))
  return timed.length >= LEAST_LINES && timed.length === entries.size ? found : []
}

/**
 * Proposals for the entries of one list: by the finder that knows its vocabulary, else by what repeats on screen and in
 * speech. Proposes nothing where nothing is found.
 */
export const listDrafts = (
  material: Material,
  list: List,
  model: RankModel,
  rivals: ReadonlyArray<List> = []
): ReadonlyArray<Draft> => {
  const single = list.leaves.get("")
  if (single !== undefined) return textDrafts(material, list, single, model)
  const finder = finderFor(list)
  const known = finder === undefined ? [] : recordDrafts(material, list, finder)
  const found = listsNames(finder)
    ? draftsOf("entries", findEntries(material, list, rivals))
    : known.length === 0
    ? scheduleShown(material, list, rivals)
    : []
  // A finder knows its list; only a table that says more of it is better.
  const shown = found.filter(({ span }) => span.passage.modality === "visual").length
  if (known.length > 0) return shown > found.length / 2 && found.length > known.length ? found : known
  if (found.length > 0) return found
  return finder === undefined ? likelyEntries(material, list, model) : []
}
