import type { Schema } from "effect"
import { countsOf, type Evidence, type EvidenceSpan, type Unfilled } from "../../artifacts/Evidence.ts"
import { isObject, pointerTo } from "../../schemas/json-schema/JsonSchema.ts"
import { applyEdits, type Edit, takenEntries } from "../../schemas/json-schema/ValueEdits.ts"
import type { Decision, Review } from "./Review.ts"
import { acceptedSpan, decidedBy, type Decider, personSpan } from "./ReviewedSpan.ts"

/** What stands after the reviews of a job, or before the first of them. */
export interface Reviewed {
  readonly result: Schema.Json
  readonly evidence: Evidence
  readonly revision: number
}

export const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/** What a decision does to the result; none of an `accept`. */
const editOf = ({ action, pointer, value }: Decision): ReadonlyArray<Edit> =>
  action === "accept"
    ? []
    : value === undefined
    ? [{ at: pointer, remove: true }]
    : [{ at: pointer, set: value }]

/** Every value that holds no others with its pointer, in document order; an empty object or array is one. */
export function* leavesOf(value: Schema.Json, pointer = ""): Generator<readonly [pointer: string, value: Schema.Json]> {
  const below = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
    ? Object.entries(value)
    : []
  if (below.length === 0) yield [pointer, value]
  for (const [key, one] of below) yield* leavesOf(one as Schema.Json, pointerTo(pointer, key))
}

/** Where what stood at a pointer stands once an entry of an array is gone: one place before, if it came after. */
const shifted = (pointer: string, gone: string): string => {
  const cut = gone.lastIndexOf("/") + 1
  const [array, index] = [gone.slice(0, cut), Number(gone.slice(cut))]
  if (!pointer.startsWith(array)) return pointer
  const [token = "", ...rest] = pointer.slice(cut).split("/")
  return Number(token) > index ? [`${array}${Number(token) - 1}`, ...rest].join("/") : pointer
}

type Leaves = Pick<Evidence, "spans" | "unfilled">

const rejected = (pointer: string, old: EvidenceSpan | undefined, by: Decider): Unfilled => {
  const cited = old !== undefined && /^(seg|frame)#/u.test(old.source_ref)
  return {
    pointer,
    reason: "rejected",
    candidates: old === undefined ? [] : [{
      value: old.value,
      confidence: old.confidence,
      quote: old.quote,
      source_ref: cited ? old.source_ref : null,
      t_start: cited ? old.t_start : null,
      t_end: cited ? old.t_end : null,
      refused_because: "a reviewer rejected it"
    }],
    ...decidedBy(by)
  }
}

const decide = (
  { spans, unfilled }: Leaves,
  decision: Decision,
  review: Review,
  entries: ReadonlyArray<string>
): Leaves => {
  const { action, citations, pointer, value } = decision
  if (action === "accept") {
    // What is decided on by itself in the same review is not what is accepted with the rest.
    const others = review.decisions.filter((one) => one !== decision && isWithin(one.pointer, pointer))
    const meant = (at: string) => isWithin(at, pointer) && !others.some((one) => isWithin(at, one.pointer))
    return {
      spans: spans.map((span) => meant(span.pointer) ? acceptedSpan(span, review) : span),
      unfilled: unfilled.map((leaf) => meant(leaf.pointer) ? { ...leaf, ...decidedBy(review) } : leaf)
    }
  }
  const rest = {
    spans: spans.filter((span) => !isWithin(span.pointer, pointer)),
    unfilled: unfilled.filter((leaf) => !isWithin(leaf.pointer, pointer) && !isWithin(pointer, leaf.pointer))
  }
  const old = spans.find((span) => span.pointer === pointer)
  if (action === "reject") {
    return entries.includes(pointer)
      ? rest
      : { ...rest, unfilled: [...rest.unfilled, rejected(pointer, old, review)] }
  }
  const given = [...leavesOf(value!, pointer)].map(([at, leaf]) =>
    personSpan(at, leaf, citations, review, spans.find((span) => span.pointer === at))
  )
  return { ...rest, spans: [...rest.spans, ...given] }
}

/** The next revision. Pure: the same decisions on the same result are the same in every version of a later reader. */
const fold = ({ evidence, result }: Reviewed, review: Review): Reviewed => {
  const edits = review.decisions.flatMap(editOf)
  const applied = applyEdits(result, edits)
  // They were made once, on this very value.
  if ("impossible" in applied) throw new Error(`${review.id} does not follow from revision ${review.base_revision}`)
  const entries = takenEntries(result, edits)
  let leaves: Leaves = evidence
  for (const decision of review.decisions) leaves = decide(leaves, decision, review, entries)
  const moved = <A extends { readonly pointer: string }>(leaf: A): A => ({
    ...leaf,
    pointer: entries.reduce(shifted, leaf.pointer)
  })
  const places = new Map([...leavesOf(applied.value)].map(([pointer], at) => [pointer, at]))
  const spans = leaves.spans.map(moved).toSorted((a, b) =>
    (places.get(a.pointer) ?? places.size) - (places.get(b.pointer) ?? places.size)
  )
  const unfilled = leaves.unfilled.map(moved)
  return {
    result: applied.value,
    evidence: { spans, unfilled, counts: countsOf(spans, unfilled) },
    revision: review.revision
  }
}

/** What a job's result and evidence became by its reviews, which are given in their order. */
export const foldReviews = (own: Omit<Reviewed, "revision">, reviews: ReadonlyArray<Review>): Reviewed =>
  reviews.reduce(fold, { ...own, revision: 0 })
