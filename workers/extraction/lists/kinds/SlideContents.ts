import { roundSeconds } from "../../../../src/artifacts/Moment.ts"
import { entry, type EntryFinder, type EntryMentions, type Mention, mentionText } from "../../candidates/Mention.ts"
import { canonicalText } from "../../grounding/Align.ts"
import type { Passage, Slide, Span } from "../../text/SourceDocument.ts"
import { likeness, normaliseValue, tokenise } from "../../text/Tokens.ts"
import { numberedLines } from "./NumberedLines.ts"
import { type Section, sectionsOf } from "./SlideSections.ts"
import {
  spokenDefinitions,
  spokenExamples,
  spokenReferences,
  spokenTopics,
  withoutRepeats
} from "./SpokenStatements.ts"

export const wholeOf = (passage: Passage): Span => ({ passage, from: 0, to: passage.text.length })

const BULLET = /^\s*(?:[•·▪◦‣*–—>»-]|\d{1,2}[.)])\s+/u
const bare = (passage: Passage): string => passage.text.replace(BULLET, "")
/** A line as it stands, its bullet aside. */
const lineText = (passage: Passage): Mention | undefined => {
  const value = bare(passage).trim()
  const from = passage.text.indexOf(value)
  return value === "" ? undefined : { value, span: { passage, from, to: from + value.length } }
}

const present = <T>(values: ReadonlyArray<T | undefined>): ReadonlyArray<T> =>
  values.filter((value) => value !== undefined)

