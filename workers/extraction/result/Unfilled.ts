import type { Unfilled, UnfilledCandidate, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import { wantsStated } from "../grounding/ExplicitOnly.ts"
import type { HeldBack } from "../grounding/HeldBack.ts"
import type { Proposal } from "../grounding/Proposal.ts"
import { templateOf } from "../text/InstanceLeaves.ts"
import type { Leaf, Plan } from "../text/Plan.ts"
import { normaliseValue } from "../text/Tokens.ts"
import type { Assembled } from "./Assemble.ts"
import { keysOf } from "./AssembleTree.ts"

const MOST_CANDIDATES = 3

const isWild = (token: string): boolean => token === "*" || token === "{}"

/** Templates down to each wild card with the keys so far, and the pointer to which assembly led them. */
const placesOf = (
  placed: Assembled["placed"],
  proposals: ReadonlyArray<Pick<Proposal, "pointer_template" | "item_key">>
): ReadonlyMap<string, string> => {
  const places = new Map<string, string>()
  for (const { pointer, proposal } of placed) {
    const { item_key, pointer_template } = proposals[proposal]!
    const [wanted, found] = [pointer_template.split("/"), pointer.split("/")]
    const keys = keysOf(item_key, wanted.filter(isWild).length)
    let wild = 0
    wanted.forEach((token, at) => {
      if (!isWild(token) || keys[wild] === undefined) return
      wild++
      places.set(
        `${wanted.slice(0, at + 1).join("/")}|${keys.slice(0, wild).join("/")}`,
        found.slice(0, at + 1).join("/")
      )
    })
  }
  return places
}

/** Where a caller would look for a value: its leaf, in the entry that it belongs to, or the list that has no such entry. */
const pointerOf = (
  { item_key, pointer_template }: Pick<Proposal, "pointer_template"> & { readonly item_key?: string | undefined },
  places: ReadonlyMap<string, string>
): string => {
  const wanted = pointer_template.split("/")
  const keys = keysOf(item_key, wanted.filter(isWild).length)
  let pointer = ""
  let wild = 0
  for (const [at, token] of wanted.entries()) {
    if (at === 0) continue
    if (!isWild(token)) pointer += `/${token}`
    else {
      wild++
      const place = places.get(`${wanted.slice(0, at + 1).join("/")}|${keys.slice(0, wild).join("/")}`)
      if (place === undefined) return pointer
      pointer = place
    }
  }
  return pointer
}

/** Every template that somebody looks for, with those above it. */
const plannedIn = (plan: Plan): ReadonlyMap<string, Leaf | undefined> => {
  const planned = new Map<string, Leaf | undefined>()
  const add = (template: string, leaf: Leaf | undefined) => {
    const parts = template.split("/")
    parts.forEach((_, at) => {
      const above = parts.slice(0, at + 1).join("/")
      if (!planned.has(above)) planned.set(above, undefined)
    })
    planned.set(template, leaf)
  }
  for (const leaf of plan.leaves) add(leaf.template, leaf)
  for (const list of plan.lists) {
    if (list.leaves.size > 0) add(list.template, undefined)
    for (const leaf of list.leaves.values()) add(leaf.template, leaf)
  }
  for (const { leaf } of plan.maps) add(leaf.template, leaf)
  return planned
}

const ranked = (held: ReadonlyArray<HeldBack>): ReadonlyArray<HeldBack> =>
  held.toSorted((a, b) => (b.candidate?.confidence ?? 0) - (a.candidate?.confidence ?? 0))

/** The likeliest three, no value twice. */
const candidatesOf = (held: ReadonlyArray<HeldBack>): ReadonlyArray<UnfilledCandidate> =>
  Array.from(
    Map.groupBy(held.flatMap(({ candidate }) => candidate ?? []), ({ value }) => normaliseValue(value)).values(),
    ([first]) => first!
  ).slice(0, MOST_CANDIDATES)

/**
 * Why each leaf that has no value has none, and what was held back of it. The likeliest value that was held back gives the
 * reason; where there is none, nobody looked (`budget`, `unsupported`), most of what was said could not be understood
 * (`isUnclear`), the field wants only what is stated, or the source
 * does not say. An entry that was held back whole is told at its list. What assembly could not place (`misfits`) is told only of
 * what stayed open: of a list with entries it is mostly the same entry again.
 */
export const tellUnfilled = (
  { defaults, placed, unfilled }: Assembled,
  proposals: ReadonlyArray<Pick<Proposal, "pointer_template" | "item_key">>,
  { held, misfits }: Record<"held" | "misfits", ReadonlyArray<HeldBack>>,
  plan: Plan,
  { isBeyond, isUnclear }: { readonly isBeyond: (pointer: string) => boolean; readonly isUnclear: boolean }
): ReadonlyArray<Unfilled> => {
  const places = placesOf(placed, proposals)
  const open = new Set(unfilled)
  const missed = misfits.filter((one) => open.has(pointerOf(one, places)))
  const heldAt = Map.groupBy([...held, ...missed], (one) => pointerOf(one, places))
  const filled = new Set([...placed, ...defaults].map(({ pointer }) => pointer))
  const planned = plannedIn(plan)
  const reasonless = (pointer: string): UnfilledReason => {
    if (isBeyond(pointer)) return "budget"
    const templates = [pointer, templateOf(pointer)].filter((one) => planned.has(one))
    if (templates.length === 0) return "unsupported"
    const leaf = templates.map((one) => planned.get(one)).find((one) => one !== undefined)
    if (isUnclear && leaf?.expected !== "screen") return "source_unclear"
    return leaf !== undefined && wantsStated(leaf) ? "not_stated" : "not_found"
  }
  const tell = (pointer: string): Unfilled => {
    const here = ranked(heldAt.get(pointer) ?? [])
    return { pointer, reason: here[0]?.reason ?? reasonless(pointer), candidates: candidatesOf(here) }
  }
  const whole = Array.from(heldAt.keys()).filter((pointer) => !open.has(pointer) && !filled.has(pointer))
  return [...unfilled, ...whole].map(tell)
}
