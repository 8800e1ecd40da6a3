import type { Candidate } from "../text/Candidate.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { STOP_WORDS } from "../text/Tokens.ts"

/** Capitalised words that open sentences and answers far more often than they name anything. */
export const NAME_STOP_WORDS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...("yes yeah yep no nope ok okay oh well um uh hey hi hello thanks thank please like now actually basically let right good great sure sorry alright " +
    "perfect sounds awesome excellent fine cool nice maybe would could may i'm i'd i'll i've it's that's there's you're we're let's what's how's here's " +
    "don't first next last mr mrs ms am pm monday tuesday wednesday thursday friday saturday sunday january february march april june july august " +
    "september october november december today tomorrow confirm confirming enjoy glad found looks find search book make want need can looking going any " +
    "anything which do does did give get tell show check see is are was were will another one two three four five six seven eight nine ten what's")
    .split(" ")
])

const JOINERS = /^(?:of|the|de|la|le|van|von|du|del|&|'n'|y|no|without)$/u
const ABBREVIATIONS = /^(?:St|Mr|Dr|Mrs|Ms|Jr|Sr|Mt|Ave|Inc|Co|Prof)$/u
const OPENERS = /^(?:The|A|An|No|My|This|All|One|Two|Good|What|We|It|In|On|How|You|Next|Last|First)$/u
const COUNTED = /^(?:people|person|ticket|seat|night|day|hour|minute|am|pm)/u

/**
 * Candidates for named entities: runs of capitalised words. `lower` counts how often each word occurs uncapitalised in the document, which unmasks ordinary words at the start of a sentence.
 */
export const scanNames = (passage: Passage, lower: ReadonlyMap<string, number>): ReadonlyArray<Candidate> => {
  const { text, tokens } = passage
  const capital = (at: number): boolean => tokens[at] !== undefined && /^\p{Lu}/u.test(tokens[at].text)
  const gap = (at: number): string => text.slice(tokens[at - 1]!.to, tokens[at]!.from)
  const starts = (at: number): boolean =>
    at === 0 || /[.?!:"“]\s*$/u.test(text.slice(Math.max(0, tokens[at]!.from - 3), tokens[at]!.from))

  const opens = (at: number): boolean => {
    const token = tokens[at]!
    if (!capital(at)) return false
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
    const tail = /^-\p{Ll}+/u.exec(text.slice(tokens[end - 1]!.to))?.[0] ?? ""
    const name = `${text.slice(from, tokens[end - 1]!.to)}${tail}`.replace(/['’]s$/u, "")
    out.push({ kind: "name", passage, from, to: from + name.length, text: name, value: name })
    at = end
  }
  return out
}
