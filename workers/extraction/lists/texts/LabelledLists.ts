import { type Mention, mentionAt } from "../../candidates/Mention.ts"
import type { Reading } from "../../candidates/Reading.ts"
import { negates } from "../../lexicon/Polarity.ts"
import { tokenise } from "../../text/Tokens.ts"
import { headingOf } from "./ListHeadings.ts"
import type { Subject } from "./ListSubject.ts"

const LABELLED = /^\s*(?:[•·▪*–—-]\s+)?([^:\s][^:]{0,39}?)(?::\s+|\s{2,})(?=\S)/u
/** What parts the members of one line, the surest first; only with commas the last may be joined by "and". */
const SEPARATORS: ReadonlyArray<RegExp> = [
  /\s*;\s+/gu,
  /\s+[|·•]\s+/gu,
  /\s+\/\s+/gu,
  /,\s+(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+/gu
]
const LONGEST_LINE = 300
const LONGEST_MEMBER = 6

/** Whether a label can name several: "Locations", and "Equipment" for `equipment`; "Location: Lisbon, Portugal" is one place. */
const isOfSeveral = (label: string, { name }: Subject): boolean =>
  label.toLowerCase() === name || tokenise(label).some(({ norm }) => /[^s]s$/u.test(norm))

const isMember = (one: Mention | undefined): one is Mention =>
  one !== undefined && /\p{L}{2}/u.test(String(one.value)) && tokenise(String(one.value)).length <= LONGEST_MEMBER

/** The members of a line from an offset on, by the first sign that parts it; empty where one of them cannot be a member. */
const membersOf = (passage: Mention["span"]["passage"], from: number): ReadonlyArray<Mention> => {
  const rest = passage.text.slice(from).trimEnd().replace(/[,;.]$/u, "")
  const separator = SEPARATORS.find((one) => rest.search(one) > 0)
  if (separator === undefined || negates(rest)) return []
  let at = 0
  const found = [...rest.matchAll(separator), null].map((cut) => {
    const end = cut === null ? rest.length : cut.index
    const one = mentionAt(passage, from + at, rest.slice(at, end))
    at = cut === null ? end : end + cut[0].length
    return one
  })
  return found.length >= 2 && found.every(isMember) ? found : []
}

/** The members of each line of the screen whose label is the list's own name: "Allergens: gluten, egg, milk" are three. */
export const labelledMembers = ({ passages }: Reading, subject: Subject): ReadonlyArray<Mention> =>
  passages.flatMap((passage) => {
    if (passage.channel !== "ocr" || passage.text.length > LONGEST_LINE) return []
    const [whole, label] = LABELLED.exec(passage.text) ?? []
    if (label === undefined || !isOfSeveral(label, subject)) return []
    return headingOf(label, subject)?.foreign.length === 0 ? membersOf(passage, whole!.length) : []
  })
