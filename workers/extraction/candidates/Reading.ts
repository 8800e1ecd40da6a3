import { periodOf } from "../lexicon/Dates.ts"
import type { Candidate } from "../text/Candidate.ts"
import { type Injection, injectionOf } from "../text/PromptInjection.ts"
import type { Passage, SourceDocument } from "../text/SourceDocument.ts"
import { normaliseValue, stem } from "../text/Tokens.ts"
import { unclearPassages } from "../text/UnclearSpeech.ts"
import { daysOfMonth } from "./scan/DaysOfMonth.ts"
import { scan } from "./scan/Scan.ts"
import { isUncased, scanUncased } from "./scan/ScanUncased.ts"
import { withoutUnlikelyAmounts } from "./scan/SpokenAmounts.ts"

/** A document read once: its candidates, and per passage which stems occur where, with their rarity. */
export interface Reading {
  readonly document: SourceDocument
  readonly passages: ReadonlyArray<Passage>
  readonly candidates: ReadonlyArray<Candidate>
  /** Days that are named by their number alone, for fields that want a day: to all others they are ordinals. */
  readonly days: ReadonlyArray<Candidate>
  /** When the footage was recorded (`YYYY-MM-DD`), or the year in which it says that it plays (`YYYY`). */
  readonly recordedAt: string | undefined
  /** Whether what was said is written without capitals. */
  readonly uncased: boolean
  /** What may then be a name, for all that its spelling tells: for the ranker alone. */
  readonly guesses: ReadonlyArray<Candidate>
  /** Passages that are not taken at their word, by index: no forged one has a candidate. */
  readonly suspects: ReadonlyMap<number, Injection>
  /** Passages of recognised speech that are too unclear to rely on, by index. */
  readonly unclear: ReadonlySet<number>
  /** Candidates that are one value to a reader, by `candidateKey`, in order of appearance. */
  readonly same: ReadonlyMap<string, ReadonlyArray<Candidate>>
  /** Per passage: stem → token positions. */
  readonly stems: ReadonlyArray<ReadonlyMap<string, ReadonlyArray<number>>>
  /** Stem → BM25's inverse document frequency over passages. */
  readonly rarity: ReadonlyMap<string, number>
}

const byPassage = new WeakMap<Reading, ReadonlyMap<Passage, ReadonlyArray<Candidate>>>()

/** The candidates of one passage; remembered, since who looks beside a value asks for each of them. */
export const candidatesIn = (reading: Reading, passage: Passage): ReadonlyArray<Candidate> => {
  const known = byPassage.get(reading) ?? Map.groupBy(reading.candidates, (one) => one.passage)
  byPassage.set(reading, known)
  return known.get(passage) ?? []
}

const daysByPassage = new WeakMap<Reading, ReadonlyMap<Passage, ReadonlyArray<Candidate>>>()

/** The days that a passage names by their number alone; remembered, as `candidatesIn`. */
export const daysIn = (reading: Reading, passage: Passage): ReadonlyArray<Candidate> => {
  const known = daysByPassage.get(reading) ?? Map.groupBy(reading.days, (one) => one.passage)
  daysByPassage.set(reading, known)
  return known.get(passage) ?? []
}

const keys = new WeakMap<Candidate, string>()

/** By which candidates are one value; remembered, since every leaf asks again. */
export const candidateKey = (candidate: Candidate): string => {
  const known = keys.get(candidate)
  if (known !== undefined) return known
  const key = `${candidate.kind}|${normaliseValue(candidate.kind === "number" ? candidate.value : candidate.text)}`
  keys.set(candidate, key)
  return key
}

const ANSWER =
  /^(?:(?:yes|yeah|no|ok|okay|sure|please|um|uh|well|oh|i'?d like|i would like|i want|i need|it'?s|that'?s|how about|maybe|the|a|an|in|at|for|to|from|on|find me|make it|let'?s|try|go with|i prefer|i am|i'm|looking for|something|some|any)[\s,.]+)*(.*?)(?:[\s,]+(?:please|thanks|thank you|would be (?:great|good|fine|nice)|is fine|sounds good|works))*[.!?]*$/iu

/** A short turn right after a question is, padding aside, a value. */
const answers = (passages: ReadonlyArray<Passage>): ReadonlyArray<Candidate> =>
  passages.flatMap((passage, index): ReadonlyArray<Candidate> => {
    const before = passages[index - 1]
    if (before === undefined || before.modality !== "audio" || !before.text.includes("?")) return []
    if (passage.tokens.length === 0 || passage.tokens.length > 8) return []
    const value = ANSWER.exec(passage.text)?.[1] ?? ""
    if (value === "" || value.split(/\s+/u).length > 5 || /^(?:yes|no|yeah|nope|sure|ok)$/iu.test(value)) return []
    const from = passage.text.indexOf(value)
    return [{ kind: "answer", passage, from, to: from + value.length, text: value, value }]
  })

const pushTo = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** Scans a whole document. An hour of speech takes about a quarter of a second on one core. */
export const read = (document: SourceDocument, recorded?: string): Reading => {
  const { passages } = document
  const lower = new Map<string, number>()
  for (const token of passages.flatMap((passage) => passage.tokens)) {
    if (/^\p{Ll}/u.test(token.text)) lower.set(token.norm, (lower.get(token.norm) ?? 0) + 1)
  }
  const stems = passages.map((passage) => {
    const positions = new Map<string, Array<number>>()
    passage.tokens.forEach((token, at) => pushTo(positions, stem(token.norm), at))
    return positions
  })
  const counts = new Map<string, number>()
  for (const positions of stems) for (const key of positions.keys()) counts.set(key, (counts.get(key) ?? 0) + 1)
  const rarity = new Map(
    Array.from(counts, ([key, n]) => [key, Math.log(1 + (passages.length - n + 0.5) / (n + 0.5))])
  )
  const suspects = new Map(passages.flatMap(({ index, text }) => {
    const suspicion = injectionOf(text)
    return suspicion === null ? [] : [[index, suspicion] as const]
  }))
  const honest = ({ index }: Passage): boolean => suspects.get(index) !== "forged"
  const uncased = isUncased(passages)
  const guesses = uncased
    ? passages.filter((passage) => honest(passage) && passage.modality === "audio").flatMap(scanUncased)
    : []
  const candidates = [
    ...withoutUnlikelyAmounts(passages.filter(honest).flatMap((passage) => scan(passage, lower))),
    ...answers(passages).filter(({ passage }) => honest(passage))
  ]
  const same = new Map<string, Array<Candidate>>()
  for (const candidate of [...candidates, ...guesses]) pushTo(same, candidateKey(candidate), candidate)
  const unclear = unclearPassages(passages)
  const told = passages.filter(({ index }) => !suspects.has(index)).map(({ text }) => text)
  const recordedAt = recorded ?? periodOf(told)
  const days = daysOfMonth(passages.filter(({ index }) => !suspects.has(index)), candidates, recordedAt)
  return { document, passages, candidates, days, recordedAt, uncased, guesses, suspects, unclear, same, stems, rarity }
}
