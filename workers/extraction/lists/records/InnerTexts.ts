import { type Material, type Mention, mentionText } from "../../candidates/Mention.ts"
import type { Draft } from "../../grounding/Draft.ts"
import { soughtType } from "../../lexicon/NameTypes.ts"
import { DURATIONS, numberAt } from "../../lexicon/Numbers.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { asks, type Sentence, supposes } from "../../text/Sentences.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { identifierWords, stem, tokenise } from "../../text/Tokens.ts"
import { deniedSeries } from "../texts/SeriesStatement.ts"
import { lineFound } from "../texts/SlideLists.ts"
import { seriesIn } from "../texts/SpokenSeries.ts"
import { anchorOf } from "./MemberFeatures.ts"

/** By which of these an inner list is found, and how often what it gives is right. */
type Rule = "bullets" | "row" | "series"
const INNER = "list:inner-"
/** On 180 videos a series was right in 5 of 5 and nothing of the others spoke: for a strict result that is too little to know. */
const SURE: Readonly<Record<Rule, number>> = { bullets: 0.7, row: 0.5, series: 0.5 }

/** An entry of the outer list: its key, and where it is named. */
interface Named {
  readonly key: string
  readonly span: Span
}

const isSame = (a: Span, b: Span): boolean => a.passage === b.passage

const asksFor = (inner: List, text: string): boolean => {
  const words = new Set(tokenise(text).map(({ norm }) => stem(norm)))
  return identifierWords(inner.name).some((word) => words.has(stem(word)))
}

/** What says no more of an inner list than that it is what stands on a slide. */
const ON_SLIDE = /\b(?:points?|bullets?|items|lines|contents?|details|notes|topics|subtopics|facts|statements)\b/u

/** The lines of the slide that the entry is the heading of; lines of figures are values of something. */
const bullets = (
  { reading: { document: { slides } } }: Material,
  { span: { passage } }: Named,
  inner: List
): ReadonlyArray<Mention> => {
  const asked = ON_SLIDE.test(identifierWords(inner.name).join(" ")) || asksFor(inner, passage.text)
  const lines = asked ? slides.find(({ heading }) => heading === passage)?.lines ?? [] : []
  const texts = lines.filter(({ text }) => /\p{L}{2}/u.test(text))
  return texts.filter(({ text }) => /\d/u.test(text)).length * 2 > texts.length
    ? []
    : texts.flatMap((line) => lineFound(line) ?? [])
}

const SEPARATOR = /^\s*(?::|[–—-]\s)\s*/u

/** "Kitchen: gas stove, pantry, tiled floor": what a line of the screen strings together behind the entry that it begins with. */
const row = ({ span: { from, passage, to } }: Named): ReadonlyArray<Mention> => {
  if (passage.channel !== "ocr" || passage.text.slice(0, from).trim() !== "") return []
  const separator = SEPARATOR.exec(passage.text.slice(to))?.[0]
  if (separator === undefined) return []
  const rest: Span = { passage, from: to + separator.length, to: passage.text.length }
  const parts = passage.text.slice(rest.from).split(/,\s+|\s+(?:and|&|\+)\s+|;\s+/u)
  return parts.length < 2 ? [] : parts.flatMap((part) => mentionText(rest, part) ?? [])
}

/** Whether a text is written as a name is. */
const isNamed = ({ value }: Mention): boolean => /^\p{Lu}[\p{L}.'’-]+(?:\s[\p{Lu}][\p{L}.'’-]+)*$/u.test(String(value))

const hasNumber = ({ value }: Mention): boolean => {
  const tokens = tokenise(String(value))
  return tokens.some(({ norm }, at) => Object.hasOwn(DURATIONS, norm) || numberAt(tokens, at) !== undefined)
}

