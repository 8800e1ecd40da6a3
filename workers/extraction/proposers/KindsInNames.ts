import type { Material } from "../candidates/Mention.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { identifierWords, normaliseValue } from "../text/Tokens.ts"

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
const kindOf = ({ name, template }: Leaf): string | undefined => {
  const words = identifierWords(name)
  const [kind, ...others] = words.at(-1) === "name" ? words.slice(0, -1) : words
  const asked = kind === undefined ? identifierWords(template.split("/").at(-2) ?? "").at(-1) : kind
  return asked !== undefined && others.length === 0 && KINDS.has(asked) ? asked : undefined
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
  const kind = kindOf(leaf)
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
