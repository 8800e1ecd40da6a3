import type { Leaf, Plan } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"

/** Fields that are asked for together: a single leaf, or all leaves of one entry of a list. */
export interface Unit {
  /** Template of the leaf, of the list's entries or of the map's values. */
  readonly template: string
  readonly leaves: ReadonlyArray<Leaf>
}

/** One question to the model: some fields, over some of the source. */
export interface Part {
  readonly units: ReadonlyArray<Unit>
  readonly passages: ReadonlyArray<Passage>
}

/** A model loses track of more fields than this. */
const MOST_LEAVES = 40
/** Characters of a token, about, of English text. */
const CHARACTERS = 4
/** What stands before a line and after it. */
const LINE_OVERHEAD = 20
/** Lines that two neighbouring chunks share, so that a statement in two sentences is whole in one of them. */
const OVERLAP = 2

export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS)

/** Numbers that the code computes from the moments of an entry's words, by the names that schemas give them. */
const COMPUTED_NUMBER =
  /^(?:t|t_?start|start|starts?_at|start_?time|timestamp|seconds?|t_?end|end|ends?_at|end_?time|index|position|order|no|slide_no)$/iu
const SPEAKER = /^(?:speaker|said_?by)$/iu

/** Whether a property of an entry is derived from where its words stand instead of asked for. */
export const isDerived = ({ name, template, type }: Leaf): boolean =>
  template.includes("/*/") &&
  (type === "number" || type === "integer" ? COMPUTED_NUMBER.test(name) : type === "string" && SPEAKER.test(name))

const asked = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<Leaf> =>
  leaves.filter((leaf) => leaf.expected !== "computed" && !isDerived(leaf))

/**
 * The units of a plan that a model is asked for. A list whose entries have a beginning and an end is left to code, since
 * it divides the source, and so is everything that is computed.
 */
export const unitsOf = (plan: Plan): ReadonlyArray<Unit> =>
  [
    ...plan.leaves.map((leaf): Unit => ({ template: leaf.template, leaves: asked([leaf]) })),
    ...plan.lists.map((list): Unit => {
      const leaves = Array.from(list.leaves.values())
      const divides = leaves.some((leaf) => isDerived(leaf) && /end/iu.test(leaf.name))
      return { template: `${list.template}/*`, leaves: divides ? [] : asked(leaves) }
    }),
    ...plan.maps.map(({ leaf }): Unit => ({ template: leaf.template, leaves: asked([leaf]) }))
  ].filter(({ leaves }) => leaves.length > 0)

const groups = (units: ReadonlyArray<Unit>): ReadonlyArray<ReadonlyArray<Unit>> => {
  const out: Array<Array<Unit>> = []
  let leaves = MOST_LEAVES
  for (const unit of units) {
    if (leaves + unit.leaves.length > MOST_LEAVES) {
      out.push([])
      leaves = 0
    }
    out.at(-1)!.push(unit)
    leaves += unit.leaves.length
  }
  return out
}

const costOf = ({ text }: Passage): number => text.length + LINE_OVERHEAD

const chunks = (passages: ReadonlyArray<Passage>, tokens: number): ReadonlyArray<ReadonlyArray<Passage>> => {
  const out: Array<ReadonlyArray<Passage>> = []
  for (let from = 0; from < passages.length;) {
    let to = from
    let size = 0
    while (to < passages.length && (to === from || size + costOf(passages[to]!) <= tokens * CHARACTERS)) {
      size += costOf(passages[to++]!)
    }
    out.push(passages.slice(from, to))
    // Always onwards, also where a chunk holds no more lines than are shared.
    from = to === passages.length ? to : Math.max(from + 1, to - OVERLAP)
  }
  return out
}

/** Every question that has to be asked: all units over all passages. */
export const partsOf = (
  units: ReadonlyArray<Unit>,
  passages: ReadonlyArray<Passage>,
  chunk_tokens: number
): ReadonlyArray<Part> =>
  chunks(passages, chunk_tokens).flatMap((passages) => groups(units).map((units) => ({ units, passages })))

/** A question as two smaller ones, or undefined where it is as small as can be: a single unit over a single passage. */
export const halves = ({ passages, units }: Part): readonly [Part, Part] | undefined => {
  if (units.length > 1) {
    const middle = Math.ceil(units.length / 2)
    return [{ units: units.slice(0, middle), passages }, { units: units.slice(middle), passages }]
  }
  if (passages.length < 2) return undefined
  const middle = Math.ceil(passages.length / 2)
  return [{ units, passages: passages.slice(0, middle) }, { units, passages: passages.slice(middle) }]
}
