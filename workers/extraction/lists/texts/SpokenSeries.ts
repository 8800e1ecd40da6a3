import { type Mention, mentionAt, mentionText } from "../../candidates/Mention.ts"
import { CORRECTION } from "../../lexicon/Corrections.ts"
import { numberAt, ORDINALS } from "../../lexicon/Numbers.ts"
import { negates } from "../../lexicon/Polarity.ts"
import type { Sentence } from "../../text/Sentences.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { tokenise } from "../../text/Tokens.ts"
import { announcerIn } from "./Announcers.ts"
import { isTopic, namesSubject, speaksOfSubject, type Subject } from "./ListSubject.ts"

/** What stands before the first member of a series, by the words that announce it most surely first. */
const ANNOUNCING: ReadonlyArray<RegExp> = [
  /\b(?:is|are|was|were|be|been|need|needs|bring|wear|eat|drink|try|use|uses|have|has|got|get|gets|with|include|includes|including|contains?|offers?|sells?|serves?|like|such as|add|adds|take|takes|grab|pack|put in|made (?:from|of|with|out of)|choose (?:from|between))\s+(?=\S)/giu,
  /\b(?:into|to|of|from|by|in|for|at|on)\s+(?=\S)/giu
]
/** Where a member ends and something is said about it. */
const REMARK =
  /\s+(?:once|if|when|because|before|after|so|which|who|while|unless|until|since|where|though|although|than|as well|too|but|except|instead)\b.*$/iu
const LEADING =
  /^(?:(?:and|or|plus|with|also|then|maybe|to|some|any|your|our|my|its|their|a (?:pair|couple|bit|touch|pinch|few|handful|bunch|set|piece|splash) of|a (?:little|few|couple)|a|an|the|both|either|just|of course)\s+)+/iu
