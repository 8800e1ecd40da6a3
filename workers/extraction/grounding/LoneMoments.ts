import type { GroundedDraft } from "./Grounding.ts"
import { type HeldBack, heldBack } from "./HeldBack.ts"

const entryOf = ({ item_key, pointer_template }: Pick<HeldBack, "item_key" | "pointer_template">): string =>
  `${pointer_template.slice(0, pointer_template.lastIndexOf("/*") + 2)}|${item_key ?? ""}`

/** What stays of grounded values, and what is held back. */
export interface Kept {
  readonly kept: ReadonlyArray<GroundedDraft>
  readonly held: ReadonlyArray<HeldBack>
}

/** Holds back, as not sure enough, what `isLeftOut` tells of what is kept. */
export const without = ({ held, kept }: Kept, isLeftOut: (one: GroundedDraft) => boolean, because: string): Kept => ({
  kept: kept.filter((one) => !isLeftOut(one)),
  held: [...held, ...kept.filter(isLeftOut).map((one) => heldBack(one, "below_threshold", because))]
})

/**
 * What is kept of entries, without those of which nothing but a moment, a place in order or a voice is left: when something begins
 * says nothing where what it is was held back.
 */
export const withoutLoneMoments = ({ held, kept }: Kept): Kept => {
  const told = new Set(kept.filter(({ origin }) => origin !== "derived").map(entryOf))
  const emptied = new Set(held.filter(({ item_key }) => item_key !== undefined).map(entryOf))
  const isLone = (one: GroundedDraft): boolean =>
    one.item_key !== undefined && one.origin === "derived" && emptied.has(entryOf(one)) && !told.has(entryOf(one))
  return without({ kept, held }, isLone, "What it is the moment of is not sure enough.")
}

/**
 * What is kept of a strict result's entries, without those whose every name or text was held back: "4" and "cloves" answer nothing where what they
 * are of is not sure enough. `isText` tells the leaves that may hold any text.
 */
export const withoutNameless = ({ held, kept }: Kept, isText: (pointer_template: string) => boolean): Kept => {
  const inEntry = ({ item_key, pointer_template }: GroundedDraft | HeldBack): boolean =>
    item_key !== undefined && isText(pointer_template)
  const named = new Set(kept.filter(inEntry).map(entryOf))
  const nameless = new Set(held.filter(inEntry).map(entryOf).filter((entry) => !named.has(entry)))
  const isLone = (one: GroundedDraft): boolean => one.item_key !== undefined && nameless.has(entryOf(one))
  return without({ kept, held }, isLone, "What it belongs to is not sure enough.")
}

/** The entry of the outer list that a value is in, by template and key. */
export const outerOf = ({ item_key = "", pointer_template }: GroundedDraft): string =>
  `${pointer_template.slice(0, pointer_template.indexOf("/*") + 2)}|${item_key.split("/")[0]}`

const isInner = ({ pointer_template, proposed_by }: GroundedDraft): boolean =>
  proposed_by.startsWith("list:") && pointer_template.split("/*").length > 2

/** What is kept, without what the rules found for lists inside of entries that were themselves held back. */
export const withoutOuter = ({ held, kept }: Kept): Kept => {
  const outer = new Set(kept.filter((one) => !isInner(one)).map(outerOf))
  const isLone = (one: GroundedDraft): boolean => isInner(one) && !outer.has(outerOf(one))
  return without({ kept, held }, isLone, "What it belongs to is not sure enough.")
}
