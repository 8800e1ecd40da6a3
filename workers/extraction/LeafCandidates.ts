import type { Candidate } from "./Candidate.ts"
import type { Leaf } from "./Plan.ts"
import type { Reading } from "./Reading.ts"
import type { Span } from "./SourceDocument.ts"
import { identifierWords, normaliseWord, stem, STOP_WORDS } from "./Tokens.ts"

/** A candidate as a value of one leaf. */
export interface LeafCandidate {
  readonly candidate: Candidate
  readonly value: string | number | boolean
}

/** Words that turn the statement after them round. */
export const NEGATION =
  /\b(?:no|not|don'?t|doesn'?t|didn'?t|isn'?t|aren'?t|won'?t|never|without|instead of|rather than|nope|nah|cannot|can'?t)\b/iu

/** How a label is said: `heat_pump` and `heatPump` as "heat pump", with and without its hyphens. */
export const spokenLabels = (label: string): ReadonlyArray<string> => {
  const plain = label.replace(/([a-z])([A-Z])/gu, "$1 $2").replaceAll("_", " ").toLowerCase()
  return Array.from(new Set([plain, plain.replaceAll("-", " ")]))
}

/** Every place where a phrase occurs, stem by stem. */
const findPhrase = (reading: Reading, phrase: string): ReadonlyArray<Span> => {
  const wanted = phrase.split(/[^\p{L}\p{N}']+/u).filter(Boolean).map((word) => stem(normaliseWord(word)))
  const [first] = wanted
  if (first === undefined) return []
  return reading.passages.flatMap((passage) =>
    (reading.stems[passage.index]!.get(first) ?? []).flatMap((at) => {
      const tokens = passage.tokens.slice(at, at + wanted.length)
      return tokens.length === wanted.length && tokens.every((token, index) => stem(token.norm) === wanted[index])
        ? [{ passage, from: tokens[0]!.from, to: tokens.at(-1)!.to }]
        : []
    })
  )
}

const asCandidate = (span: Span, value: string | boolean): LeafCandidate => ({
  candidate: { ...span, kind: "label", text: span.passage.text.slice(span.from, span.to), value },
  value
})

const enumCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const labels = (leaf.schema["enum"] as ReadonlyArray<unknown>).filter((label) => typeof label === "string")
  return labels.flatMap((label) => {
    const spoken = spokenLabels(label)
    let spans = spoken.flatMap((phrase) => findPhrase(reading, phrase))
    if (spans.length === 0) {
      const parts = spoken[0]!.split(" ").filter((part) => part.length > 3 && !STOP_WORDS.has(part))
      const telling = parts.filter((part) =>
        !labels.some((other) => other !== label && spokenLabels(other)[0]!.includes(part))
      )
      if (parts.length > 1) spans = telling.flatMap((part) => findPhrase(reading, part))
      else if (/^\d+$/u.test(label)) {
        spans = reading.candidates.filter((one) => one.kind === "number" && one.value === Number(label))
      }
    }
    const places = new Map(spans.map((span) => [`${span.passage.index}:${span.from}`, span]))
    return Array.from(places.values(), ({ from, passage, to }) => asCandidate({ passage, from, to }, label))
  })
}

const NO =
  /^\W*(?:no|nope|nah|not|i don'?t|it (?:doesn'?t|isn'?t)|that'?s not|they don'?t)\b|don'?t (?:need|want|care)/iu
const YES = /^\W*(?:yes|yeah|yep|sure|correct|of course|they do|it does|it is|please|absolutely|that would|ok)\b/iu
// Stems that every yes-or-no field's name or description may hold and that say nothing about which field it is.
const EMPTY_STEM =
  /^(?:whether|flag|boolean|has|need|requir|includ|available|provid|offer|place|want|user|reserv|number|should|restaurant|hotel|hous|car|rid|add|trip|serv|salon|accommodat|event|transact|privat|attract|free|property|allow|permit|show|cinema|home)$/u

/** The stems that a yes-or-no field is recognised by. */
export const tellingStems = (leaf: Leaf): ReadonlyArray<string> => {
  const strong = Array.from(leaf.terms).filter(([term, weight]) => weight >= 0.6 && !EMPTY_STEM.test(term))
  const chosen = strong.length > 0 ? strong : Array.from(leaf.terms).filter(([, weight]) => weight >= 0.9)
  return chosen.map(([term]) => term)
}

const booleanCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const stems = tellingStems(leaf)
  return reading.passages.flatMap((passage, index): ReadonlyArray<LeafCandidate> => {
    const places = stems.flatMap((term) => reading.stems[index]!.get(term) ?? [])
    if (places.length === 0) return []
    const token = passage.tokens[Math.min(...places)]!
    const value = !NEGATION.test(passage.text.slice(Math.max(0, token.from - 40), token.from))
    const answer = reading.passages[index + 1]
    if (!passage.text.slice(token.from).includes("?") || answer === undefined) {
      return [asCandidate({ passage, from: token.from, to: token.to }, value)]
    }
    const answered = NO.test(answer.text) ? false : YES.test(answer.text) ? true : value
    return [asCandidate({ passage: answer, from: 0, to: Math.min(answer.text.length, 20) }, answered)]
  })
}

const TIME_UNITS: ReadonlyArray<readonly [RegExp, number]> = [[/minut/u, 60], [/hour/u, 3600], [/day|night/u, 86400]]

/** How many seconds one of the field's own time unit has, or undefined where it names none. */
const fieldSeconds = (leaf: Leaf): number | undefined => {
  if (/second/u.test(Array.from(leaf.terms.keys()).join(" "))) return 1
  return TIME_UNITS.find(([unit]) => unit.test(`${leaf.name} ${leaf.words}`))?.[1]
}

const numberCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const seconds = fieldSeconds(leaf)
  const { enum: allowed, maximum, minimum } = leaf.schema
  const year = /\byear\b/u.test(identifierWords(leaf.name).join(" ")) && !/\bper year\b|growth/u.test(leaf.words)
  return reading.candidates.flatMap((candidate): ReadonlyArray<LeafCandidate> => {
    if (!["number", "money", "percent", "duration"].includes(candidate.kind)) return []
    if (candidate.kind === "duration" && seconds === undefined) return []
    const value = candidate.kind === "duration" ? candidate.value as number / seconds! : candidate.value as number
    if (leaf.type === "integer" && !Number.isInteger(value)) return []
    if (year && (value < 1000 || value > 2200)) return []
    if (typeof minimum === "number" && value < minimum) return []
    if (typeof maximum === "number" && value > maximum) return []
    return Array.isArray(allowed) && !allowed.includes(value) ? [] : [{ candidate, value }]
  })
}

const LOOSE_KINDS = new Set(["answer", "label", "quoted"])

/** How readily a candidate's kind is accepted for a leaf; 0 is never. */
export const kindPrior = (leaf: Leaf, candidate: Candidate): number =>
  leaf.kinds.get(candidate.kind) ?? (candidate.kind === "answer" ? 0.35 : candidate.kind === "label" ? 0.5 : 0)

/** Every candidate that could be the value of a leaf, judged by type alone. */
export const candidatesFor = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  if (leaf.type === "enum") return enumCandidates(reading, leaf)
  if (leaf.type === "boolean") return booleanCandidates(reading, leaf)
  if (leaf.type === "number" || leaf.type === "integer") return numberCandidates(reading, leaf)
  return reading.candidates.flatMap((candidate) => {
    const prior = leaf.kinds.get(candidate.kind) ?? (LOOSE_KINDS.has(candidate.kind) ? 0.3 : 0)
    return prior < 0.15 ? [] : [{ candidate, value: candidate.text }]
  })
}
