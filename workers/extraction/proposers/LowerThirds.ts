import type { Material } from "../candidates/Mention.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { identifierWords, stem } from "../text/Tokens.ts"
import { BELONGS, stated } from "./ScreenFields.ts"

/** Below what a label says. */
const SCORE = 0.87

/** What people are by trade or in an organisation, as captions call it. */
const ROLE = String
  .raw`(?:(?:co-?)?founder(?: (?:and|&) \p{L}+)?|c[etfimo]o|(?:head|chair|director|vice president|professor|secretary|minister) (?:of|for) \p{L}+(?: (?:and|&) \p{L}+| \p{L}+)?|(?:\p{L}+ ){0,3}(?:officer|director|manager|president|editor|producer|engineer|advis[eo]r|scientist|researcher|professor|lecturer|curator|coach|chair|lead|leader|partner|analyst|consultant|owner|designer|developer|secretary|spokes(?:person|man|woman)|architect|chef|nurse|surgeon|conductor|economist|historian|biologist|geologist|volcanologist))`
const NAME = String.raw`\p{Lu}[\p{L}\d'’&.-]*(?: (?:\p{Lu}[\p{L}\d'’&.-]*|&|of|and|the|for)){0,5}`
/** "Head of Design, Brightfold". */
const WITH_COMPANY = new RegExp(String.raw`^(${ROLE})(?:,| at| [-–|·])\s+(${NAME})$`, "diu")
const ALONE = new RegExp(String.raw`^${ROLE}$`, "iu")
/** Who is shown by name: two or three words, after an honorific or none. */
const PERSON = /^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.?)?(?: \p{Lu}[\p{L}'’-]+){1,2}$/u

const ASKS_ROLE =
  /^(?:job )?role$|^job title$|^(?:presenter|speaker|host|guest|interviewee|contact|founder|narrator|lecturer|author)s? (?:job )?(?:role|title|position)$/u
const ASKS_COMPANY =
  /^(?:company|organi[sz]ation|employer)(?: name)?$|^(?:presenter|speaker|host|guest|interviewee|founder)s? (?:company|organi[sz]ation|employer|affiliation)$/u

interface Caption {
  readonly role: Span
  readonly company: Span | undefined
}

/** What a line on the screen says of a person; `before` is the line that is read before it. */
export const captionOf = (line: Passage, before: Passage | undefined): Caption | undefined => {
  const { text } = line
  const span = ([from, to]: readonly [number, number]): Span => ({ passage: line, from, to })
  const found = text.length > 100 ? null : WITH_COMPANY.exec(text)
  if (found !== null && /^\p{Lu}/u.test(found[2]!)) {
    return { role: span(found.indices![1]!), company: span(found.indices![2]!) }
  }
  const isBelowName = before?.t_start === line.t_start && PERSON.test(before.text)
  return isBelowName && text.length < 60 && ALONE.test(text)
    ? { role: span([0, text.length]), company: undefined }
    : undefined
}

/** "Henrietta Vasquez-Coyle, Chair": a name and what is said of whom has it. */
const WITH_ROLE = /^(.+?)(?:,| [-–|·])\s+(.+)$/du
const LONGEST_ROLE = 60
/** What in a field's name says nothing of whom it asks for. */
const UNTOLD = /^(?:name|full|of|the)$/u

/** Whether a line says of somebody every word of a field's name: "Women's winner, Tornby" of `winner_name`. A label says it of what follows. */
const saysOf = (wanted: ReadonlyArray<string>, role: string): boolean => {
  if (role.length > LONGEST_ROLE || role.includes(":")) return false
  const words = new Set((role.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))
  return wanted.every((word) => words.has(word))
}

/** The one person whom captions show as what a field asks for: the name above such a role, or before it on its line. */
const shownAs = (lines: ReadonlyArray<Passage>, leaf: Leaf): Span | undefined => {
  if (soughtType(leaf) !== "person") return undefined
  const words = identifierWords(leaf.name).filter((word) => !UNTOLD.test(word))
  if (words.length === 0 || BELONGS.test(words.join(" "))) return undefined
  const wanted = words.map(stem)
  const found = lines.flatMap((line, at): ReadonlyArray<Span> => {
    const parts = WITH_ROLE.exec(line.text)
    if (parts !== null && PERSON.test(parts[1]!) && saysOf(wanted, parts[2]!)) {
      const [from, to] = parts.indices![1]!
      return [{ passage: line, from, to }]
    }
    const above = lines[at - 1]
    return above?.t_start === line.t_start && PERSON.test(above.text) && saysOf(wanted, line.text) &&
        !saysOf(wanted, above.text)
      ? [{ passage: above, from: 0, to: above.text.length }]
      : []
  })
  const names = new Set(found.map(({ from, passage, to }) => passage.text.slice(from, to).toLowerCase()))
  return names.size === 1 ? found[0] : undefined
}

/**
 * What the one caption of the footage says of whom it shows: "Head of Design" of "Head of Design, Brightfold" for `presenter_title`, "Brightfold" for
 * `company`, a role that stands alone below a name, and the name itself for `winner` above "Women's winner". Nothing where the captions show two.
 */
export const ofCaption = ({ reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const name = identifierWords(leaf.name).join(" ")
  const [role, company] = [ASKS_ROLE.test(name), ASKS_COMPANY.test(name)]
  const shown = reading.passages.filter(({ channel, index }) => channel === "ocr" && !reading.suspects.has(index))
  if (!role && !company) {
    const person = shownAs(shown, leaf)
    return person === undefined ? [] : [stated("caption", leaf, person, SCORE)]
  }
  const captions = shown.flatMap((line, at) => captionOf(line, shown[at - 1]) ?? [])
  const spans = captions.flatMap((one) => (role ? one.role : one.company) ?? [])
  const texts = new Set(spans.map(({ from, passage, to }) => passage.text.slice(from, to).toLowerCase()))
  return texts.size === 1 ? [stated("caption", leaf, spans[0]!, SCORE)] : []
}