/** Headings that organise a talk and name nothing of its subject. */
const FRAMING =
  /^(?:(?:our|the|my|some|your)\s+)?(?:prices?|pricing|plans?|summary|recap|conclusions?|agenda|outline|contents?|overview|contact|thanks?|thank you|start|get started|questions?|q ?& ?a|introduction|team|about|demo|links?|references?|further reading|next steps?|the end|welcome|try it|sign up|download|(?:what )?you(?:['’]ll| will)? need|ingredients|show notes|read (?:on|more))\b/iu

/** Words without which nobody shows a product. */
const PRODUCT_TALK =
  /\b(?:features?|products?|apps?|software|devices?|tools?|versions?|releases?|launch(?:es|ed|ing)?|demos?|plans? costs?|subscriptions?|(?:lets|allows|helps) you|you can now)\b/iu

/** The parts of slides that such a heading stands over. */
const headed = (slides: ReadonlyArray<Slide>, heading: RegExp): ReadonlyArray<Section> =>
  slides.flatMap((slide) => sectionsOf(slide, () => false)).filter((section) =>
    section.heading !== null && heading.test(section.heading.text)
  )

/** Number printed on a slide alone on its line: `3`, `3/12`, `Slide 3`. */
const printedNumber = (slide: Slide): Mention | undefined => {
  for (const line of slide.lines) {
    const match = /^(?:slide |page )?(\d{1,3})(?:\s*(?:\/|of)\s*\d{1,3})?$/iu.exec(line.text.trim())
    if (match !== null && line.line !== null && (line.line.top > 0.8 || line.line.top < 0.1)) {
      return { value: Number(match[1]), span: wholeOf(line) }
    }
  }
  return undefined
}

/** One entry per slide with a heading, where it first appears: title, number, first second. */
export const outline: EntryFinder = ({ reading }) => {
  const seen = new Set<string>()
  const slides = reading.document.slides.filter(({ heading }) => {
    const key = heading === null ? "" : normaliseValue(heading.text)
    return key !== "" && !seen.has(key) && seen.add(key)
  })
  return slides.map((slide, at): EntryMentions => {
    const span = wholeOf(slide.heading!)
    return {
      text: { value: slide.heading!.text, span },
      number: printedNumber(slide) ?? { value: at + 1, span, derived: "order" },
      t_start: { value: roundSeconds(slide.t_start), span, derived: "t_start" },
      t_end: { value: roundSeconds(slide.t_end), span: wholeOf(slide.last), derived: "t_end" }
    }
  })
}

const TERM_LINE = /^(\p{L}[\p{L}\p{N} ()'’/-]{1,40}?)\s*(?::\s*|\s[–—=-]\s+)(\p{L}.*)$/u
/** Labels of facts about the talk; what follows them defines nothing. */
const FACT_LABEL =
  /^(?:lecturer|speaker|presenter|instructor|teacher|host|author|guest|course|module|series|unit|lesson|lecture|topic|subject|title|date|time|day|when|where|place|room|venue|book|read|reading|source|see|url|web|website|e-?mail|mail|contact|phone|tel|price|cost|plan|example|note|tip|warning|chapter|part|section|step|question|answer|agenda|homework|assignment|due|next|version|by|with|from|to|owner|status|action|decision|company|product|formula)s?$/iu

/** `Term: what it means` on screen, then what speech defines and the screen does not, in order of time. */
export const definitions: EntryFinder = (material) => {
  const shown = present(material.reading.document.slides.flatMap(({ lines }) =>
    lines.map((line) => {
      const match = TERM_LINE.exec(bare(line))
      const [, term, meaning] = match ?? []
      if (term === undefined || meaning === undefined || FACT_LABEL.test(term)) return undefined
      const words = tokenise(meaning)
      if (tokenise(term).length > 5 || words.length < 3 || !words.some((word) => /^\p{Ll}{2}/u.test(word.text))) {
        return undefined
      }
      return entry({ term: mentionText(wholeOf(line), term), text: mentionText(wholeOf(line), meaning) })
    })
  ))
  return withoutRepeats([...shown, ...spokenDefinitions(material)], "term").toSorted((a, b) =>
    a["term"]!.span.passage.t_start - b["term"]!.span.passage.t_start
  )
}

const FORMULA = /^(?:formula\s*:\s*)?([^.?!]{1,60}?\s*(?:=|≈|→|≤|≥)\s*[^?!]{1,60})$/iu
const SPOKEN_FORMULA =
  /\b((?:\p{L}+\s){1,3}equals\s(?:\p{L}+\s){1,4}(?:times|plus|minus|divided by|over|squared|cubed|multiplied by)(?:\s\p{L}+){0,3})/iu

/** Lines on screen with letters on a side of their equals sign; without any, equations that are said. */
export const formulas: EntryFinder = ({ reading, sentences }) => {
  const shown = present(
    reading.passages.filter((passage) => passage.channel === "ocr").map((passage) => {
      const match = FORMULA.exec(bare(passage))
      if (match === null || !/\p{L}/u.test(match[1]!) || /[a-z]+:\/\/|[?&]\w+=/iu.test(passage.text)) return undefined
      const sides = match[1]!.split(/=|≈|→|≤|≥/u).map((side) => tokenise(side).length)
      return sides.every((side) => side > 0 && side <= 8)
        ? entry({ text: mentionText(wholeOf(passage), match[1]!) })
        : undefined
    })
  )
  if (shown.length > 0) return withoutRepeats(shown, "text")
  return present(sentences.map((sentence) => {
    const match = SPOKEN_FORMULA.exec(sentence.text)
    return match === null ? undefined : entry({ text: mentionText(sentence, match[1]!) })
  }))
}

/** The first line of a slide that announces an example, lines that start with "Example", and spoken ones. */
export const examples: EntryFinder = (material) => {
  const slides = material.reading.document.slides
  const onSlides = headed(slides, /^(?:an? |another )?(?:worked )?examples?\b/iu).map((slide) =>
    slide.lines.find((line) => tokenise(line.text).length >= 4)
  ).map((line) => line === undefined ? undefined : entry({ text: lineText(line) }))
  const onLines = slides.flatMap((slide) => slide.lines).map((line) => {
    const match = /^(?:for )?(?:example|e\.g\.)\s*\d*\s*[:.–-]\s*(.{6,})$/iu.exec(bare(line))
    return match === null ? undefined : entry({ text: mentionText(wholeOf(line), match[1]!) })
  })
  return withoutRepeats([...present([...onSlides, ...onLines]), ...spokenExamples(material)], "text")
}

const CITED_LABEL =
  /^(?:book|textbook|reading|read|recommended reading|further reading|reference|source|literature|paper|article|see also|see)s?\s*[:–-]\s*(.{4,})$/iu
const CITATION = /^[^.]{3,60}\(\s*(?:1[5-9]|20)\d{2}[a-z]?\s*\)/u

/** Works and addresses that the screen cites, then works that are named in speech. */
export const references: EntryFinder = (material) => {
  const { document, candidates } = material.reading
  const listed = headed(
    document.slides,
    /^(?:references?|bibliography|further reading|literature|sources|reading(?: list)?)\b/iu
  )
    .flatMap((slide) => slide.lines.filter((line) => tokenise(line.text).length >= 2)).map((line) =>
      entry({ text: lineText(line) })
    )
  const labelled = document.slides.flatMap((slide) => slide.lines).map((line) => {
    const match = CITED_LABEL.exec(bare(line))
    const text = match?.[1] ?? (CITATION.test(bare(line)) ? bare(line) : undefined)
    return text === undefined || /^chapters? \w+\.?$/iu.test(text)
      ? undefined
      : entry({ text: mentionText(wholeOf(line), text) })
  })
  const addresses = candidates.filter((one) => one.kind === "url" && one.passage.channel === "ocr").map((one) =>
    entry({ text: mentionText(one, one.text) })
  )
  const shown = present([...listed, ...labelled, ...addresses])
  const named = shown.map(({ text }) => ` ${canonicalText(String(text!.value))} `)
  // "Waves and Currents" is the "Waves and Currents by Paul Hall" of the slide.
  const said = spokenReferences(material).filter(({ text }) =>
    !named.some((one) => one.includes(` ${canonicalText(String(text!.value))} `))
  )
  return withoutRepeats([...shown, ...said], "text")
}

/** A sentence under a heading: what the slide says about what it is called. */
const aboutOf = (slide: Slide | undefined): Mention | undefined => {
  const line = slide?.lines.find((one) => tokenise(one.text).length >= 4 && !/[$€£]\s?\d/u.test(one.text))
  return line === undefined ? undefined : lineText(line)
}

const SPOKEN_FEATURE =
  /\b(?:(?:it|this|that|the app|which) (?:lets|allows|helps) you|you can (?:also )?(?:now )?|feature (?:is )?called)\s+(.{4,60}?)[.!]?$/iu

/**
 * Features: the lines of a slide headed so, each with what the slide of its name says; without such a slide, the headings
 * that name neither the talk nor its frame, of a video that speaks of a product; without slides, what speech says one can do.
 */
export const features: EntryFinder = (material) => {
  const { slides } = material.reading.document
  const list = headed(
    slides,
    /^(?:(?:key|main|top|new|our|product)\s+)*(?:features?|highlights|capabilities|benefits|what(?:'s| is) new)\b/iu
  )
  const listed = list.flatMap((slide) => slide.lines).map((line) => {
    const [, name = bare(line), about] = /^([^:]{2,40}):\s+(.{6,})$/u.exec(bare(line)) ?? []
    if (tokenise(name).length > 6 || !/\p{L}{3}/u.test(name)) return undefined
    const own = slides.find((slide) => slide.heading !== null && likeness(slide.heading.text, name) >= 0.8)
    const description = about === undefined ? aboutOf(own) : mentionText(wholeOf(line), about)
    return entry({ name: mentionText(wholeOf(line), name), text: description })
  })
  if (present(listed).length > 0) return withoutRepeats(present(listed), "name")
  const shows = material.reading.passages.some(({ channel, text }) => channel !== "vision" && PRODUCT_TALK.test(text))
  const own = slides.slice(shows ? 1 : slides.length).filter((slide) =>
    slide.heading !== null && !FRAMING.test(slide.heading.text)
  ).map((
    slide
  ) => entry({ name: lineText(slide.heading!), text: aboutOf(slide) }))
  if (present(own).length > 0) return withoutRepeats(present(own), "name")
  return present(material.sentences.map((sentence) => {
    const match = sentence.passage.modality === "visual" ? null : SPOKEN_FEATURE.exec(sentence.text)
    return match === null ? undefined : entry({ name: mentionText(sentence, match[1]!) })
  }))
}

/** One heading after the first is as well the talk's own title, shown a little late. */
const LEAST_HEADINGS = 2

/** The lines of an agenda, else what the screen numbers, else the headings after the first where there are two, else what speech announces. */
export const topics: EntryFinder = (material) => {
  const { slides } = material.reading.document
  const agenda = headed(slides, /^(?:agenda|topics?|outline|contents?|today|overview)\b/iu).flatMap((slide) =>
    slide.lines.filter((line) => /\p{L}{3}/u.test(line.text))
  )
  // "1. Drachmann 2:29:44" numbers no topic.
  const numbered = agenda.length > 0 ? [] : numberedLines(slides).filter(({ text }) => !/\d/u.test(String(text.value)))
  if (numbered.length > 0) return numbered.map(({ number, text }) => ({ number, text }))
  const headings = slides.slice(1).flatMap((slide) =>
    slide.heading === null || FRAMING.test(slide.heading.text) ? [] : [slide.heading]
  )
  const [listed, parts] = [agenda, headings].map((lines) =>
    withoutRepeats(present(lines.map((line) => entry({ text: lineText(line) }))), "text")
  ) as [ReadonlyArray<EntryMentions>, ReadonlyArray<EntryMentions>]
  return listed.length > 0 ? listed : parts.length >= LEAST_HEADINGS ? parts : spokenTopics(material)
}

/** Lines after a shell prompt. */
export const commands: EntryFinder = ({ reading }) =>
  present(
    reading.passages.filter((passage) => passage.channel === "ocr").map((passage) => {
      const match = /^\s*(?:[$#>%]|\w+@[\w-]+[:~\w/]*[$#])\s+(.+)$/u.exec(passage.text)
      return match === null ? undefined : entry({ text: mentionText(wholeOf(passage), match[1]!) })
    })
  )

/** Web addresses, each once: the screen's spelling before one that is said. */
export const links: EntryFinder = ({ reading }) => {
  const addresses = reading.candidates.filter(({ kind }) => kind === "url")
  const shown = addresses.filter(({ passage }) => passage.channel === "ocr")
  const said = addresses.filter(({ passage }) => passage.modality === "audio")
  return withoutRepeats(present([...shown, ...said].map((one) => entry({ text: mentionText(one, one.text) }))), "text")
}

/** Lines of slides with such a heading, as a list of what the heading names. */
export const linesUnder = (heading: RegExp): EntryFinder => ({ reading }) =>
  present(
    headed(reading.document.slides, heading).flatMap((slide) => slide.lines).map((line) =>
      entry({ text: lineText(line) })
    )
  )
