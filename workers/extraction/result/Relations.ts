import type { Reading } from "../candidates/Reading.ts"
import type { Sentence } from "../text/Sentences.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import type { Entity } from "./Entities.ts"
import { saidPlainly, saidTogether } from "./PlainStatements.ts"

/** How two things hang together, said in so many words. */
type Relation =
  | "works_for"
  | "role_of"
  | "price_of"
  | "part_of"
  | "located_in"
  | "happened_at"
  | "superseded_by"

/** One end of a relation: an entity that is known, or words that name a role, a price or a day. */
export type End =
  | { readonly entity: Entity }
  | { readonly words: Span; readonly type: "role" | "price" | "date" }
  | { readonly claim: Sentence }

export interface Related {
  readonly relation: Relation
  readonly source: End
  readonly target: End
  /** The words that say it. */
  readonly where: Span
}

type Mention = readonly [span: Span, entity: Entity]

const within = (span: Span, sentence: Span): boolean =>
  span.passage === sentence.passage && span.from >= sentence.from && span.to <= sentence.to

const ROLE =
  "(?:(?:chief|head|director|manager|president|founder|co-founder|owner|chair|chairman|chairwoman|secretary|treasurer|lead|leader|editor|curator|captain|coach|mayor|minister|professor|nurse|engineer|architect|producer|chef|foreman|supervisor|coordinator)(?:\\s(?:of|for)\\s\\p{L}+(?:\\s\\p{L}+)?|\\s(?:executive|operating|financial|technology)\\sofficer)?|(?:vice\\s)?(?:ceo|cfo|cto|coo)|(?:\\p{Ll}+\\s)?(?:manager|director|engineer|editor|officer|architect|producer|chef|coach|secretary))"

/** What stands between two names where the first works for the second. */
const WORKS_FOR =
  /^\s*(?:,?\s*(?:who\s)?(?:works?|worked|working)\s(?:for|at|with)|\s*,?\s*(?:joins us|here|speaking)?\s*from)\s(?:the\s)?$/iu
const ROLE_AT = new RegExp(
  `^,?\\s(?:is\\s|(?:the|our|a|an|its|their)\\s)*(${ROLE})\\s(?:at|of|for)\\s(?:the\\s)?$`,
  "iu"
)
const PART_OF =
  /^\s(?:is|are|was)\s(?:now\s)?(?:(?:a\s)?(?:part|division|subsidiary|branch|district|suburb|member|unit)\sof|owned\sby)\s(?:the\s)?$/iu
const LOCATED_IN =
  /^,?\s(?:is\s|are\s|was\s)?(?:(?:based|located|situated|headquartered|here)\s)?(?:in|near)\s(?:the\s)?$/iu
/** Between a thing and its price. */
const PRICED =
  /^\s*(?::|(?:now\s|only\s|just\s)?(?:costs?|is|are|comes to|is priced at|sells for|goes for|retails at|starts at|is yours for))\s*(?:you\s|about\s|around\s|only\s|just\s)?$/iu

/** "Ada Holt, our CFO": the words after a name that say what the person is. */
const ROLE_AFTER = new RegExp(`^,\\s(?:(?:the|our|your|my|a|an|its|their)\\s)?(${ROLE})(?=[,.;!?]|$)`, "iu")
/** "our CFO Ada Holt", "CFO: Ada Holt". */
const ROLE_BEFORE = new RegExp(`(?:^|\\b(?:the|our|your|my)\\s)(${ROLE})(?:,\\s|:\\s|\\s)$`, "iu")

const PAST =
  /\b(?:was|were|opened|closed|began|started|ended|founded|built|launched|died|born|happened|arrived|left|signed|bought|sold|won|lost|moved|finished|failed|took place|came|went)\b/iu
