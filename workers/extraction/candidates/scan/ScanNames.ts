import { nameBeforeDocument } from "../../lexicon/Documents.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { STOP_WORDS } from "../../text/Tokens.ts"

/** Capitalised words that open sentences and answers far more often than they name anything. */
export const NAME_STOP_WORDS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...("yes yeah yep no nope ok okay oh well um uh hey hi hello thanks thank please like now actually basically let right good great sure sorry alright " +
    "perfect sounds awesome excellent fine cool nice maybe would could may i'm i'd i'll i've it's that's there's you're we're let's what's how's here's " +
    "don't first next last mr mrs ms am pm monday tuesday wednesday thursday friday saturday sunday january february march april june july august " +
    "september october november december today tomorrow confirm confirming enjoy glad found looks find search book make want need can looking going any " +
    "anything which do does did give get tell show check see is are was were will another one two three four five six seven eight nine ten what's " +
    "since whenever once while although though because unless until after before")
    .split(" ")
])

const JOINERS = /^(?:of|the|de|la|le|van|von|du|del|&|'n'|y|no|without)$/u
const ABBREVIATIONS = /^(?:St|Mr|Dr|Mrs|Ms|Jr|Sr|Mt|Ave|Inc|Co|Prof)$/u
const OPENERS = /^(?:The|A|An|No|My|This|All|One|Two|Good|What|We|It|In|On|How|You|Next|Last|First)$/u
const COUNTED = /^(?:people|person|ticket|seat|night|day|hour|minute|am|pm)/u

const SPOKEN_TO = /^(?:Sir|Madam|Ma['’]am|Welcome)$/u

/** No code and no second half of a word goes on longer. */
const LONGEST_TAIL = 40
/** "B12", "MG3650", "A321neo": tokens part letters from figures, and a written word does not end there. */
const FIGURES = /^\d[\p{L}\d]{0,15}(?:-\d[\p{L}\d]{0,15})?(?![\p{L}\d]|[.,:]\d)/u
/** "F-16", "MH-370". */
const MARK = /^\p{Lu}{1,4}$/u
const FIGURES_OF_MARK = /^-?\d[\p{L}\d]{0,15}(?:-\d[\p{L}\d]{0,15})?(?![\p{L}\d]|[.,:]\d)/u

/**
 * Candidates for named entities: runs of capitalised words. `lower` counts how often each word occurs uncapitalised in the document, which unmasks ordinary words at the start of a sentence.
 */
export const scanNames = (passage: Passage, lower: ReadonlyMap<string, number>): ReadonlyArray<Candidate> => {
  const { text, tokens } = passage
  // "TIDEWISE  Seed round": two parts of a title card. Rows of tables have more, and are for who reads tables.
  const titled = passage.modality === "visual" && text.trim().split(/\s{2,}/u).length === 2
  const capital = (at: number): boolean => tokens[at] !== undefined && /^\p{Lu}/u.test(tokens[at].text)
  const gap = (at: number): string => text.slice(tokens[at - 1]!.to, tokens[at]!.from)
  const starts = (at: number): boolean =>
    at === 0 || /[.?!:"“]\s*$/u.test(text.slice(Math.max(0, tokens[at]!.from - 3), tokens[at]!.from))

  const opens = (at: number): boolean => {
    const token = tokens[at]!
    // "C" of "seat 14C" is no name.
    if (!capital(at) || /\d/u.test(text[token.from - 1] ?? "")) return false
    const adjacent = capital(at + 1) && tokens[at + 1]!.from - token.to <= 1
    const plain = !NAME_STOP_WORDS.has(token.norm.replace(/'.*$/u, "")) && !NAME_STOP_WORDS.has(token.norm)
    if (!plain && (starts(at) || !adjacent || !OPENERS.test(token.text))) return false
    const ordinary = starts(at) && (lower.get(token.norm) ?? 0) > 0
    return !ordinary || (capital(at + 1) && !NAME_STOP_WORDS.has(tokens[at + 1]!.norm))
  }
  const extend = (from: number): number => {
    let end = from + 1
    while (end < tokens.length) {
      const between = gap(end)
      const previous = tokens[end - 1]!.text
      if (!/^[\s&'’.-]*$/u.test(between)) break
      if (titled && /\s{2}/u.test(between)) break
      if (/[.?!]\s+$/u.test(between) && previous.length > 2 && !ABBREVIATIONS.test(previous)) break
      const token = tokens[end]!
      if (capital(end) && token.text !== "I") end++
      else if (
        /^\d+(?:st|nd|rd|th)?$/u.test(token.text) && between === " " && !COUNTED.test(tokens[end + 1]?.norm ?? "")
      ) return end + 1
      else if (JOINERS.test(token.norm) && capital(end + 1) && tokens[end + 1]!.text !== "I") end += 2
      else break
    }
    return end
  }

  const out: Array<Candidate> = []
  for (let at = 0; at < tokens.length;) {
    if (!opens(at)) {
      at++
      continue
    }
    const end = extend(at)
    const from = tokens[at]!.from
    const last = tokens[end - 1]!
    const behind = text.slice(last.to, last.to + LONGEST_TAIL)
    const figures = (MARK.test(last.text) ? FIGURES_OF_MARK : FIGURES).exec(behind)?.[0]
    const tail = figures ?? /^-\p{Ll}+/u.exec(behind)?.[0] ?? ""
    const name = `${text.slice(from, last.to)}${tail}`.replace(/['’]s$/u, "")
    // "Sir", "Welcome": whoever is spoken to so is not called so.
    if (!SPOKEN_TO.test(name)) {
      out.push({ kind: "name", passage, from, to: from + name.length, text: name, value: name })
    }
    const owner = passage.modality === "visual" ? nameBeforeDocument(name) : undefined
    if (owner !== undefined) {
      out.push({ kind: "name", passage, from, to: from + owner.length, text: owner, value: owner })
    }
    at = end
    while (at < tokens.length && tokens[at]!.from < from + name.length) at++
  }
  return out
}
