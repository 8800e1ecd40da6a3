import type { Schema } from "effect"
import type { ErrorDetail } from "../../errors/ApiError.ts"
import { valueAt } from "../../schemas/json-schema/JsonSchema.ts"
import type { Edit, Edited } from "../../schemas/json-schema/ValueEdits.ts"
import { citedPlace, type Heard, type Offered, offeredPlaces } from "./CitedPlaces.ts"
import type { Reviewed } from "./FoldReviews.ts"
import { holdsWithin, pointerTree } from "./PointerTree.ts"
import type { Decision, GivenDecision, ReviewCitation } from "./Review.ts"

const at = (index: number, member: string, message: string): ErrorDetail => ({
  path: `/decisions/${index}/${member}`,
  message
})

/**
 * Of two decisions one place would be decided twice, unless the wider one accepts what the other leaves. In one walk over the pointers in
 * the order of a tree: asked of each by all of its beginnings, a body of 1 MiB that is all slashes took 1.5 s.
 */
export const overlaps = (decisions: ReadonlyArray<GivenDecision>): ReadonlyArray<ErrorDetail> => {
  const byPointer = new Map(decisions.map(({ pointer }, index) => [pointer, index]))
  // With the least character for a slash, and one at the end, a place comes right before all that lies within it.
  const places = Array.from(byPointer, ([pointer, index]) => ({
    pointer,
    index,
    path: `${pointer.replaceAll("/", "\0")}\0`
  })).toSorted((a, b) => a.path < b.path ? -1 : 1)
  const within = new Map<string, number>()
  /** The places around the next one, each with the innermost decision from it outwards that is no acceptance. */
  const around: Array<{ readonly path: string; readonly decided: number | undefined }> = []
  for (const { index, path, pointer } of places) {
    while (around.length > 0 && !path.startsWith(around.at(-1)!.path)) around.pop()
    const outer = around.at(-1)?.decided
    if (outer !== undefined) within.set(pointer, outer)
    around.push({ path, decided: decisions[index]!.action === "accept" ? outer : index })
  }
  return decisions.flatMap(({ pointer }, index) => {
    const same = byPointer.get(pointer)!
    const other = same === index ? within.get(pointer) : same
    return other === undefined ? [] : [at(index, "pointer", `Lies within the place of /decisions/${other}`)]
  })
}

/** What is offered at each place: of two leaves at one the first. */
const offersOf = ({ evidence: { spans, unfilled } }: Reviewed): ReadonlyMap<string, ReadonlyArray<Offered>> =>
  new Map<string, ReadonlyArray<Offered>>([
    ...spans.map(({ alternatives, pointer }) => [pointer, alternatives] as const).toReversed(),
    ...unfilled.map(({ candidates, pointer }) => [pointer, candidates] as const).toReversed()
  ])

const placesOf = (leaves: ReadonlyArray<{ readonly pointer: string }>) =>
  pointerTree(leaves.map(({ pointer }) => [pointer, true] as const))

/** Why a decision makes no sense on what stands there, if it does not. */
const nonsenseOn = (state: Reviewed) => {
  const [spans, unfilled] = [placesOf(state.evidence.spans), placesOf(state.evidence.unfilled)]
  const empty = new Set(state.evidence.unfilled.map(({ pointer }) => pointer))
  const offers = offersOf(state)
  return ({ action, candidate = 0, pointer }: GivenDecision, index: number): ReadonlyArray<ErrorDetail> => {
    const hasSpan = holdsWithin(spans, pointer)
    if (action === "accept") {
      return hasSpan || holdsWithin(unfilled, pointer)
        ? []
        : [at(index, "pointer", "Nothing stands here that could be accepted")]
    }
    if (action === "reject") {
      return valueAt(state.result, pointer) !== undefined && (hasSpan || !empty.has(pointer))
        ? []
        : [at(index, "pointer", "Nothing stands here that could be rejected")]
    }
    if (action === "correct") return []
    const most = offers.get(pointer)?.length ?? 0
    return candidate < most ? [] : [
      at(
        index,
        "candidate",
        most === 0 ? "Nothing is offered for this place" : `Expected a number from 0 to ${most - 1}`
      )
    ]
  }
}

/** What is wrong with decisions on what stands, before the schema is asked; the first hundred. */
export const checkDecisions = (
  decisions: ReadonlyArray<GivenDecision>,
  state: Reviewed,
  heard: Heard
): ReadonlyArray<ErrorDetail> =>
  [
    ...overlaps(decisions),
    ...decisions.flatMap(nonsenseOn(state)),
    ...decisions.flatMap(({ citations = [] }, index) =>
      citations.flatMap((citation, number) => {
        const place = citedPlace(citation, heard)
        return place.ok ? [] : [at(index, `citations/${number}/${place.member}`, place.message)]
      })
    )
  ].slice(0, 100)

/** What decisions that passed do to the result, in their order; null of an `accept`. */
export const editsOf = (decisions: ReadonlyArray<GivenDecision>, state: Reviewed): ReadonlyArray<Edit | null> => {
  const offers = offersOf(state)
  return decisions.map(({ action, candidate = 0, pointer, value }): Edit | null => {
    switch (action) {
      case "accept":
        return null
      case "reject":
        return { at: pointer, remove: true }
      case "correct":
        return { at: pointer, set: value as Schema.Json }
      case "choose":
        return { at: pointer, set: offers.get(pointer)![candidate]!.value }
    }
  })
}

const citationsOf = (
  { action, candidate = 0, citations = [], pointer }: GivenDecision,
  offers: ReturnType<typeof offersOf>,
  heard: Heard
): ReadonlyArray<ReviewCitation> => {
  if (action === "choose") return offeredPlaces(offers.get(pointer)![candidate]!, heard)
  return citations.flatMap((citation) => {
    const place = citedPlace(citation, heard)
    return place.ok ? [place.citation] : []
  })
}

/** Decisions as they are kept, by what came of their edits. */
export const keptDecisions = (
  decisions: ReadonlyArray<GivenDecision>,
  state: Reviewed,
  heard: Heard,
  edits: ReadonlyArray<Edit | null>,
  { placed }: Extract<Edited, { readonly ok: true }>
): ReadonlyArray<Decision> => {
  const offers = offersOf(state)
  const outcomes = placed[Symbol.iterator]()
  return decisions.map((decision, index): Decision => {
    const { action, candidate, pointer } = decision
    const before = valueAt(state.result, pointer) as Schema.Json | undefined
    const accepted = before === undefined ? {} : { value: before }
    return {
      pointer,
      action,
      ...(candidate === undefined ? {} : { candidate }),
      ...(before === undefined ? {} : { before }),
      ...(edits[index] === null ? accepted : outcomes.next().value),
      citations: citationsOf(decision, offers, heard)
    }
  })
}
