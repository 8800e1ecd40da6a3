import { type Material, type Mention, mentionText } from "../../candidates/Mention.ts"
import type { Passage, Slide } from "../../text/SourceDocument.ts"
import { stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import { speaksOfSubject, type Subject, subjectStem } from "./ListSubject.ts"

const BULLET = /^\s*(?:[•·▪◦‣*–—>+✓✔✗✘-]|\d{1,2}[.)])\s+/u

export const lineFound = (passage: Passage): Mention | undefined =>
  mentionText(wholeOf(passage), passage.text.replace(BULLET, ""))

const present = (found: ReadonlyArray<Mention | undefined>): ReadonlyArray<Mention> =>
  found.filter((one) => one !== undefined)

/** Whether a heading says nothing but what the list is about: "What you need" for tools that one needs, "Go to hospital". */
const heads = ({ heading }: Slide, subject: Subject): boolean => {
  if (heading === null) return false
  const words = tokenise(heading.text).filter(({ norm }) => !STOP_WORDS.has(norm) && !/^\d+$/u.test(norm))
  const known = words.filter(({ norm }) =>
    subject.named.has(subjectStem(norm)) || subject.described.has(subjectStem(norm))
  )
  return words.length > 0 && words.length <= 5 && known.length >= words.length / 2 &&
    speaksOfSubject(subject, heading.text) >= (known.length === words.length ? 0.6 : 1)
}

/** The lines of slides that are headed by the list's own words. */
export const headedLines = ({ reading }: Material, subject: Subject): ReadonlyArray<Mention> =>
  present(
    reading.document.slides.filter((slide) => heads(slide, subject)).flatMap(({ lines }) =>
      lines.filter(({ text }) => /\p{L}{2}/u.test(text)).map(lineFound)
    )
  )

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
