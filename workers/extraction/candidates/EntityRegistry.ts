import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { ORGANISATION_WORD } from "../lexicon/NameTypes.ts"
import type { Candidate } from "../text/Candidate.ts"
import { type Passage, quoteOf, sentencesWithin, type Span } from "../text/SourceDocument.ts"
import { misreadAmong, spellingKey } from "./NameSpellings.ts"
import { FULL_NAME, isPerson, untitled } from "./PersonClassifier.ts"
import { isPlaceName } from "./PlaceNames.ts"
import type { Reading } from "./Reading.ts"

/** A name with the places that give it, best spelling first. */
export interface Named {
  readonly name: string
  readonly spans: ReadonlyArray<Span>
}

/** Who and what a source names, spelled as on screen where the screen has it. */
export interface EntityRegistry {
  readonly people: ReadonlyArray<Named>
  readonly organisations: ReadonlyArray<Named>
  /** Speaker id → the name that the speaker gives. */
  readonly speakers: ReadonlyMap<string, Named>
}

const ORGANISATION_BEFORE = /\b(?:made by|work (?:for|at)|company called|©|copyright)\s+(?:the\s+)?$/iu
/** They announce people, places and vehicles too. */
const MAKER_BEFORE = /^\s*(by|from)\s+(?:the\s+)?$/iu

/** Whether a name is an organisation's: by its words, or by what announces it on screen. */
const isOrganisation = (candidate: Candidate, elsewhere: (candidate: Candidate) => boolean): boolean => {
  const { from, passage, text } = candidate
  if (ORGANISATION_WORD.test(text)) return true
  if (passage.channel !== "ocr" || /\d/u.test(text)) return false
  const before = passage.text.slice(Math.max(0, from - 24), from)
  if (ORGANISATION_BEFORE.test(before)) return before.trim().length < 14
  const maker = MAKER_BEFORE.exec(before)?.[1]?.toLowerCase()
  if (maker === undefined || isPlaceName(text)) return false
  // One word may be a vehicle: "by Train".
  return (maker === "by" && text.includes(" ")) || elsewhere(candidate)
}

/** How often, and where, one spelling stands. */
interface Spelling {
  readonly name: string
  readonly spans: Array<Span>
}

const isHeard = ({ passage }: Span): boolean => passage.modality === "audio"
const isOnly = ({ spans }: Named, heard: boolean): boolean => spans.every((span) => isHeard(span) === heard)

/** What is shown and never said in that spelling: what is said nearly so may be the recogniser's for it. */
const neverSaid = (named: Named): boolean =>
  named.spans.some((span) => !isHeard(span)) &&
  named.spans.every((span) => !isHeard(span) || spellingKey(quoteOf(span)) !== spellingKey(named.name))

/**
 * Each name once, with its places, the screen's spelling before the recogniser's, then by time. Two spellings are one name
 * only where the one is shown alone, the other heard alone, and no third could be meant; never those `apart`.
 */
const collect = (candidates: ReadonlyArray<Span>, apart: ReadonlySet<string> = new Set()): ReadonlyArray<Named> => {
  const ordered = candidates.toSorted((a, b) =>
    Number(isHeard(a)) - Number(isHeard(b)) || a.passage.index - b.passage.index || a.from - b.from
  )
  const spellings = new Map<string, Spelling>()
  for (const span of ordered) {
    const name = quoteOf(span)
    const key = spellingKey(name)
    const known = spellings.get(key)
    if (known === undefined) spellings.set(key, { name, spans: [span] })
    else known.spans.push(span)
  }
  const shown = new Map(
    Array.from(spellings.values()).filter((one) => isOnly(one, false)).map((one) => [one.name, one])
  )
  const misread = misreadAmong(shown.keys())
  return Array.from(spellings).flatMap(([key, one]): ReadonlyArray<Named> => {
    const meant = isOnly(one, true) && !apart.has(key) ? misread(one.name) : []
    if (meant.length !== 1) return [one]
    shown.get(meant[0]!)!.spans.push(...one.spans)
    return []
  })
}

