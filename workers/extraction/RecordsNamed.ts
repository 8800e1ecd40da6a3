import { FIRST_NAMES } from "./FirstNames.ts"
import type { FoundEntry, Recogniser } from "./Found.ts"
import { quoteOf } from "./SourceDocument.ts"
import { normaliseValue } from "./Tokens.ts"

/** Everyone who is named in full; where nobody is, everyone called by a first name, and speakers whose labels are names. */
export const people: Recogniser = ({ cast, reading }) => {
  const full = cast.people.map((person): FoundEntry => {
    const value = { value: person.name, span: person.spans[0]! }
    return { text: value, name: value }
  })
  const known = new Set(cast.people.flatMap((person) => normaliseValue(person.name).split(" ")))
  const called = new Map<string, FoundEntry>()
  for (const candidate of reading.candidates) {
    const key = candidate.text.toLowerCase()
    if (candidate.kind !== "name" || known.has(key) || called.has(key) || !FIRST_NAMES.has(key)) continue
    const value = { value: candidate.text, span: candidate }
    called.set(key, { text: value, name: value })
  }
  for (const passage of reading.passages) {
    const label = passage.speaker === null ? undefined : reading.document.speakers.get(passage.speaker)
    const key = label?.toLowerCase() ?? ""
    if (label === undefined || known.has(key) || called.has(key) || !FIRST_NAMES.has(key.split(" ")[0]!)) continue
    const value = { value: label, span: { passage, from: 0, to: passage.text.length }, derived: "speaker" as const }
    called.set(key, { text: value, name: value })
  }
  return [...full, ...called.values()]
}

/** Organisations by their names' own words, or because the screen says that something is by them. */
export const organisations: Recogniser = ({ cast }) =>
  cast.organisations.map((one): FoundEntry => {
    const value = { value: quoteOf(one.spans[0]!), span: one.spans[0]! }
    return { text: value, name: value }
  })
