import type { Material } from "../candidates/Mention.ts"
import { FULL_NAME } from "../candidates/PersonClassifier.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, normaliseValue } from "../text/Tokens.ts"
import { captionOf } from "./LowerThirds.ts"
import { isPersonsName, openingSlide } from "./ScreenFields.ts"

/** Places, bodies and events whose names end with what they are: "Millbrook Chamber Choir", "HALDANE BUILDING". */
const KINDS: ReadonlySet<string> = new Set(
  `academy agency airline airport arena association bakery band bank bar beach bookshop brewery bridge building cafe campsite castle cathedral chapel
  charity choir church cinema clinic club college company conference cottage council cup dairy depot exhibition fair farm festival forest foundation gallery garage
  garden gardens gym harbour hospital hostel hotel inn institute island lake league library lighthouse marathon market mill museum nursery observatory
  orchestra palace park pharmacy pier practice pub quarry quay race railway regatta reserve resort restaurant river road salon school shelter shop society square
  stadium station store street studio surgery temple theater theatre tournament tower trail trust tunnel university village vineyard winery workshop yard zoo`
    .split(/\s+/u)
)

/** What stands before a kind that is nobody's name: "Our Team", "Main Office", "Online Shop". */
const NO_NAME =
  /^(?:our|your|my|this|that|no|any|every|about|visit|meet|join|see|find|main|head|online|local|car|opening|welcome)$/iu

/** The kind that a field asks the name of: "choir" of `choir` and `choirName`, of `name` in `choir`. */
const kindOf = (
  { name, template }: Pick<Leaf, "name" | "template">,
  kinds: ReadonlySet<string>
): string | undefined => {
  const words = identifierWords(name)
  const [kind, ...others] = words.at(-1) === "name" ? words.slice(0, -1) : words
  const asked = kind === undefined ? identifierWords(template.split("/").at(-2) ?? "").at(-1) : kind
  return asked !== undefined && others.length === 0 && kinds.has(asked) ? asked : undefined
}

/** Between the parts of a line of the screen. */
const BETWEEN = /\s+[-–—|·•/]\s+|\s{2,}|[:,;]\s+/gu
/** Words in capitals, with the small ones that names have. */
const NAME =
  /^[\p{Lu}\d&](?:[\p{L}\p{N}&'’.-]*)(?: (?:of|the|and|for|at|in|on|de|la|le|du|von|van|[\p{Lu}\d&][\p{L}\p{N}&'’.-]*)){1,5}$/u

/**
 * The one name on the screen that ends with the kind that a field asks for, "STOLLBERRY TUNNEL" for `tunnel`; undefined where two do, or where it is
 * no name.
 */
export const namedByKind = ({ reading }: Material, leaf: Leaf): Candidate | undefined => {
  const kind = kindOf(leaf, KINDS)
  if (kind === undefined) return undefined
  const found = reading.passages.flatMap((passage): ReadonlyArray<Candidate> => {
    if (passage.channel !== "ocr" || reading.suspects.has(passage.index)) return []
    const ends = [...Array.from(passage.text.matchAll(BETWEEN)), undefined]
    return ends.flatMap((end, at): ReadonlyArray<Candidate> => {
      const before = ends[at - 1]
      const from = before === undefined ? 0 : before.index + before[0].length
      const text = passage.text.slice(from, end?.index)
      const words = text.split(" ")
      // "Nearest Station: Kings Cross" says what follows is one.
      const isLabel = end?.[0].startsWith(":") === true
      return !isLabel && words.at(-1)!.toLowerCase() === kind && NAME.test(text) && !NO_NAME.test(words[0]!)
        ? [{ kind: "name", passage, from, to: from + text.length, text, value: text }]
        : []
    })
  })
  return new Set(found.map(({ text }) => normaliseValue(text))).size === 1 ? found[0] : undefined
}

/** What shows its name on the card with which footage of it opens: bodies, their places and products, and no roads or bridges. */
const SHOWN_FIRST: ReadonlySet<string> = new Set(
  `agency app artist bakery band brand brewery business cafe charity choir cinema clinic club college company council firm gallery gym hospital hotel library
  museum organisation organization podcast practice product pub restaurant salon school shop software store studio theater theatre university`
    .split(/\s+/u)
)
/** What a card says that opens footage about something else, or says what it is about. */
const NO_OPENING =
  /^(?:we(?:['’]re| are)|our|your|my|new|about|how|what|why|when|where|make|welcome|today|thank|drug|important|downloads?|hiring|menu|news|notice)\b|\b(?:updates?|results?|notice|presents|information|briefing|report|review|hours|prices|cam|lesson|training|term|season|semester|(?:of the )?(?:week|month|day|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/iu
/** What takes place bears the name of no body that holds it. */
const EVENT =
  /\b(?:regatta|show|cup|festival|conference|marathon|race|tournament|fair|exhibition|series|championships?|open|final|run)$/iu
const MOST_WORDS = 5

const PRESENTS = /^(?:host|presenter|moderator|reporter|instructor|teacher|mayor)$/iu

/** Whether a line of the screen shows somebody by name: above a role, or the first and last name of whom speech names, or who has a first name. */
const isPerson = ({ registry }: Material, [line, below]: ReadonlyArray<Passage>, text: string): boolean => {
  if (!FULL_NAME.test(text)) return false
  const first = text.split(" ")[0]!.toLowerCase()
  const known = [...registry.people, ...registry.speakers.values()].map(({ name }) => name)
  return isPersonsName(text) ||
    (below !== undefined && (PRESENTS.test(below.text) || captionOf(below, line) !== undefined)) ||
    known.some((name) => normaliseValue(name).split(" ")[0] === first)
}

/** Whether speech has a word as a name, with its capital within a sentence: "this is Tallyfin". */
const isSaidAsName = ({ reading: { passages } }: Material, text: string): boolean => {
  const said = `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`
  return passages.some(({ modality, text: whole, tokens }) =>
    modality === "audio" &&
    tokens.some((token) =>
      token.text === said && /[\p{L},]\s$/u.test(whole.slice(Math.max(0, token.from - 2), token.from))
    )
  )
}

/** The name on the first line of the card that opens the footage, up to a dash or colon, for a field that asks what a body, a product or a place is called. */
export const namedByOpening = (material: Material, leaf: Leaf): Candidate | undefined => {
  const kind = kindOf(leaf, SHOWN_FIRST)
  const slide = openingSlide(material)
  const lines = (slide === undefined ? [] : [slide.heading, ...slide.lines].filter((one) => one !== null))
    .toSorted((a, b) => a.index - b.index)
  const [line] = lines
  if (kind === undefined || line === undefined || material.reading.suspects.has(line.index)) return undefined
  const text = line.text.split(/\s+[–—|·•-]\s+|:\s/u)[0]!.trim()
  const says = /\d|["“”?!.,]/u.test(text) || !/^\p{Lu}/u.test(text) || NO_OPENING.test(text)
  if (says || text.split(" ").length > MOST_WORDS || isPerson(material, lines, text)) return undefined
  if (!text.includes(" ") && !isSaidAsName(material, text)) return undefined
  if (EVENT.test(text) && !EVENT.test(kind)) return undefined
  const from = line.text.indexOf(text)
  return { kind: "name", passage: line, from, to: from + text.length, text, value: text }
}