/** What a sentence strings together and does not deny behind a place in it; "a hundred and twenty" is one number, "about an hour and a half" one length. */
const seriesAfter = ({ passage, to }: Sentence, from: number, inner: List): ReadonlyArray<Mention> => {
  const part: Sentence = { passage, from, to, text: passage.text.slice(from, to) }
  const members = seriesIn(part)
  const isDenied = members.length > 0 && deniedSeries([part], inner).some((one) => one.to === members.at(-1)!.span.to)
  return isDenied || members.some(hasNumber) ? [] : members
}

/** The series in the sentence that names the entry, behind its name, else in the one right after it, if that names no other entry. */
const series = (
  { sentences }: Material,
  { span }: Named,
  others: ReadonlyArray<Named>,
  inner: List
): ReadonlyArray<Mention> => {
  const at = sentences.findIndex((one) => isSame(one, span) && one.from <= span.from && span.from < one.to)
  const [own, next] = [sentences[at], sentences[at + 1]]
  if (own === undefined || own.passage.modality !== "audio" || asks(own.text) || supposes(own.text)) return []
  const members = seriesAfter(own, span.to, inner)
  const namesAnother = (one: Sentence): boolean =>
    others.some((other) => isSame(one, other.span) && one.from <= other.span.from && other.span.from < one.to)
  if (members.length > 0) return namesAnother(own) ? [] : members
  const follows = next !== undefined && next.passage.modality === "audio" &&
    next.passage.speaker === own.passage.speaker && !namesAnother(next) && !asks(next.text) && !supposes(next.text)
  return follows ? seriesAfter(next, next.from, inner) : []
}

const inOrder = (a: Named, b: Named): number => a.span.passage.index - b.span.passage.index || a.span.from - b.span.from

/** The entries by where each is named: by what it is called, or by what of it is found first. */
const namedBy = (list: List, drafts: ReadonlyArray<Draft>): ReadonlyArray<Named> => {
  const anchor = anchorOf(list)
  const byKey = Map.groupBy(drafts.filter(({ item_key }) => item_key !== undefined), ({ item_key }) => item_key!)
  return Array.from(byKey, ([key, own]): Named => ({
    key,
    span: (own.find(({ leaf }) => leaf === anchor) ?? own[0]!).span
  })).toSorted(inOrder)
}

/** Whether a list is one of texts inside the entries of another: these are looked for without a language model, too. */
export const isInnerText = ({ leaves, template }: List): boolean =>
  leaves.get("")?.type === "string" && template.split("/*").length === 2

/** The lists of texts inside a list's entries with the leaf of their texts. */
const innerTexts = ({ nested }: List): ReadonlyArray<readonly [List, Leaf]> =>
  nested.filter(isInnerText).map((inner) => [inner, inner.leaves.get("")!])

const PEOPLE =
  /\b(?:members|players|people|names|dancers|crew|speakers|attendees|participants|students|guests|staff|owners)\b/u

/** Texts of an inner list: names of people where it asks for them. */
const membersFor = (inner: List, leaf: Leaf, members: ReadonlyArray<Mention>): ReadonlyArray<Mention> =>
  soughtType({ ...leaf, schema: {} }) === "person" || PEOPLE.test(identifierWords(inner.name).join(" "))
    ? members.filter(isNamed)
    : members

const draftOf = (leaf: Leaf, item_key: string, { span, value }: Mention, rule: Rule): Draft => ({
  pointer_template: leaf.template,
  item_key,
  value,
  source_refs: [span.passage.source_ref],
  score: SURE[rule],
  proposed_by: `${INNER}${rule}`,
  leaf,
  span,
  calibrated: true,
  verdict: { answers: SURE[rule], judged_by: "rules" }
})

/** An entry that is known by nothing but what is strung together behind it. */
interface Strung {
  readonly name: Mention
  readonly members: ReadonlyArray<Mention>
}

const LABEL = /^\s*(?:[•·▪*–-]\s*)?([^:,]{2,40}):\s/u

