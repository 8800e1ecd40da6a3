import type { Passage, Slide } from "../../text/SourceDocument.ts"
import { identifierWords } from "../../text/Tokens.ts"

/** Part of a slide: the line that heads it and the lines below that line, up to the next one that heads a part. */
export interface Section {
  readonly heading: Passage | null
  readonly lines: ReadonlyArray<Passage>
}

const BULLET = /^\s*(?:[•·▪◦‣*–—>+✓✔✗✘»-]|\d{1,2}[.)])\s+/u
/** Longer lines state something. */
const LONGEST_HEADING = 6

/** What a heading says: "Risks" where "Risks:" goes on with the line that was below it. */
export const labelOf = (text: string): string => /^([^:]{2,40}):(?:\s|$)/u.exec(text.trim())?.[1] ?? text.trim()

/** The words of a heading alone. */
const bare = (text: string): string => text.trim().replace(/\s*[:–—-]$/u, "").toLowerCase()

/** Headings that stand beside each other, by what they divide: work to do, a judgement, a meeting, an offer, a post, an illness, meals. */
const SISTERS: ReadonlyArray<RegExp> = [
  /^(?:ingredients|materials|supplies|tools|equipment|utensils|method|directions|instructions|procedure|preparation|steps|notes|tips|variations|optional)$/u,
  /^(?:strengths|weaknesses|opportunities|threats)$/u,
  /^(?:pros|cons|advantages|disadvantages|benefits|drawbacks|limitations|likes|dislikes|risks)$/u,
  /^(?:attendees|participants|present|in attendance|absent|absentees|apologies|regrets|excused)$/u,
  /^(?:included|what['’]s included|excluded|not included|what['’]s not included|extras|optional)$/u,
  /^(?:requirements|prerequisites|responsibilities|duties|qualifications|benefits|must[- ]haves?|nice[- ]to[- ]haves?|required|essential|desirable|preferred|optional)$/u,
  /^(?:symptoms|signs|causes|risk factors|diagnosis|treatments?|prevention|complications|side effects)$/u,
  /^(?:breakfast|lunch|dinner|supper|snacks|starters|mains|main courses|sides|desserts|drinks)$/u
]

/** Whether two headings divide one thing between them: "Ingredients" and "Method", "Strengths" and "Weaknesses". */
export const areSisters = (one: string, other: string): boolean => {
  const [a, b] = [bare(one), bare(other)]
  return a !== b && SISTERS.some((group) => group.test(a) && group.test(b))
}

/** What such a slide lists are headings themselves. */
const OF_HEADINGS =
  /\b(?:agenda|topics?|outline|contents?|overview|today|programme?|schedule|chapters|sections|modules|lessons)\b/iu

const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/iu
/** Whether a list is of headings: no heading parts it from others. */
export const listsHeadings = (name: string): boolean =>
  OF_HEADINGS.test(identifierWords(name).join(" ")) || /\bslides?\b/iu.test(name)

/** Page numbers and marks that stand on every slide of a deck. */
const FURNITURE =
  /^(?:(?:page|slide)\s+\d+(?:\s*(?:\/|of)\s*\d+)?|\d+\s*(?:\/|of)\s*\d+|[©®].*|copyright\b.*|all rights reserved\.?|(?:strictly |company |private and )?confidential|internal(?: use)? only|for internal use(?: only)?|draft)$/iu

/** The share of the usual height below which a line is a note: letters of one size differ by less. */
const NOTE = 0.6
/** The share from which a line is set larger: measured boxes of one type size differ by up to 15 %. */
const LARGER = 1.25
/** Lines whose left edges differ by less, in widths of the frame, are aligned. */
const ALIGNED = 0.015

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const middleOf = ({ line }: Passage): number => line!.box[0] + line!.box[2] / 2

/** The lines that stand on a slide and are none of what it says; of several addresses each may be. */
const furnitureOf = (lines: ReadonlyArray<Passage>, usual: number): ReadonlySet<Passage> => {
  const addresses = lines.filter(({ text }) => ADDRESS.test(text.trim()))
  const marks = lines.filter(({ line, text }) => FURNITURE.test(text.trim()) || line!.height < NOTE * usual)
  return new Set([...addresses.length === 1 ? addresses : [], ...marks])
}

const isCapital = (text: string): boolean => /\p{Lu}{5}/u.test(text) && !/\p{Ll}/u.test(text)

/** Whether a line is set out from those of its section above: larger, to their left, in capitals as the heading, or alone without a bullet between lines with one. */
const isSetOut = (
  passage: Passage,
  next: Passage | undefined,
  { heading, lines }: Section,
  usual: number
): boolean => {
  const [own, head] = [passage.line!, heading?.line]
  if (own.height >= LARGER * usual) return true
  const [first] = lines
  if (first === undefined || head === undefined || head === null) return false
  const left = first.line!.left
  if (
    Math.abs(own.left - head.left) < ALIGNED && lines.every(({ line }) => line!.left > head.left + ALIGNED) &&
    Math.abs(middleOf(passage) - middleOf(heading!)) > ALIGNED && Math.abs(left - lines.at(-1)!.line!.left) < ALIGNED
  ) return true
  if (isCapital(heading!.text) && isCapital(passage.text) && !lines.some(({ text }) => isCapital(text))) return true
  // A bullet that the recogniser has lost leaves the text where it was, to the right of the others' bullets.
  return next !== undefined && [...lines, next].every(({ text }) => BULLET.test(text)) &&
    /^\p{Lu}/u.test(passage.text) && own.left < left + ALIGNED
}

