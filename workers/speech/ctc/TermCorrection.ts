import { distance } from "fastest-levenshtein"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { Posteriors } from "./CtcAlignment.ts"
import { type CtcTokens, WORD_MARK } from "./CtcTokens.ts"

/** What speaks for a term in the place of what was heard. */
export const TERM_FEATURES = ["sound", "doubt", "unequal", "letters"] as const

/** Weights of them. Above 0 in their sum the term is written. */
export type TermWeights = Readonly<Record<"bias" | (typeof TERM_FEATURES)[number], number>>

/**
 * By `tools/fit-terms.ts`: in 155 recordings that the fit had not seen, terms of what is said mixed with four times as many of elsewhere made 30
 * places better and 4 worse (413 of 1,687 words were wrong, 31 fewer then).
 */
const termWeights: TermWeights = { bias: -0.745, sound: 1.032, doubt: 0.966, unequal: -0.681, letters: 0.711 }

/** Shorter terms sound like too much else: with those of four letters as well, 29 places became better and 5 worse instead of 30 and 4. */
export const LEAST_LETTERS = 5
/** Of letters: what shares less with what was heard is not tried. */
const LEAST_ALIKE = 0.5
const MOST_WORDS = 4
/** A word's letters are heard somewhat before and behind the place that was found for it. */
const MARGIN_FRAMES = 2

/** Of a letter, and of a word: beyond these, more of it says nothing more. */
const MOST_SOUND = 3
const MOST_DOUBT = 4

const clip = (value: number, most: number): number => Math.min(most, Math.max(-most, value))

interface Term {
  readonly text: string
  readonly letters: string
  readonly words: number
  /** Letters of its first word, and of its last, where it has several. */
  readonly first: string | null
  readonly last: string | null
}

