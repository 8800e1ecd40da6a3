import type { Material } from "../candidates/Mention.ts"
import { numberAt } from "../lexicon/Numbers.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Candidate, Kind } from "../text/Candidate.ts"
import { wantsClock } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import { TABLE_MONTH, TABLE_WEEKDAY } from "../text/TableKinds.ts"
import { identifierWords, normaliseValue } from "../text/Tokens.ts"
import { namedByKind, namedByOpening } from "./KindsInNames.ts"
import { stated } from "./ScreenFields.ts"

/** Below what a label says, above what is only likely. */
const SCORES = { only: 0.87, numbered: 0.88, opening: 0.86 } as const

/** What has a form that nothing else has, and the fields that ask for it. */
const FORMS: ReadonlyArray<readonly [Kind, RegExp]> = [
  ["email", /\be-?mail\b/u],
  // Not `helpline_hours`, which stands beside the number.
  ["phone", /\b(?:phone|telephone|hotline|helpline)\b(?! (?:hours?|times?|days?|name))/u]
]

/** The one address or number of its form that a source has, where one field alone asks for such a one. */
const onlyOne = ({ reading }: Material, leaf: Leaf, leaves: ReadonlyArray<Leaf>): Candidate | undefined => {
  const [kind, asks] = FORMS.find(([, pattern]) => pattern.test(leaf.words)) ?? []
  if (kind === undefined || asks === undefined || leaves.filter(({ words }) => asks.test(words)).length > 1) {
    return undefined
  }
  const found = reading.candidates.filter((one) => one.kind === kind)
  return new Set(found.map(({ text }) => normaliseValue(text))).size === 1 ? found[0] : undefined
}

const DAY = String.raw`(?:${TABLE_WEEKDAY}s?|Daily|(?:Every|7|Seven) days?|Week(?:days|ends?))`
const DAYS = String.raw`${DAY}(?:\s?(?:[-–—,&+]|to|and)\s?${DAY})*(?: \d{1,2}(?:st|nd|rd|th)? ${TABLE_MONTH})?`
const [BETWEEN, HALF] = [String.raw`\s?(?:[-–—]|to|until|till)\s?`, String.raw`\s?[ap]\.?m\b\.?`]
/** "Mon – Sat 8 – 4", "MON-SAT 07:00-21:00", "8am - 6pm": without a day only what is plainly two clock times. */
const HOURS = [
  String.raw`${DAYS}[,:]?\s+\d{1,2}(?:[:.]\d{2})?(?:${HALF})?${BETWEEN}\d{1,2}(?:[:.]\d{2})?(?:${HALF})?`,
  String.raw`\d{1,2}[:.]\d{2}(?:${HALF})?${BETWEEN}\d{1,2}[:.]\d{2}(?:${HALF})?`,
  String.raw`\d{1,2}${HALF}${BETWEEN}\d{1,2}${HALF}`
]
/** Fields for hours as they are written, though not for those of one day of the week; `opening_time` asks for when they begin. */
const ASKS_HOURS =
  /^(?!.*\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|total|lunch|half|full|drying|curing|battery|flight|engine|credit|labou?r|worked|elapsed)\b)(?:.* )?hours$|^(?:(?:opening|visiting|delivery|collection|pick ?up|class|session|viewing) )?(?:times|slot)$|^time$/u

/** What is written in a form of its own on the screen, and the fields that ask for it; a first group is the value. */
const WRITTEN: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [ASKS_HOURS, new RegExp(String.raw`(?<![\p{L}\d.:])(?:${HOURS.join("|")})(?![\d:]|\.\d)`, "giu")],
  // ISO 3779: 17 signs without I, O and Q.
  [/\bvin$/u, /(?<!\w)(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z\d]{17}(?!\w)/gu],
  // "@onetraynell": who posts it.
  [/\b(?:handle|user ?name|instagram|tiktok|twitter)$/u, /(?<![\w.@])@[A-Za-z_][\w.]{2,29}(?![\w@])/gu],
  // ISO 13616.
  [/\biban$/u, /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w)/gu],
  [/\bisbn$/u, /(?<![\d-])(?:97[89][ -]?)?\d{1,5}[ -]\d{1,7}[ -]\d{1,7}[ -][\dX](?![\d-])/gu],
  [
    /\bserial(?: (?:no|nr|number))?$/u,
    /(?<!\w)(?:S\/N|SN|[Nn][or]\.|NO\.|[Ss]erial(?: [Nn](?:o\.?|umber))?|SERIAL(?: NO\.?| NUMBER)?):?\s+((?=\S*\d)[\w./-]{3,})/gu
  ],
  [
    /\bfile(?: name)?$|\bfilename$/u,
    /(?<!\S)[\w-]+(?:\.[\w-]+)*\.(?:exe|dmg|msi|apk|deb|zip|pdf|docx?|xlsx?|pptx?|csv|txt|json|png|jpe?g|mp[34]|wav)(?![\w-])/gu
  ]
]