/** No list has more entries. */
const MOST_LINES = 200

/** How a line comes to head a section: by its form, or by its words alone. */
type Head = "form" | "words"

const mayHead = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && text.split(/\s+/u).length <= LONGEST_HEADING && !BULLET.test(text) &&
  !/[.!?,;]$/u.test(text)

/** Below its own heading a line of such words says of which part the next lines are: "For the filling:". */
const OF_PART = /^for\b/iu

const goesOn = ({ text }: Passage): boolean => labelOf(text) !== text.trim().replace(/:$/u, "")

const isBeside = (one: Passage, other: Passage): boolean =>
  one.source_ref === other.source_ref &&
  Math.abs(one.line!.top - other.line!.top) < Math.min(one.line!.height, other.line!.height) / 2

/** The heading that a line stands under, of those given: the last one above it, and of several beside each other the one in its column. */
const headAbove = (passage: Passage, heads: ReadonlyArray<Passage>): Passage | undefined => {
  const { left, page_top } = passage.line!
  const above = heads.filter((head) =>
    head.source_ref === passage.source_ref ? head.index < passage.index : head.line!.page_top < page_top
  )
  const last = above.at(-1)
  if (last === undefined) return undefined
  return above.filter((head) => isBeside(head, last) && head.line!.left < left + 2 * ALIGNED)
    .toSorted((a, b) => b.line!.left - a.line!.left)[0] ?? last
}

/**
 * A slide in parts, each under its own heading, furniture left out. A part ends at a line that is set out from those above it or ends in a
 * colon, that heads a part beside another by common use, or that `names` knows. A title right above other headings has their lines too.
 */
export const sectionsOf = (slide: Slide, names: (text: string) => boolean): ReadonlyArray<Section> => {
  const title = slide.heading
  const furniture = furnitureOf(slide.lines, median(slide.lines.map(({ line }) => line!.height)))
  const lines = [...title === null ? [] : [title], ...slide.lines.filter((one) => !furniture.has(one))]
    .toSorted((a, b) => a.index - b.index).slice(0, MOST_LINES)
  const usual = median(lines.filter((one) => one !== title).map(({ line }) => line!.height))
  const ofHeadings = title !== null && OF_HEADINGS.test(title.text)
  const heads = new Map<Passage, Head>()
  const parts = new Set<Passage>()
  let current: { readonly heading: Passage | null; readonly lines: Array<Passage> } = { heading: null, lines: [] }
  const headOf = (one: Passage, next: Passage | undefined): Head | undefined => {
    if (one === title) return "form"
    const label = labelOf(one.text)
    if (!mayHead(label)) return undefined
    if (/:\s*$/u.test(one.text) || (mayHead(one.text) && isSetOut(one, next, current, usual))) return "form"
    const told = !ofHeadings &&
      (names(bare(label)) || Array.from(heads.keys()).some(({ text }) => areSisters(labelOf(text), label)))
    return told ? "words" : undefined
  }
  lines.forEach((one, at) => {
    const next = lines[at + 1]
    const head = headOf(one, next)
    // Words alone head nothing where nothing follows them.
    if (head === undefined || (head === "words" && next === undefined && !goesOn(one))) current.lines.push(one)
    else if (one !== title && OF_PART.test(one.text)) parts.add(one)
    else {
      heads.set(one, head)
      current = { heading: one, lines: [] }
    }
  })
  const sure = lines.filter((one, at) => {
    const next = lines[at + 1]
    return heads.get(one) === "form" ||
      (heads.get(one) === "words" &&
        (goesOn(one) || (next !== undefined && (!heads.has(next) || isBeside(one, next)))))
  })
  return cut(lines.filter((one) => !parts.has(one)), sure, heads, title)
}

const cut = (
  lines: ReadonlyArray<Passage>,
  heads: ReadonlyArray<Passage>,
  how: ReadonlyMap<Passage, Head>,
  title: Passage | null
): ReadonlyArray<Section> => {
  const known = new Set(heads)
  const under = Map.groupBy(lines.filter((one) => !known.has(one)), (one) => headAbove(one, heads))
  const inner = heads.filter((head) => title !== null && head.index > title.index && how.get(head) === "form")
  const ofTitle = inner.flatMap((head) => under.get(head) ?? [])
  return [
    { heading: null, lines: under.get(undefined) ?? [] },
    ...heads.map((heading) => ({ heading, lines: under.get(heading) ?? (heading === title ? ofTitle : []) }))
  ]
}
