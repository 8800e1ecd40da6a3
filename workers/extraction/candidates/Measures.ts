import { type Unit, unitAfter, unitOfField } from "../lexicon/Units.ts"
import type { Candidate } from "../text/Candidate.ts"
import { COUNTED } from "../text/Concepts.ts"
import type { Leaf } from "../text/Plan.ts"
import { identifierWords } from "../text/Tokens.ts"

const remembered = new WeakMap<Leaf, { readonly unit: Unit | undefined }>()

/** What a field measures, by its name, its description or, for money without a currency, by its words. */
export const measureOf = (leaf: Leaf): Unit | undefined => {
  const known = remembered.get(leaf)
  if (known !== undefined) return known.unit
  const name = identifierWords(leaf.name)
  const description = leaf.words.slice(name.join(" ").length)
  const money = (leaf.kinds.get("money") ?? 0) >= 0.6 ? { dimension: "money", unit: "" } : undefined
  const share = (leaf.kinds.get("percent") ?? 0) >= 1 ? { dimension: "share", unit: "%" } : undefined
  const unit = unitOfField(name, description) ?? money ?? share
  remembered.set(leaf, { unit })
  return unit
}

/** What a number measures by its sign or by the word after it. */
export const measured = (candidate: Candidate): Unit | undefined => {
  if (candidate.kind === "money") return { dimension: "money", unit: candidate.unit ?? "" }
  if (candidate.kind === "percent") return { dimension: "share", unit: "%" }
  if (candidate.kind === "duration") return { dimension: "time", unit: "second" }
  return unitAfter(candidate.passage.text.slice(candidate.to, candidate.to + 40))
}

/** The words for what a field counts, as they would stand after a number. */
const countedBy = (leaf: Leaf): ReadonlySet<string> => {
  const words = `${leaf.words}`.split(/[^\p{L}\d$%°]+/u).filter((word) => word.length > 1)
  return new Set(COUNTED.filter((group) => words.some((word) => group.includes(word))).flat())
}

/** `[fits, differs, bare, unwanted]`: whether what a number measures or counts is what the field does. */
export const measureMatch = (
  leaf: Leaf,
  candidate: Candidate,
  after: string
): readonly [number, number, number, number] => {
  const wanted = measureOf(leaf)
  const found = measured(candidate)
  if (wanted !== undefined && found !== undefined) {
    if (wanted.dimension !== found.dimension) return [0, 1, 0, 0]
    return wanted.unit === "" || wanted.unit === found.unit ? [1, 0, 0, 0] : [0, 0.5, 0, 0]
  }
  const counted = countedBy(leaf)
  const next = /^\s*([\p{L}°%$]+)(?:\s+([\p{L}]+))?/u.exec(after)
  if (next?.slice(1).some((word) => word !== undefined && counted.has(word.toLowerCase())) === true) return [1, 0, 0, 0]
  return [0, 0, wanted !== undefined ? 1 : 0, found !== undefined ? 1 : 0]
}
