import type { Mention } from "../../candidates/Mention.ts"
import { isPerson } from "../../candidates/PersonClassifier.ts"
import type { Reading } from "../../candidates/Reading.ts"
import { soughtType } from "../../lexicon/NameTypes.ts"
import { numberAt } from "../../lexicon/Numbers.ts"
import { unitsOf } from "../../lexicon/Units.ts"
import type { Sentence } from "../../text/Sentences.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, type Token, tokenise } from "../../text/Tokens.ts"
import type { Shape } from "./Entry.ts"

/** What an entry may be called, where it is said. */
export interface EntryName extends Span {
  readonly text: string
  /** Where it is said in full, where this is only a part of it. */
  readonly full?: Span
}

const OPENING =
  /^(?:(?:so|and|but|now|then|okay|ok|well|right|also|next|finally|lastly|here|first|second|third|fourth|fifth|last|number|one|two|three|four|next up|up next|over here|we have|we['’]ve got|you['’]ve got|you need|you get|there['’]?s|there (?:is|are)|here['’]?s|this is|that['’]s|it['’]s|these are|let['’]s (?:start|begin|talk|go|look)(?: with| at| about| to)?|start(?:ing)? with|on to|moving on to|comes|then there['’]s|called)[\s,]+)+/iu
const DETERMINER = /^(?:the|a|an|our|my|your|its|this|that|these|those|some)$/u
/** Verbs, and words that begin what is said of a thing. */
const ENDING =
  /^(?:is|are|was|were|has|have|had|will|would|can|could|does|do|did|go|goes|going|gone|went|come|comes|came|get|gets|got|take|takes|took|make|makes|made|cost|costs|weigh|weighs|run|runs|stay|stays|sit|sits|stand|stands|look|looks|start|starts|serve|serves|need|needs|give|gives|gave|hold|holds|last|lasts|measure|measures|sell|sells|sold|scored|scores|led|say|says|said|want|wants|use|uses|used|win|wins|won|have|keep|keeps|put|find|found|keep|see|with|from|by|at|in|on|to|for|of|and|or|but|that|which|who|where|when|only|just|about|around|again|now|today|tomorrow|tonight|next|up|down|out|here|there|than|into|under|over)$/u
