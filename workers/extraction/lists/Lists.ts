import { wantsDay } from "../candidates/LeafCandidates.ts"
import type { Material, Mention } from "../candidates/Mention.ts"
import type { Draft } from "../grounding/Draft.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import { isWeekday } from "../lexicon/Weekdays.ts"
import type { RankModel } from "../ranking/Rank.ts"
import { wantsClock, wantsWeekday } from "../text/FieldForms.ts"
import type { Leaf, List } from "../text/Plan.ts"
import { asks, type Sentence } from "../text/Sentences.ts"
import { normaliseValue } from "../text/Tokens.ts"
import { shapeOf } from "./entries/Entry.ts"
import { isTyped } from "./entries/EntryValues.ts"
import { findEntries } from "./entries/FindEntries.ts"
import { isCalledSum } from "./entries/SumRows.ts"
import { distinctBy, draftsOf, finderFor, listsNames, listsThings, recordDrafts } from "./kinds/ListKinds.ts"
import { participants } from "./kinds/PeopleAndOrganisations.ts"
import { prices } from "./kinds/Quantities.ts"
import { likelyEntries } from "./LikelyEntries.ts"
import { ofOwnSections } from "./OwnSections.ts"
import { withoutAbsent } from "./texts/Absence.ts"
import { cellsOf } from "./texts/Cells.ts"
import { labelledMembers } from "./texts/LabelledLists.ts"
import { announcements, namesSubject, speaksOfSubject, type Subject, subjectOf } from "./texts/ListSubject.ts"
import { seriesFor, statesSeries } from "./texts/SeriesStatement.ts"
import { echoedLines, headedLines, signedLines } from "./texts/SlideLists.ts"
import { countedSeries } from "./texts/SpokenSeries.ts"

const ORDERED_LIST = /\b(?:steps?|stages?|procedure|instructions?|in order|sequence|order)\b/u
const GOOD = /\b(?:pros|likes|advantages?|positives?|strengths)\b/u
const BAD = /\b(?:cons|dislikes?|drawbacks?|negatives?|weaknesses)\b/u

