import { type Mention, mentionAt } from "../../candidates/Mention.ts"
import type { Reading } from "../../candidates/Reading.ts"
import { negates } from "../../lexicon/Polarity.ts"
import type { Passage } from "../../text/SourceDocument.ts"
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

type Form = (value: string) => boolean
const isText: Form = (value) => /\p{L}{2}/u.test(value) && tokenise(value).length <= LONGEST_MEMBER
/** "7B", "42". */
const isNumber: Form = (value) => /^#?\d{1,4}\p{Lu}?$/u.test(value)

/** The members of a line from an offset on, by the first sign that parts it; empty where one of them cannot be a member. */
const membersOf = (passage: Passage, from: number, form: Form): ReadonlyArray<Mention> => {
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
  const members = found.filter((one) => one !== undefined)
  return members.length >= 2 && found.every((one) => one !== undefined && form(String(one.value))) ? members : []
}

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`)

/** "Seats 41, 42, 43", "Weir Street closed - routes 9, 9A": what stands right behind the name of a list of several. */
const namedBefore = ({ name }: Subject): RegExp | undefined =>
  /[^s]s$/u.test(name) ? new RegExp(String.raw`^(?:.*\s[–—-]\s)?${escaped(name)}:?\s+(?=#?\d)`, "iu") : undefined

/**
 * The members of each line of the screen whose label is the list's own name: "Allergens: gluten, egg, milk" are three. Numbers need no sign
 * between.
 */
export const labelledMembers = ({ passages }: Reading, subject: Subject): ReadonlyArray<Mention> => {
  const named = namedBefore(subject)
  return passages.flatMap((passage) => {
    if (passage.channel !== "ocr" || passage.text.length > LONGEST_LINE) return []
    const [lead] = named?.exec(passage.text) ?? []
    const numbers = lead === undefined ? [] : membersOf(passage, lead.length, isNumber)
    const [whole, label] = LABELLED.exec(passage.text) ?? []
    if (numbers.length > 0 || label === undefined || !isOfSeveral(label, subject)) return numbers
    return headingOf(label, subject)?.foreign.length === 0 ? membersOf(passage, whole!.length, isText) : []
  })
}
