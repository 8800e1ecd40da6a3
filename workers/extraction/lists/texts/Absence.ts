import type { Material } from "../../candidates/Mention.ts"
import type { Draft } from "../../grounding/Draft.ts"
import type { List } from "../../text/Plan.ts"
import { sentenceAround, type Span } from "../../text/SourceDocument.ts"
import { identifierWords, normaliseValue } from "../../text/Tokens.ts"
import { asksDenied } from "../kinds/Stated.ts"
import { subjectStem } from "./ListSubject.ts"
import { namesAnother } from "./SeriesStatement.ts"

const NOT = String.raw`(?:not|never|cannot|\p{L}+n['’]?t)`
/** How it is said that somebody does not take part. "Ruth is not convinced" says nothing of the kind. */
const ABSENT = new RegExp(
  String
    .raw`\b(?:absent|missing|excused|on leave|off sick|apologies|regrets|apologi[sz]e[sd]? for|unable to (?:attend|join|come|make it)|${NOT} (?:able to )?(?:be |been )?(?:here|there|present|with us|includ(?:e|ed|ing)|attend(?:ed|ing)?|join(?:ed|ing)?|com(?:e|ing)|mak(?:e|ing) it|taking part|take part|in attendance))\b`,
  "iu"
)
/** Of another meeting. */
const BEFORE = /\b(?:last|previous|yesterday|next)\b/iu
const BOUNDARY = /[.!?;,]\s|\b(?:but|while|although|though|because|so)\b/giu
/** How far around a name its absence may be stated, and how many places of a name are read. */
const REACH = 200
const MOST_PLACES = 40

/** From the first to the last of the names that commas and "and" join to the one at a span. */
const runAround = (span: Span, all: ReadonlyArray<Span>): readonly [from: number, to: number] => {
  const { passage: { text } } = span
  let [{ from, to }, at] = [span, all.findIndex((one) => one.from === span.from)]
  const joins = (start: number, end: number): boolean =>
    /^,?\s*(?:(?:and|or|nor|&)\s+)?$/iu.test(text.slice(start, end))
  for (let next = at + 1; next < all.length && joins(to, all[next]!.from); next++) to = all[next]!.to
  for (let before = at - 1; before >= 0 && joins(all[before]!.to, from); before--) from = all[before]!.from
  return [from, to]
}

/** Whether the sentence around a name says that who is named does not take part, or speaks of another list's people. */
const tellsAbsence = (span: Span, all: ReadonlyArray<Span>, named: ReadonlySet<string>, list: List): boolean => {
  const { text } = span.passage
  const sentence = sentenceAround(span)
  const [from, to] = runAround(span, all)
  const lead = text.slice(Math.max(sentence.from, from - REACH), from)
  const rest = text.slice(to, Math.min(sentence.to, to + REACH))
  const clause = lead.slice(Array.from(lead.matchAll(BOUNDARY), (cut) => cut.index + cut[0].length).at(-1) ?? 0)
  const after = rest.slice(0, Array.from(rest.matchAll(BOUNDARY), ({ index }) => index)[0] ?? rest.length)
  return (ABSENT.test(clause) || ABSENT.test(after)) && !BEFORE.test(clause + after) ||
    namesAnother(lead, { named }, list)
}

/** The entries of a list of people without those who are said not to take part; whoever speaks does. */
export const withoutAbsent = (
  { reading, registry }: Material,
  list: List,
  drafts: ReadonlyArray<Draft>
): ReadonlyArray<Draft> => {
  if (asksDenied(list.words) || ABSENT.test(list.words)) return drafts
  // A subject leaves out "speaker" and "presenter", which most lists' words hold.
  const named = new Set(identifierWords(list.name).map(subjectStem))
  const speakers = new Set(Array.from(registry.speakers.values(), ({ name }) => normaliseValue(name)))
  const spansOf = new Map(registry.people.map(({ name, spans }) => [normaliseValue(name), spans]))
  const places = Map.groupBy(
    [...registry.people.flatMap(({ spans }) => spans), ...reading.candidates.filter(({ kind }) => kind === "name")],
    ({ passage }) => passage
  )
  const sorted = new Map(
    Array.from(places, ([passage, spans]) => [
      passage,
      Array.from(new Map(spans.map((span) => [span.from, span])).values()).toSorted((a, b) => a.from - b.from)
    ])
  )
  const absent = new Set(
    drafts.flatMap(({ derived, item_key, span, value }) => {
      const name = normaliseValue(value)
      if (derived !== undefined || speakers.has(name)) return []
      const told = (spansOf.get(name) ?? [span]).slice(0, MOST_PLACES)
      return told.some((one) => tellsAbsence(one, sorted.get(one.passage) ?? [one], named, list)) ? [item_key] : []
    })
  )
  return drafts.filter(({ item_key }) => !absent.has(item_key))
}
