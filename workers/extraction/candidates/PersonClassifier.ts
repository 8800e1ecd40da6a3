import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { ORGANISATION_WORD, PLACE_END } from "../lexicon/NameTypes.ts"
import type { Candidate } from "../text/Candidate.ts"
import { normaliseValue } from "../text/Tokens.ts"
import type { Reading } from "./Reading.ts"

const TITLES =
  "dr|prof|professor|doctor|mr|mrs|ms|sir|cllr|councillor|captain|judge|officer|sergeant|nurse|chef|coach|referee|umpire|president|minister|senator|mayor|governor|ambassador|inspector|detective|commissioner|pastor|reverend|rabbi|midwife"
const TITLE = new RegExp(`^(?:${TITLES})\\.?\\s+(?=\\p{Lu})`, "iu")
const TITLE_BEFORE = new RegExp(`\\b(?:${TITLES})\\.?\\s+$`, "iu")
const ANNOUNCED =
  /\b(?:i'?m|i am|my name is|my name's|presented by|hosted by|taught by|written by|directed by|lecturer|presenters?|speakers?|instructor|teacher|host|author|guest|chair)[:\s]+$/iu
const PERSON_LABEL =
  /^(?:lecturer|presenters?|speakers?|instructor|teacher|host|author|guest|by|with|attendees?|participants?|present|chair)s?$/iu

/** Two to four words that are written as a first name and a family name are. */
export const FULL_NAME =
  /^\p{Lu}[\p{L}'’.-]+(?:\s(?:\p{Lu}\.|(?:van|von|de|da|del|la|le|bin|al)|\p{Lu}[\p{L}'’-]+)){1,3}$/u

/** A full name without the title before it; "Mr Devane" is all that anybody is called. */
export const untitled = (candidate: Candidate): Candidate => {
  const found = TITLE.exec(candidate.text)?.[0].length ?? 0
  const title = /\s/u.test(candidate.text.slice(found)) ? found : 0
  const text = candidate.text.slice(title)
  return title === 0 ? candidate : { ...candidate, text, value: text, from: candidate.from + title }
}

/** Whether a capitalised run names a person for certain: by its first name, its title, or the words that announce it. */
export const isPerson = (candidate: Pick<Candidate, "text" | "from" | "passage" | "label">): boolean => {
  const { from, label, passage, text } = candidate
  if (!FULL_NAME.test(text) || ORGANISATION_WORD.test(text)) return false
  const before = passage.text.slice(Math.max(0, from - 24), from)
  const first = text.split(/\s/u)[0]!.toLowerCase()
  return FIRST_NAMES.has(first) || TITLE_BEFORE.test(before) || ANNOUNCED.test(before) ||
    (label !== undefined && PERSON_LABEL.test(label))
}

const INTRODUCED =
  /\b(?:i'?m|i am|my name is|my name's|name is|this is|dr\.?|prof\.?|professor|doctor|mr\.?|mrs\.?|ms\.?|sir|thanks,?|thank you,?|over to|welcome,?|hello,?|hi,?|hey,?|with|says|said|asked)\s+$/iu
/** "the Veloria Metro", "at Skerry Point": people have no article and nobody is in them. */
const PLACED = /\b(?:the|a|an|in|at|on|near|into|inside|our|new|this|these|called)\s+$/iu
const ROLE_AFTER =
  /^(?:,|\s[-–|])\s+(?:(?:the|our|a|an|my|head|chief|lead|senior)\s+)?[\p{L}-]*(?:er|or|ist|ian|ant|ent|man|woman|chef|guide|host|coach|ceo|cfo|cto|pilot|head|chief|chair|of)\b/iu

/** "Kestrel Three", "Slate Fourteen": things are numbered so. */
export const NUMBERED =
  /\s(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|hundred)$/iu

const scores = new WeakMap<Reading, ReadonlyMap<string, number>>()

const judge = (mentions: ReadonlyArray<Candidate>, alone: ReadonlySet<string>): number => {
  const { text } = mentions[0]!
  const words = text.split(/\s+/u)
  if (/\d/u.test(text) || ORGANISATION_WORD.test(text) || PLACE_END.test(text)) return -1
  if (NUMBERED.test(text) || text === text.toUpperCase()) return -1
  let score = words.length === 2 || words.length === 3 ? 0.2 : -0.3
  if (TITLE.test(text)) score += 1
  if (FIRST_NAMES.has(words[0]!.toLowerCase())) score += 0.7
  if (words.length > 1 && (alone.has(words[0]!) || alone.has(words.at(-1)!))) score += 0.4
  const around = mentions.map(({ from, passage, to }) => ({
    before: passage.text.slice(Math.max(0, from - 30), from),
    after: passage.text.slice(to, to + 50)
  }))
  if (around.some(({ before }) => INTRODUCED.test(before))) score += 0.6
  if (around.some(({ after }) => ROLE_AFTER.test(after) || /^\s(?:here|speaking|says|said)\b/u.test(after))) {
    score += 0.5
  }
  const placed = around.filter(({ before }) => PLACED.test(before)).length
  return Math.max(-1, Math.min(1, score - placed / around.length))
}

/** From -1 to 1: how likely a capitalised run names a person, by all its mentions. Nothing is looked up but first names. */
export const personScore = (reading: Reading, candidate: Candidate): number => {
  let known = scores.get(reading)
  if (known === undefined) {
    const names = [...reading.candidates, ...reading.guesses].filter(({ kind }) => kind === "name")
    const alone = new Set(names.filter(({ text }) => !text.includes(" ")).map(({ text }) => text))
    const groups = Map.groupBy(names, ({ text }) => normaliseValue(text))
    known = new Map(Array.from(groups, ([key, mentions]) => [key, judge(mentions, alone)]))
    scores.set(reading, known)
  }
  return known.get(normaliseValue(candidate.text)) ?? -0.5
}
