import type { Leaf } from "../text/Plan.ts"
import { identifierWords, stem } from "../text/Tokens.ts"

/** A place or thing beside the one that a field is about. */
const BESIDE =
  /\b(?:next door|across (?:from|the (?:road|street|hall|way))|neighbou?r(?:s|ing)?(?:['’]s?)?|(?:the|an|some|every|any)\s?other)\b/iu

/** One that was before the one that a field is about, and what it had. */
const BEFORE =
  /\b(?:the|my|our|his|her|their|your|an?)\s+(?:previous|former|last|old)\s+(?:\p{L}+\s+)?\p{L}+\s+(?:had|was|came with|offered|included|featured|used to)\b/iu
const BEFORE_NAMED = /\b(?:previous|former|last|old)\b/iu

const VERB =
  "(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|contains?|includes?|offers?|serves?|comes|allows?|needs?|requires?|uses?|takes?|gets?|got|won|lost)"
const DETERMINER = "(?:the|an?|my|our|his|her|their|your|its|this|that)"
/** The determined noun phrase that a clause begins with, right before its verb; its last word is its head. */
const SUBJECT = new RegExp(
  `^(?:(?:and|so|but|well|now|okay|also)[\\s,]+)?${DETERMINER}\\s+((?:[\\p{L}'’-]+\\s+){1,3}?)${VERB}\\b`,
  "iu"
)
/** What a description says the field holds of: "Whether the bread contains nuts". */
const DESCRIBED = new RegExp(
  `\\b(?:whether|if|that|does|do|is|are|has|was|were)\\s+${DETERMINER}\\s+((?:[\\p{L}'’-]+\\s+){1,3}?)${VERB}\\b`,
  "iu"
)

const headOf = (phrase: string | undefined): string | undefined => {
  const head = phrase?.trim().split(/\s+/u).at(-1)?.toLowerCase()
  return head === undefined ? undefined : stem(head)
}

const CLAUSE_END = /[.!?;:,]\s|\b(?:but|because|so|while|whereas|although|though)\b/giu
/** How far a clause is followed back. */
const REACH = 200

/**
 * Whether what a sentence states at a place is told of another than the field asks about: of the house next door, or, where
 * the description names its subject, of a clause's other one. "It", "we" and "there" are no others.
 */
export const isOfAnother = (leaf: Leaf, sentence: string, at: number): boolean => {
  const lead = sentence.slice(Math.max(0, at - REACH), at)
  const description = String(leaf.schema["description"] ?? "")
  const words = `${identifierWords(leaf.name).join(" ")} ${description}`
  if (BESIDE.test(lead) && !BESIDE.test(words)) return true
  if (BEFORE.test(lead) && !BEFORE_NAMED.test(words)) return true
  const asked = headOf(DESCRIBED.exec(description)?.[1])
  if (asked === undefined) return false
  const start = Array.from(lead.matchAll(CLAUSE_END), (cut) => cut.index + cut[0].length).at(-1) ?? 0
  // The verb may be what stands at the place.
  const clause = `${lead.slice(start)}${/^\S*/u.exec(sentence.slice(at, at + REACH))![0]}`
  const told = headOf(SUBJECT.exec(clause.trimStart())?.[1])
  return told !== undefined && told !== asked && !identifierWords(leaf.name).some((word) => stem(word) === told)
}
