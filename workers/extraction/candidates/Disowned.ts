import { CORRECTION } from "../lexicon/Corrections.ts"
import { nameBeforeDocument, startsDocument } from "../lexicon/Documents.ts"
import { ORGANISATION_WORD, soughtType } from "../lexicon/NameTypes.ts"
import { numberAt } from "../lexicon/Numbers.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks } from "../text/Sentences.ts"
import { identifierWords, stem, tokenise } from "../text/Tokens.ts"
import { sentenceAt } from "./FieldWords.ts"
import { areAlike, candidatesBetween, rangeEnd, wantedEnd } from "./Measures.ts"
import { isOtherSide } from "./OtherSide.ts"
import { answeredOtherwise, isClaimed, isOutdated, OUTDATED_WITHIN, saidBetween, SORTS } from "./Outdated.ts"
import type { Reading } from "./Reading.ts"

/** Words that make another thing of what they stand before: over or to come, of another rank, only meant, or denied. */
const ANOTHER: ReadonlySet<string> = new Set(
  ("former ex previous prior old last next upcoming future vice deputy assistant associate acting co expected planned " +
    "estimated target projected forecast budgeted not non").split(" ")
)

/** "Last updated: 3 November" is when it was; "last meeting" is another meeting. */
const LATEST = /\blast\s(?=\p{L}+ed\b)/gu

/** Whether a label or a title calls another thing than the field: "Former CEO" is no `ceo`, and is a `former_ceo`. */
export const callsAnother = (label: string, leaf: Pick<Leaf, "words">): boolean => {
  const asked = new Set(leaf.words.toLowerCase().split(/[^\p{L}]+/u))
  return label.toLowerCase().replaceAll(LATEST, "").split(/[^\p{L}]+/u).some((word) =>
    ANOTHER.has(word) && !asked.has(word)
  )
}

/** "Thirty attendees, sorry, I meant": what comes right behind these words is meant instead of what stands right before. */
const TAKEN_BACK = new RegExp(
  String
    .raw`^(?:\s+\p{L}+){0,5}\s*[,.;–—-]*\s*${CORRECTION}[,.:]?\s+(?:(?:no|i mean(?:t)?|i should say|make (?:that|it)|(?:it|that|this)['’]?s|(?:it|that|this) (?:is|was)|the),?\s+)*`,
  "iu"
)

/** The farthest that such words reach behind a value. */
const REACH = 80

const isTakenBack = (reading: Reading, one: Candidate): boolean => {
  const { kind, passage, to } = one
  const said = TAKEN_BACK.exec(passage.text.slice(to, to + REACH))?.[0]
  return said !== undefined &&
    saidBetween(reading, passage, to, passage.text.length).some((other) =>
      (other.kind === kind || areAlike(one, other)) && other.from === to + said.length
    )
}

const CLAUSE = /[.,;!?]\s|\b(?:now|but|today)\b/giu

/** "Before that you worked at Orbex". */
const BEFOREHAND =
  /^\W*(?:(?:and|but)\s)?(?:before that|previously|formerly|(?:earlier )?in (?:my|his|her|their|your) (?:last|previous|former|old) \p{L}+),?\s[^.;!?]*\b(?:was|were|worked|had|ran|led|taught|lived|played|studied|owned|managed|served)\b[^.;!?]*$/iu

