import type { Candidate } from "../text/Candidate.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { stem, tokenise } from "../text/Tokens.ts"
import { sentenceAt } from "./FieldWords.ts"
import { areAlike, candidatesBetween } from "./Measures.ts"
import { candidateKey, daysIn, type Reading } from "./Reading.ts"

/** What a stretch of a passage says, with the days that it names by their number alone. */
export const saidBetween = (
  reading: Reading,
  passage: Passage,
  start: number,
  end: number
): ReadonlyArray<Candidate> => [
  ...candidatesBetween(reading, passage, start, end),
  ...daysIn(reading, passage).filter((one) => start <= one.from && one.to <= end)
]

/** How far what holds now may stand behind what held before, in characters. */
export const OUTDATED_WITHIN = 200

/** What is said as of a time that is over: by its verb's tense or by words for that time. */
const PAST =
  /\b(?:was|were|had|did|been|ago|last (?:year|month|week|season|spring|summer|autumn|fall|winter|time)|earlier|previously|originally|formerly|initially|at first|once|before|back then|in the (?:past|beginning)|in (?:19|20)\d\d|began|started|stood|paid|sold|bought|took|gave|got|went|came|kept|made|ran|rose|fell|grew|spoke|(?!hundred)\p{L}+[^\P{L}e]ed)\b/iu
/** What was only meant to be. */
const PLANNED =
  /\b(?:was|were)\s(?:(?:originally|actually|first|initially)\s)?(?:to|due|going to|supposed|meant|scheduled|planned|expected|set|intended|budgeted|estimated)\b|\b(?:originally|initially)\b/iu
/** What was told before more was known. */
const PRELIMINARY =
  /\b(?:earlier|previous|initial|first|early|older)\s(?:reports?|estimates?|figures?|counts?|information|news|announcements?)\b/iu
const NOW = /\b(?:now|today|currently|nowadays|these days|at present|by now)\b/iu

const OPENING =
  /^\W*(?:(?:and|but|so|instead|actually|however|in the end|in fact|now|today|currently|nowadays|these days|at present|by now)\b[,\s]*)*/iu
