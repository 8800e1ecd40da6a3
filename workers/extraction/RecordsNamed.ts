import type { Named } from "./Cast.ts"
import { FIRST_NAMES } from "./FirstNames.ts"
import type { Found, FoundEntry, Recogniser } from "./Found.ts"
import { quoteOf } from "./SourceDocument.ts"
import { normaliseValue } from "./Tokens.ts"

const entryOf = (value: Found): FoundEntry => ({ text: value, name: value })

/** Everyone who is named in full. */
export const people: Recogniser = ({ cast }) =>
  cast.people.map((person) => entryOf({ value: person.name, span: person.spans[0]! }))

/** "Simple Physics by John Hill": whoever only stands behind a work's title does not take part. */
const isAuthor = ({ spans }: Named): boolean =>
  spans.every(({ from, passage }) => /\S\s+by\s+$/u.test(passage.text.slice(0, from)))

/** Everyone who is named in full; where nobody is, everyone called by a first name, and speakers whose labels are names. */
export const participants: Recogniser = ({ cast, reading }) => {
  const full = cast.people.filter((person) => !isAuthor(person)).map((person) =>
    entryOf({ value: person.name, span: person.spans[0]! })
  )
  const known = new Set(cast.people.flatMap((person) => normaliseValue(person.name).split(" ")))
  const called = new Map<string, FoundEntry>()
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

/** Organisations by their names' own words, or because the screen says that something is by them. */
export const organisations: Recogniser = ({ cast }) =>
  cast.organisations.map((one) => entryOf({ value: quoteOf(one.spans[0]!), span: one.spans[0]! }))
