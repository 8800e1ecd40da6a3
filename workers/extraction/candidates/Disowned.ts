import { CORRECTION } from "../lexicon/Corrections.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { candidatesIn, type Reading } from "./Reading.ts"

/** Words that make another thing of what they stand before: over or to come, of another rank, only meant, or denied. */
const ANOTHER: ReadonlySet<string> = new Set(
  ("former ex previous prior old last next upcoming future vice deputy assistant associate acting co expected planned " +
    "estimated target projected forecast budgeted not non").split(" ")
)

/** Whether a label or a title calls another thing than the field: "Former CEO" is no `ceo`, and is a `former_ceo`. */
export const callsAnother = (label: string, leaf: Pick<Leaf, "words">): boolean => {
  const asked = new Set(leaf.words.toLowerCase().split(/[^\p{L}]+/u))
  return label.toLowerCase().split(/[^\p{L}]+/u).some((word) => ANOTHER.has(word) && !asked.has(word))
}

/** "Thirty attendees, sorry, I meant": what comes right behind these words is meant instead of what stands right before. */
const TAKEN_BACK = new RegExp(
  String
    .raw`^(?:\s+\p{L}+){0,3}\s*[,.;–—-]*\s*${CORRECTION}[,.:]?\s+(?:(?:i mean(?:t)?|i should say|make (?:that|it)|it['’]?s|the)\s+)*`,
  "iu"
)

/** The farthest that such words reach behind a value. */
const REACH = 80

const isTakenBack = (reading: Reading, { kind, passage, to }: Candidate): boolean => {
  const said = TAKEN_BACK.exec(passage.text.slice(to, to + REACH))?.[0]
  return said !== undefined &&
    candidatesIn(reading, passage).some((other) => other.kind === kind && other.from === to + said.length)
}

const CLAUSE = /[.,;!?]\s|\b(?:now|but|today)\b/giu

/** "It used to cost twenty", "Martin Weber used to be the CEO". */
const isPast = ({ from, passage: { text }, to }: Candidate): boolean => {
  const before = text.slice(Math.max(0, from - REACH), from)
  const clause = before.slice(
    Array.from(before.matchAll(CLAUSE), ({ 0: end, index }) => index + end.length).at(-1) ?? 0
  )
  return /\bused to (?!(?:it|this|that|the|being|having)\b)/iu.test(clause) ||
    /^ used to \p{L}/u.test(text.slice(to, to + 12))
}

const ASKS_PAST = /\b(?:former|previous|prior|past|old|used|original|earlier|before|initial)\b/u

interface Said {
  readonly taken_back: boolean
  readonly past: boolean
}

const remembered = new WeakMap<Candidate, Said>()

/** What is said around a candidate; remembered, since every leaf asks again. */
const saidOf = (reading: Reading, candidate: Candidate): Said => {
  const known = remembered.get(candidate)
  if (known !== undefined) return known
  const said = { taken_back: isTakenBack(reading, candidate), past: isPast(candidate) }
  remembered.set(candidate, said)
  return said
}

/** Whether whoever says a value says in the same breath that it does not hold: it is taken back, or it is over. */
export const isDisowned = (reading: Reading, leaf: Leaf, candidate: Candidate): boolean => {
  const { past, taken_back } = saidOf(reading, candidate)
  return taken_back || (past && !ASKS_PAST.test(leaf.words))
}