/** "NO JOINING FEE (usually £20)", "was: Sat 27 September": what a screen says of another time right before a value. */
const SHOWN_PAST = /(?:^|[([·•|,;–—-]\s*)(?:usually|normally|formerly|previously|until now|was|were)\b\s?:?\s*$/iu
/** "Three courses was twenty-one last month." */
const SAID_PAST = [
  /\b(?:was|were|cost|paid|had)\b[^.;!?]*$/iu,
  /^(?:\s\p{L}+){0,2}\s(?:last (?:year|month|week|season|summer|winter|time)|a year ago|years ago)\b/iu
] as const
/** "We had first announced the seventh of July." */
const ANNOUNCED_BEFORE =
  /\b(?:(?:first|originally|initially) (?:announced|advertised|planned|scheduled|promised|said|listed|quoted)|(?:announced|advertised|planned|scheduled|listed|quoted) (?:first|originally|initially))\b/iu
/** "Last year's winner Dana Okpara" has won another time. */
const PAST_HOLDER = /\b(?:last (?:year|season|month|week|time)['’]s|former|previous|outgoing)(?:\s\p{L}+){1,2},?\s$/iu

/** "It used to cost twenty", "Martin Weber used to be the CEO". */
const isPast = ({ from, kind, passage, to }: Candidate): boolean => {
  const { text } = passage
  const before = text.slice(Math.max(0, from - REACH), from)
  if (passage.modality === "visual" && SORTS.has(kind) && SHOWN_PAST.test(before)) return true
  if (kind === "name" && PAST_HOLDER.test(before)) return true
  const clause = before.slice(
    Array.from(before.matchAll(CLAUSE), ({ 0: end, index }) => index + end.length).at(-1) ?? 0
  )
  const { from: start } = sentenceAt(passage, from)
  if (from - start < OUTDATED_WITHIN && BEFOREHAND.test(text.slice(start, from))) return true
  if (SORTS.has(kind) && SAID_PAST[0].test(clause) && SAID_PAST[1].test(text.slice(to, to + REACH))) return true
  return /\bused to (?!(?:it|this|that|the|being|having)\b)/iu.test(clause) || ANNOUNCED_BEFORE.test(clause) ||
    /^ used to \p{L}/u.test(text.slice(to, to + 12))
}

/** "Why not 50?" and "if not 50" deny nothing. */
const NEGATOR = String.raw`(?:(?<!\b(?:why|if|or|whether)\s)\b(?:not|nor|neither|never|no longer)|\p{L}n['’]t)`
const LINKS =
  "be|been|being|really|actually|in|at|on|by|from|for|to|with|of|the|an?|about|around|called|named|my|our|your|his|her|its|their"
/** "Not in Leeds", "isn't Laura Kemp", "and not for sixty minutes", "four coaches instead of eight". */
const DIRECT = new RegExp(`(?:${NEGATOR}|\\binstead of)\\s+(?:(?:${LINKS})\\s+){0,4}$`, "iu")
/** "Doesn't cost twelve euros": a denied verb before the value. */
const BY_VERB = new RegExp(`${NEGATOR}((?:\\s+[\\p{L}'’-]+){1,5})\\s+$`, "iu")
/** Where only a bound, a share or a thought is denied, the value is not: "not before nine", "not everyone paid twelve". */
const OTHERWISE =
  /\b(?:until|till|before|after|than|only|just|more|less|fewer|exceed\p{L}*|over|under|above|below|later|earlier|within|even|yet|every\p{L}*|all|each|always|quite|necessarily|mind|forget|wait|think|know|sure|and|but|or|so|because|that|which|who|when|while|if)\b/iu

/** How far a negation reaches, and how far what holds instead stands behind or before it. */
const DENIED_WITHIN = 80
const INSTEAD = 160

const KINDS: ReadonlySet<Candidate["kind"]> = new Set([
  ...["number", "money", "percent", "duration", "date", "time"] as const,
  ...["name", "address", "code", "phone", "email"] as const
])

type Denial = "direct" | "by-verb"

/** How the clause before a value denies it. */
const denialOf = ({ from, passage }: Candidate): Denial | undefined => {
  const sentence = sentenceAt(passage, from)
  if (asks(sentence.text.slice(0, DENIED_WITHIN * 4))) return undefined
  const before = passage.text.slice(Math.max(sentence.from, from - DENIED_WITHIN), from)
  if (DIRECT.test(before)) return "direct"
  const between = BY_VERB.exec(before)?.[1]
  return between === undefined || OTHERWISE.test(between) ? undefined : "by-verb"
}

/** Whether a value of the same sort holds in the same sentence or the next one. */
const hasOther = (reading: Reading, one: Candidate): boolean => {
  const { from, passage, to } = one
  const sentence = sentenceAt(passage, from)
  // "At line forty-five. Not line forty-four": what holds stands before.
  const opens = sentence.from > 2 && /^\W*(?:and |but |so )?not\b/iu.test(sentence.text)
  const own = opens ? sentenceAt(passage, sentence.from - 2) : sentence
  const next = sentenceAt(passage, Math.min(passage.text.length, sentence.from + sentence.text.length + 2))
  const start = Math.max(own.from, from - INSTEAD)
  const end = Math.min(next.from + next.text.length, to + INSTEAD)
  return saidBetween(reading, passage, start, end).some((other) =>
    areAlike(one, other) && denialOf(other) === undefined
  )
}

/**
 * Whether whoever says a value says in the same clause that it is not so: "not in Leeds"; where the verb is denied, "it doesn't cost
 * twelve", only if there is said as well what holds instead, since of "we don't have twelve" nobody knows what it denies.
 */
const isDenied = (reading: Reading, one: Candidate): boolean => {
  if (!KINDS.has(one.kind)) return false
  const denial = denialOf(one)
  // "Anna did not meet Ben" denies no name.
  return denial === "direct" ||
    (denial === "by-verb" && one.kind !== "name" && hasOther(reading, one))
}

const DENIED_AFTER =
  /^\s(?:(?:is|was|are|were)n['’]t|(?:is|was|are|were) (?:not|no longer))\s+((?:[\p{L}'’-]+\s?){1,4})/iu

/** "Laura Kemp isn't our manager" for the field `manager`. */
const isDeniedFor = (
  { name }: Pick<Leaf, "name">,
  own: ReadonlySet<string>,
  { kind, passage, to }: Candidate
): boolean => {
  if (kind !== "name") return false
  const said = DENIED_AFTER.exec(passage.text.slice(to, to + DENIED_WITHIN))?.[1]
  return said !== undefined && name !== "" && tokenise(said).some(({ norm }) => own.has(stem(norm)))
}

const ASKS_PAST =
  /\b(?:former|previous|prior|past|old|used|original|earlier|before|initial|usual|normal|regular|last (?:year|month|week|season|time))\b/u
/** Fields that ask for what was, or was meant to be, beside what is. */
const ASKS_THEN =
  /\b(?:ago|start(?:s|ed|ing)?|begin\p{L}*|opening|planned|scheduled|listed|asking|target|budget(?:ed)?|estimated?|expected|paid|bought|purchased?|sold|sale|acquired|founded|built|was|were|then|histor\p{L}+|record)\b/u
/** Fields that ask for what somebody says, hopes or asks for, whether or not it is so. */
const ASKS_CLAIMED =
  /\b(?:claim(?:s|ed)?|advertised|quoted|stated|official|planned|scheduled|target|expected|estimated?|asking|listed|budgeted|factory|nominal|rated|recommended|spec(?:ified|ification|s)?|manual|brochure|book|promised|hoped|hope|goal|aim|requested|asked|wanted|suggested|guess(?:ed)?|thought|prediction|predicted|forecast|manufacturer|maker|rumou?r(?:ed)?|supposed|initial(?:ly)?|box)\b/u
/** Such a field by its name: "last day" in a description asks for no time that is over. */
const NAMED_THEN = /\b(?:first|last)\b/u
/** Fields that ask for what is not so. */
const ASKS_DENIED =
  /\b(?:not|no|never|without|except\p{L}*|exclud\p{L}*|closed|absent|missing|miss(?:ed|es)|cancel\p{L}*|refused|rejected|denied|ruled|wrong|incorrect)\b/u

const asksThen = ({ name, words }: Leaf): boolean =>
  ASKS_THEN.test(words) || NAMED_THEN.test(identifierWords(name).join(" "))

const stems = new WeakMap<Leaf, ReadonlySet<string>>()

/** The stems of a field's name, remembered. */
const ownStems = (leaf: Leaf): ReadonlySet<string> => {
  const known = stems.get(leaf) ?? new Set(identifierWords(leaf.name).map(stem))
  stems.set(leaf, known)
  return known
}

interface Said {
  readonly answered_otherwise: boolean
  readonly claimed: boolean
  readonly taken_back: boolean
  readonly past: boolean
  readonly outdated: boolean
  readonly denied: boolean
  readonly end: ReturnType<typeof rangeEnd>
}

const remembered = new WeakMap<Candidate, Said>()

/** What is said around a candidate; remembered, since every leaf asks again. */
const saidOf = (reading: Reading, candidate: Candidate): Said => {
  const known = remembered.get(candidate)
  if (known !== undefined) return known
  const said = {
    answered_otherwise: answeredOtherwise(reading, candidate) !== undefined,
    claimed: isClaimed(reading, candidate),
    taken_back: isTakenBack(reading, candidate),
    past: isPast(candidate),
    outdated: isOutdated(reading, candidate),
    denied: isDenied(reading, candidate),
    end: rangeEnd(reading, candidate)
  }
  remembered.set(candidate, said)
  return said
}

const ASKS_BEFORE = /^(?:old|previous|former|original|before)$/
const ASKS_AFTER = /^(?:new|current|now|present|after)$/
const SAYS_BEFORE = /\b(?:was|were|old|previous|previously|formerly|originally|before)\s?:?\s$/iu
const SAYS_AFTER = /\b(?:now|new|current|currently|today|after)\s?:?\s$/iu
/** How far the words right before a value reach back, and its counterpart stands off: "Was: $80 | Now: $60". */
const PAIR_LEAD = 14
const PAIR_REACH = 40

/** Whether a value is the other one of a pair from before and after a change, for a field that asks for one of them by its name. */
const isOtherOfPair = (reading: Reading, { name }: Pick<Leaf, "name">, one: Candidate): boolean => {
  if (!SORTS.has(one.kind)) return false
  const words = identifierWords(name)
  const [before, after] = [ASKS_BEFORE, ASKS_AFTER].map((way) => words.some((word) => way.test(word)))
  if (before === after) return false
  const [own, others] = before === true ? [SAYS_BEFORE, SAYS_AFTER] : [SAYS_AFTER, SAYS_BEFORE]
  const { from, passage, to } = one
  const says = (way: RegExp, at: number): boolean => way.test(passage.text.slice(Math.max(0, at - PAIR_LEAD), at))
  return says(others, from) &&
    candidatesBetween(reading, passage, Math.max(0, from - PAIR_REACH), to + PAIR_REACH).some((other) =>
      areAlike(one, other) && says(own, other.from)
    )
}

/** How the two ends of what varies are called right before them: "Low 3° High 11°". */
const SAYS_LEAST =
  /\b(?:(?:min(?:imum)?|lows?|lowest|smallest)\b\W*(?:(?:of|is|was)\s)?|(?:(?:drop|fall|sink|dip|cool)(?:s|ped|ing)?|fell|sank|(?:go|get)(?:e?s)?|went)(?: (?:off|back))? (?:down )?(?:to|as low as)\s(?<!(?:go|goes|get|gets|went) to\s))$/iu
const SAYS_MOST =
  /\b(?:(?:max(?:imum)?|highs?|highest|peak|largest)\b\W*(?:(?:of|is|was)\s)?|(?:(?:climb|warm)(?:s|ed|ing)?|ris(?:e|es|ing)|rose|(?:go|get)(?:e?s)?|went) (?:back )?(?:up )?(?:to|as high as)\s(?<!(?:go|goes|get|gets|went) to\s))$/iu
/** As long as "climbs back up as high as". */
const VERB_LEAD = 26

/** Whether a value is said to be the other extreme than a field asks for by its name. */
const isOtherExtreme = (leaf: Leaf, { from, kind, passage }: Candidate): boolean => {
  if (!SORTS.has(kind)) return false
  const wanted = wantedEnd(leaf)
  const other = wanted === "low" ? SAYS_MOST : wanted === "high" ? SAYS_LEAST : undefined
  return other?.test(passage.text.slice(Math.max(0, from - VERB_LEAD), from)) === true
}

/** Fields that ask for a document or an event by its name. */
const ASKS_TITLE = /\b(?:report|title|event|document|meeting|headline|heading|topic|slide)\b/u

/** "Acme Robotics Annual Report 2024" for a company: the name before the document's is a candidate of its own. */
const isDocumentOf = (leaf: Leaf, { from, kind, passage, text }: Candidate): boolean => {
  if (kind !== "name" || leaf.type !== "string" || passage.modality !== "visual") return false
  const words = identifierWords(leaf.name)
  const type = soughtType(leaf)
  const asked = type === "organisation" || type === "person" ||
    words.some((word) => ORGANISATION_WORD.test(`${word.slice(0, 1).toUpperCase()}${word.slice(1)}`))
  return asked && !ASKS_TITLE.test(words.join(" ")) &&
    (nameBeforeDocument(text) !== undefined || startsDocument(passage.text.slice(from, from + REACH)))
}

/** "OBJECT OF THE WEEK" is what a programme is called, and no object. */
export const OCCASION = /^.{1,40}\sof the (?:week|month|day|year)$/iu
const ASKS_OCCASION =
  /\b(?:title|series|segment|show|programme|program|episode|heading|topic|event|format|award|name)\b/u
const isOccasion = ({ name }: Leaf, { kind, passage, text }: Candidate): boolean =>
  passage.channel === "ocr" && kind !== "number" && OCCASION.test(text) &&
  !ASKS_OCCASION.test(identifierWords(name).join(" "))

/** "A hundred and ten watts each" is no total. */
const EACH = /^(?:[\s-]\p{L}+){0,2}[,]?\s(?:each|apiece)\b/iu
const isOfEach = ({ words }: Leaf, { kind, passage, to }: Candidate): boolean =>
  SORTS.has(kind) && /\b(?:total|altogether|overall|combined)\b/u.test(words) && !/\b(?:each|per)\b/u.test(words) &&
  EACH.test(passage.text.slice(to, to + REACH))

/** What a description says that the field does not ask for: "Year of the vehicle, not of the conversion"; "not stated" and "not including" name nothing. */
const NOT_ASKED =
  /\bnot\s+(?:(?:of|for|at|on|by|in|from)\s+(?:(?:the|an?|its|his|her|their)\s+)?|(?:the|an?|its|his|her|their)\s+)(\p{L}{4,})/giu
const declined = new WeakMap<Leaf, ReadonlySet<string>>()
const notAsked = (leaf: Leaf): ReadonlySet<string> => {
  const known = declined.get(leaf)
  if (known !== undefined) return known
  const own = ownStems(leaf)
  const found = new Set(
    Array.from(String(leaf.schema["description"] ?? "").matchAll(NOT_ASKED), ([, noun]) => stem(noun!.toLowerCase()))
      .filter((one) => !own.has(one))
  )
  declined.set(leaf, found)
  return found
}
const isDeclined = (leaf: Leaf, { from, kind, passage, to }: Candidate): boolean => {
  const nouns = notAsked(leaf)
  if (nouns.size === 0 || !SORTS.has(kind)) return false
  const sentence = sentenceAt(passage, from)
  const near = passage.text.slice(
    Math.max(sentence.from, from - REACH),
    Math.min(sentence.from + sentence.text.length, to + REACH)
  )
  return tokenise(near).some(({ norm }) => nouns.has(stem(norm)))
}

/** "2 courses 18.00" for `two_courses`: the number that a field is called by is no value of it. */
const isOfName = ({ name }: Leaf, { kind, passage, to, value }: Candidate): boolean => {
  if (kind !== "number") return false
  const words = identifierWords(name)
  const at = words.findIndex((word) => numberAt(tokenise(word), 0)?.value === value)
  const next = /^\s(\p{L}+)/u.exec(passage.text.slice(to, to + DENIED_WITHIN))?.[1]
  return at >= 0 && next !== undefined && words[at + 1] !== undefined &&
    stem(next.toLowerCase()) === stem(words[at + 1]!)
}

/**
 * Whether whoever says a value says in the same breath that it does not hold for a field: it is taken back, denied or over, or it is the
 * other end of a range.
 */
export const isDisowned = (reading: Reading, leaf: Leaf, candidate: Candidate): boolean => {
  const { answered_otherwise, claimed, denied, end, outdated, past, taken_back } = saidOf(reading, candidate)
  if (taken_back || end?.isWrongFor(leaf) === true || isDocumentOf(leaf, candidate)) return true
  if (isOtherOfPair(reading, leaf, candidate) || isOtherExtreme(leaf, candidate)) return true
  if (
    isOtherSide(leaf, candidate) || isOfName(leaf, candidate) || isOccasion(leaf, candidate) ||
    isOfEach(leaf, candidate) || isDeclined(leaf, candidate)
  ) return true
  const asksPast = ASKS_PAST.test(leaf.words)
  if ((claimed || (answered_otherwise && !asksPast)) && !ASKS_CLAIMED.test(leaf.words)) return true
  if ((past || outdated) && !asksPast && (past || !asksThen(leaf))) return true
  return !ASKS_DENIED.test(leaf.words) && (denied || isDeniedFor(leaf, ownStems(leaf), candidate))
}