/** What goes on about the same: a pronoun, or nothing but the value. "Now add two eggs" is about something else. */
const SAME_SUBJECT = /^(?:$|(?:it|we|they|i|he|she|you|there|that|this|is|are|at|only|about|around|just|over)\b)/iu
const DETERMINED = /\b(?:the|an?|my|our|your|his|her|its|their)\s+([\p{L}'’-]+)/giu

const CLAUSE_END = /[.,;:!?–—](?=\s|$)|\b(?:but|whereas|while)\b/giu

/** Where the clause around a place begins and ends. */
const clauseAround = (text: string, from: number, to: number): readonly [number, number] => {
  const start = Math.max(0, from - OUTDATED_WITHIN)
  const before = Array.from(text.slice(start, from).matchAll(CLAUSE_END), ({ 0: cut, index }) => index + cut.length)
  const after = text.slice(to, to + OUTDATED_WITHIN).search(CLAUSE_END)
  return [
    before.length === 0 ? start : start + before.at(-1)!,
    after < 0 ? Math.min(text.length, to + OUTDATED_WITHIN) : to + after
  ]
}

/** Everything that is said right after a place: to the end of the next sentence, or the first one of what the voice says next. */
const following = (
  reading: Reading,
  passage: Passage,
  at: number
): ReadonlyArray<readonly [Passage, number, number]> => {
  const own = sentenceAt(passage, at)
  const end = own.from + own.text.length
  const next = sentenceAt(passage, Math.min(passage.text.length, end + 2))
  if (next.from > own.from) return [[passage, at, Math.min(at + OUTDATED_WITHIN, next.from + next.text.length)]]
  const other = reading.passages[passage.index + 1]
  const here = [passage, at, Math.min(at + OUTDATED_WITHIN, end)] as const
  return other === undefined || other.modality !== "audio" || other.speaker !== passage.speaker
    ? [here]
    : [here, [other, 0, Math.min(OUTDATED_WITHIN, sentenceAt(other, 0).text.length)]]
}

/** Whether a later clause goes on about what an earlier one was about. */
const goesOn = (lead: string, before: string): boolean => {
  const rest = lead.replace(OPENING, "").trimStart()
  const nouns = Array.from(rest.matchAll(DETERMINED), ([, noun = ""]) => stem(noun.toLowerCase()))
  if (nouns.length === 0) return SAME_SUBJECT.test(rest)
  const known = new Set(tokenise(before).map(({ norm }) => stem(norm)))
  return nouns.every((noun) => known.has(noun))
}

export const SORTS: ReadonlySet<Candidate["kind"]> = new Set(["number", "money", "percent", "duration", "date", "time"])

/**
 * Whether a value held once, was only planned or was only reported, and the same or the next sentence goes on about the same thing with
 * another one of its sort that holds now: "it was listed at 425,000 in spring. Now it is 395,000".
 */
export const isOutdated = (reading: Reading, one: Candidate): boolean => {
  const { from, kind, passage, to } = one
  if (!SORTS.has(kind) || passage.modality !== "audio") return false
  const [start, end] = clauseAround(passage.text, from, to)
  const own = `${passage.text.slice(start, from)} ${passage.text.slice(to, end)}`
  const [past, planned, preliminary] = [PAST, PLANNED, PRELIMINARY].map((way) => way.test(own)) as [
    boolean,
    boolean,
    boolean
  ]
  if (!past && !planned && !preliminary) return false
  const sentence = sentenceAt(passage, from)
  // A sentence without an end may be as long as a video, and each of its values is asked about.
  const about = passage.text.slice(
    Math.max(sentence.from, from - OUTDATED_WITHIN),
    Math.min(sentence.from + sentence.text.length, to + OUTDATED_WITHIN)
  )
  return following(reading, passage, end).some(([next, begin, stop]) =>
    saidBetween(reading, next, begin, stop).some((other) => {
      if (!areAlike(one, other)) return false
      const [first, last] = clauseAround(next.text, other.from, other.to)
      const lead = next.text.slice(first, other.from)
      const clause = `${lead} ${next.text.slice(other.to, last)}`
      if (PRELIMINARY.test(clause)) return false
      if (preliminary) return true
      if (PLANNED.test(clause) || !goesOn(lead, about)) return false
      // "It was meant to be twenty, but it is thirty": whatever is not planned took its place.
      return planned || NOW.test(clause)
    })
  )
}

const SOURCE =
  "(?:box|sign|label|packet|package|tin|can|bottle|jar|tub|carton|wrapper|brochure|leaflet|website|web ?site|site|manual|maker|makers|manufacturer|advert|ad|map|plan|book|catalogue|catalog|listing|specs?|sheet|company|shop|guide|app|forecast|papers?|press|invoice|schedule|timetable)"
/** What others say, or what was thought, hoped or asked for, whether or not it is so. */
const CLAIM = new RegExp(
  [
    `\\b(?:they|people|folks|(?:some|most|many)(?: people| folks| of (?:you|them))?|everyone|everybody|somebody|someone|the (?:\\p{L}+ ){0,2}${SOURCE})\\b[^,.;!?]{0,16}\\b(?:says?|said|claim(?:s|ed)?|promise[sd]?|advertise[sd]?|quote[sd]?|reckons?|thinks?|thought|lists?|listed)\\b`,
    `\\b(?:on the box|on paper|in the (?:brochure|ad|advert|catalogue|specs?)|according to the ${SOURCE})\\b`,
    "\\b(?:advertised|claimed|rated) (?:at|as)\\b|\\bsupposed(?:ly)?\\b|\\ballegedly\\b",
    "\\b(?:i|we|you|he|she|they|the \\p{L}+)(?:['’]d| had)? (?:\\p{L}+ly )?(?:thought|guessed|assumed|hoped(?: for)?|expected|reckoned|planned(?: for)?|budgeted|estimated|figured|feared|asked for)\\b",
    "\\b(?:i|we) said (?:on the phone|at first|maybe|before)\\b|\\b(?:was|were) going to say\\b|\\btold (?:me|us)\\b",
    "\\b(?:to begin with|at first|initially|when (?:he|she|it|they|we) (?:arrived|came|started))\\b"
  ].join("|"),
  "iu"
)

/** The clauses of a sentence's other values, its next one's and the one's before it. */
const around = (reading: Reading, passage: Passage, at: number): ReadonlyArray<readonly [Passage, number, number]> => {
  const own = sentenceAt(passage, at)
  const before = own.from < 2 ? undefined : sentenceAt(passage, own.from - 2)
  const start = Math.max(before?.from ?? own.from, at - OUTDATED_WITHIN)
  return [[passage, start, at], ...following(reading, passage, at)]
}

/** Whether the clause around a place says that it is merely claimed. */
const claims = (text: string, first: number, last: number): boolean => {
  const [start, end] = clauseAround(text, first, last)
  return CLAIM.test(text.slice(start, end))
}

/**
 * Whether a value is only what others say or what was thought, hoped or asked for, and another one of its sort stands in the same sentence or beside it that
 * nobody merely claims: "They claim eighteen hours. I got eleven".
 */
export const isClaimed = (reading: Reading, one: Candidate): boolean => {
  const { from, kind, passage, to } = one
  if (!SORTS.has(kind) || passage.modality !== "audio") return false
  if (!claims(passage.text, from, to)) return false
  const own = around(reading, passage, from).flatMap(([next, begin, stop]) =>
    saidBetween(reading, next, begin, stop).filter((other) =>
      other !== one && areAlike(one, other) && !claims(next.text, other.from, other.to)
    )
  )
  // "They promise twenty-eight minutes, and for once it was true. Twenty-eight on the dot."
  const said = one.text.toLowerCase()
  return own.length > 0 && !own.some(({ text }) => said.startsWith(text.toLowerCase()))
}

/** How far an answer is looked at, in characters. */
const ANSWER = 160
/** How an answer that tells a value reaches it: in its first clauses. */
const ANSWER_LEAD = /^[^.;!?]{0,60}$/u
const ANSWER_OPENING = String.raw`^\W*(?:(?:oh|well|um+|uh+|er+m?|ah|hmm*|so|and|but|sorry|actually)\b[\s,.…–—-]*)*`
const REFUSES = new RegExp(`${ANSWER_OPENING}(?:no|nope|nah)\\b`, "iu")
const AT_ONCE = new RegExp(`${ANSWER_OPENING}(?:at )?$`, "iu")
/** "Which three?" puts nothing forward. */
const ASKS_OPENLY = /^\W*(?:(?:and|so|but)\s)*(?:who|which|where|when|why)\b/iu

/** The stretch in which a question is answered: the rest of its passage where that says no, else the next one. */
const answerTo = (
  reading: Reading,
  passage: Passage,
  end: number
): readonly [Passage, number, number] | undefined => {
  const rest = passage.text.slice(end, end + ANSWER)
  if (rest.trim() !== "") return REFUSES.test(rest) ? [passage, end, end + rest.length] : undefined
  const next = reading.passages[passage.index + 1]
  return next?.modality === "audio" ? [next, 0, Math.min(next.text.length, ANSWER)] : undefined
}

/** Whether a value may answer for another: of its sort, and "seven" for "half six". Neither is "one", nor part of the other. */
const mayAnswer = (one: Candidate, other: Candidate, lead: string): boolean =>
  other.value !== 1 && !other.text.includes(one.text) && !one.text.includes(other.text) &&
  (areAlike(one, other) || (one.kind === "time" && other.kind === "number" && AT_ONCE.test(lead)))

/**
 * The value that answers a question in which another one of its sort was put forward: "Half six, as usual?" "Er, seven." Undefined
 * where the answer says that of the question as well, or the question puts forward several.
 */
export const answeredOtherwise = (reading: Reading, one: Candidate): Candidate | undefined => {
  const { from, kind, passage, value } = one
  if (!SORTS.has(kind) || passage.modality !== "audio" || value === 1) return undefined
  const question = sentenceAt(passage, from)
  const end = question.from + question.text.length
  if (end - from > ANSWER || !/\?\W*$/u.test(passage.text.slice(from, end)) || ASKS_OPENLY.test(question.text)) {
    return undefined
  }
  const key = candidateKey(one)
  if (
    saidBetween(reading, passage, Math.max(question.from, from - ANSWER), end)
      .some((other) => candidateKey(other) !== key && areAlike(one, other))
  ) return undefined
  const answer = answerTo(reading, passage, end)
  if (answer === undefined) return undefined
  const said = saidBetween(reading, ...answer)
  const [next, start, stop] = answer
  const refuses = REFUSES.test(next.text.slice(start, stop))
  const found = said.find((other) => {
    const lead = next.text.slice(start, other.from)
    return mayAnswer(one, other, lead) && (refuses || ANSWER_LEAD.test(lead))
  })
  if (found === undefined) return undefined
  const told = sentenceAt(next, found.from)
  // "Twelve, actually. It only feels like eight."
  return said.some((other) => candidateKey(other) === key && other.from < told.from + told.text.length)
    ? undefined
    : found
}
