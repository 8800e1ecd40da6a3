import type { Draft } from "../grounding/Draft.ts"
import type { Leaf, List, Plan } from "../text/Plan.ts"
import { objectQuestion, wordsAround } from "./ObjectQuestion.ts"
import { kindsNamed } from "./ObjectTerms.ts"
import { counted, type SeenThing, SURE } from "./SeenThings.ts"

/** How likely what is told by it is right, by the same pictures; of 48 counts 40 were exact and 2 wrong, the rest a matter of taste. */
const THERE = 0.95
const COUNTED = 0.9
/** More of a kind lie on each other and hide some. */
const MOST_COUNTED = 8

/** How evidence names who proposes them. */
export const SEEN_THINGS = "rules:seen-things"

const draftFor = (
  leaf: Leaf,
  value: Draft["value"],
  { passage, source_ref }: SeenThing,
  more: Partial<Draft> & { readonly answers: number }
): Draft => {
  const { answers, ...rest } = more
  return {
    pointer_template: leaf.template,
    value,
    source_refs: [source_ref],
    score: answers,
    proposed_by: SEEN_THINGS,
    leaf,
    span: { passage, from: 0, to: passage.text.length },
    calibrated: true,
    verdict: { answers, judged_by: "rules" },
    ...rest
  }
}

const surest = (things: ReadonlyArray<SeenThing>): SeenThing | undefined =>
  things.toSorted((a, b) => b.score - a.score)[0]

/** "Is there a dog?": yes where one is seen. That none was found says nothing. */
const presence = (leaf: Leaf, things: ReadonlyArray<SeenThing>): ReadonlyArray<Draft> => {
  const best = surest(things)
  return best === undefined || best.score < SURE
    ? []
    : [draftFor(leaf, true, best, { answers: THERE, grade: "classified" })]
}

/**
 * "How many people?": as many as are seen at once, where each of them is seen surely. Where they are seen in more places than
 * that, nobody knows how many there are in all, and it is told only if it was asked how many there are at once.
 */
const quantity = (leaf: Leaf, things: ReadonlyArray<SeenThing>, at_once: boolean): ReadonlyArray<Draft> => {
  const { most_at_once: [first, ...others], places } = counted(things)
  if (first === undefined || [first, ...others].some(({ score }) => score < SURE)) return []
  const number = others.length + 1
  const { maximum = Infinity, minimum = -Infinity } = leaf.schema as {
    readonly maximum?: number
    readonly minimum?: number
  }
  if (number > MOST_COUNTED || number < minimum || number > maximum || (!at_once && places > number)) return []
  return [draftFor(leaf, number, first, {
    answers: COUNTED,
    grade: "computed",
    formula: "count(seen at once)",
    citations: others.map(({ passage }) => ({ span: { passage, from: 0, to: passage.text.length }, role: "input" }))
  })]
}

/** Surest of each name, in the order of time. */
const surestOfEach = (things: ReadonlyArray<SeenThing>): ReadonlyArray<SeenThing> =>
  [...Map.groupBy(things.filter(({ score }) => score >= SURE), ({ name }) => name).values()]
    .map((some) => surest(some)!)
    .toSorted((a, b) => a.timestamp - b.timestamp || b.score - a.score)

/** The schema's own label for what was seen: the narrowest that names it. */
const labelFor = (labels: ReadonlyArray<unknown>, { name }: SeenThing): string | undefined =>
  labels.flatMap((label) => {
    const kinds = typeof label === "string" ? kindsNamed(label) : undefined
    return kinds?.has(name) ? [{ label: label as string, size: kinds.size }] : []
  }).toSorted((a, b) => a.size - b.size)[0]?.label

const wordFor = (leaf: Leaf, thing: SeenThing): string | undefined =>
  leaf.type === "enum" ? labelFor(leaf.schema["enum"] as ReadonlyArray<unknown>, thing) : thing.name

/** A label that is not the thing's own name, such as "vehicle" for a car, is what it means. */
const gradeFor = (value: string, { name }: SeenThing): { readonly grade?: "classified" } =>
  value.toLowerCase().replaceAll(/[_-]/gu, " ") === name ? {} : { grade: "classified" }

/** What is seen on so many fewer frames than something else is taken for a slip of the detector. */
const SLIPS = 1 / 3

const framesOf = (things: ReadonlyArray<SeenThing>): number => new Set(things.map(({ source_ref }) => source_ref)).size

/** Whether something else than this is there as well, or may be. */
const hasRival = (things: ReadonlyArray<SeenThing>, name: string): boolean => {
  const own = framesOf(things.filter((one) => one.name === name))
  return [...Map.groupBy(things.filter((one) => one.name !== name), (one) => one.name).values()]
    .some((some) => some.some(({ score }) => score >= SURE) || framesOf(some) > SLIPS * own)
}

/** "Which animal is shown?": told where what is seen of the kind has one name. */
const kind = (leaf: Leaf, things: ReadonlyArray<SeenThing>): ReadonlyArray<Draft> => {
  const words = new Map(
    surestOfEach(things).flatMap((thing) => {
      const word = wordFor(leaf, thing)
      return word === undefined ? [] : [[word, thing] as const]
    })
  )
  const [only, ...others] = [...words]
  return only === undefined || others.length > 0 || hasRival(things, only[1].name)
    ? []
    : [draftFor(leaf, only[0], only[1], { answers: THERE, ...gradeFor(...only) })]
}

/** "Animals that are shown": each name once. */
const listed = ({ leaves, template }: List, leaf: Leaf, things: ReadonlyArray<SeenThing>): ReadonlyArray<Draft> =>
  leaves.size !== 1 ? [] : surestOfEach(things).flatMap((thing) => {
    const word = wordFor({ ...leaf, template: `${template}/*` }, thing)
    return word === undefined ? [] : [draftFor(leaf, word, thing, {
      answers: THERE,
      item_key: `seen:${word}`,
      ...gradeFor(word, thing)
    })]
  })

/**
 * What the things on the frames say about the fields that ask for nothing else. `silent` is a source without speech, where a
 * field need not say that it asks about the picture. Pure.
 */
export const seenFields = (plan: Plan, things: ReadonlyArray<SeenThing>, silent: boolean): ReadonlyArray<Draft> => {
  const of = (kinds: ReadonlySet<string>) => things.filter(({ name }) => kinds.has(name))
  const singles = plan.leaves.flatMap((leaf): ReadonlyArray<Draft> => {
    const question = objectQuestion(leaf)
    if (question === undefined || !(question.visual || silent)) return []
    const asked = of(question.kinds)
    switch (leaf.type) {
      case "boolean":
        return presence(leaf, asked)
      case "integer":
      case "number":
        return quantity(leaf, asked, question.at_once)
      case "enum":
      case "string":
        return kind(leaf, asked)
    }
  })
  const lists = plan.lists.flatMap((list): ReadonlyArray<Draft> => {
    const leaf = list.leaves.get("")
    if (leaf === undefined || (leaf.type !== "string" && leaf.type !== "enum")) return []
    const question = objectQuestion(leaf, wordsAround(list.name, list.words))
    return question === undefined || !(question.visual || silent) ? [] : listed(list, leaf, of(question.kinds))
  })
  return [...singles, ...lists]
}
