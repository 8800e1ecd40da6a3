import { wantsDay } from "../candidates/LeafCandidates.ts"
import type { Material } from "../candidates/Mention.ts"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { CURRENCIES, DURATIONS } from "../lexicon/Numbers.ts"
import { unitsOf } from "../lexicon/Units.ts"
import { COUNTED, RELATED } from "../text/Concepts.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks } from "../text/Sentences.ts"
import type { Span } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, type Token } from "../text/Tokens.ts"
import { fieldWords, namedIn, stemsIn } from "./FieldWords.ts"
import { isPartOf } from "./WorkedOut.ts"

/** Plurals without an s. */
const IRREGULAR = /^(?:people|children|men|women|staff|mice|feet|teeth|geese|data|media|criteria|\p{L}+men)$/u
const isPlural = (word: string): boolean => IRREGULAR.test(word) || (word.length > 3 && /[^siu]s$/u.test(word))
/** Where the words for what is counted end: "slides | shown in total", "guests | who came". */
const isBreak = (word: string): boolean =>
  STOP_WORDS.has(word) || /^(?:shown|seen|given|taken|made|sold|said|held|won|lost|left|\p{L}{2,}[^e]ed)$/u.test(word)

const COUNT_NAME = /^(?:(?:n|num|nr|(?:number|count|no|nr|num) of|how many) (.+)|(.+) count)$/u
const COUNT_ASKED = /\b(?:how many|(?:number|count) of)((?: [\p{L}'-]+)+)/u

/** Units are measured: how many kilometres or minutes something takes is no count of them. */
const isMeasure = (word: string): boolean =>
  Object.hasOwn(DURATIONS, word) || Object.hasOwn(CURRENCIES, word) || unitsOf(word).size > 0

/** The noun of a phrase: its plural, or its last word. */
const headOf = (words: ReadonlyArray<string>, plural: boolean): string | undefined => {
  const end = words.findIndex(isBreak)
  const phrase = end < 0 ? words : words.slice(0, end)
  return phrase.find((word) => isPlural(word)) ?? (plural ? undefined : phrase.at(-1))
}

const known = new WeakMap<Leaf, ReadonlyArray<string>>()

/** The nouns of what a field counts, by its name and by its description; none where it asks for no count. */
export const countedNouns = (leaf: Leaf): ReadonlyArray<string> => {
  const before = known.get(leaf)
  if (before !== undefined) return before
  const named = COUNT_NAME.exec(identifierWords(leaf.name).join(" "))
  const described = typeof leaf.schema["description"] === "string" ? leaf.schema["description"].toLowerCase() : ""
  const asked = COUNT_ASKED.exec(described)
  const nouns = leaf.type !== "integer" && leaf.type !== "number" ? [] : [
    named === null ? undefined : headOf((named[1] ?? named[2]!).split(" "), false),
    // "Number of the flat" counts nothing.
    asked === null ? undefined : headOf(asked[1]!.trim().split(" "), !asked[0].startsWith("how"))
  ].filter((noun) => noun !== undefined)
  const counted = nouns.some(isMeasure) ? [] : nouns
  known.set(leaf, counted)
  return counted
}

const isCalled = (nouns: ReadonlyArray<string>, word: string): boolean =>
  nouns.some((noun) =>
    stem(noun) === stem(word) || RELATED.get(stem(noun))?.has(stem(word)) === true ||
    COUNTED.some((group) => group.includes(noun) && group.includes(word))
  )

/** How many words of a number's noun phrase are looked at: two adjectives and the noun. */
const PHRASE = 3

/** The words right after a number, up to where its phrase ends. */
const phraseAfter = ({ passage: { text, tokens }, to }: Span): ReadonlyArray<Token> => {
  const next = tokens.filter((token) => token.from >= to).slice(0, PHRASE)
  const end = next.findIndex(({ from, norm }, at) =>
    !/^[\s-]*$/u.test(text.slice(at === 0 ? to : next[at - 1]!.to, from)) || (STOP_WORDS.has(norm) && norm !== "very")
  )
  return end < 0 ? next : next.slice(0, end)
}

/** The words that lead up to a number: "number of slides: 7", "the slides are seven". */
const LEAD =
  /(?:^|[.!?;,]\s)([^.!?;,]*?)(?:\s*[:=–-]|\s+(?:is|are|was|were|comes? to))?\s*(?:about |only |exactly |now )?$/u

/** How what a number counts meets its field: tied to it, plainly something else, or not said. */
type Tie = "tied" | "other" | "none"

const tieOf = (nouns: ReadonlyArray<string>, span: Span, { reading, sentences }: Material): Tie => {
  const { from, passage, to } = span
  const within = passage.tokens.filter((token) => token.from >= from && token.to <= to)
  const after = phraseAfter(span)
  if ([...within, ...after].some(({ norm }) => isCalled(nouns, norm))) return "tied"
  const label = reading.candidates.find((one) => one.passage === passage && one.from === from)?.label
  const lead = LEAD.exec(passage.text.slice(Math.max(0, from - 80), from))?.[1] ?? ""
  const led = `${label ?? ""} ${lead.split(/\s+/u).slice(-2).join(" ")}`.toLowerCase().match(/[\p{L}']+/gu) ?? []
  if (led.some((word) => isCalled(nouns, word))) return "tied"
  const at = sentences.findIndex((one) => one.passage === passage && one.from <= from && from < one.to)
  const before = sentences[at - 1]?.text ?? ""
  if (asks(before) && (before.toLowerCase().match(/[\p{L}']+/gu) ?? []).some((word) => isCalled(nouns, word))) {
    return "tied"
  }
  return after.some(({ norm }) => isPlural(norm)) ? "other" : "none"
}

/** What a field that asks for a place is named by, and what alone is no place's name. */
const PLACE = /^(?:city|cities|town|location|place|country|countries|region|village|destination|venue)s?$/u
const asksPlace = (leaf: Leaf): boolean =>
  leaf.type === "string" && identifierWords(leaf.name).some((word) => PLACE.test(word)) &&
  !identifierWords(leaf.name).some((word) => /^(?:id|code|type|kind|description|note|notes|reason|count)$/u.test(word))

/** Fields that ask for a day to come, and how a line of the screen says that its day is one. */
const TO_COME =
  /\b(?:next|follow up|ready|return|due|deliver\p{L}*|pick ?up|collect\p{L}*|until|expir\p{L}*|deadline|back|reopen\p{L}*)\b/u
const SAYS_WHEN =
  /\b(?:by|until|till|due|next|from|to|before|valid|ready|on|opens?|opening|back|again|deadline|expires?)\b/iu

/** Fields that ask for a day that is hardly the one on which somebody tells of it. */
const ANOTHER_DAY = /\b(?:birth|born|wedding|marriage|bought|purchased?|promised|valid|founded|built|concert)\b/u
/** "Today's Friday the fifth of September": who says so right at the start says when the footage was made. */
const SAYS_TODAY = /\b(?:today(?:['’]s| is|,)?|(?:it|this)(?:['’]s| is)),?\s(?:\p{L}+day,?\s)?(?:the\s)?$/iu
const OPENING_PASSAGES = 6

/** Whether a day is that of the footage itself, on its title card or clock or as speech begins, for a field that asks for another one. */
const isOwnDay = (leaf: Leaf, { from, passage: { channel, index, modality, text } }: Span): boolean => {
  const name = identifierWords(leaf.name).join(" ")
  if (!wantsDay(leaf) || !(TO_COME.test(name) || ANOTHER_DAY.test(name))) return false
  if (modality === "audio") {
    return index < OPENING_PASSAGES && SAYS_TODAY.test(text.slice(Math.max(0, from - 40), from))
  }
  return channel === "ocr" && TO_COME.test(name) && !SAYS_WHEN.test(text) &&
    namedIn(fieldWords(leaf), stemsIn(text)) === 0
}

/** A definition, a clause, a quantity, or the bare word for a place. */
const isNoPlace = (value: string, { from, passage }: Span): boolean =>
  /^(?:how|what|why|when|whether|that|if)\b|\b(?:is|are|was|were|it|they|you)\b/u.test(value) ||
  /^\d[\d.,]*\s?(?:%|°)|^\d[\d.,]*\s*(?:k?m\/h|km|m|kg|mph|hours?|minutes?|seconds?|days?|years?)$/iu.test(value) ||
  PLACE.test(value.toLowerCase()) ||
  // "By John Hill": an author, whatever he is called.
  (/\bby\s$/iu.test(passage.text.slice(Math.max(0, from - 4), from)) &&
    FIRST_NAMES.has(value.toLowerCase().split(/\s+/u)[0]!))

/**
 * Why a value does not belong to its field whatever it scores; undefined where nothing speaks against it. A count is taken from a number only
 * where that counts the same thing: a strict result needs the noun beside it, a balanced one goes without where there is none.
 */
export const untied = (
  material: Material,
  leaf: Leaf,
  { proposed_by, span, value }: { readonly proposed_by: string; readonly span: Span; readonly value: unknown },
  strict: boolean
): string | undefined => {
  if (typeof value === "string") {
    // A row of a table has its own day.
    if (!leaf.template.includes("/*") && isOwnDay(leaf, span)) {
      return "It is the day of the footage, and nothing says that it is the one that is asked for."
    }
    return asksPlace(leaf) && isNoPlace(value, span) ? "It is no place." : undefined
  }
  // A label or words that name the field are a tie by themselves.
  if (proposed_by !== "ranker" || leaf.template.includes("/*")) return undefined
  const nouns = countedNouns(leaf)
  if (nouns.length === 0) return isPartOf(material, leaf, span)
  const tie = tieOf(nouns, span, material)
  if (tie === "other") return "The number counts something else."
  return tie === "none" && strict ? "Nothing says that the number counts this." : undefined
}