export const lettersOf = (text: string): string => text.toLowerCase().normalize("NFD").replaceAll(/[^\p{L}']/gu, "")

/** Each term of one to four words, and its longer words alone, the first writing of equal letters. */
const termsOf = (terms: ReadonlyArray<string>): ReadonlyArray<Term> => {
  const found = new Map<string, Term>()
  for (const text of terms) {
    const words = text.trim().split(/\s+/u)
    const parts = words.length === 1 ? [text.trim()] : [...words.length > MOST_WORDS ? [] : [words.join(" ")], ...words]
    for (const part of parts) {
      const letters = lettersOf(part)
      if (letters.length >= LEAST_LETTERS && !found.has(letters) && !/\p{N}/u.test(part)) {
        const own = part.split(" ")
        const [first, last] = own.length === 1 ? [null, null] : [lettersOf(own[0]!), lettersOf(own.at(-1)!)]
        found.set(letters, { text: part, letters, words: own.length, first, last })
      }
    }
  }
  return [...found.values()]
}

/** Natural logarithm of the likeliest path of some letters through frames `[from, to)` (Viterbi over the CTC lattice). */
const pathScore = (
  { data, tokens }: Posteriors,
  sequence: ReadonlyArray<number>,
  blank: number,
  from: number,
  to: number
): number => {
  const states = 2 * sequence.length + 1
  const tokenOf = (state: number) => state % 2 === 0 ? blank : sequence[state >> 1]!
  let scores = new Float64Array(states).fill(-Infinity)
  scores[0] = 0
  for (let t = from; t < to; t++) {
    const next = new Float64Array(states)
    for (let s = 0; s < states; s++) {
      const skips = s > 2 && s % 2 === 1 && sequence[s >> 1] !== sequence[(s >> 1) - 1]
      const best = Math.max(scores[s]!, s > 0 ? scores[s - 1]! : -Infinity, skips ? scores[s - 2]! : -Infinity)
      next[s] = best + data[t * tokens + tokenOf(s)]!
    }
    scores = next
  }
  return Math.max(scores[states - 1]!, scores[states - 2]!)
}

/**
 * Spelt as it is given, with the marks of the words whose place it takes and a capital where they have one; `iPhone` and `eBay` have none at
 * the start of a sentence either.
 */
const written = (term: string, heard: ReadonlyArray<Word>): string => {
  const [first, last] = [heard[0]!.text, heard.at(-1)!.text]
  const capital = /^\P{L}*\p{Lu}/u.test(first)
  const own = /^\p{Ll}+\p{Lu}/u.test(term)
  const cased = capital && !own ? term.replace(/\p{L}/u, (letter) => letter.toUpperCase()) : term
  return (/^[^\p{L}\p{N}]*/u.exec(first)?.[0] ?? "") + cased + (/[^\p{L}\p{N}]*$/u.exec(last)?.[0] ?? "")
}

/** What a term in the place of some words stands for. */
export interface Candidate {
  readonly at: number
  readonly count: number
  readonly term: Term
  /** How much likelier the sound is by the term's letters than by the heard ones: natural logarithm, per letter. */
  readonly sound: number
  /** How unsure the recogniser was of what it wrote, in log odds. */
  readonly doubt: number
  /** How many letters the term has more or less. */
  readonly unequal: number
  /** Natural logarithm of how many it has. */
  readonly letters: number
}

export interface HeardFrames {
  readonly posteriors: Posteriors
  readonly t_start: number
  readonly frame_seconds: number
  /** Word times are this much before the frames of their letters. */
  readonly latency_seconds: number
}

/** Terms that may stand in the place of words that sound like them. */
export const candidatesIn = (
  { frame_seconds, latency_seconds, posteriors, t_start }: HeardFrames,
  { blank, texts }: CtcTokens,
  words: ReadonlyArray<Word>,
  terms: ReadonlyArray<string>
): ReadonlyArray<Candidate> => {
  const tokensOf = (text: string) =>
    Array.from(text, (letter) => texts.indexOf(letter === " " ? WORD_MARK : letter)).filter((token) => token !== -1)
  const spelled = (some: ReadonlyArray<string>) => tokensOf(some.map(lettersOf).join(" "))
  const letters = words.map(({ text }) => /\p{N}/u.test(text) ? "" : lettersOf(text))
  const known = termsOf(terms)
  const expected = new Set(known.map((term) => term.letters))
  const found: Array<Candidate> = []
  for (let at = 0; at < words.length; at++) {
    for (const term of known) {
      for (let count = Math.max(1, term.words - 1); count <= term.words + 1 && at + count <= words.length; count++) {
        const own = letters.slice(at, at + count)
        const joined = own.join("")
        if (own.includes("") || expected.has(joined)) continue
        // "a plant needs water" in the place of what comes after an "a".
        if (letters[at - 1] === term.first || letters[at + count] === term.last) continue
        const longer = Math.max(joined.length, term.letters.length)
        if (Math.abs(joined.length - term.letters.length) > longer * (1 - LEAST_ALIKE)) continue
        if (1 - distance(joined, term.letters) / longer < LEAST_ALIKE) continue
        const heard = words.slice(at, at + count)
        const frameAt = (seconds: number) => Math.round((seconds - t_start + latency_seconds) / frame_seconds)
        const from = Math.max(0, frameAt(heard[0]!.t_start) - MARGIN_FRAMES)
        const to = Math.min(posteriors.frames, frameAt(heard.at(-1)!.t_end) + MARGIN_FRAMES)
        const score = (sequence: ReadonlyArray<number>) => pathScore(posteriors, sequence, blank, from, to)
        const sound = score(spelled(term.text.split(" "))) - score(spelled(heard.map(({ text }) => text)))
        if (!Number.isFinite(sound)) continue
        const confidence = Math.min(...heard.map((word) => word.confidence))
        found.push({
          at,
          count,
          term,
          sound: clip(sound / longer, MOST_SOUND),
          doubt: clip(Math.log((1 - confidence) / confidence), MOST_DOUBT),
          unequal: Math.abs(joined.length - term.letters.length),
          letters: Math.log(term.letters.length)
        })
      }
    }
  }
  return found
}

export const scoreOf = (candidate: Candidate, weights: TermWeights): number =>
  TERM_FEATURES.reduce((sum, name) => sum + weights[name] * candidate[name], weights.bias)

/**
 * Contextual biasing after the fact: writes terms that the caller expects, or that stand on the screen, in the place of words that sound like
 * them and of which the recogniser was not sure. The best in its place first; what it wrote otherwise stays as it is.
 */
export const correctTerms = (
  heard: HeardFrames,
  tokens: CtcTokens,
  words: ReadonlyArray<Word>,
  terms: ReadonlyArray<string>
): ReadonlyArray<Word> => {
  const likely = candidatesIn(heard, tokens, words, terms).flatMap((candidate) => {
    const score = scoreOf(candidate, termWeights)
    return score > 0 ? [{ candidate, score }] : []
  })
  const taken: Array<Candidate> = []
  for (const { candidate: one } of likely.toSorted((a, b) => b.score - a.score || a.candidate.at - b.candidate.at)) {
    if (taken.every(({ at, count }) => one.at + one.count <= at || at + count <= one.at)) taken.push(one)
  }
  const corrected: Array<Word> = []
  for (let at = 0; at < words.length; at++) {
    const term = taken.find((one) => one.at === at)
    if (term === undefined) {
      corrected.push(words[at]!)
      continue
    }
    const own = words.slice(at, at + term.count)
    const texts = written(term.term.text, own).split(" ")
    const [t_start, t_end] = [own[0]!.t_start, own.at(-1)!.t_end]
    const confidence = Math.round(1000 * own.reduce((sum, word) => sum + word.confidence, 0) / own.length) / 1000
    const share = (t_end - t_start) / texts.length
    for (const [i, text] of texts.entries()) {
      corrected.push({
        text,
        t_start: roundSeconds(t_start + i * share),
        t_end: roundSeconds(t_start + (i + 1) * share),
        confidence
      })
    }
    at += term.count - 1
  }
  return corrected
}
