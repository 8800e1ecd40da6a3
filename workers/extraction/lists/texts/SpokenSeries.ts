import { type Mention, mentionText } from "../../candidates/Mention.ts"
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
  /\s+(?:once|if|when|because|before|after|so|which|who|while|unless|until|since|where|though|although|than|as well|too)\b.*$/iu
const LEADING =
  /^(?:(?:and|or|plus|with|also|then|maybe|to|some|any|your|our|my|its|their|a (?:pair|couple|bit|touch|pinch|few|handful|bunch|set|piece|splash) of|a (?:little|few|couple)|a|an|the|both|either|just|of course)\s+)+/iu
/** A clause has its own subject, a member of a series has none. */
const CLAUSE =
  /^(?:i|we|you|he|she|they|it|there|that|this|these|those|what|who|how|let|here|don['’]?t|not|but|so|if|well|okay|yes|no|um|uh|like|right|anyway|really|honestly|actually|please|thanks?|hello|hi)\b|\b(?:is|are|was|were|will|would|can|could|do|does|did|have|has|had)\b|['’](?:s|re|ll|ve|d|m)\s|n['’]t\b/iu
const LONGEST_MEMBER = 7

const member = (text: string): string => text.trim().replace(LEADING, "").trim()

const isMember = (text: string): boolean => {
  const words = tokenise(text).length
  return words > 0 && words <= LONGEST_MEMBER && /\p{L}{2}/u.test(text) && !CLAUSE.test(text)
}

/** The texts that are left when the announcement is cut off, the latest cut first; the whole between sure and unsure cuts. */
const withoutAnnouncement = (part: string): ReadonlyArray<string> => {
  const [sure, unsure] = ANNOUNCING.map((words) =>
    Array.from(part.matchAll(words), (match) => part.slice(match.index + match[0].length)).toReversed()
  )
  return [...sure!, part, ...unsure!]
}

/** One coordinated series: at least two members, the last of them joined by "and", "or" or "plus". */
const seriesFrom = (parts: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const joined = /^(?:(.*?)\s+)?(?:and|or|plus|as well as)\s+(.+)$/iu.exec(parts.at(-1)!)
  if (joined === null) return undefined
  const rest = [...parts.slice(0, -1), joined[1] ?? "", joined[2]!].map((part) => part.replace(REMARK, "")).filter(
    Boolean
  )
  for (const first of withoutAnnouncement(rest[0]!)) {
    const members = [first, ...rest.slice(1)].map(member)
    if (members.length >= 2 && members.every(isMember)) return members
  }
  return undefined
}

/** Members of the series that a sentence gives, as they stand there; empty where it gives none. */
export const seriesIn = (sentence: Sentence): ReadonlyArray<Mention> => {
  const body = sentence.text.replace(/[.!?…]+$/u, "")
  for (const piece of body.split(/;\s+|\s[–—]\s|:\s+/u)) {
    const parts = piece.split(/,\s+/u)
    // The series ends with the part that holds its "and"; what follows is a remark.
    const ends = parts.flatMap((part, at) => /(?:^|\s)(?:and|or|plus|as well as)\s/iu.test(part) ? [at + 1] : [])
    for (const end of ends.toReversed()) {
      for (let start = 0; start < end; start++) {
        const found = seriesFrom(parts.slice(start, end))?.map((text) => mentionText(sentence, text))
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