const LONGEST_NAME = 4
/** Words that stand for a thing and name none. */
const NAMELESS =
  /^(?:i|we|you|he|she|they|it|me|us|him|her|them|there|point|this|that|these|those|what|who|how|one|ones|thing|things|lot|bit|way|time|times|people|everybody|everyone|nobody|everything|nothing|something|anything|all|both|each|thanks?|thank|hello|hi|yes|no|yeah|yep|please|sorry|good|great|lovely|okay|sure|morning|evening|day|week|year|month|not|don['’]t|let|if|because|same|number|plus|total|half|quarter|question|anyway|actually|honestly|really|careful|like|well|as|so|then|just|also|too|maybe|perhaps|through|behind|beside|above|below|inside|outside|upstairs|downstairs|across|along|near|between|after|before|over|under|off|meanwhile|including|except|without|come|look|thin)$/u

const CALENDAR =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|yesterday)$/u

const isNameless = ({ norm }: Token): boolean =>
  NAMELESS.test(norm.replace(/'.*$/u, "")) || CALENDAR.test(norm) || /n't$|ly$/u.test(norm) || unitsOf(norm).size > 0

interface Clause {
  readonly from: number
  readonly to: number
}

/** Pieces of a sentence between commas, stops and dashes, by offsets of their passage. */
const clausesOf = ({ from, passage, text }: Sentence): ReadonlyArray<Clause> => {
  const out: Array<Clause> = []
  let at = 0
  for (const cut of [...text.matchAll(/[,;:.!?]+(?=\s|$)|\s[–—-]\s/gu), null]) {
    const end = cut === null ? text.length : cut.index
    if (end > at) out.push({ from: from + at, to: from + end })
    at = cut === null ? end : end + cut[0].length
  }
  return out.filter((clause) => /\p{L}/u.test(passage.text.slice(clause.from, clause.to)))
}

const isWord = ({ norm, text }: Token): boolean => /^[\p{L}\d]/u.test(text) && !ENDING.test(norm)

/** The noun phrase that a clause opens with, where it ends there or goes on with a verb. */
const opens = (sentence: Sentence, clause: Clause, others: ReadonlySet<string>): EntryName | undefined => {
  const { passage } = sentence
  const raw = passage.text.slice(clause.from, clause.to)
  const lead = /^\s*/u.exec(raw)![0].length
  const opening = OPENING.exec(`${raw.slice(lead)} `)?.[0].length ?? 0
  const start = clause.from + lead + Math.min(opening, raw.length - lead)
  const tokens = passage.tokens.filter(({ from, to }) => from >= start && to <= clause.to)
  let at = 0
  const numeral = tokens[0] === undefined ? undefined : numberAt(tokens, 0)
  if (numeral !== undefined && !numeral.ordinal) at = numeral.end
  else if (DETERMINER.test(tokens[0]?.norm ?? "")) at = 1
  const first = at
  while (at < tokens.length && at - first < LONGEST_NAME + 1 && isWord(tokens[at]!)) {
    at++
    if (/['’]/u.test(tokens[at - 1]!.text)) break
  }
  const named = tokens.slice(first, at)
  if (named.length === 0 || named.length > LONGEST_NAME || named.some(isNameless)) return undefined
  const head = named.at(-1)!
  if (!/\p{L}/u.test(head.text) && named.length < 2) return undefined
  if (STOP_WORDS.has(named[0]!.norm) || (named.length === 1 && others.has(stem(head.norm)))) return undefined
  const from = named[0]!.from
  const text = passage.text.slice(from, head.to).replace(/['’](?:s|re)$/u, "")
  return {
    passage,
    from,
    to: from + text.length,
    text
  }
}

/** How entries of one list are called: every list is of one form. */
export type Form = "known" | "guessed" | "name" | "phrase" | "letter"

const lettersIn = (sentence: Sentence): ReadonlyArray<EntryName> =>
  sentence.passage.tokens.flatMap(({ from, text, to }) => {
    if (from < sentence.from || to > sentence.to || !/^[A-Z](?:['’]s)?$/u.test(text) || text.startsWith("I")) return []
    const article = text === "A" && /^\s+\p{Ll}{4}/u.test(sentence.passage.text.slice(to)) &&
      !/^\s+(?:does|goes|gets|comes|weighs|took|made|will)\b/u.test(sentence.passage.text.slice(to))
    return article ? [] : [{ passage: sentence.passage, from, to: from + 1, text: text[0]! }]
  })

/** Where speech says names of the screen's: by all their words, or `inPart` by a capitalised word that only one has. */
const mentions = (reading: Reading, known: ReadonlyArray<Mention>, inPart: boolean): ReadonlyArray<EntryName> => {
  const names = known.map(({ span, value }) => ({
    span,
    text: String(value),
    words: tokenise(String(value)).map(({ norm }) => stem(norm))
  }))
  const holders = Map.groupBy(names.flatMap((name) => name.words.map((word) => ({ name, word }))), ({ word }) => word)
  return reading.passages.flatMap((passage) => {
    if (passage.modality !== "audio") return []
    const out: Array<EntryName> = []
    for (let at = 0; at < passage.tokens.length; at++) {
      const token = passage.tokens[at]!
      const holding = holders.get(stem(token.norm)) ?? []
      const whole = holding.map(({ name }) => name).find(({ words }) =>
        words.every((word, offset) => word === stem(passage.tokens[at + offset]?.norm ?? ""))
      )
      const telling = inPart && holding.length === 1 && /^\p{Lu}\p{L}{2}/u.test(token.text) &&
        !STOP_WORDS.has(token.norm)
      const name = whole ?? (telling ? holding[0]!.name : undefined)
      if (name === undefined) continue
      const last = whole === undefined ? at : at + name.words.length - 1
      out.push({ passage, from: token.from, to: passage.tokens[last]!.to, text: name.text, full: name.span })
      at = last
    }
    return out
  })
}

const opensSentence = ({ from, passage }: Span): boolean => /(?:^|[.!?]["”]?\s+)$/u.test(passage.text.slice(0, from))
/** What follows a name that opens its sentence, and no ordinary word. */
const SUBJECT = /^(?:,|['’]s\b|\s(?:is|are|was|were|has|had|did|made|costs?|came|comes)\b)/u

const PERSON_LIST = /\b(?:scorer|player|people|athlete|rider|driver|winner|runner|guest|candidate|witness)s?\b/u

/** Whether the entries of a list are people. */
export const namesPeople = ({ anchor, list }: Pick<Shape, "anchor" | "list">): boolean =>
  soughtType(anchor) === "person" || PERSON_LIST.test(`${anchor.words} ${list.words}`)

/** A name without its article. */
const spanOf = ({ passage, text, to }: Span & { readonly text: string }): EntryName => {
  const bare = text.replace(/^(?:The|A|An)\s+/u, "")
  return { passage, from: to - bare.length, to, text: bare }
}

/** Capitalised names of the sort that the list's names are of: people in full, or none of them. */
const capitalised = (reading: Reading, { anchor, list, texts }: Shape): ReadonlyArray<EntryName> => {
  const people = namesPeople({ anchor, list })
  // "By Joost Vermeyren" and "the code KETTLE" are other properties.
  const before = new RegExp(
    `\\b(?:by|${texts.flatMap(({ name }) => identifierWords(name)).join("|") || "by"})(?: is)?\\s+$`,
    "iu"
  )
  const elsewhere = new Set(
    reading.candidates.flatMap((one) =>
      one.kind === "name" && (one.passage.modality === "visual" || !opensSentence(one)) ? [one.text] : []
    )
  )
  const names = reading.candidates.filter(({ from, kind, passage, text, to }) =>
    kind === "name" && passage.modality === "audio" && !CALENDAR.test(text.toLowerCase()) &&
    !/^\p{L}*\d/u.test(passage.text.slice(to)) &&
    !before.test(passage.text.slice(Math.max(0, from - 24), from)) && unitsOf(text).size === 0 &&
    (/\s/u.test(text) || elsewhere.has(text) || !opensSentence({ from, passage, to }) ||
      SUBJECT.test(passage.text.slice(to)))
  )
  if (!people) return names.map(spanOf)
  const full = names.filter((one) => /\s/u.test(one.text) || isPerson(one))
  const bySurname = new Map(full.toReversed().map((one) => [one.text.split(" ").at(-1)!, one]))
  // "Renn" is the Tobias Renn whom another sentence names in full.
  return names.flatMap((one) =>
    full.includes(one)
      ? [spanOf(one)]
      : bySurname.has(one.text)
      ? [{ ...spanOf(one), text: bySurname.get(one.text)!.text, full: bySurname.get(one.text)! }]
      : []
  )
}

/** Every place in speech that may name an entry, in the given form. `known` are names that the screen gives. */
export const entryNames = (
  reading: Reading,
  said: ReadonlyArray<Sentence>,
  form: Form,
  shape: Shape,
  known: ReadonlyArray<Mention>
): ReadonlyArray<EntryName> => {
  if (form === "known" || form === "guessed") return mentions(reading, known, form === "known")
  if (form === "letter") return said.flatMap(lettersIn)
  if (form === "name") return capitalised(reading, shape)
  const { anchor, list, others } = shape
  const taken = new Set(
    [
      ...others.flatMap((leaf) => identifierWords(leaf.name)),
      ...identifierWords(list.name),
      ...identifierWords(anchor.name)
    ]
      .map(stem)
  )
  return said.flatMap((sentence) => clausesOf(sentence).flatMap((clause) => opens(sentence, clause, taken) ?? []))
}
