import type { Trees } from "../judge/Trees.ts"
import fitted from "./choice-trees.json" with { type: "json" }

/** Boosted trees over `CHOICE_FEATURES` that choose the values of single leaves: written by `node tools/fit-choice.ts`. */
export const choiceTrees: Trees = fitted