/** A clause has its own subject, a member of a series has none. */
const CLAUSE =
  /^(?:i|we|you|he|she|they|it|there|that|this|these|those|what|who|how|let|here|don['’]?t|not|but|so|if|well|okay|yes|no|um|uh|like|right|anyway|really|honestly|actually|please|thanks?|hello|hi(?!-))\b|\b(?:is|are|was|were|will|would|can|could|do|does|did|have|has|had)\b|['’](?:s|re|ll|ve|d|m)\s|n['’]t\b/iu
/** "More or less", "back and forth", "on and off": pairs of words that list nothing. */
const PAIRED = /^(?:more|less|back|forth|on|off|up|down|here|there|again|over|out|sooner|later|now|then|ready|about)$/iu
const LONGEST_MEMBER = 7
/** Before a member with what is said about it nothing announces it, in characters: speech without stops is one long part. */
const LONGEST_TAIL = 400
/** More commas than these have no series between them: speech that is written without full stops is one sentence. */
const MOST_PARTS = 20
/** "And" within a firm's name joins no members: "Finch and Co", "Smith and Sons". */
const JOIN = String
  .raw`(?:and(?!\s+(?:co|company|sons?|daughters?|bros|brothers|partners|associates)\b)|or|plus|as well as)`
/** What people say while they look for the next word: "nuts, crisps, and, um, anything spicy". */
const FILLER = String
  .raw`(?:u[mh]+|er+m?|hm+|well|you know|i mean|let(?:['’]s| me) see|my (?:own |absolute )?favou?rite)`
const JOINED = new RegExp(String.raw`^(?:(.*?)\s+)?${JOIN}(?:(?:,\s+${FILLER})+,)?\s+(.+)$`, "diu")
const JOINING = new RegExp(String.raw`(?:^|\s)${JOIN}(?:(?:,\s+${FILLER})+,)?\s`, "iu")
/** Between the parts of a sentence: no comma around a filler is one, behind "and" least of all. */
const COMMA = new RegExp(
  String.raw`(?<!\b(?:and|or|plus)(?:,\s+${FILLER})*),\s+(?:${FILLER},\s+)*`,
  "giu"
)
/** What is left of an announcement behind its verb: "(were) received from …", "(are) mostly made by …". */
const PARTICIPLE =
  /^(?:\p{L}+ly\s+)?(?:\p{L}{2,}ed|brought|sent|given|taken|made|drawn|bought|seen|heard|held)\s+(?:(?:round|around|out|up|off|over|back|down|away|along)\s+)?(?:from|by|to|with|in|at|for|on|of|via|through)\s+/iu
/** "Calling at Denby", "Pacers go at three thirty", "thank you to Sheila": a verb with its preposition before the first member. */
const VERBAL =
  /^(?:\p{L}+\s+){0,2}(?:\p{L}{2,}ing|go|goes|went|runs?|ran|comes?|came|stops?|meets?|starts?|thanks|thank you|heads?)\s+(?:(?:round|around|out|up|on|back|down)\s+)?(?:at|by|to|from|via|through|with|into)\s+/iu
/** Where a sentence goes on with what is not so: "…, with no eggs, milk or nuts". */
const DENYING =
  /^(?:(?:and|but|with|or)\s+)*(?:no|not|without|never|neither|nor|none|except|excluding|instead of|rather than)\b/iu

/** A part of a sentence, by its offset in it. */
interface Part {
  readonly at: number
  readonly text: string
}

/** The part from an offset on, without the spaces before it. */
const fromOn = ({ at, text }: Part, offset: number): Part => {
  const rest = text.slice(offset).trimStart()
  return { at: at + text.length - rest.length, text: rest }
}

const member = (part: Part): Part => {
  const { at, text } = fromOn(part, 0)
  return fromOn({ at, text: text.trimEnd() }, LEADING.exec(text)?.[0].length ?? 0)
}

const withoutRemark = ({ at, text }: Part): Part => ({ at, text: text.replace(REMARK, "") })

const isMember = ({ text }: Part): boolean => {
  if (text.length > LONGEST_TAIL) return false
  const words = tokenise(text).length
  return words > 0 && words <= LONGEST_MEMBER && /\p{L}{2}/u.test(text) && !CLAUSE.test(text) && !PAIRED.test(text)
}

const cuts = (part: Part, words: RegExp): ReadonlyArray<Part> => {
  const near = Math.max(0, part.text.length - LONGEST_TAIL)
  return Array.from(
    part.text.slice(near).matchAll(words),
    (match) => {
      const rest = fromOn(part, near + match.index + match[0].length)
      return fromOn(rest, PARTICIPLE.exec(rest.text)?.[0].length ?? 0)
    }
  ).toReversed()
}

/** Behind the last verb that announces the list, and its preposition: "she *speaks* Polish", "we *talk about* erosion". */
const behindAnnouncers = (part: Part, { announcers }: Subject): ReadonlyArray<Part> => {
  if (announcers.size === 0 || part.text.length > LONGEST_TAIL) return []
  const verb = announcerIn(announcers, tokenise(part.text))
  if (verb === undefined) return []
  const rest = fromOn(part, verb.to)
  return [fromOn(rest, /^(?:about|by|in|at|on|for|from|to|with|into|of)\s+/iu.exec(rest.text)?.[0].length ?? 0)]
}

/**
 * The texts that are left when the announcement is cut off, the latest cut first; the whole between sure and unsure cuts. "Who" in "the
 * donors who gave most are Smith" belongs to the announcement, "who" in "we need Smith, who has a car" does not.
 */
const withoutAnnouncement = (part: Part, subject: Subject | undefined): ReadonlyArray<Part> => {
  const bare = withoutRemark(part)
  const own = subject === undefined ? [] : behindAnnouncers(bare, subject)
  const [sure, unsure] = ANNOUNCING
  const first = cuts(bare, sure!)
  const later = first.length > 0 || bare.text === part.text ? [] : cuts(part, sure!).map(withoutRemark)
  const verbal = VERBAL.exec(bare.text)?.[0]
  return [
    ...own,
    ...first,
    ...later,
    ...(verbal === undefined ? [] : [fromOn(bare, verbal.length)]),
    bare,
    ...cuts(bare, unsure!)
  ]
}

/** Words by which a speaker takes back what was said right before. */
const TAKEN_BACK = new RegExp(String.raw`^${CORRECTION}\b[\s,]*|^(?:no|wait)$`, "iu")

/** The parts without those that are taken back and the words that do so. */
const corrected = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const kept: Array<Part> = []
  for (const part of parts) {
    const said = TAKEN_BACK.exec(part.text)?.[0]
    if (said === undefined || kept.length === 0) {
      kept.push(part)
      continue
    }
    kept.pop()
    const rest = fromOn(part, said.length)
    if (rest.text !== "") kept.push(rest)
  }
  return kept
}

const REPEATED = /^(?:about|at|by|for|from|in|on|to|with)\s/u

/** One coordinated series: at least two members, the last of them joined by "and", "or" or "plus". */
const seriesFrom = (parts: ReadonlyArray<Part>, subject: Subject | undefined): ReadonlyArray<Part> | undefined => {
  const last = parts.at(-1)!
  const joined = JOINED.exec(last.text)
  if (joined === null) return undefined
  const [start, end] = [joined.indices![1], joined.indices![2]!]
  const [first, ...rest] = [
    ...parts.slice(0, -1),
    ...(start === undefined ? [] : [{ at: last.at, text: joined[1]! }]),
    { at: last.at + end[0], text: joined[2]! }
  ].filter(({ text }) => text !== "")
  // "In the app or in a branch", "to Sheila and to Ravi": the preposition stands before each.
  const repeated = REPEATED.exec(rest.at(-1)?.text ?? "")?.[0]
  const bare = (part: Part): Part =>
    repeated !== undefined && part.text.startsWith(repeated) ? fromOn(part, repeated.length) : part
  const others = rest.map(withoutRemark).filter(({ text }) => text !== "").map((one) => member(bare(one)))
  const before = repeated === undefined ? -1 : ` ${first!.text}`.lastIndexOf(` ${repeated}`)
  const openings = before < 0
    ? withoutAnnouncement(first!, subject)
    : [withoutRemark(fromOn(first!, before + repeated!.length))]
  for (const opening of openings) {
    // "Winners beat Ashby": what begins with the list's own name is its announcement, or says something else of it.
    const announces = opening.at === first!.at && opening.text.length <= LONGEST_TAIL
    if (announces && subject !== undefined && namesSubject(subject, opening.text)) continue
    const members = corrected([opening, ...others].map(member))
    if (members.length >= 2 && members.every(isMember)) return members
  }
  return undefined
}

/** The pieces of a part between the matches of a pattern. */
const pieces = ({ at, text }: Part, separator: RegExp): ReadonlyArray<Part> => {
  const out: Array<Part> = []
  let from = 0
  for (const cut of [...text.matchAll(separator), null]) {
    const to = cut === null ? text.length : cut.index
    out.push({ at: at + from, text: text.slice(from, to) })
    from = cut === null ? to : to + cut[0].length
  }
  return out
}

/** The parts up to where a sentence begins to say what is not so, and those from there on; one run where it says so from its start. */
const runsOf = (parts: ReadonlyArray<Part>): ReadonlyArray<ReadonlyArray<Part>> => {
  const denying = parts.findIndex(({ text }) => DENYING.test(text))
  return denying <= 0 || parts.slice(0, denying).some(({ text }) => negates(text))
    ? [parts]
    : [parts.slice(0, denying), parts.slice(denying)]
}

/** A series as it stands in its sentence, from the offset at which the clause begins that gives it. */
export interface Series {
  readonly clause: number
  readonly members: ReadonlyArray<Mention>
}

const firstSeries = (
  sentence: Sentence,
  parts: ReadonlyArray<Part>,
  subject: Subject | undefined
): Series | undefined => {
  const { from, passage } = sentence
  // The series ends with the part that holds its "and"; what follows is a remark.
  const ends = parts.flatMap((part, at) => JOINING.test(part.text) ? [at + 1] : [])
  // "Before you go in, put on a helmet, boots and a vest": the verb that announces the list is where it begins.
  const announcing = subject === undefined ? -1 : parts.findIndex((part) => behindAnnouncers(part, subject).length > 0)
  for (const end of ends.toReversed()) {
    for (let start = Math.max(0, end - MOST_PARTS, announcing < end ? announcing : 0); start < end; start++) {
      const members = seriesFrom(parts.slice(start, end), subject)
        ?.map((one) => mentionAt(passage, from + one.at, one.text))
      if (members?.every((each) => each !== undefined) !== true) continue
      const own = parts[start]!
      const announced = `${sentence.text.slice(own.at, members[0]!.span.from - from)} `.trimStart().replace(LEADING, "")
      const before = announced === "" ? parts[start - 1] : undefined
      // "The winners beat Ashby, Corran and Delmont": whom the list's own do something to are none of them.
      if (subject !== undefined && before !== undefined && namesSubject(subject, before.text)) return undefined
      // "I want no olives, onions or ham": where the first part is no member, the clause begins there none the less.
      return { clause: (before ?? own).at, members }
    }
  }
  return undefined
}

/** How a speaker ends a list without an "and": "…, hummus, that's it". */
const CLOSING = /^(?:(?:and )?that(?:['’]s| is) (?:it|all|about it|everything)|and so on|et cetera|etc\.?)$/iu
/** Fewer than these may as well be said about what stands before the colon. */
const LEAST_LISTED = 3

/** What stands behind a colon whose words name the list: "Vegan shelf, small: oat milk, soy yoghurt, hummus". Nothing where a part is no member. */
const listedBehind = (
  sentence: Sentence,
  label: Part,
  parts: ReadonlyArray<Part>,
  subject: Subject
): Series | undefined => {
  if (speaksOfSubject(subject, label.text) < 1) return undefined
  const members = parts.filter(({ text }) => !CLOSING.test(text)).map(member)
  const found = members.map((one) => mentionAt(sentence.passage, sentence.from + one.at, one.text))
  return members.length >= LEAST_LISTED && members.every(isMember) && found.every((one) => one !== undefined)
    ? { clause: label.at, members: found }
    : undefined
}

/** The series that a sentence gives: at most one before and one behind where it begins to say what is not so, in each of its pieces. */
export const seriesAbout = (sentence: Sentence, subject?: Subject): ReadonlyArray<Series> => {
  const body = sentence.text.replace(/[.!?…]+$/u, "")
  const all = pieces({ at: 0, text: body }, /;\s+|\s[–—]\s|:\s+/gu)
  return all.flatMap((piece, at) => {
    const [first, ...rest] = pieces(piece, COMMA)
    const label = all[at - 1]
    if (subject !== undefined && label !== undefined && body.slice(label.at + label.text.length).startsWith(":")) {
      const listed = listedBehind(sentence, label, [first!, ...rest], subject)
      if (listed !== undefined) return [listed]
    }
    const parts = subject !== undefined && rest.length > 0 && isTopic(subject, first!.text) ? rest : [first!, ...rest]
    return runsOf(parts).flatMap((run) => firstSeries(sentence, run, subject) ?? [])
  })
}

/** Members of the first series that a sentence gives, as they stand there; empty where it gives none. */
export const seriesIn = (sentence: Sentence): ReadonlyArray<Mention> => seriesAbout(sentence)[0]?.members ?? []

const MARK =
  /^(?:(?:and|so|okay|ok|now|then|right|well)[\s,]+)*(?:(?:the|your|our|my|step|number|point|rule|tip|exercise|part)\s+)*(\p{L}+|\d{1,2}(?=[.):,\s]))(?:\s+(?:one|up|step|thing|exercise|stop|part|point|item|rule|tip|question|of all))?\s*(?:[,:.)–—-]+\s*(?:and\s+)?|\s+(?:is|are|we have|you|we|comes?)\s+(?:to\s+)?)/iu
const LAST = /^(?:last|lastly|final|finally)$/iu

interface Marked {
  readonly order: number
  readonly rest: string
  readonly sentence: Sentence
  readonly at: number
}

/** "Second one, goblet squat": its place and what stands there. */
const marked = (sentence: Sentence, at: number): Marked | undefined => {
  const match = MARK.exec(sentence.text)
  if (match === null) return undefined
  const word = match[1]!.toLowerCase().replace(/ly$/u, "")
  const numeral = word === "second" ? { value: 2 } : numberAt(tokenise(word), 0)
  const order = LAST.test(match[1]!) ? Infinity : Object.hasOwn(ORDINALS, word) || numeral !== undefined
    ? numeral?.value
    : undefined
  const rest = sentence.text.slice(match[0].length)
  return order === undefined || rest.length < 3 ? undefined : { order, rest, sentence, at }
}

/** How many sentences may stand between two members that are counted. */
const GAP = 10
const EXPLAINING = /,?\s+(?:because|so that|which|that['’]s|that is|where|it['’]s|this is)\b.*$|[.!?]+$/iu

const phrase = ({ rest, sentence }: Marked): Mention | undefined => {
  const text = rest.replace(EXPLAINING, "").replace(/^(?:the|a|an|to)\s+/iu, "")
  const span: Span = { passage: sentence.passage, from: sentence.to - rest.length, to: sentence.to }
  return tokenise(text).length > 14 ? undefined : mentionText(span, text)
}

/** Members that speech counts: "First, the swing. … Second, the squat. … And the last one, the press", three at least. */
export const countedSeries = (
  said: ReadonlyArray<Sentence>
): ReadonlyArray<{ readonly at: number; readonly members: ReadonlyArray<Mention> }> => {
  const out: Array<{ readonly at: number; readonly members: ReadonlyArray<Mention> }> = []
  let run: ReadonlyArray<Marked> = []
  const close = (): void => {
    const members = run.flatMap((one) => phrase(one) ?? [])
    if (members.length >= 3) out.push({ at: run[0]!.at, members })
    run = []
  }
  said.forEach((sentence, at) => {
    const one = marked(sentence, at)
    if (one === undefined) return
    const before = run.at(-1)
    const follows = before !== undefined && at - before.at <= GAP &&
      (one.order === before.order + 1 || (one.order === Infinity && before.order !== Infinity))
    if (follows) run = [...run, one]
    else if (one.order === 1) {
      close()
      run = [one]
    }
    if (one.order === Infinity) close()
  })
  close()
  return out
}