/** A day with its month, or a year: "Friday" and "last week" are none by themselves. */
const FULL_DATE =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b.*(?:\d|st|nd|rd|th)\b|\d.*\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:first|second|third|\p{L}+th)\sof\s(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|^\d{4}(?:-\d\d-\d\d)?$/iu

/** A day that is to come, was changed or is only asked about. */
const MOVED = /\b(?:next|will|going to|moved|but|instead)\b|n['’]t\b/iu

/** How speakers take back what they have just said. */
const TAKEN_BACK =
  /^(?:(?:oh|um|uh|no|well|and|so),?\s)*(?:sorry|correction|scratch that|strike that|let me correct|i misspoke|i mean|make that|rather|no wait)\b/iu
const MEASURED = new Set(["number", "money", "percent", "duration", "date", "time"])
/** Further back than this nobody corrects a single value. */
const CORRECTED_WITHIN = 2

/** A full name beside a role is a person's, whoever knows it. */
const isPersonal = ({ type }: Entity, span: Span): boolean =>
  type === "person" || (type === null && /^\p{Lu}\p{Ll}+(?:\s\p{Lu}[\p{L}'’-]+){1,2}$/u.test(quoteOf(span)))

const between = (a: Span, b: Span): string => a.passage.text.slice(a.to, b.from)

const pairRelations = (mentions: ReadonlyArray<Mention>, reading: Reading): ReadonlyArray<Related> =>
  mentions.slice(1).flatMap(([second, two], at): ReadonlyArray<Related> => {
    const [first, one] = mentions[at]!
    if (one === two || first.to > second.from) return []
    const words = between(first, second)
    const where = { passage: first.passage, from: first.from, to: second.to }
    const said = (relation: Relation): ReadonlyArray<Related> =>
      saidPlainly(first, second, reading) === undefined
        ? []
        : [{ relation, source: { entity: one }, target: { entity: two }, where }]
    const role = isPersonal(one, first) && two.type !== "person" ? ROLE_AT.exec(words) : null
    if (role !== null) {
      if (saidPlainly(first, second, reading) === undefined) return []
      const from = first.to + words.indexOf(role[1]!)
      const title: Span = { passage: first.passage, from, to: from + role[1]!.length }
      const held: Related = {
        relation: "role_of",
        source: { words: title, type: "role" },
        target: { entity: one },
        where
      }
      return two.type === "organisation" ? said("works_for").concat(held) : [held]
    }
    if (one.type === "person" && two.type === "organisation" && WORKS_FOR.test(words)) return said("works_for")
    if (one.type !== "person" && two.type !== "person" && PART_OF.test(words)) return said("part_of")
    if (two.type === "place" && one.type === "organisation" && LOCATED_IN.test(words)) return said("located_in")
    return []
  })

const roleRelations = (
  mentions: ReadonlyArray<Mention>,
  sentence: Sentence,
  reading: Reading
): ReadonlyArray<Related> =>
  mentions.filter(([span, entity]) => isPersonal(entity, span)).flatMap(([span, entity]): ReadonlyArray<Related> => {
    const { passage } = span
    const after = ROLE_AFTER.exec(passage.text.slice(span.to, sentence.to))
    const lead = ROLE_BEFORE.exec(passage.text.slice(sentence.from, span.from))
    // "Ask the coach, Trail Buddy costs 40 dollars": only a person whose name a stop follows is set beside the role.
    const beside = entity.type === "person" && /^(?:[,.;!?]|$)/u.test(passage.text.slice(span.to, sentence.to))
    const before = lead?.[0].endsWith(", ") === true && !beside ? null : lead
    const found = after === null
      ? before === null
        ? undefined
        : { from: sentence.from + before.index + before[0].indexOf(before[1]!), text: before[1]! }
      : { from: span.to + after[0].indexOf(after[1]!), text: after[1]! }
    if (found === undefined) return []
    const words: Span = { passage, from: found.from, to: found.from + found.text.length }
    const where = { passage, from: Math.min(words.from, span.from), to: Math.max(words.to, span.to) }
    return saidTogether(words, span, reading) === undefined
      ? []
      : [{ relation: "role_of", source: { words, type: "role" }, target: { entity }, where }]
  })

const priceRelations = (
  mentions: ReadonlyArray<Mention>,
  prices: ReadonlyArray<Span>,
  reading: Reading
): ReadonlyArray<Related> =>
  mentions.filter(([, { type }]) => type === null).flatMap(([span, entity]) => {
    const price = prices.find((one) => one.from >= span.to && PRICED.test(between(span, one)))
    return price === undefined || saidPlainly(span, price, reading) === undefined ? [] : [{
      relation: "price_of" as const,
      source: { words: price, type: "price" as const },
      target: { entity },
      where: { passage: span.passage, from: span.from, to: price.to }
    }]
  })

/**
 * What is said of two things in words that leave no doubt, by rules that would rather miss than guess: each with the words
 * that say it. Nothing is taken from speech that is unclear, from a question, or from what is denied, doubted or a condition.
 */
export const relationsOf = (
  reading: Reading,
  claims: ReadonlyArray<Sentence>,
  mentionsIn: (sentence: Span) => ReadonlyArray<Mention>
): ReadonlyArray<Related> => {
  const measured = Map.groupBy(reading.candidates.filter(({ kind }) => MEASURED.has(kind)), ({ passage }) => passage)
  return claims.flatMap((claim, at): ReadonlyArray<Related> => {
    const mentions = mentionsIn(claim).toSorted(([a], [b]) => a.from - b.from)
    const own = (measured.get(claim.passage) ?? []).filter((one) => within(one, claim))
    const prices = own.filter(({ kind }) => kind === "money")
    const dates = own.filter(({ kind, text }) => kind === "date" && FULL_DATE.test(text))
    const past = MOVED.test(claim.text) ? null : PAST.exec(claim.text)
    const verb: Span | null = past === null
      ? null
      : { passage: claim.passage, from: claim.from + past.index, to: claim.from + past.index + past[0].length }
    const happened: ReadonlyArray<Related> = dates.length === 1 && verb !== null &&
        saidPlainly(verb, dates[0]!, reading) !== undefined
      ? [{ relation: "happened_at", source: { claim }, target: { words: dates[0]!, type: "date" }, where: claim }]
      : []
    const before = TAKEN_BACK.test(claim.text)
      ? claims.slice(Math.max(0, at - CORRECTED_WITHIN), at).findLast((earlier) =>
        earlier.passage.speaker === claim.passage.speaker && earlier.passage.modality === "audio" &&
        own.some(({ kind }) =>
          (measured.get(earlier.passage) ?? []).some((one) =>
            one.kind === kind && within(one, earlier) && own.every((other) => quoteOf(other) !== quoteOf(one))
          )
        )
      )
      : undefined
    return [
      ...pairRelations(mentions, reading),
      ...roleRelations(mentions, claim, reading),
      ...priceRelations(mentions, prices, reading),
      ...happened,
      ...(before === undefined
        ? []
        : [{ relation: "superseded_by" as const, source: { claim: before }, target: { claim }, where: claim }])
    ]
  })
}
