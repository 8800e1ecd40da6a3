import type { Named } from "../candidates/EntityRegistry.ts"
import type { Material } from "../candidates/Mention.ts"
import type { List } from "../text/Plan.ts"
import type { Passage, Slide } from "../text/SourceDocument.ts"
import { rowsOfList } from "./entries/TableSections.ts"
import { finderFor } from "./kinds/ListKinds.ts"
import { prices } from "./kinds/Quantities.ts"
import { labelOf, listsHeadings, type Section, sectionsOf } from "./kinds/SlideSections.ts"
import { headingOf, isBareHeading, isOfAnother } from "./texts/ListHeadings.ts"
import { type Subject, subjectOf } from "./texts/ListSubject.ts"

const isOwn = ({ heading }: Section, subject: Subject): boolean =>
  heading !== null && headingOf(labelOf(heading.text), subject) !== undefined &&
  !isOfAnother(labelOf(heading.text), subject)

/** The sections of one slide that are of something else: by their heading, or because they follow on one of the list. */
const othersOf = (
  sections: ReadonlyArray<Section>,
  isOthers: (text: string) => boolean,
  subject: Subject
): ReadonlyArray<Section> => {
  const first = sections.findIndex((section) => isOwn(section, subject))
  return sections.filter((section, at) =>
    section.heading !== null && !isOwn(section, subject) &&
    (isOthers(labelOf(section.heading.text)) || (first >= 0 && at > first))
  )
}

/** The lines on screen that stand under a heading of something else than the list. */
const foreignLines = (
  { reading }: Material,
  list: List,
  rivals: ReadonlyArray<List>
): ReadonlySet<Passage> => {
  const subject = subjectOf(list)
  const others = rivals.filter((other) => other !== list).map(subjectOf)
  const names = (text: string): boolean => [subject, ...others].some((one) => isBareHeading(text, one))
  const slides = reading.document.slides.map((slide) => sectionsOf(slide, names))
  // What another list of the result is called may still hold what this one asks for, as plans have prices, unless this one has its own place.
  const hasPlace = slides.flat().some((section) => section.lines.length > 0 && isOwn(section, subject))
  const isOthers = (text: string): boolean =>
    isOfAnother(text, subject) || (hasPlace && others.some((other) => headingOf(text, other) !== undefined))
  const foreign = slides.flatMap((sections) => {
    const own = new Set(sections.filter((section) => isOwn(section, subject)).flatMap(({ lines }) => lines))
    return othersOf(sections, isOthers, subject).flatMap(({ heading, lines }) =>
      lines.length > 0 && lines.every((line) => own.has(line)) ? [] : [heading!].concat(lines)
    )
  })
  return new Set([...foreign, ...foreignPrices({ reading }, list, rivals)])
}

/** The lines with sums of money that stand under a heading of other prices. */
const foreignPrices = (
  { reading }: Pick<Material, "reading">,
  list: List,
  rivals: ReadonlyArray<List>
): ReadonlyArray<Passage> => {
  if (finderFor(list) !== prices) return []
  const lines = reading.passages.filter(({ channel }) => channel === "ocr")
  const priced = new Set(
    reading.candidates.flatMap(({ kind, passage }) => kind === "money" && passage.channel === "ocr" ? [passage] : [])
  )
  const rows = lines.filter((line) => priced.has(line)).map((line) => ({ line }))
  const kept = new Set(rowsOfList(reading, lines, rows, list, rivals.filter((other) => finderFor(other) === prices)))
  return rows.filter((row) => !kept.has(row)).map(({ line }) => line)
}

const wordsOf = (people: ReadonlyArray<Named>): ReadonlyArray<string> =>
  people.flatMap(({ name }) => name.toLowerCase().split(/\s+/u))

/** Whom the screen lists only as others is none of the list, wherever else they are named. */
const peopleApart = (
  people: ReadonlyArray<Named>,
  foreign: ReadonlySet<Passage>
): { readonly own: ReadonlyArray<Named>; readonly words: ReadonlySet<string> } => {
  const isApart = ({ spans }: Named): boolean =>
    spans.some(({ passage }) => foreign.has(passage)) &&
    spans.every(({ passage }) => passage.modality === "audio" || foreign.has(passage))
  const own = people.filter((one) => !isApart(one))
  const kept = new Set(wordsOf(own))
  return {
    own: own.map(({ name, spans }) => ({ name, spans: spans.filter(({ passage }) => !foreign.has(passage)) })),
    words: new Set(wordsOf(people.filter(isApart)).filter((word) => !kept.has(word)))
  }
}

const withoutLines = (slide: Slide, foreign: ReadonlySet<Passage>): Slide => ({
  ...slide,
  heading: slide.heading !== null && foreign.has(slide.heading) ? null : slide.heading,
  lines: slide.lines.filter((line) => !foreign.has(line))
})

/**
 * What a source says and shows without what the screen puts under a heading of something else than the list: its opposite, what is over, of
 * others, or of another list of the result. A line that is left out stays in its place, empty: whoever looks beside one counts them.
 */
export const ofOwnSections = (material: Material, list: List, rivals: ReadonlyArray<List>): Material => {
  const { reading, registry } = material
  const foreign = listsHeadings(list.name) ? new Set<Passage>() : foreignLines(material, list, rivals)
  if (foreign.size === 0) return material
  const { own, words } = peopleApart(registry.people, foreign)
  const slides = reading.document.slides.map((slide) => withoutLines(slide, foreign))
  return {
    reading: {
      ...reading,
      document: {
        ...reading.document,
        slides: slides.filter(({ heading, lines }) => heading !== null || lines.length > 0)
      },
      passages: reading.passages.map((one) => foreign.has(one) ? { ...one, text: "", tokens: [], timings: [] } : one),
      candidates: reading.candidates.filter(({ kind, passage, text }) =>
        !foreign.has(passage) && !(kind === "name" && words.has(text.toLowerCase()))
      )
    },
    sentences: material.sentences.filter(({ passage }) => !foreign.has(passage)),
    registry: {
      ...registry,
      people: own,
      organisations: registry.organisations.map(({ name, spans }) => ({
        name,
        spans: spans.filter(({ passage }) => !foreign.has(passage))
      })).filter(({ spans }) => spans.length > 0)
    }
  }
}