// Recognisers drop the small words of an introduction; a known name must follow in any case.
const SELF = /\b(?:i'?m|(?:i )?am|(?:my |mine )?name(?:'s| is)|this is)\s+(?:(?:dr|prof|professor|doctor)\.?\s+)?/giu

/** "Petra Vogel here": the name before it. */
const HERE = /(?<=^|[.,!?]\s)(\p{Lu}[\p{L}'’-]+\s\p{Lu}[\p{L}'’-]+)\s(?:here|speaking)\b(?=[.,!]|$|\sfrom\b)/gu

/** "my name is mary brown": the two or three words after it, if the screen or the capitals say that they are a name. */
interface Introduction {
  readonly span: Span
  /** Who of those that are named elsewhere; null for the words themselves. */
  readonly name: Named | null
  /** "This is Laura Bell" may be of somebody else, "I am Laura Bell" is not. */
  readonly own: boolean
  /** By a first name only. */
  readonly alone: boolean
}

/** "I'm Tamsin Okoro": two capitals after an introduction need no known first name. */
const PAIR = /^\p{Lu}\p{Ll}[\p{L}'’-]*\s\p{Lu}\p{Ll}[\p{L}'’-]*$/u

/** "My name is Laura. How can I help you?": one name that the clause ends with. */
const ALONE = /^\p{Lu}[\p{L}'’-]+(?:[.,!?;]|$|\s(?:and|from|here|with|speaking)\b)/u

/** "This is Laura Bell, she leads the sales team", "this is Laura Bell, our CFO": somebody else is introduced. */
const OF_ANOTHER = /^,?\s(?:and\s)?(?:she|he|they|who)\b|^,\s(?:our|her|his)\b|[.!?;,]\s(?:and\s)?(?:she|he)\b/iu

/** Whoever is named in full, to be found by what an introduction says. */
interface Known {
  readonly all: ReadonlyArray<Named>
  readonly bySpelling: ReadonlyMap<string, Named>
  /** By a spelling the names that are never said and may be meant by it. */
  readonly misread: (name: string) => ReadonlyArray<string>
}

const knownOf = (all: ReadonlyArray<Named>): Known => ({
  all,
  bySpelling: new Map(all.map((one) => [spellingKey(one.name), one])),
  misread: misreadAmong(all.filter(neverSaid).map(({ name }) => name))
})

const introductions = (passage: Passage, known: Known): ReadonlyArray<Introduction> => [
  ...Array.from(passage.text.matchAll(HERE), ({ 1: name = "", index }): Introduction => ({
    span: { passage, from: index, to: index + name.length },
    name: null,
    own: true,
    alone: false
  })),
  ...Array.from(passage.text.matchAll(SELF)).flatMap((match): ReadonlyArray<Introduction> => {
    const from = match.index + match[0].length
    const end = sentencesWithin(passage).find(({ to }) => to > from)?.to ?? passage.text.length
    const after = passage.tokens.filter((token) => token.from >= from && token.from < end).slice(0, 3)
    if (after[0]?.from !== from) return []
    const own = !/this is/iu.test(match[0])
    const spans = [2, 3].flatMap((count) => after.length < count ? [] : [{ passage, from, to: after[count - 1]!.to }])
    const told = (span: Span, name: Named | null, alone = false): ReadonlyArray<Introduction> =>
      own || !OF_ANOTHER.test(passage.text.slice(span.to, span.to + 120)) ? [{ span, name, own, alone }] : []
    for (const span of spans.toReversed()) {
      const same = known.bySpelling.get(spellingKey(quoteOf(span)))
      if (same !== undefined) return told(span, same)
    }
    const near = spans.flatMap((span) => known.misread(quoteOf(span)).map((name) => ({ span, name })))
    if (near.length === 1) return told(near[0]!.span, known.bySpelling.get(spellingKey(near[0]!.name))!)
    const first = FIRST_NAMES.has(after[0].norm)
    const named = spans.toReversed().find((span) => first && FULL_NAME.test(quoteOf(span))) ??
      (own
        ? spans.find((span) => PAIR.test(quoteOf(span)) && !ORGANISATION_WORD.test(quoteOf(span)))
        : undefined)
    if (named !== undefined) return told(named, null)
    const alone = { passage, from, to: after[0].to }
    if (!first || !own || !ALONE.test(passage.text.slice(from))) return []
    const whole = known.all.filter(({ name }) => name.startsWith(`${quoteOf(alone)} `))
    return told(alone, whole.length === 1 ? whole[0]! : null, true)
  })
]

const nameOf = ({ name, span }: Introduction): string => spellingKey(name?.name ?? quoteOf(span))

/** Introductions without those that another voice's contradict: nobody is called by the name that somebody else says to have. */
const uncontradicted = (heard: ReadonlyArray<Introduction>): ReadonlyArray<Introduction> => {
  const claimed = Map.groupBy(heard.filter(({ alone, own }) => own && !alone), nameOf)
  const byAnother = (one: Introduction): boolean =>
    (claimed.get(nameOf(one)) ?? []).some(({ span }) => span.passage.speaker !== one.span.passage.speaker)
  return heard.flatMap((one): ReadonlyArray<Introduction> => {
    if (!byAnother(one)) return [one]
    if (!one.own) return []
    if (one.alone) return [{ ...one, name: null }]
    // Two voices, two spellings: two people. In one spelling, one person whom the recogniser took for two voices.
    const spelled = new Set(claimed.get(nameOf(one))!.map(({ span }) => spellingKey(quoteOf(span))))
    return spelled.size > 1 ? [{ ...one, name: null }] : [one]
  })
}

/** Who and what a reading names. Names that occur in speech only are kept in the recogniser's spelling. */
export const registryOf = (reading: Reading): EntityRegistry => {
  const names = reading.candidates.filter((candidate) =>
    candidate.kind === "name" && candidate.passage.channel !== "vision"
  )
  const listed = collect(names.map(untitled).filter(isPerson))
  const known = knownOf(listed)
  const heard = uncontradicted(
    reading.passages.filter((passage) => passage.modality === "audio").flatMap((passage) =>
      introductions(passage, known)
    )
  )
  const unknown = heard.flatMap((one) => one.name === null ? [one.span] : [])
  const people = collect(
    [...listed.flatMap((one) => one.spans), ...unknown],
    new Set(unknown.map((span) => spellingKey(quoteOf(span))))
  ).map(({ name, spans }): Named => ({
    name,
    spans: spans.concat(heard.filter((self) => self.name?.name === name).map((self) => self.span))
  }))
  const byName = new Map(people.map((person) => [spellingKey(person.name), person]))
  const introduced = new Map<string, Named>()
  for (const one of heard.toSorted((a, b) => Number(b.own) - Number(a.own))) {
    const { speaker } = one.span.passage
    const person = byName.get(nameOf(one))
    if (speaker !== null && person !== undefined && !introduced.has(speaker)) {
      introduced.set(speaker, { name: person.name, spans: [one.span] })
    }
  }
  // In the order in which they are introduced: who presents comes first.
  const speakers = new Map(
    Array.from(introduced).toSorted(([, { spans: [a] }], [, { spans: [b] }]) =>
      a!.passage.index - b!.passage.index || a!.from - b!.from
    )
  )
  const named = Map.groupBy(names, ({ text }) => text)
  const elsewhere = ({ passage, text }: Candidate): boolean =>
    named.get(text)!.some((other) => other.passage.text !== passage.text)
  const organisations = collect(names.filter((name) => isOrganisation(name, elsewhere) && !isPerson(name)))
  return { people, organisations, speakers }
}