/** "What I like": nobody's dislikes, unless they are denied. */
const LIKED = /(?<!n['’]t (?:really )?|\bnot (?:really )?|\bnever )\b(?:like|likes|liked|love|loves|loved)\b/iu

/** Least that the sentences around a series speak of its list. */
const ANNOUNCED = 0.6

interface Told {
  readonly said: ReadonlyArray<Sentence>
  /** Per sentence, how much it or what leads up to it speaks of the list. */
  readonly announced: ReadonlyArray<number>
  /** The same of the other list of texts that most speaks of it. */
  readonly ofRivals: ReadonlyArray<number>
}

const isInOrder = ({ words }: List): boolean => ORDERED_LIST.test(words)

const toldOf = ({ sentences }: Material, subject: Subject, list: List, rivals: ReadonlyArray<List>): Told => {
  const said = sentences.filter(({ passage }) => passage.modality === "audio")
  const others = rivals.filter((other) => other !== list && other.leaves.get("")?.type === "string")
    .map((other) => ({ inOrder: isInOrder(other), announced: announcements(subjectOf(other), said) }))
  return {
    said,
    announced: announcements(subject, said),
    ofRivals: said.map((_, at) =>
      Math.max(
        0,
        ...others.map(({ announced, inOrder }) => inOrder ? Math.max(ANNOUNCED, announced[at]!) : announced[at]!)
      )
    )
  }
}

/** "Three exercises today", "here are the tips": words that say that several of what they name come. */
const SEVERAL =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|several|a few|some|many|these|following|here (?:are|is)|here['’]s)\b/iu
/** How many sentences before the first that is counted may say so. */
const OPENED_WITHIN = 2

/**
 * What speech counts: for a list that is in order wherever it counts; for any other where it is asked for, named in the counting, or said
 * to be several right before, and no other list is more. Steps are no tools, though the tools are named right before.
 */
const counted = ({ announced, ofRivals, said }: Told, list: List, subject: Subject): ReadonlyArray<Mention> =>
  countedSeries(said).find(({ at }) => {
    if (isInOrder(list)) return true
    if (announced[at]! < ANNOUNCED || announced[at]! <= ofRivals[at]!) return false
    return announced[at]! >= 1 ||
      said.slice(Math.max(0, at - OPENED_WITHIN), at).some(({ text }) =>
        SEVERAL.test(text) && speaksOfSubject(subject, text) >= 1
      )
  })?.members ?? []

interface Strung {
  readonly announced: number
  readonly score: number
  readonly members: ReadonlyArray<Mention>
}

/** What speech strings together right where it speaks of the list. */
const strungTogether = ({ announced, said }: Told, subject: Subject, list: List): Strung | undefined => {
  let best: Strung | undefined
  said.forEach((sentence, at) => {
    if (announced[at]! < ANNOUNCED || asks(sentence.text)) return
    if (BAD.test(list.words) && LIKED.test(sentence.text)) return
    for (const series of seriesFor(sentence, subject, list)) {
      // "The tools are my tools, a socket and a mallet": the list's own name is none of its members.
      const members = series.members.filter(({ value }) => !namesSubject(subject, String(value)))
      // Two things joined by "and" are a list only where its own name announces them.
      const opinion = GOOD.test(list.words) || BAD.test(list.words)
      if (members.length < (announced[at]! >= 1 || opinion ? 2 : 3) || !statesSeries(sentence, series, subject, list)) {
        continue
      }
      const score = announced[at]! + members.length / 10
      if (best === undefined || score > best.score) best = { announced: announced[at]!, score, members }
    }
  })
  return best
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
  const labelled = labelledMembers(material.reading, subject)
  return signed.length > 0
    ? { name: "signed-lines", found: signed }
    : labelled.length > 0
    ? { name: "headed-lines", found: labelled }
    : { name: "headed-lines", found: headedLines(material, subject) }
}

/** What nothing names as this list, and speech or screen give as one where they come to speak of it. */
const toldTexts = (
  material: Material,
  list: List,
  subject: Subject,
  rivals: ReadonlyArray<List>
): Texts => {
  const told = toldOf(material, subject, list, rivals)
  const strung = strungTogether(told, subject, list)
  // "We need a saw, a file and a clamp. First, …": what stands where the list is named is it, and what is counted next is something else.
  const inOrder = strung !== undefined && strung.announced >= 1 && !isInOrder(list) ? [] : counted(told, list, subject)
  if (inOrder.length > 0) return { name: "counted", found: inOrder }
  const echoed = echoedLines(material, subject, rivals.filter((other) => other !== list).map(subjectOf))
  return echoed.length > 0
    ? { name: "echoed-lines", found: echoed }
    : { name: "strung", found: strung?.members ?? [] }
}

/** What the finder of a list finds; of who takes part without those who are said not to. */
const knownBy = (
  material: Material,
  list: List,
  finder: ReturnType<typeof finderFor>
): ReadonlyArray<Draft> => {
  if (finder === undefined) return []
  const known = recordDrafts(material, list, finder)
  if (finder === prices) return ofItems(list, known)
  return finder === participants ? withoutAbsent(material, list, known) : known
}

/** What is paid of a price, and no price of anything: "Deposit due today". */
const PART_PAYMENT = /^(?:deposit|balance|amount) (?:due|paid|owed|owing|left|remaining|payable|to pay)\b/iu

/** Prices without sums and payments of these and, where most say what they are for, without those that do not. */
const ofItems = (list: List, drafts: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const names = new Map(
    drafts.flatMap(({ item_key, leaf, value }) =>
      leaf.type === "string" && !isTyped(leaf) ? [[item_key, String(value)] as const] : []
    )
  )
  const entries = new Set(drafts.map(({ item_key }) => item_key))
  const named = shapeOf(list) !== undefined && names.size * 2 > entries.size
  return drafts.filter(({ item_key }) => {
    const name = names.get(item_key)
    return name === undefined ? !named : !isCalledSum(name) && !PART_PAYMENT.test(name)
  })
}

/** Whether a text can be a name: "Speed: how far a thing moves in one hour" is no place, whatever list it stands in. */
const isNamelike = ({ value }: Mention): boolean => {
  const text = String(value)
  return text.split(/\s+/u).length <= 6 && !/:\s/u.test(text) && /^[\p{Lu}\p{N}]/u.test(text)
}

const textDrafts = (
  material: Material,
  list: List,
  single: Leaf,
  model: RankModel,
  rivals: ReadonlyArray<List>
): ReadonlyArray<Draft> => {
  const subject = subjectOf(list)
  const finder = finderFor(list)
  const free = single.type === "string"
  const sought = soughtType({ ...single, schema: {} })
  const named = sought !== null && sought !== "title"
  const drafts = (name: string, found: ReadonlyArray<Mention>): ReadonlyArray<Draft> =>
    draftsOf(name, distinctBy(found, (one) => one.value).map((one) => [[single, one]]))
  const fits = (texts: Texts): Texts =>
    (named && !texts.found.every(isNamelike)) ||
      (wantsWeekday(single) && !texts.found.every(({ value }) => isWeekday(String(value))))
      ? NO_TEXTS
      : texts
  const known = knownBy(material, list, finder)
  // A finder that found its own on the screen knows which of the lines under a heading are meant.
  const seen = known.some(({ span }) => span.passage.modality === "visual")
  const shown = free && !seen ? fits(shownTexts(material, list, subject)) : NO_TEXTS
  if (shown.found.length > 0) return drafts(shown.name, shown.found)
  // "Sponsored by Alder Bank, Fernwell Tea and Orbex": a finder that knows one of them has found the series.
  const series = free && !seen && known.length > 0
    ? strungTogether(toldOf(material, subject, list, rivals), subject, list)?.members ?? []
    : []
  const values = new Set(series.map(({ value }) => normaliseValue(value)))
  if (values.size > known.length && known.every(({ value }) => values.has(normaliseValue(value)))) {
    return drafts("strung", series)
  }
  if (known.length > 0) return known
  const told = free && listsThings(finder) ? fits(toldTexts(material, list, subject, rivals)) : NO_TEXTS
  if (told.found.length > 0) return drafts(told.name, told.found)
  return finder === undefined ? likelyEntries(material, list, model) : []
}

/** Least lines that make a schedule. */
const LEAST_LINES = 3

/**
 * Lines of the screen that each have their time or day, as "22:07 a customer notices" in a timeline: they tell of an event or a step what no
 * sentence tells alone.
 */
const scheduleOf = (found: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const timed = found.filter(({ leaf, span }) =>
    span.passage.modality === "visual" && (wantsClock(leaf) || wantsDay(leaf))
  )
  const entries = new Set(found.map(({ item_key }) => item_key))
  // "Seed swap | Sat 7 Feb": two lines with columns are a table already.
  const columns = timed.every(({ span }) => cellsOf(span.passage.text).length > 1)
  const dated = new Set(timed.map(({ item_key }) => item_key))
  return dated.size >= (columns ? 2 : LEAST_LINES) && dated.size === entries.size ? found : []
}

const cellOf = ({ leaf, span, value }: Draft): string => `${span.passage.index} ${leaf.template} ${String(value)}`

/** A table's cells, as the finder's own where it has the same of the same line. */
const agreed = (found: ReadonlyArray<Draft>, known: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const own = new Map(known.map((draft) => [cellOf(draft), draft]))
  return found.map((draft) => {
    const same = own.get(cellOf(draft))
    return same === undefined ? draft : { ...draft, proposed_by: same.proposed_by, verdict: same.verdict }
  })
}

/** How many properties of an entry some drafts fill in the mean. */
const widthOf = (drafts: ReadonlyArray<Draft>): number =>
  drafts.length / Math.max(1, new Set(drafts.map(({ item_key }) => item_key)).size)

/**
 * Proposals for the entries of one list: by the finder that knows its vocabulary, else by what repeats on screen and in
 * speech. Proposes nothing where nothing is found.
 */
export const listDrafts = (
  material: Material,
  list: List,
  model: RankModel,
  rivals: ReadonlyArray<List> = [],
  fields: ReadonlyArray<Leaf> = []
): ReadonlyArray<Draft> => {
  const single = list.leaves.get("")
  const own = ofOwnSections(material, list, rivals)
  if (single !== undefined) return textDrafts(own, list, single, model, rivals)
  const finder = finderFor(list)
  const known = knownBy(own, list, finder)
  const { counted: alike, drafts, headed } = findEntries(material, list, rivals, fields)
  // "Task  Owner  Due": columns that say what they are know more of the list than the words for its kind do.
  const says = drafts.length > known.length || widthOf(drafts) > widthOf(known)
  if (finder !== undefined && (headed || (alike && says))) return drafts
  const schedule = listsNames(finder) ? [] : scheduleOf(drafts)
  if (schedule.length > 0) return schedule
  const found = listsNames(finder) ? drafts : []
  // A finder knows its list; only a table that says more of it is better.
  const shown = found.filter(({ span }) => span.passage.modality === "visual").length
  if (known.length > 0) return shown > found.length / 2 && found.length > known.length ? agreed(found, known) : known
  if (found.length > 0) return found
  return finder === undefined ? likelyEntries(material, list, model) : []
}
