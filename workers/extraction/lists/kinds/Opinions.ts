import { entry, type EntryFinder, type EntryMentions, mentionAt, secondOf } from "../../candidates/Mention.ts"
import { asks, type Sentence } from "../../text/Sentences.ts"
import { tokenise } from "../../text/Tokens.ts"

const THINGS = String.raw`(?:things?|stuff|bits?|parts?|points?|news|side)`
const SPEAKER = String.raw`(?:i|we|they|he|she|you)`

/** Words by which people begin to say what is good about something. */
const PRAISE = new RegExp(
  [
    String
      .raw`\b(?:what|things? (?:that )?)\s?${SPEAKER} (?:\p{L}+ )?(?:like[ds]?|love[ds]?|enjoy(?:ed|s)?)\b(?! (?:to|less)\b)`,
    String.raw`\b(?:good|nice|great) ${THINGS}\b`,
    String.raw`\bon the (?:plus|positive|up) ?side\b`,
    String.raw`\b(?:the )?(?:pros|pluses|upsides|strengths|advantages)\b`,
    String.raw`\bwhat (?:went|worked|goes|works) (?:\p{L}+ )?well\b`
  ].join("|"),
  "iu"
)
/** Words by which people begin to say what is bad about something. */
const BLAME = new RegExp(
  [
    String
      .raw`\b(?:what|things? (?:that )?)\s?${SPEAKER} (?:(?:do|does|did)(?:n['’]t| not) (?:\p{L}+ )?like|hate[ds]?|dislike[ds]?|disliked)\b`,
    String.raw`\b(?:bad|annoying|not so good|less good) ${THINGS}\b`,
    String.raw`\bon the (?:minus|negative|down) ?side\b`,
    String.raw`\b(?:the )?(?:cons|minuses|downsides|drawbacks|weaknesses)\b`,
    String
      .raw`\bwhat (?:(?:did|does)(?:n['’]t| not) (?:go|work)(?: \p{L}+){0,2} ?(?:well)?|went (?:badly|wrong|less well)|goes wrong)\b`
  ].join("|"),
  "iu"
)
/** What stands between such words and what they announce: "for me", "is that". */
const LINK =
  /^(?:\s+(?:about|with|for|in|on|of)\s(?:\p{L}+\s?){1,3})?(?:\s*[:,–—-]\s*|\s+(?:is|are|was|were)\s+(?:that\s+)?(?:probably\s+|definitely\s+)?)/iu
/** A sentence that only makes time: "let me think". */
const PAUSE = /^\W*(?:(?:let me (?:think|see)|let['’]s see|hm+|well|okay|so|right|um+|now|here)\b\W*)*$/iu
/** Behind these nothing more of it comes: the other side begins, or something else. */
const TURN = /^(?:but|though|although|however|so|anyway|apart from that|that['’]s|otherwise)\b/iu
/** What is said beside an opinion, and none itself. */
const ASIDE =
  /^(?:(?:i (?:think|guess|mean|suppose|must say)|you know|honestly|really|actually|well|to be (?:fair|honest)|um+|uh+|like|as you can see|can you see.*|i (?:really |just )?(?:like|love|hate)d? (?:that|it|this))\b\W*)+$/iu
const REMARK = /,\s+(?:like|you know|honestly|really|actually|i (?:think|guess|mean))\b.*$/iu
const OPENING = /^(?:(?:and|then|also|plus|firstly?|secondly?|that)\s+)+/iu
const VERB = /\b(?:is|are|was|were|has|have|had|can|does|did|do|went|\p{L}+(?:n['’]t|['’](?:s|re)))\b/iu
const [SHORTEST, LONGEST] = [1, 16]

/** The clauses of some words of a sentence, from an offset in it, up to where it turns to something else. */
const clausesIn = (sentence: Sentence, offset: number): ReadonlyArray<EntryMentions> => {
  const out: Array<EntryMentions> = []
  const { from, passage, text } = sentence
  let at = offset
  for (const piece of text.slice(offset).split(/(?<=,)\s+|(?<=;)\s+/u)) {
    const start = text.indexOf(piece, at)
    at = start + piece.length
    const opening = OPENING.exec(piece)?.[0] ?? ""
    const clause = piece.slice(opening.length).replace(REMARK, "").replace(/[,;.!]+$/u, "")
    if (TURN.test(clause)) break
    const words = tokenise(clause).length
    // "The slow camera and the slippery back" are things that are strung together.
    if (/\s(?:and|or)\s/iu.test(clause) && !VERB.test(clause)) return []
    if (ASIDE.test(clause) || words < SHORTEST || words > LONGEST) continue
    // "Turns are quick, once you know them": a piece without "and" goes on about the one before, unless it is as whole.
    if (out.length > 0 && opening === "") continue
    const found = mentionAt(passage, from + start + opening.length, clause)
    const one = found === undefined ? undefined : entry({ text: found, said_at: secondOf(found.span) })
    if (one !== undefined) out.push(one)
  }
  return out
}

/** How many sentences behind the announced one go on with "and". */
const GOES_ON = 2

/**
 * What a speaker finds good, or bad, where he says that this comes now: "What I like: the artwork is gorgeous, and turns are quick". Each clause is one;
 * a sentence that goes on with "and" adds another. Nothing where no words announce it: what is merely said may be good or bad of anything.
 */
const opinions = (announces: RegExp, other: RegExp): EntryFinder => ({ sentences }) => {
  const said = sentences.filter(({ passage }) => passage.modality === "audio")
  return said.flatMap((sentence, at): ReadonlyArray<EntryMentions> => {
    if (asks(sentence.text)) return []
    const match = announces.exec(sentence.text)
    const against = other.exec(sentence.text)
    // "What I don't like": the longer words of the other side hold these.
    if (match === null || (against !== null && against.index <= match.index)) return []
    const behind = match.index + match[0].length
    const rest = sentence.text.slice(behind)
    const link = LINK.exec(rest)
    const next = said[at + 1]
    const here = link === null ? [] : clausesIn(sentence, behind + link[0].length)
    const isPause = PAUSE.test(rest.replace(/^\W+/u, "")) ||
      (here.length === 1 && PAUSE.test(rest.slice(link?.[0].length ?? 0)))
    if (isPause) {
      return next === undefined || next.passage.speaker !== sentence.passage.speaker || asks(next.text)
        ? []
        : clausesIn(next, 0)
    }
    if (here.length === 0) return []
    const more = said.slice(at + 1, at + 1 + GOES_ON)
    const end = more.findIndex(({ passage, text }) =>
      !/^and\s/iu.test(text) || passage.speaker !== sentence.passage.speaker || asks(text) || announces.test(text) ||
      other.test(text)
    )
    return here.concat(more.slice(0, end < 0 ? more.length : end).flatMap((one) => clausesIn(one, 0).slice(0, 1)))
  })
}

export const praised: EntryFinder = opinions(PRAISE, BLAME)
export const criticised: EntryFinder = opinions(BLAME, PRAISE)
