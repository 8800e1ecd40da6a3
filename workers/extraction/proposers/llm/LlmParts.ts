import { type Leaf, listLeaves, type Plan } from "../../text/Plan.ts"
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
/** Characters of a token, about, of text in Latin letters. */
const CHARACTERS = 4
/** What stands before a line and after it. */
const LINE_OVERHEAD = 20
/** Lines that two neighbouring chunks share, so that a statement in two sentences is whole in one of them. */
const OVERLAP = 2

/**
 * Tokens of a UTF-16 unit, about: tokenisers join Latin letters into long pieces, those of other alphabets into short ones, and
 * Chinese, Japanese and Korean characters hardly at all.
 */
const unitTokens = (unit: number): number => unit < 0x250 ? 1 / CHARACTERS : unit < 0x2e80 ? 1 / 2 : 1

const tokensIn = (text: string): number => {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += unitTokens(text.charCodeAt(at))
  return sum
}

export const estimateTokens = (text: string): number => Math.ceil(tokensIn(text))

/** Names that mean a moment of the video whatever the schema is about; "seconds" and "start" may be anybody's. */
const MOMENT_NAME = /^(?:t_?start|t_?end|timestamp|timecode)$/iu
const MOMENT =
  /\b(?:seconds?|moment|time|timestamp|timecode)\b[^.]*\b(?:video|recording|footage|clip|film|episode|audio|transcript)\b/iu
const PLACE_SHOWN = /\b(?:number|place|position|order)\b[^.]*\b(?:order of appearance|slide|in the video)\b/iu
const SAID_BY = /\bwho (?:says|said|asks|asked|speaks|spoke)\b/iu

const told = ({ schema }: Leaf): string =>
  [schema["title"], schema["description"]].filter((one) => typeof one === "string").join(". ")

/**
 * Whether a property of an entry is derived from where its words stand instead of asked for: its schema says so, or its name
 * can mean nothing else.
 */
export const isDerived = (leaf: Leaf): boolean => {
  const { expected, name, template, type } = leaf
  if (!template.includes("/*/")) return false
  if (type === "number" || type === "integer") {
    return expected === "computed" || MOMENT_NAME.test(name) || MOMENT.test(told(leaf)) || PLACE_SHOWN.test(told(leaf))
  }
  if (type !== "string") return false
  return /^said_?by$/iu.test(name) || (/^speaker$/iu.test(name) && (told(leaf) === "" || SAID_BY.test(told(leaf))))
}

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
      const leaves = listLeaves(list)
      const divides = leaves.some((leaf) => isDerived(leaf) && /end/iu.test(leaf.name))
      return { template: `${list.template}/*`, leaves: divides ? [] : asked(leaves) }
    }),
    ...plan.maps.map(({ leaf }): Unit => ({ template: leaf.template, leaves: asked([leaf]) }))
  ].filter(({ leaves }) => leaves.length > 0)

/** Units by as many as are asked for at once. */
export const groups = (units: ReadonlyArray<Unit>): ReadonlyArray<ReadonlyArray<Unit>> => {
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

const costOf = ({ text }: Passage): number => tokensIn(text) + LINE_OVERHEAD / CHARACTERS

/** What a line of the source takes of a question. */
export const passageTokens = (passage: Passage): number => Math.ceil(costOf(passage))

const chunks = (passages: ReadonlyArray<Passage>, tokens: number): ReadonlyArray<ReadonlyArray<Passage>> => {
  const out: Array<ReadonlyArray<Passage>> = []
  for (let from = 0; from < passages.length;) {
    let to = from
    let size = 0
    while (to < passages.length && (to === from || size + costOf(passages[to]!) <= tokens)) {
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
