import { type Material, type Mention, mentionText } from "../../candidates/Mention.ts"
import { asks } from "../../text/Sentences.ts"
import { momentOf, type Passage, quoteOf } from "../../text/SourceDocument.ts"
import { stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import { labelOf, type Section, sectionsOf } from "../kinds/SlideSections.ts"
import { cellsOf } from "./Cells.ts"
import { type Heading, headingOf, isBareHeading } from "./ListHeadings.ts"
import { speaksOfSubject, type Subject, subjectStem } from "./ListSubject.ts"

const BULLET = /^\s*(?:[•·▪◦‣*–—>+✓✔✗✘-]|\d{1,2}[.)])\s+/u

/** A line as it stands on the screen, its bullet aside: the bars between the cells of a row are none of its words. */
export const lineFound = (passage: Passage): Mention | undefined => {
  const found = mentionText(wholeOf(passage), passage.text.replace(BULLET, ""))
  return found === undefined ? undefined : { ...found, value: quoteOf(found.span) }
}

const present = (found: ReadonlyArray<Mention | undefined>): ReadonlyArray<Mention> =>
  found.filter((one) => one !== undefined)

/** The cell of a line as a value. */
const cellFound = (passage: Passage, at: number): Mention | undefined => {
  const { from, text } = cellsOf(passage.text)[at]!
  return /\p{L}{2}/u.test(text)
    ? mentionText({ passage, from, to: passage.text.length }, text.replace(BULLET, ""))
    : undefined
}

/** What a line lists: "Legal expenses   included" its first cell, and a sum nothing. */
const listedIn = (line: Passage): Mention | undefined => {
  if (/^\s*(?:sub-?|grand )?total\b/iu.test(line.text)) return undefined
  return /\S\s{2,}\S/u.test(line.text) ? cellFound(line, 0) : lineFound(line)
}

interface Headed {
  readonly heading: Heading
  readonly members: ReadonlyArray<Mention>
}

/** What a heading itself goes on with, where the line below it was joined to it; of several things nothing tells where one ends. */
const joinedTo = (heading: Passage): Mention | undefined => {
  const label = labelOf(heading.text)
  const rest = heading.text.slice(heading.text.indexOf(label) + label.length).replace(/^:\s*/u, "")
  return /\p{L}{2}/u.test(rest) && !rest.includes(",")
    ? mentionText(wholeOf(heading), rest.replace(BULLET, ""))
    : undefined
}

/** The columns whose whole name is the list's: "Risk" over some is no `closed_risks`. */
const columnsBy = ({ heading, lines }: Section, subject: Subject): ReadonlyArray<Headed> => {
  const cells = cellsOf(heading!.text)
  const rows = lines.filter((line) => cellsOf(line.text).length === cells.length)
  return cells.flatMap(({ text }, at) => {
    const own = /\d/u.test(heading!.text) ? undefined : headingOf(text, subject)
    const stems = new Set(tokenise(text).map(({ norm }) => subjectStem(norm)))
    return own === undefined || Array.from(subject.named).some((word) => !stems.has(word))
      ? []
      : [{ heading: own, members: present(rows.map((line) => cellFound(line, at))) }]
  })
}

/** What stands under a heading of the list: the lines of its section, or where headings stand in a row its own column of them. */
const headedBy = (section: Section, subject: Subject): ReadonlyArray<Headed> => {
  const { heading, lines } = section
  if (heading === null) return []
  if (cellsOf(heading.text).length > 1) return columnsBy(section, subject)
  const own = headingOf(labelOf(heading.text), subject)
  if (own === undefined) return []
  const members = [joinedTo(heading), ...lines.filter(({ text }) => /\p{L}{2}/u.test(text)).map(listedIn)]
  return [{ heading: own, members: present(members) }]
}

/**
 * What stands under a heading in the list's own words, up to the next heading of its slide. Where several headings tell their lists apart by
 * words of their own, only what stands under one without such words: of "Morning sessions" and "Evening sessions" neither is all the sessions.
 */
export const headedLines = ({ reading }: Material, subject: Subject): ReadonlyArray<Mention> => {
  const headed = reading.document.slides.flatMap((slide) =>
    sectionsOf(slide, (text) => isBareHeading(text, subject)).flatMap((section) => headedBy(section, subject))
  )
  const keys = new Set(headed.map(({ heading }) => heading.foreign.join(" ")))
  return headed.filter(({ heading }) => keys.size === 1 || heading.foreign.length === 0).flatMap(({ members }) =>
    members
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

const namesAny = (heading: string, lists: ReadonlyArray<Subject>): boolean =>
  cellsOf(labelOf(heading)).some(({ text }) => lists.some((list) => headingOf(text, list) !== undefined))

/** The lines of slides that a heading gives to one of these lists. */
const claimedBy = ({ reading: { document } }: Material, rivals: ReadonlyArray<Subject>): ReadonlySet<Passage> =>
  new Set(document.slides.flatMap((slide) => {
    const sections = sectionsOf(slide, (text) => rivals.some((rival) => isBareHeading(text, rival)))
    return sections.flatMap(({ heading, lines }) =>
      heading !== null && namesAny(heading.text, rivals) ? [heading].concat(lines) : []
    )
  }))

/**
 * Slides without a heading of the list or of another one, shown while one sentence speaks of the list and says each of their lines: "two
 * conditions: a traffic study, and no construction after six" beside a slide that lists these two. Sentences around it may say anything.
 */
export const echoedLines = (
  material: Material,
  subject: Subject,
  rivals: ReadonlyArray<Subject>
): ReadonlyArray<Mention> => {
  const cues = material.sentences.filter(({ passage, text }) =>
    passage.modality === "audio" && speaksOfSubject(subject, text) >= 1 && !asks(text)
  ).map((sentence) => ({
    moment: momentOf(sentence),
    said: new Set(tokenise(sentence.text).map(({ norm }) => stem(norm)))
  }))
  if (cues.length === 0) return []
  const claimed = claimedBy(material, rivals)
  const byFrame = Map.groupBy(
    material.reading.passages.filter(({ channel }) => channel === "ocr"),
    ({ source_ref }) => source_ref
  )
  for (const [first, ...more] of byFrame.values()) {
    const isHeading = /:\s*$/u.test(first!.text) ||
      (!/\d/u.test(first!.text) && headingOf(first!.text, subject) !== undefined)
    for (const { moment: { t_end, t_start }, said } of cues) {
      if (first!.t_start >= t_end + NEARBY || first!.t_start <= t_start - NEARBY) continue
      const isEchoed = ({ text, tokens }: Passage): boolean => {
        const content = tokens.filter(({ norm }) => !STOP_WORDS.has(norm) && /^\p{L}{3}/u.test(norm))
        return /^\P{N}*\p{L}{3}/u.test(text) && !/:\s*$/u.test(text) && content.length > 0 &&
          content.filter(({ norm }) => said.has(stem(norm))).length > content.length / 2
      }
      const lines = isHeading || !isEchoed(first!) ? more : [first!, ...more]
      if (lines.length >= 2 && lines.every((line) => isEchoed(line) && !claimed.has(line))) {
        return present(lines.map(lineFound))
      }
    }
  }
  return []
}
