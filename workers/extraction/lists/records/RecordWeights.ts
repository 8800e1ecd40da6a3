import fitted from "./record-trees.json" with { type: "json" }
import type { RecordTrees } from "./Records.ts"

/** Boosted trees that tell members of lists and the values of their entries: written by `node tools/fit-records.ts`. */
export const recordTrees: RecordTrees = fitted
