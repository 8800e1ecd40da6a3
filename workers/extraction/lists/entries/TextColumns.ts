import type { Mention } from "../../candidates/Mention.ts"
import { FULL_NAME } from "../../candidates/PersonClassifier.ts"
import { FIRST_NAMES } from "../../lexicon/FirstNames.ts"
import { subjectsOf } from "../../lexicon/KnownValues.ts"
import { ORGANISATION_WORD, PLACE_END, soughtType } from "../../lexicon/NameTypes.ts"
import type { Leaf } from "../../text/Plan.ts"
import { identifierWords, normaliseValue, stem } from "../../text/Tokens.ts"
import { nameOf, type Shape } from "./Entry.ts"
import { namesPeople } from "./EntryNames.ts"

/** What a text may be told by. */
type Sort = "person" | "role" | "city" | "country" | "code" | "explanation"

/** Which property each text of a row is of, in order, and whether anything but the order of the schema says so. */
export interface Assignment {
  readonly leaves: ReadonlyArray<Leaf | undefined>
  readonly told: boolean
}

const ROLE_FIELD = /\b(?:role|position|job|occupation|function|profession|post|office|duty|rank)\b/u
const CODE_FIELD = /\b(?:code|id|sku|isbn|serial|ref|reference|(?:number|no)$)\b/u
const EXPLANATION_FIELD =
  /\b(?:definition|meaning|explanation|description|details?|notes?|reason|why|answer|remarks?|comment|summary)\b/u
/** How words for what somebody does end, "chef" and "lead" included. */
const ROLE_WORD =
  /(?:er|or|ist|ian|man|woman|person|eer|ary|chief|head|chair|captain|coach|cook|chef|guide|nurse|judge|host|mayor|clerk|lead|ceo|cfo|cto|coo)s?$/u

const countryNames = (): ReadonlySet<string> => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return new Set(
    ["UK", "USA", "England", "Scotland", "Wales", ...codes.map((code) => names.of(code) ?? "")].map(normaliseValue)
  )
}
let countries: ReadonlySet<string> | undefined

/** How surely a text is of a sort, from 0 to 1. */
const MEASURES: Readonly<Record<Sort, (text: string, people: ReadonlySet<string>) => number>> = {
  person: (text, people) => {
    const words = text.split(" ")
    if (people.has(normaliseValue(text))) return 1
    const first = FIRST_NAMES.has(words[0]!.toLowerCase())
    if (words.length === 1) return first && /^\p{Lu}/u.test(text) ? 0.7 : 0
    if (/^(?:\p{Lu}\.[\s-]?){1,3}\p{Lu}\p{L}+$/u.test(text)) return 0.8
    if (!FULL_NAME.test(text) || ORGANISATION_WORD.test(text) || PLACE_END.test(text)) return 0
    return first ? 1 : ROLE_WORD.test(words.at(-1)!.toLowerCase()) ? 0 : 0.4
  },
  role: (text) => ROLE_WORD.test(text.toLowerCase()) && !FIRST_NAMES.has(text.split(" ")[0]!.toLowerCase()) ? 1 : 0,
  city: (text) => subjectsOf(text).includes("city") ? 1 : 0,
  country: (text) => (countries ??= countryNames()).has(normaliseValue(text)) ? 1 : 0,
  code: (text) => /\d/u.test(text) && !/\s/u.test(text) ? 1 : 0,
  explanation: (text) => Math.min(1, text.split(/\s+/u).length / 8)
}

/** Sorts in the order in which they are settled: what tells itself before what is left over. */
const SORTS = ["person", "country", "city", "code", "role", "explanation"] as const

/** How much more a column must be of a sort than any other to be told by it: a third of its rows, of texts two or three words. */
const MARGIN = 0.3

const sortsOf = ({ anchor, list, texts }: Shape): ReadonlyMap<Sort, Leaf> => {
  const leaves = [anchor, ...texts]
  const role = leaves.find((leaf) => ROLE_FIELD.test(nameOf(leaf)))
  const entry = stem(identifierWords(list.name).at(-1) ?? "")
  const called = leaves.find((leaf) => /\bname\b|^(?:who|member)$/u.test(nameOf(leaf)))
  const people = role !== undefined || namesPeople({ anchor, list }) ||
    soughtType({ ...anchor, name: entry, schema: {} }) === "person"
  const person = leaves.find((leaf) => soughtType(leaf) === "person") ?? (people ? called : undefined)
  const out = new Map<Sort, Leaf | undefined>([
    ["person", person],
    ["country", leaves.find((leaf) => /\bcountry|nation\b/u.test(nameOf(leaf)))],
    ["city", leaves.find((leaf) => /\b(?:city|town|capital)\b/u.test(nameOf(leaf)))],
    ["code", leaves.find((leaf) => CODE_FIELD.test(nameOf(leaf)))],
    ["role", role],
    ["explanation", leaves.find((leaf) => EXPLANATION_FIELD.test(nameOf(leaf)))]
  ])
  return new Map(Array.from(out).flatMap(([sort, leaf]) => leaf === undefined ? [] : [[sort, leaf] as const]))
}

/**
 * Which property each column of a table without a header is of, decided once by what its texts are: people, roles, places, codes,
 * explanations. Where nothing tells, the order of the schema is taken for two, and the assignment says so.
 */
export const textColumns = (
  rows: ReadonlyArray<ReadonlyArray<Mention>>,
  shape: Shape,
  people: ReadonlySet<string>
): Assignment => {
  const leaves = [shape.anchor, ...shape.texts]
  const width = Math.min(leaves.length, ...rows.map(({ length }) => length))
  const out: Array<Leaf | undefined> = Array.from({ length: width }, () => undefined)
  const sorts = sortsOf(shape)
  const open = new Set(leaves)
  for (const sort of SORTS) {
    const leaf = sorts.get(sort)
    if (leaf === undefined || !open.has(leaf)) continue
    const scores = out.map((taken, at) =>
      taken === undefined
        ? rows.reduce((sum, row) => sum + MEASURES[sort](String(row[at]!.value), people), 0) / rows.length
        : -1
    )
    const [best = -1, next = 0] = scores.toSorted((a, b) => b - a)
    if (best < MARGIN || best - Math.max(0, next) < MARGIN) continue
    out[scores.indexOf(best)] = leaf
    open.delete(leaf)
  }
  const rest = Array.from(open)
  if (rest.length <= 1 || !out.includes(undefined)) {
    return { leaves: out.map((leaf) => leaf ?? rest.shift()), told: true }
  }
  if (leaves.length === 2) return { leaves, told: false }
  // Of more than two the order of the schema is right too seldom: only the name, which mostly comes first, is taken besides what is told.
  const name = open.has(shape.anchor) ? out.indexOf(undefined) : -1
  return { leaves: out.map((leaf, at) => at === name ? shape.anchor : leaf), told: name < 0 }
}
