import { isAsserted } from "../lexicon/Assertion.ts"
import { affirms } from "../lexicon/Polarity.ts"
import { type Predicate, predicateIn, SIDES } from "../lexicon/Predicates.ts"
import type { Leaf } from "../text/Plan.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"
import { asksToCome, namedStems, ownStems, sameAs } from "./FieldWords.ts"
import { propositionOf, saysWhatBecomes } from "./Propositions.ts"

/** How far around a field's word a sentence is looked at; speech without stops is one sentence as long as the video. */
const REACH = 200

/** Between a verb and what it says are articles, adjectives and adverbs: neither another clause nor what stands elsewhere. */
const BETWEEN =
  "(?:(?!(?:in|on|at|of|for|to|by|from|with|without|about|into|over|under|near|behind|around|like|than|as|until|since|after|before|and|or|but|that|which|who|if|when|because|so|not|i|you|we|he|she|they|it|this|\\p{L}{2,}ing)\\s)[\\p{L}\\p{N}'’-]+\\s+){0,4}$"
/** "It is …", "they're …". */
const IS = new RegExp(
  `(?:\\b(?:is|are|am|was|were|been|being|becomes?|became|remains?|stays?|(?:counts?|works?) as)|(?<!\\blet)(?<!\\bd)['’](?:s|re|m))\\s+${BETWEEN}`,
  "iu"
)
/** "There is …", "we have …", "a room with …". */
const HAS = new RegExp(
  "(?:\\bthere(?:['’]s|['’]ll be|\\s+(?:is|are|was|were|will be))|\\b(?:have|has|had|got|gets?|includ(?:es?|ing)|offers?|provides?|serves?|features?|owns?|wears?|takes?|keeps?|plus)" +
    "|(?<!\\b(?:fine|okay|ok|good|happy|problem|help|helps|deal|start|begin|talk|issue|wrong|trouble|do|up|careful|familiar) )\\bwith|['’](?:ve|d)(?=\\s+an?\\b))" +
    `\\s+${BETWEEN}`,
  "iu"
)
/** "Parking is available", "the wifi works". */
const THERE =
  /^(?:['’]s)?\s+(?:(?:is|are|was|were)\s+)?(?:(?:also|still|now|all|always|both|\p{L}{2,}ly)\s+){0,2}(?:(?<=(?:is|are|was|were)\s+(?:\p{L}+\s+){0,2})(?:available|there|here|included|provided|working|open|fine|ok|okay|possible|present|visible)|works?|exists?|runs?)\b/iu
/** What there is no more of, or is left out. */
const LEFT_OUT =
  /\b(?:skip(?:s|ped|ping)?|avoid(?:s|ed|ing)?|lack(?:s|ed|ing)?|(?:got|get|getting) rid of|(?:do|did|does|done) without|leav(?:es?|ing) out|left out|scrap(?:s|ped)?)\s+(?:(?:the|an?|any|our|my|your|its|their)\s+)?(?:[\p{L}-]+\s+)?$/iu
const GONE =
  /^\s+(?:(?:(?:has|have|had|is|are|was|were|been|got|all|now|since|just)\s+){0,3})(?:closed down|shut down|gone|removed|demolished|torn (?:down|out)|taken (?:out|down|away)|missing|cancelled|scrapped|no more)\b/iu
/** A verb about a thing that is there: "the wifi never worked" denies no wifi. */
const ITS_VERB =
  /^\s+(?:\p{L}+\s+)?(?:never|(?:did|does|do|would|could|has|have|had|ca|wo)(?:n['’]t|\s+not|nt))\s+\p{L}/iu
const DEFINITE = /\b(?:the|our|my|your|its|their|this|that)\s+(?:[\p{L}-]+\s+)?$/iu

/** Where an order begins. */
const FIRST = /(?:^|[,.:;!]\s+|\b(?:please|then|first|and|always)\s+)$/iu

/** What people are: who has or serves such people is not one of them. */
const ROLE =
  /^(?:customers?|clients?|members?|students?|pupils?|patients?|residents?|tenants?|guests?|visitors?|users?|subscribers?|employees?|pensioners?|seniors?|veterans?|adults?|minors?|citizens?|parents?|owners?|smokers?|drivers?|beginners?|volunteers?|passengers?|holders?|locals?|teachers?|doctors?|nurses?|vegetarians?|vegans?|refugees?|freelancers?)$/u

/** What things are or do, and no thing: "leaking", "visible", "present". */
const PROPERTY = /(?:ing|able|ible|al|ive|ent|ant|ous|ful|less|ic)$/u

/** Words of a name that hold no part of what is said. */
const HOLDER =
  /^(?:is|are|was|were|has|have|had|does|do|did|can|may|must|will|would|should|it|its|anyone|anybody|someone|somebody|something|thing|one|any|some|ever|yet|still|now|already|today|user|restaurant|hotel|house|car|ride|trip|event|salon|place|person|movie|property|flag|true|false)$/u

const POINTS_BACK = /^\s+(?:them|it|one|those|that|any)\b/iu
/** Whoever has to bring a thing is not given it: no order that this is what is to come. */
export const OWN = /\bbring (?:your|their) own\b/iu

/** What a field's name says, taken apart. */
interface Claim {
  /** Each word of the thing that is spoken of, with its synonyms. */
  readonly words: ReadonlyArray<ReadonlySet<string>>
  /** The word that the others only narrow down: "discount" in `student_discount`, "pets" in `pets_on_board`. */
  readonly head: ReadonlySet<string>
  readonly predicate: Predicate | undefined
  /** "over" in `over_budget`, before its word, and the other sides. */
  readonly side: { readonly own: RegExp; readonly other: RegExp | undefined } | undefined
  readonly isRole: boolean
  readonly isFree: boolean
  /** `must_unplug_first`: who is told to does. */
  readonly isOrder: boolean
  /** Stems of its own verb: `accepts_cards`, `has_finished`. */
  readonly verbs: ReadonlySet<string>
}

/** What one is "under", and says to be "in". */
const COVER = /^(?:warranty|guarantee|contract|insurance)$/u
const COVERED = { own: "under|in|within|covered by", other: "out of|outside" } as const

const sideOf = (sides: string): RegExp =>
  new RegExp(`\\b(?:${sides})\\s+(?:(?:the|our|my|its|their|your|his|her)\\s+)?$`, "iu")

const claimOf = (leaf: Leaf): Claim => {
  const all = identifierWords(leaf.name)
  const name = all.join(" ")
  const predicate = propositionOf(leaf) === undefined ? predicateIn(name) : undefined
  const said = all.filter((word) => !HOLDER.test(word) && !STOP_WORDS.has(word))
  const thing = said.filter((word) => predicate?.name.test(word) !== true)
  const named = namedStems(leaf)
  const words = thing.length === 0 ? [] : thing.filter((word) => named.length === 0 || named.includes(stem(word)))
  const linked = all.findIndex((word, at) =>
    at > 0 && words.includes(all[at - 1]!) &&
    (STOP_WORDS.has(word) || /^(?:since|until|during|within|without|behind)$/u.test(word))
  )
  const head = all.slice(0, linked < 0 ? all.length : linked)
    .findLast((word) => words.includes(word) && (words.length < 2 || !PROPERTY.test(word)))
  const [, before, after] =
    /^(?:(?:is|are|was|were)\s)?(over|under|within|above|below|in|on|off|ahead of|behind)\s(\p{L}+)/u
      .exec(name) ?? []
  const covered = before === "under" && COVER.test(after ?? "")
  const others = covered ? COVERED.other : before === undefined ? undefined : SIDES.get(before)
  const first = all.find((word) => !/^(?:it|he|she|they|we|who)$/u.test(word))
  return {
    words: words.map((word) => new Set(sameAs([stem(word)]))),
    head: new Set(head === undefined ? [] : sameAs([stem(head)])),
    predicate,
    side: after === undefined || predicate !== undefined
      ? undefined
      : { own: sideOf(covered ? COVERED.own : before!), other: others === undefined ? undefined : sideOf(others) },
    isRole: words.some((word) => ROLE.test(word)),
    isFree: all.includes("free"),
    isOrder: /^(?:must|should)$/u.test(all[0] ?? ""),
    verbs: new Set(
      said.filter((word) => saysWhatBecomes(word) || (word === first && /[^s]s$/u.test(word))).map(stem)
    )
  }
}

/** What parts a statement from another in one sentence. */
const APART = /;|\b(?:but|however|while|although|though|whereas)\b/iu

/** Where a sentence says a pattern nearest to a place, not in another statement. */
const nearest = (
  pattern: RegExp,
  text: string,
  from: number,
  to: number
): readonly [from: number, to: number] | undefined =>
  Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => [index, index + length] as const)
    .filter(([start, end]) => !APART.test(start < from ? text.slice(end, from) : text.slice(to, start)))
    .toSorted(([a], [b]) => Math.abs(a - from) - Math.abs(b - from))[0]

/** What a sentence states of a field in one of the field's own words, at a place of the sentence. */
export type Stated = (sentence: string, from: number, to: number, shown?: boolean) => boolean | undefined

/**
 * What a sentence states of a yes-or-no field at one of the field's words. Whoever only mentions a thing says nothing of it:
 * a yes needs the predicate that the field's name asks for ("included", "required"), or that the thing is there, or is what the
 * name calls it; a no is said by denying the word, or by the predicate's opposite ("extra", "optional"). `shown`: a line on
 * screen is no sentence, and names what there is.
 */
export const statedBy = (leaf: Leaf): Stated => {
  const { head, isFree, isOrder, isRole, predicate, side, verbs, words } = claimOf(leaf)
  const own = new Set(ownStems(leaf))
  const mayCome = asksToCome(leaf)
  const proposition = propositionOf(leaf) !== undefined
  const isSaid = (near: string, [from, to]: readonly [number, number]): boolean | undefined =>
    isAsserted(near, from, mayCome) ? affirms(near, from, to) : undefined
  return (sentence, wordFrom, wordTo, shown = false) => {
    const start = Math.max(0, wordFrom - REACH)
    const near = sentence.slice(start, wordTo + REACH)
    const [from, to] = [wordFrom - start, wordTo - start]
    const [before, word, after] = [near.slice(0, from), near.slice(from, to).toLowerCase(), near.slice(to)]
    const affirmed = affirms(near, from, to)
    const isVerb = verbs.has(stem(word))
    // "We ran out of time to test the pump" tests nothing.
    if (/\bto\s+(?:\p{L}+ly\s+)?$/iu.test(before) && isVerb && !mayCome) return affirmed ? undefined : false
    if (proposition) return affirmed
    const isOwn = own.has(stem(word))
    if (!isFree && isOwn && /^[- ]free\b/iu.test(after)) return affirmed ? false : undefined
    if (side !== undefined) {
      if (side.own.test(before)) return affirmed
      return side.other?.test(before) === true && affirmed ? false : undefined
    }
    if (predicate !== undefined) {
      const yes = nearest(predicate.yes, near, from, to)
      if (yes !== undefined) {
        // "Gluten free" is one word of what it says that of.
        const joined = isFree && yes[0] - to === 1 && !IS.test(before) && !HAS.test(before)
        const verdict = isSaid(near, yes)
        // "Masks, no, you don't need them."
        if (verdict === false && yes[0] > to && POINTS_BACK.test(near.slice(yes[1]))) return false
        return !joined && verdict === affirmed ? affirmed : undefined
      }
      const no = nearest(predicate.no, near, from, to)
      if (no !== undefined) return OWN.test(near.slice(...no)) || isSaid(near, no) === true ? false : undefined
    }
    const stems = new Set(tokenise(near).map(({ norm }) => stem(norm)))
    const isWhole = head.size === 0 || isVerb || Array.from(head).some((one) => stems.has(one))
    if (LEFT_OUT.test(before) || GONE.test(after)) return isOwn && isWhole ? false : undefined
    if (!affirmed) {
      const itself = ITS_VERB.test(after) && DEFINITE.test(before) && verbs.size === 0 && words.length < 2
      return itself || !isOwn || isFree || !isWhole ? undefined : false
    }
    if (predicate !== undefined && predicate.given !== true) return undefined
    if (!words.every((same) => Array.from(same).some((one) => stems.has(one)))) return undefined
    if (isOrder && FIRST.test(before)) return true
    if (/^\s*:\s*(?:off|no|none|false|never)\b/iu.test(after)) return false
    if (shown || isVerb || /^\s*:\s+\S/u.test(after)) return true
    if (IS.test(before) || THERE.test(after)) return true
    return !isRole && HAS.test(before) ? true : undefined
  }
}
