import type { Material } from "../candidates/Mention.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { identifierWords } from "../text/Tokens.ts"
import { stated } from "./ScreenFields.ts"

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
const captionOf = (line: Passage, before: Passage | undefined): Caption | undefined => {
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

/**
 * What the one caption of the footage says of whom it shows: "Head of Design" of "Head of Design, Brightfold" for `presenter_title`, "Brightfold" for
 * `company`, and a role that stands alone below a name. Nothing where the captions show two.
 */
export const ofCaption = ({ reading }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  const name = identifierWords(leaf.name).join(" ")
  const [role, company] = [ASKS_ROLE.test(name), ASKS_COMPANY.test(name)]
  if (!role && !company) return []
  const shown = reading.passages.filter(({ channel }) => channel === "ocr")
  const captions = shown.flatMap((line, at) => captionOf(line, shown[at - 1]) ?? [])
  const spans = captions.flatMap((one) => (role ? one.role : one.company) ?? [])
  const texts = new Set(spans.map(({ from, passage, to }) => passage.text.slice(from, to).toLowerCase()))
  return texts.size === 1 ? [stated("caption", leaf, spans[0]!, SCORE)] : []
}
