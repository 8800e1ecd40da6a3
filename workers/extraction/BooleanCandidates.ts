import type { LeafCandidate } from "./LeafCandidates.ts"
import type { Leaf } from "./Plan.ts"
import { affirms, answerOf } from "./Polarity.ts"
import type { Reading } from "./Reading.ts"
import { asks } from "./Sentences.ts"
import type { Passage } from "./SourceDocument.ts"
import { stem } from "./Tokens.ts"

// Stems that any yes-or-no field's name or description may hold and that say nothing about which field it is.
const EMPTY_STEM =
  /^(?:whether|flag|boolean|has|need|requir|includ|availabl?|provid|offer|plac|place|want|user|reserv|number|should|restaurant|hotel|hous|car|rid|ride|add|trip|serv|servic|salon|accommodat|event|transact|privat|attract|attraction|free|property|allow|permit|show|cinema|home|indicat|desir|option|adequat|insid|good|welcom|tak|take|book|movi|dentist|doctor|person|thing|true|fals|false|yes|set)$/u

/** Stems that mean the same as a telling one: fields are named by one word and spoken of by another. */
const SAME: ReadonlyArray<ReadonlyArray<string>> = [
  "subtitle caption",
  "pet dog cat animal",
  "wifi wi-fi internet",
  "kid child children family",
  "entry entrance admission fee",
  "outdoor outside outdoors patio",
  "share shared sharing",
  "refund refundable",
  "alcohol liquor wine beer drinks",
  "vegetarian vegan",
  "parking garage",
  "smoke smoking"
].map((group) => group.split(" ").map(stem))

/** The stems that a yes-or-no field is recognised by: those of its name, or of its description where its name has none. */
export const tellingStems = (leaf: Leaf): ReadonlyArray<string> => {
  const of = (least: number): ReadonlyArray<string> =>
    Array.from(leaf.terms).flatMap(([term, weight]) => weight >= least && !EMPTY_STEM.test(term) ? [term] : [])
  const own = [of(0.9), of(0.6)].find((terms) => terms.length > 0) ??
    Array.from(leaf.terms).flatMap(([term, weight]) => weight >= 0.9 ? [term] : [])
  return Array.from(new Set([...own, ...SAME.filter((group) => own.some((term) => group.includes(term))).flat()]))
}

/** Where sentences start, stops inside numbers and abbreviations aside. */
const sentenceAt = (passage: Passage, at: number): { readonly from: number; readonly text: string } => {
  const before = passage.text.slice(0, at)
  const from = Math.max(...[". ", "! ", "? "].map((stop) => before.lastIndexOf(stop) + (before.includes(stop) ? 2 : 1)))
  const rest = /[.!?](?:\s|$)/u.exec(passage.text.slice(at))
  return { from, text: passage.text.slice(from, rest === null ? passage.text.length : at + rest.index + 1) }
}

/** What is said instead of a denial: entry that is paid for is not free. */
const OPPOSITES: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [/\bfree\b/u, /\b(?:paid|charged?|costs?|fees?|pay)\b/iu],
  [/\bopen\b/u, /\bclosed?\b/iu]
]

/** A question that asks for something with the property wants it: "Can you find a flat where pets are allowed?" */
const WANTED =
  /\b(?:(?:find|show|get|search|look(?:ing)?|play|book|reserve|need|want|like) .{0,120}\b(?:with|without|where|that|which|allow\p{L}*|in)\b|(?:with|without))\b/iu
const SUMMED_UP = /\b(?:confirm|verify|check|to recap|review|so,? you|correct|right|you want|you(?:'d| would) like)\b/iu

const said = (
  passage: Passage,
  from: number,
  to: number,
  value: boolean,
  manner: "asserted" | "answered"
): LeafCandidate => ({
  candidate: { passage, from, to, kind: "label", text: passage.text.slice(from, to), value },
  value,
  manner
})

/**
 * Yes and no for one field: what a statement with its words affirms or denies, and what the next speaker answers to a
 * question about it. A question that nobody answers says nothing.
 */
export const booleanCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const stems = tellingStems(leaf)
  const opposites = OPPOSITES.flatMap(([field, words]) => field.test(leaf.words) ? [words] : [])
  const placesIn = (index: number): ReadonlyArray<number> =>
    stems.flatMap((term) => reading.stems[index]?.get(term) ?? []).toSorted((a, b) => a - b)
  return reading.passages.flatMap((passage, index): ReadonlyArray<LeafCandidate> => {
    const place = placesIn(index)[0]
    if (place === undefined) return []
    const token = passage.tokens[place]!
    const sentence = sentenceAt(passage, token.from)
    const at = token.from - sentence.from
    const opposite = opposites.some((words) => words.test(sentence.text))
    const affirmed = !opposite && affirms(sentence.text, at, at + token.text.length)
    const stated = said(passage, token.from, token.to, affirmed, "asserted")
    if (!asks(sentence.text)) return [stated]
    const answer = reading.passages[index + 1]
    const replies = answer !== undefined && answer.modality === passage.modality && answer.speaker !== passage.speaker
    const reply = replies ? answerOf(answer.text) : undefined
    const explicit = WANTED.test(sentence.text) || !affirmed
    if (SUMMED_UP.test(sentence.text) && explicit) return reply === false ? [] : [stated]
    if (WANTED.test(sentence.text) && reply === undefined) return [stated]
    if (reply === undefined || placesIn(index + 1).length > 0) return []
    const value = affirmed ? reply : !reply
    return [said(answer!, 0, Math.min(answer!.text.length, 20), value, "answered")]
  })
}
