import type { Named } from "../../candidates/EntityRegistry.ts"
import type { EntryFinder, EntryMentions, Material, Mention } from "../../candidates/Mention.ts"
import { isPerson } from "../../candidates/PersonClassifier.ts"
import { FIRST_NAMES } from "../../lexicon/FirstNames.ts"
import { supposes } from "../../text/Sentences.ts"
import { leadOf, quoteOf, sentenceAround } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"

const entryOf = (value: Mention): EntryMentions => ({ text: value, name: value })

/** Everyone who is named in full. */
export const people: EntryFinder = ({ registry }) =>
  registry.people.map((person) => entryOf({ value: person.name, span: person.spans[0]! }))

/** "Simple Physics by John Hill": whoever only stands behind a work's title does not take part. */
const isAuthor = ({ spans }: Named): boolean =>
  spans.every(({ from, passage }) => /\S\s+by\s+$/u.test(passage.text.slice(0, from)))

/** Where every voice has a name, whoever is only talked about does not take part. */
const onlyTalkedAbout = (material: Material): (person: Named) => boolean => {
  const { registry, reading } = material
  const voices = new Set(reading.passages.flatMap(({ speaker }) => speaker === null ? [] : [speaker]))
  const present = new Set([...Array.from(registry.speakers.values()), ...guestsOf(material)].map(({ name }) => name))
  const complete = voices.size > 0 && present.size >= voices.size
  return ({ name, spans }) =>
    complete && !present.has(name) && spans.every(({ passage }) => passage.modality === "audio")
}

/**
 * Everyone who is named in full and not only talked about; where nobody is, everyone called by a first name, and speakers
 * whose labels are names.
 */
export const participants: EntryFinder = (material) => {
  const { registry, reading } = material
  const absent = onlyTalkedAbout(material)
  const full = registry.people.filter((person) => !isAuthor(person) && !absent(person)).map((person) =>
    entryOf({ value: person.name, span: person.spans[0]! })
  )
  const known = new Set(registry.people.flatMap((person) => normaliseValue(person.name).split(" ")))
  const called = new Map<string, EntryMentions>()
  for (const candidate of reading.candidates) {
    const key = candidate.text.toLowerCase()
    if (candidate.kind !== "name" || known.has(key) || called.has(key) || !FIRST_NAMES.has(key)) continue
    called.set(key, entryOf({ value: candidate.text, span: candidate }))
  }
  for (const passage of reading.passages) {
    const label = passage.speaker === null ? undefined : reading.document.speakers.get(passage.speaker)
    const key = label?.toLowerCase() ?? ""
    if (label === undefined || known.has(key) || called.has(key) || !FIRST_NAMES.has(key.split(" ")[0]!)) continue
    const turn = { passage, from: 0, to: passage.text.length }
    called.set(key, entryOf({ value: label, span: turn, derived: "speaker" }))
  }
  return [...full, ...called.values()]
}

const GUEST_BEFORE =
  /\b(?:guests?(?: (?:today|tonight|this week|for today))?(?: is| are|:)|with (?:me|us)(?: (?:here|today|tonight|now|in the studio))*(?: is| are)|joined (?:today )?by|joining (?:me|us)(?: (?:today|tonight|now))? (?:is|are)|(?:talking|speaking|sat down) (?:to|with)|please welcome|(?:interview|conversation|talk|chat) with|featuring|feat\.?)[,:]?\s+(?:(?:the|our|my|an?)\s+(?:\p{L}+\s+){0,3})?(?:(?:dr|prof|professor|doctor|mr|mrs|ms)\.?\s+)?$/iu
const GUEST_LABEL = /^(?:guests?|interviewees?|featuring|with)$/iu
/** "Interview with Ann Lee" on screen; a bare "with Ann Lee" may as well name the host. */
const isAnnounced = (span: Mention["span"]): boolean =>
  GUEST_BEFORE.test(leadOf(span)) ||
  GUEST_LABEL.test(leadOf(span).replace(/\s*:\s*$/u, ""))

/** The people whom a source announces as its guests. */
export const guestsOf = ({ registry }: Material): ReadonlyArray<Named> =>
  registry.people.flatMap((person) => {
    const span = person.spans.find(isAnnounced)
    return span === undefined
      ? []
      : [{ name: person.name, spans: [span, ...person.spans.filter((one) => one !== span)] }]
  })

export const guests: EntryFinder = (material) =>
  guestsOf(material).map(({ spans: [span] }) => entryOf({ value: quoteOf(span!), span: span! }))

const HOSTING =
  /\b(?:host|presenter|moderator|welcome|listening to|you['’]re watching|podcast|show|programme|program|episode)\b/iu

/** Speakers who introduce themselves and are nobody's guest: whoever opens the source, and whoever speaks of the show then. */
export const hosts: EntryFinder = (material) => {
  const announced = new Set(guestsOf(material).map(({ name }) => name))
  const opener = material.reading.passages.find(({ modality }) => modality === "audio")?.speaker
  return Array.from(material.registry.speakers).flatMap(([id, { name, spans }]) => {
    const span = spans[0]!
    const hosting = id === opener || HOSTING.test(span.passage.text)
    return announced.has(name) || !hosting ? [] : [entryOf({ value: quoteOf(span), span })]
  })
}

/** Names of things and organisations, each once, that a source announces by such words. */
const namesAfter = (cue: RegExp): EntryFinder => ({ reading }) => {
  const seen = new Set<string>()
  return reading.candidates.flatMap((candidate) => {
    const { kind, passage, text } = candidate
    const key = normaliseValue(text)
    if (kind !== "name" || passage.channel === "vision" || text.length < 3 || seen.has(key) || isPerson(candidate)) {
      return []
    }
    if (!cue.test(leadOf(candidate)) || supposes(quoteOf(sentenceAround(candidate)))) return []
    seen.add(key)
    return [entryOf({ value: text, span: candidate })]
  })
}

/** Who pays for a broadcast. */
export const sponsors = namesAfter(
  /\b(?:brought to you by|sponsored by|sponsors?(?: (?:today|this week))?(?: is| are|,|:)|sponsored today by)\s+(?:the |our friends at |the people at )?$/iu
)

/** What is used or compared instead of what is sold. */
export const competitors = namesAfter(
  /\b(?:(?:we|they|i)(?:['’]ve| have|['’]re| are)? (?:currently |now |also |already |still )?(?:use|used|using|work with|worked with|working with|tried|trying|tested|testing|looked at|looking at|evaluated|evaluating)|switch(?:ed|ing)? (?:over )?from|alternatives? (?:is|are|like|such as)|competitors? (?:is|are|like|such as))\s+(?:the |a |an )?$/iu
)

/** Organisations by their names' own words, or because the screen says that something is by them. */
export const organisations: EntryFinder = ({ registry }) =>
  registry.organisations.map((one) => entryOf({ value: quoteOf(one.spans[0]!), span: one.spans[0]! }))
