import { candidatesFor } from "../../candidates/LeafCandidates.ts"
import type { Reading } from "../../candidates/Reading.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Passage, Span } from "../../text/SourceDocument.ts"
import { normaliseValue, STOP_WORDS, type Token } from "../../text/Tokens.ts"
import { isTyped } from "../entries/EntryValues.ts"

/** One place at which a value is said or shown. */
export interface Place extends Span {
  readonly value: string | number | boolean
  /** Where it comes from: a scanner's kind, `noun` for a phrase in speech, `line` for one on the screen. */
  readonly kind: string
  /** What a scanner saw there, of typed values. */
  readonly candidate?: Candidate
}

/** Verbs, answers and fillers that no noun phrase has: it ends before them. */
const BREAKS = new Set(
  ("go goes going gone went come comes coming came get gets getting got take takes taking took taken make makes making made put puts let lets give gives gave given say says " +
    "said saying tell tells told know knows knew think thinks thought see sees saw seen look looks looking looked want wants wanted need needs needed keep keeps kept find " +
    "found start starts started stop stops stopped try tries tried use using happen happens happened mean means call calls called ask asks asked work works worked feel " +
    "feels felt yes yeah yep no nope ok okay oh well um uh er hmm hey hi hello thanks thank please like now actually basically right sure sorry maybe perhaps again " +
    "still already yet only even too more most much many lot lots bit every anything something nothing everything anyone someone everyone nobody anybody somebody " +
    "everybody because while until after before since through between against during without within though although cannot can't don't didn't doesn't isn't wasn't " +
    "won't wouldn't couldn't shouldn't haven't hasn't aren't weren't i'm i'd i'll i've it's that's there's you're you've you'll we're we've we'll let's he's she's they're what's who's " +
    "today tomorrow yesterday tonight ago soon later always never ever often sometimes one's mine yours ours theirs myself yourself himself herself itself themselves " +
    "done being having doing nothing else both either neither whatever whoever same such own few several another other others")
    .split(" ")
)

const LONGEST = 5

const ends = ({ norm, text }: Token): boolean =>
  STOP_WORDS.has(norm) || BREAKS.has(norm) || !/^\p{L}/u.test(text) || (norm.length > 4 && norm.endsWith("ly"))

/** Runs of words between those that end a noun phrase, with the runs that "of" joins. */
const phrasesIn = (passage: Passage): ReadonlyArray<Place> => {
  const { text, tokens } = passage
  const runs: Array<readonly [number, number]> = []
  let start = -1
  const close = (at: number): void => {
    if (start >= 0 && at > start) runs.push([start, at])
    start = -1
  }
  tokens.forEach((token, at) => {
    const apart = at > 0 && !/^[\s'’&/-]*$/u.test(text.slice(tokens[at - 1]!.to, token.from))
    if (apart) close(at)
    if (ends(token)) close(at)
    else if (start < 0) start = at
  })
  close(tokens.length)
  const place = (first: number, end: number): Place => {
    const [from, to] = [tokens[first]!.from, tokens[end - 1]!.to]
    const value = text.slice(from, to).replace(/['’]s$/u, "")
    return { passage, from, to: from + value.length, value, kind: "noun" }
  }
  const out: Array<Place> = []
  runs.forEach(([first, end], at) => {
    if (end - first <= LONGEST) out.push(place(first, end))
    if (end - first > 2) out.push(place(end - 2, end), place(first, first + 2))
    if (end - first > 1) out.push(place(end - 1, end))
    const next = runs[at + 1]
    if (next === undefined || next[1] - first > LONGEST + 1) return
    const between = text.slice(tokens[end - 1]!.to, tokens[next[0]]!.from)
    if (/^ (?:of|of the|in|and) $/u.test(between)) out.push(place(first, next[1]))
  })
  return out
}

const BULLET = /^\s*(?:[•·▪◦‣*–—>+✓✔✗✘-]|\d{1,2}[.)])\s+/u
const COLUMN = /\s{2,}|\t|\s*[|·•]\s*|\s+[–—-]\s+|:\s+|,\s+/u

/** A line of the screen whole, and its columns. */
const linesIn = (passage: Passage): ReadonlyArray<Place> => {
  const bare = passage.text.replace(BULLET, "").trim()
  const pieces = Array.from(new Set([bare, ...bare.split(COLUMN)])).map((one) => one.trim())
  return pieces.flatMap((piece): ReadonlyArray<Place> => {
    const from = passage.text.indexOf(piece)
    return piece.length < 2 || piece.length > 80 || !/\p{L}/u.test(piece) || from < 0
      ? []
      : [{ passage, from, to: from + piece.length, value: piece, kind: "line" }]
  })
}

const texts = new WeakMap<Reading, ReadonlyArray<Place>>()

/** Every text that may be called something: noun phrases of speech, lines of the screen; remembered, since every list asks again. */
const textPlaces = (reading: Reading): ReadonlyArray<Place> => {
  const known = texts.get(reading) ??
    reading.passages.flatMap((passage) =>
      passage.channel === "vision" || reading.suspects.has(passage.index)
        ? []
        : passage.modality === "audio"
        ? phrasesIn(passage)
        : linesIn(passage)
    )
  texts.set(reading, known)
  return known
}

/** Every place at which a leaf's value may stand, by its type alone, in order of the passages and once each. */
export const placesFor = (reading: Reading, leaf: Leaf): ReadonlyArray<Place> => {
  const free = leaf.type === "string" && !isTyped(leaf)
  const typed = candidatesFor(reading, leaf)
    .filter(({ candidate: { kind } }) => !free || kind !== "phrase")
    .map(({ candidate, value }): Place => {
      const { from, kind, passage, to } = candidate
      return { passage, from, to, value, kind, candidate }
    })
  const all = [...typed, ...(free ? textPlaces(reading) : [])].filter(({ passage }) =>
    passage.channel !== "vision" && !reading.suspects.has(passage.index)
  )
  const seen = new Set<string>()
  return all.filter(({ from, passage, value }) => {
    const key = `${passage.index}:${from}:${normaliseValue(value)}`
    return !seen.has(key) && seen.add(key)
  }).toSorted((a, b) => a.passage.index - b.passage.index || a.from - b.from || b.to - a.to)
}