/** The one value on the screen that has the form that a field asks for; undefined where there are two. */
const writtenForm = ({ reading }: Material, leaf: Leaf): Candidate | undefined => {
  const [name, described] = [
    identifierWords(leaf.name).join(" "),
    String(leaf.schema["description"] ?? "").toLowerCase()
  ]
  const form = WRITTEN.find(([asks]) => asks.test(name) || asks.test(described))?.[1]
  if (form === undefined || wantsClock(leaf)) return undefined
  const shown = reading.passages.filter(({ channel, index }) => channel === "ocr" && !reading.suspects.has(index))
  const found = shown.flatMap((passage) =>
    Array.from(passage.text.matchAll(form), ({ 0: whole, 1: part, index }): Candidate => {
      const text = (part ?? whole).replace(/[.]+$/u, "")
      const from = index + whole.lastIndexOf(text)
      return { kind: "code", passage, from, to: from + text.length, text, value: text }
    })
  )
  return new Set(found.map(({ text }) => text)).size === 1 ? found[0] : undefined
}

/** A mark for the whole of something, and none for a part of it: `edge_support_score` is another. */
const MARK =
  /^(?:(?:overall|final|total|my|first impression) )?(?:rating|score|mark|verdict|verdict score)(?: out of (?:ten|five|\d+))?$/u
const OUT_OF = /^\s?(?:out of (?:ten|five|10|5|100|a hundred)\b|\/\s?(?:10|5|100)(?![\d/.]))/iu

/** The one mark of its form that is given, "eight out of ten", "8/10"; nothing where two are. In 536 open videos seven are given, all right. */
export const markGiven = ({ reading: { passages, suspects } }: Material, leaf: Leaf): ReadonlyArray<Ranked> => {
  if (!MARK.test(identifierWords(leaf.name).join(" "))) return []
  const found = passages.flatMap((passage): ReadonlyArray<Ranked> => {
    const { channel, index, text, tokens } = passage
    if (channel === "vision" || suspects.has(index)) return []
    return tokens.flatMap(({ from }, at) => {
      const numeral = numberAt(tokens, at)
      const to = numeral === undefined ? 0 : tokens[numeral.end - 1]!.to
      return numeral === undefined || !OUT_OF.test(text.slice(to, to + 20))
        ? []
        : [stated("plain-form", leaf, { passage, from, to }, SCORES.only, numeral.value)]
    })
  })
  // "Seven and a half" begins before its half: of what ends at one place the first is the whole.
  const whole = found.filter(({ candidate }, at) => {
    const before = found[at - 1]?.candidate
    return before?.passage !== candidate.passage || before.to !== candidate.to
  })
  return new Set(whole.map(({ value }) => value)).size === 1 ? whole.slice(0, 1) : []
}

/** What things are told apart by with a number or a letter behind their noun: "HALL 6 · STAND C42", "Season 2025/26". */
const NUMBERED = /^(?:stand|hall|season|platform|gate|bay|berth|pitch|seat|booth|lane|terminal|unit|aisle)$/u
/** A field that asks for such a number by its name, of whatever it is: "TRAM 3117" for `tram_number`, "Ticket #58213" for `ticketNumber`. */
const NUMBER_OF = /^(?:number|no|nr|id|code)$/u
/** A word, "No." or "#" behind it or nothing, and what has a figure in it or is one letter. */
const NOUN_AND_VALUE =
  /(?:^|[·•|,–—]\s*|\s{2,})(\p{L}+)(?:\s+#?|\s+(?:[Nn][or]|NO)\.?\s+)((?:\p{Lu}[\p{Lu}\d]?[-/]?)?\d[\d/.-]*\p{Lu}?|\p{Lu})(?=$|\s*[·•|,–—]|\s{2,})/dgu

/** The number or letter behind a field's own noun on the screen; undefined where there are two of them. */
const numberedOnScreen = ({ reading }: Material, leaf: Leaf): Candidate | undefined => {
  const words = identifierWords(leaf.name)
  const isNumber = words.length > 1 && NUMBER_OF.test(words.at(-1)!)
  const [noun, ...others] = isNumber ? words.slice(-2, -1) : words
  if (noun === undefined || others.length > 0 || (!isNumber && !NUMBERED.test(noun))) return undefined
  const spellings = new Set([noun, noun.toUpperCase(), `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`])
  const found = reading.passages.filter(({ channel }) => channel === "ocr").flatMap((passage) =>
    Array.from(passage.text.matchAll(NOUN_AND_VALUE)).flatMap(
      ({ 1: said, 2: text, indices }): ReadonlyArray<Candidate> => {
        const [from, to] = indices![2]!
        return spellings.has(said!) ? [{ kind: "code", passage, from, to, text: text!, value: text! }] : []
      }
    )
  )
  return new Set(found.map(({ text }) => text)).size === 1 ? found[0] : undefined
}

/** What a field's form alone says: the one e-mail address, phone number or identifier there is, the number behind the field's own noun, the one name that ends with it. */
export const plainForms = (
  material: Material,
  leaf: Leaf,
  leaves: ReadonlyArray<Leaf>
): ReadonlyArray<Ranked> => {
  const only = onlyOne(material, leaf, leaves) ?? writtenForm(material, leaf)
  if (only !== undefined) return [stated("plain-form", leaf, only, SCORES.only)]
  const numbered = numberedOnScreen(material, leaf)
  if (numbered !== undefined) return [stated("noun-number", leaf, numbered, SCORES.numbered)]
  const named = namedByKind(material, leaf)
  if (named !== undefined) return [stated("name-kind", leaf, named, SCORES.only)]
  const opening = namedByOpening(material, leaf)
  return opening === undefined ? [] : [stated("opening-name", leaf, opening, SCORES.opening)]
}
