import { Schema } from "effect"

/** Where a job stands between leaving out what is right and giving what is wrong. */
export const Precision = Schema.Literals(["strict", "balanced"]).annotate({
  identifier: "Precision",
  message: "Expected strict or balanced",
  description:
    "`strict`: a value that is not sure is left out, and told in the evidence's `unfilled` with its candidates. `balanced`: more values, of which more are wrong."
})
export type Precision = typeof Precision.Type
