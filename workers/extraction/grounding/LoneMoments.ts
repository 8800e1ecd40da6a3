import type { GroundedDraft } from "./Grounding.ts"
import { type HeldBack, heldBack } from "./HeldBack.ts"

const entryOf = ({ item_key, pointer_template }: Pick<HeldBack, "item_key" | "pointer_template">): string =>
  `${pointer_template.slice(0, pointer_template.lastIndexOf("/*") + 2)}|${item_key ?? ""}`

/**
 * What is kept of entries, without those of which nothing but a moment, a place in order or a voice is left: when something begins
 * says nothing where what it is was held back.
 */
export const withoutLoneMoments = (
  kept: ReadonlyArray<GroundedDraft>,
  held: ReadonlyArray<HeldBack>
): { readonly kept: ReadonlyArray<GroundedDraft>; readonly held: ReadonlyArray<HeldBack> } => {
  const told = new Set(kept.filter(({ origin }) => origin !== "derived").map(entryOf))
  const emptied = new Set(held.filter(({ item_key }) => item_key !== undefined).map(entryOf))
  const isLone = (one: GroundedDraft): boolean =>
    one.item_key !== undefined && one.origin === "derived" && emptied.has(entryOf(one)) && !told.has(entryOf(one))
  return {
    kept: kept.filter((one) => !isLone(one)),
    held: [
      ...held,
      ...kept.filter(isLone).map((one) =>
        heldBack(one, "below_threshold", "What it is the moment of is not sure enough.")
      )
    ]
  }
}
