import type { Material } from "../candidates/Mention.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Slide } from "../text/SourceDocument.ts"
import { identifierWords, normaliseValue, stem, tokenise } from "../text/Tokens.ts"

/** What a slide says of its thing: the words of its title, and by each label what stands behind it. */
interface Form {
  readonly t_start: number
  readonly title: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
}

const titleWords = ({ heading, lines }: Slide, labelled: ReadonlySet<number>): ReadonlySet<string> => {
  const title = heading ?? lines[0]
  return new Set(title === undefined || labelled.has(title.index) ? [] : title.tokens.map(({ norm }) => norm))
}

/** The forms of the slides that have labelled values, and by the index of a passage the slide that it stands on. */
const formsOf = ({ reading: { candidates, document } }: Material) => {
  const labels = Map.groupBy(
    candidates.filter(({ kind, label, passage }) =>
      kind === "label" && label !== undefined && passage.channel === "ocr"
    ),
    ({ passage }) => passage.index
  )
  const labelled = new Set(labels.keys())
  const slides = new Map<number, Form>()
  for (const slide of document.slides) {
    const passages = slide.heading === null ? slide.lines : [slide.heading, ...slide.lines]
    const pairs = passages.flatMap(({ index }) => labels.get(index) ?? []).map(({ label, text }) =>
      [tokenise(label!).map(({ norm }) => stem(norm)).join(" "), normaliseValue(text)] as const
    )
    const form = { t_start: slide.t_start, title: titleWords(slide, labelled), values: new Map(pairs) }
    for (const { index } of passages) slides.set(index, form)
  }
  return slides
}

/** "Orchid Hall" and "Orchid Hall: prices" head slides of one thing. */
const isSameTitle = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  return Array.from(few).every((word) => many.has(word))
}

/**
 * Whether two slides are one form filled in for two things: under titles of their own they say different things behind the same labels, behind half of
 * one's labels at least and of more labels than they agree on. Without a title the later one may correct the earlier.
 */
const areOfTwoThings = (a: Form, b: Form): boolean => {
  if (a === b || isSameTitle(a.title, b.title)) return false
  const [few, many] = a.values.size <= b.values.size ? [a.values, b.values] : [b.values, a.values]
  const shared = Array.from(few).filter(([label]) => many.has(label))
  const differ = shared.filter(([label, value]) => many.get(label) !== value).length
  return differ > shared.length - differ && 2 * differ >= few.size
}

const objectOf = (template: string): string => template.slice(0, template.lastIndexOf("/"))

/** Of the slides that an object's values stand on the one that bears its name comes first, then that of which most is taken, then the earliest. */
const inOrder = (chosen: ReadonlyArray<Ranked>, slides: ReadonlyMap<number, Form>): ReadonlyArray<Form> => {
  const counts = new Map<Form, number>()
  for (const { candidate: { passage }, leaf } of chosen) {
    const form = slides.get(passage.index)
    if (form === undefined) continue
    const isName = /^(?:name|title)$/u.test(identifierWords(leaf.name).at(-1) ?? "")
    counts.set(form, (counts.get(form) ?? 0) + (isName ? chosen.length : 1))
  }
  return Array.from(counts).toSorted(([a, most], [b, more]) => more - most || a.t_start - b.t_start).map(([form]) =>
    form
  )
}

/**
 * Whether a value may stand in its object beside what was chosen for its other members: none may that stands on a slide of another thing
 * than theirs, such as the price of one venue beside the name of another. Lists have entries for that, and are not looked at.
 */
export const ofOneThing = (material: Material, chosen: Iterable<Ranked>): (one: Ranked) => boolean => {
  const single = Array.from(chosen).filter(({ leaf }) => !leaf.template.includes("/*"))
  const objects = Map.groupBy(single, ({ leaf }) => objectOf(leaf.template))
  const slides = formsOf(material)
  const taken = new Map<string, ReadonlyArray<Form>>()
  for (const [object, some] of objects) {
    const forms: Array<Form> = []
    for (const form of inOrder(some, slides)) if (!forms.some((one) => areOfTwoThings(one, form))) forms.push(form)
    taken.set(object, forms)
  }
  return ({ candidate: { passage }, leaf }) => {
    const form = slides.get(passage.index)
    return form === undefined || taken.get(objectOf(leaf.template))?.some((one) => areOfTwoThings(one, form)) !== true
  }
}
