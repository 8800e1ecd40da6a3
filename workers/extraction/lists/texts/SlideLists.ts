import { callsAnother } from "../../candidates/Disowned.ts"
import { type Material, type Mention, mentionText } from "../../candidates/Mention.ts"
import { NEGATION } from "../../lexicon/Polarity.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import { speaksOfSubject, type Subject, subjectStem } from "./ListSubject.ts"

const BULLET = /^\s*(?:[•·▪◦‣*–—>+✓✔✗✘-]|\d{1,2}[.)])\s+/u

export const lineFound = (passage: Passage): Mention | undefined =>
  mentionText(wholeOf(passage), passage.text.replace(BULLET, ""))

const present = (found: ReadonlyArray<Mention | undefined>): ReadonlyArray<Mention> =>
  found.filter((one) => one !== undefined)

/** How a heading speaks of a list. */
export interface Heading {
  /** Words besides the list's own: "warning" in "Warning signs". */
  readonly foreign: ReadonlyArray<string>
}

/** Stems by which a heading says of which things it is; where it goes on with a preposition, of whose. */
const contentOf = (text: string): ReadonlyArray<string> =>
  tokenise(text).filter(({ norm }) => !STOP_WORDS.has(norm) && !/^\d+$/u.test(norm)).map(({ norm }) =>
    subjectStem(norm)
  )

/** "Not included" is no heading of what is included, nor "Included" of what is not. */
const isOpposite = (heading: string, { name, words }: Subject): boolean =>
  NEGATION.test(heading) ? !NEGATION.test(words) : NEGATION.test(name)

/**
 * How a heading speaks of a list where it says little but what that is about: "What you need" for tools that one needs, "Go to
 * hospital". Undefined for any other, for its opposite, and where it has another word in place of one of the list's name: "Home team"
 * is none of `away_team`, "Warning signs" are `signs`.
 */
export const headingOf = (text: string, subject: Subject): Heading | undefined => {
  const words = contentOf(text)
  const foreign = words.filter((word) => !subject.named.has(word) && !subject.described.has(word))
  const known = words.length - foreign.length
  if (words.length === 0 || words.length > 5 || known < words.length / 2) return undefined
  if (speaksOfSubject(subject, text) < (foreign.length === 0 ? 0.6 : 1)) return undefined
  if (isOpposite(text, subject) || callsAnother(text, subject)) return undefined
  return foreign.length > 0 && Array.from(subject.named).some((word) => !words.includes(word)) ? undefined : { foreign }
}

/**
 * The lines of slides that are headed by the list's own words. Where several headings tell their lists apart by words of their own, only
 * those of a heading without such words: of "Morning sessions" and "Evening sessions" neither is all the sessions.
 */
export const headedLines = ({ reading }: Material, subject: Subject): ReadonlyArray<Mention> => {
  const headed = reading.document.slides.flatMap((slide) => {
    const heading = slide.heading === null ? undefined : headingOf(slide.heading.text, subject)
    return heading === undefined ? [] : [{ lines: slide.lines, key: heading.foreign.join(" ") }]
  })
  const apart = new Set(headed.map(({ key }) => key)).size > 1
  return present(
    headed.filter(({ key }) => !apart || key === "").flatMap(({ lines }) =>
      lines.filter(({ text }) => /\p{L}{2}/u.test(text)).map(lineFound)
    )
  )
}

/** Lines that a sign marks as good or bad, of slides that use both signs. */
export const signedLines = ({ reading }: Material, good: boolean): ReadonlyArray<Mention> => {
  const [plus, minus] = [/^\s*[+✓✔]\s*\p{L}/u, /^\s*[–—−✗✘-]\s*\p{L}/u]
  const byFrame = Map.groupBy(
    reading.passages.filter(({ channel }) => channel === "ocr"),
    ({ source_ref }) => source_ref
  )
  return Array.from(byFrame.values()).flatMap((lines) => {
    const pros = lines.filter(({ text }) => plus.test(text))
    const cons = lines.filter(({ text }) => minus.test(text))
    return pros.length === 0 || cons.length === 0 ? [] : present((good ? pros : cons).map(lineFound))
  })
}

/** How long before or after its announcement a list is shown, in seconds. */
const NEARBY = 20

/**
 * Slides without a heading of the list, shown while speech announces it and says each of their lines: "two conditions: a
 * traffic study, and no construction after six" beside a slide that lists these two.
 */
export const echoedLines = ({ reading }: Material, subject: Subject): ReadonlyArray<Mention> => {
  const spoken = reading.passages.filter(({ modality }) => modality === "audio")
  const byFrame = Map.groupBy(
    reading.passages.filter(({ channel }) => channel === "ocr"),
    ({ source_ref }) => source_ref
  )
  const cues = spoken.filter(({ text }) => speaksOfSubject(subject, text) >= 1)
  if (cues.length === 0) return []
  for (const lines of byFrame.values()) {
    const cue = cues.find(({ t_end, t_start }) =>
      lines[0]!.t_start < t_end + NEARBY && lines[0]!.t_start > t_start - NEARBY
    )
    if (lines.length < 2 || cue === undefined) continue
    const around = new Set(
      [-1, 0, 1].flatMap((step) => reading.passages[cue.index + step]?.tokens ?? []).map(({ norm }) => stem(norm))
    )
    const isEchoed = ({ text, tokens }: Passage): boolean => {
      const content = tokens.filter(({ norm }) => !STOP_WORDS.has(norm) && /^\p{L}{3}/u.test(norm))
      return /^\P{N}*\p{L}{3}/u.test(text) && !/:\s*$/u.test(text) && content.length > 0 &&
        content.filter(({ norm }) => around.has(stem(norm))).length > content.length / 2
    }
    // The first line may be the heading.
    const rest = isEchoed(lines[0]!) ? lines : lines.slice(1)
    if (rest.length >= 2 && rest.every(isEchoed)) return present(rest.map(lineFound))
  }
  return []
}