const strungOnScreen = ({ reading: { passages } }: Material): ReadonlyArray<Strung> => {
  const rows = passages.filter(({ channel }) => channel === "ocr").flatMap((passage): ReadonlyArray<Strung> => {
    const label = LABEL.exec(passage.text)?.[1]
    const name = label === undefined
      ? undefined
      : mentionText({ passage, from: 0, to: passage.text.indexOf(":") }, label)
    const members = name === undefined ? [] : row({ key: "", span: name.span })
    return members.length === 0 ? [] : [{ name: name!, members }]
  })
  return Array.from(Map.groupBy(rows, ({ name }) => name.span.passage.source_ref).values())
    .filter((some) => some.length > 1)
    .flat()
}

const SUBJECT =
  /^(?:(?:and|then|so|now|okay|finally)[\s,]+)*(?:the |our |my )?((?:\p{L}[\p{L}'’-]*\s){0,3}\p{L}[\p{L}'’-]*)\s(?:is|are|has|have|gets?|includes?|consists? of)\s/iu

/** "The red crew is Anna and Bo. The blue crew is Dina and Emil": what is called by the same word, at least twice. */
const strungInSpeech = ({ sentences }: Material, inner: List): ReadonlyArray<Strung> => {
  const told = sentences.flatMap((sentence): ReadonlyArray<Strung & { readonly head: string }> => {
    const { from, passage, text, to } = sentence
    const subject = passage.modality === "audio" && !asks(text) && !supposes(text) ? SUBJECT.exec(text) : null
    const words = tokenise(subject?.[1] ?? "")
    if (subject === null || words.length < 2) return []
    const name = mentionText(sentence, subject[1]!)
    const members = seriesAfter({ passage, from, to, text }, from + subject[0].length, inner)
    return name === undefined || members.length === 0 ? [] : [{ name, members, head: stem(words.at(-1)!.norm) }]
  })
  return Array.from(Map.groupBy(told, ({ head }) => head).values()).filter((some) => some.length > 1).flat()
}

const strungEntries = (material: Material, list: List): ReadonlyArray<Draft> => {
  const [[only, leaf]] = innerTexts(list) as readonly [readonly [List, Leaf]]
  const anchor = anchorOf(list)
  if (list.nested.length > 1 || anchor?.type !== "string") return []
  const shown = strungOnScreen(material)
  const [rule, found] = shown.length > 0 ? ["row", shown] as const : ["series", strungInSpeech(material, only)] as const
  return found.flatMap(({ members, name }, at) => {
    const inner = membersFor(only, leaf, members)
    const key = `strung-${at}`
    return inner.length === 0
      ? []
      : [draftOf(anchor, key, name, rule)].concat(inner.map((one, of) => draftOf(leaf, `${key}/${of}`, one, rule)))
  })
}

/**
 * Proposals for the lists of texts inside a list's entries: the lines of the slide that an entry heads, what a line of the screen strings together
 * behind it, and what speech does right where it names the entry. Nothing where an entry could have it in two of its lists. Of a list that nothing
 * is known of, the entries are what is strung together alike at least twice.
 */
export const innerDrafts = (material: Material, list: List, drafts: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const inner = innerTexts(list)
  if (inner.length === 0) return []
  if (drafts.length === 0) return strungEntries(material, list)
  const entries = namedBy(list, drafts)
  return entries.flatMap((entry) => {
    const asked = list.nested.length === 1
      ? inner
      : inner.filter(([one]) => asksFor(one, entry.span.passage.text))
    const [only, ...more] = asked
    if (only === undefined || more.length > 0) return []
    const shown = [["bullets", bullets(material, entry, only[0])], ["row", row(entry)]] as const
    const said = ["series", series(material, entry, entries.filter((other) => other !== entry), only[0])] as const
    const [rule, members] = [...shown, said].find(([, some]) => some.length > 0) ?? ["series", []]
    return membersFor(...only, members).map((one, at) => draftOf(only[1], `${entry.key}/${at}`, one, rule))
  })
}
