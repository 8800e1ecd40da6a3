import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { identifierWords } from "../text/Tokens.ts"

interface Relation {
  /** What stands between the two names; `[^.!?]` keeps it within a sentence. */
  readonly verb: string
  /** Fields that the one before the verb answers, and those that the one behind it does. */
  readonly subject: RegExp
  readonly object: RegExp
}

const WON = /\b(?:winners?|champions?|victors?|won|first(?: place)?|gold)\b/u
const LOST = /\b(?:losers?|lost|beaten|defeated|runner up|second(?: place)?|silver)\b/u
/** Who has an office is asked for by its name alone. */
const PRESENT = /^(?!.*\b(?:previous|former|old|outgoing|past|ex|predecessor|last|replaced)\b)/u
const PAST = /\b(?:previous|former|old|outgoing|past|ex|predecessor|replaced)\b/u

const ADVERBS = "(?:\\s(?:just|narrowly|easily|only|\\p{L}+ly))?"

const RELATIONS: ReadonlyArray<Relation> = [
  {
    verb:
      `${ADVERBS}(?:\\s(?:has|have|had)${ADVERBS})?\\s(?:beats?|beaten|defeat(?:s|ed)|edged(?: out)?|overcame|thrashed|outplayed|knocked out|won against)\\s`,
    subject: WON,
    object: LOST
  },
  { verb: `${ADVERBS}(?:\\s(?:has|have|had)${ADVERBS})?\\s(?:lost|loses?) to\\s`, subject: LOST, object: WON },
  {
    verb:
      `${ADVERBS}\\s(?:(?:has|have|had|is|will)\\s)?(?:(?:took|takes?|taken|taking) over(?: as [^.!?,]{1,30}?)? from|succeed(?:s|ed|ing)?|replac(?:e|es|ed|ing))\\s`,
    subject: PRESENT,
    object: PAST
  }
]

const BEFORE = RELATIONS.map(({ verb }) => new RegExp(`\\p{L}${verb}(?:(?:the|our|last year['’]s) )?$`, "iu"))
const BEHIND = RELATIONS.map(({ verb }) => new RegExp(`^${verb}`, "iu"))
/** As far as a verb with an office in it reaches. */
const REACH = 80

/** Whether a name stands on one side of a verb that sets two against each other, for a field that asks for that side or the other. */
const sideOf = (leaf: Pick<Leaf, "name" | "type">, one: Candidate): "own" | "other" | undefined => {
  const { from, kind, passage, to } = one
  if (kind !== "name" || leaf.type !== "string") return undefined
  const [before, behind] = [passage.text.slice(Math.max(0, from - REACH), from), passage.text.slice(to, to + REACH)]
  const name = identifierWords(leaf.name).join(" ")
  for (const [at, { object, subject }] of RELATIONS.entries()) {
    const sides = [subject, object].map((way) => way.test(name))
    if (sides[0] === sides[1]) continue
    const [first, second] = [BEHIND[at]!.test(behind), BEFORE[at]!.test(before)]
    if (first !== second) return first === sides[0] ? "own" : "other"
  }
  return undefined
}

/**
 * Whether a name is the other one of two that a verb sets against each other: who was beaten for a `winner`, who was replaced for a
 * `manager`. Of a name that no such verb stands beside nothing is said.
 */
export const isOtherSide = (leaf: Pick<Leaf, "name" | "type">, one: Candidate): boolean => sideOf(leaf, one) === "other"

/** Whether a name is of who won or lost by the verb beside it, for a field that asks for that: "Kestrel City have beaten" is the `winner`. */
export const isOwnSide = (leaf: Pick<Leaf, "name" | "type">, one: Candidate): boolean => {
  const name = identifierWords(leaf.name).join(" ")
  return (WON.test(name) || LOST.test(name)) && sideOf(leaf, one) === "own"
}
