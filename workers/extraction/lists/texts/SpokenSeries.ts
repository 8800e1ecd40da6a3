import { type Mention, mentionAt, mentionText } from "../../candidates/Mention.ts"
import { CORRECTION } from "../../lexicon/Corrections.ts"
import { numberAt, ORDINALS } from "../../lexicon/Numbers.ts"
import type { Sentence } from "../../text/Sentences.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { tokenise } from "../../text/Tokens.ts"

/** What stands before the first member of a series, by the words that announce it most surely first. */
const ANNOUNCING: ReadonlyArray<RegExp> = [
  /\b(?:is|are|was|were|need|needs|bring|wear|use|uses|have|has|got|get|gets|with|include|includes|including|contains?|offers?|sells?|serves?|like|such as|add|adds|take|takes|grab|pack|put in|made (?:from|of|with|out of)|choose (?:from|between))\s+(?=\S)/giu,
  /\b(?:into|to|of|from|by|in|for|at|on)\s+(?=\S)/giu
]
/** Where a member ends and something is said about it. */
const REMARK =
  /\s+(?:once|if|when|because|before|after|so|which|who|while|unless|until|since|where|though|although|than|as well|too|but|except|instead)\b.*$/iu
const LEADING =
  /^(?:(?:and|or|plus|with|also|then|maybe|to|some|any|your|our|my|its|their|a (?:pair|couple|bit|touch|pinch|few|handful|bunch|set|piece|splash) of|a (?:little|few|couple)|a|an|the|both|either|just|of course)\s+)+/iu
/** A clause has its own subject, a member of a series has none. */
const CLAUSE =
  /^(?:i|we|you|he|she|they|it|there|that|this|these|those|what|who|how|let|here|don['’]?t|not|but|so|if|well|okay|yes|no|um|uh|like|right|anyway|really|honestly|actually|please|thanks?|hello|hi)\b|\b(?:is|are|was|were|will|would|can|could|do|does|did|have|has|had)\b|['’](?:s|re|ll|ve|d|m)\s|n['’]t\b/iu
const LONGEST_MEMBER = 7
/** Before a member with what is said about it nothing announces it, in characters: speech without stops is one long part. */
const LONGEST_TAIL = 400
/** More commas than these have no series between them: speech that is written without full stops is one sentence. */
const MOST_PARTS = 20
const JOINED = /^(?:(.*?)\s+)?(?:and|or|plus|as well as)\s+(.+)$/diu

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
  return words > 0 && words <= LONGEST_MEMBER && /\p{L}{2}/u.test(text) && !CLAUSE.test(text)
}

const cuts = (part: Part, words: RegExp): ReadonlyArray<Part> => {
  const near = Math.max(0, part.text.length - LONGEST_TAIL)
  return Array.from(
    part.text.slice(near).matchAll(words),
    (match) => fromOn(part, near + match.index + match[0].length)
  ).toReversed()
}

/**
 * The texts that are left when the announcement is cut off, the latest cut first; the whole between sure and unsure cuts. "Who" in "the
 * donors who gave most are Smith" belongs to the announcement, "who" in "we need Smith, who has a car" does not.
 */
const withoutAnnouncement = (part: Part): ReadonlyArray<Part> => {
  const bare = withoutRemark(part)
  const [sure, unsure] = ANNOUNCING
  const first = cuts(bare, sure!)
  const later = first.length > 0 || bare.text === part.text ? [] : cuts(part, sure!).map(withoutRemark)
  return [...first, ...later, bare, ...cuts(bare, unsure!)]
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

/** One coordinated series: at least two members, the last of them joined by "and", "or" or "plus". */
const seriesFrom = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> | undefined => {
  const last = parts.at(-1)!
  const joined = JOINED.exec(last.text)
  if (joined === null) return undefined
  const [start, end] = [joined.indices![1], joined.indices![2]!]
  const [first, ...rest] = [
    ...parts.slice(0, -1),
    ...(start === undefined ? [] : [{ at: last.at, text: joined[1]! }]),
    { at: last.at + end[0], text: joined[2]! }
  ].filter(({ text }) => text !== "")
  const others = rest.map(withoutRemark).filter(({ text }) => text !== "").map(member)
  for (const opening of withoutAnnouncement(first!)) {
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

/** Members of the series that a sentence gives, as they stand there; empty where it gives none. */
export const seriesIn = ({ from, passage, text }: Sentence): ReadonlyArray<Mention> => {
  const body = text.replace(/[.!?…]+$/u, "")
  for (const piece of pieces({ at: 0, text: body }, /;\s+|\s[–—]\s|:\s+/gu)) {
    const parts = pieces(piece, /,\s+/gu)
    // The series ends with the part that holds its "and"; what follows is a remark.
    const ends = parts.flatMap((part, at) => /(?:^|\s)(?:and|or|plus|as well as)\s/iu.test(part.text) ? [at + 1] : [])
    for (const end of ends.toReversed()) {
      for (let start = Math.max(0, end - MOST_PARTS); start < end; start++) {
        const found = seriesFrom(parts.slice(start, end))?.map((one) => mentionAt(passage, from + one.at, one.text))
        if (found?.every((each) => each !== undefined) === true) return found
      }
    }
  }
  return []
}

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
