import type { Checks, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import type { Precision } from "../../../src/jobs/model/Precision.ts"
import type { GroundedDraft } from "./Ground.ts"

/** What somebody other than its proposer says of a grounded value. */
export interface Verdict extends Pick<Checks, "answers" | "judged_by"> {
  /** Set where it does not come into the result: why, for `unfilled`, and in words for people. */
  readonly hold?: { readonly reason: UnfilledReason; readonly because: string }
}

/** Least that `answers` has to be for a span to be called verified. Set by hand until they are fitted on footage. */
const ANSWERS_AT_LEAST: Readonly<Record<Precision, number>> = { strict: 0.8, balanced: 0.5 }

/** Whether everything holds that a verified span promises. */
export const isVerified = ({ answers, derivable, quoted }: Checks, precision: Precision): boolean =>
  quoted && derivable !== false && answers !== null && answers >= ANSWERS_AT_LEAST[precision]

/** The rules' own record, which holds nothing back. */
export const judgeByRecord = ({ confidence }: GroundedDraft): Verdict => ({ answers: confidence, judged_by: "rules" })
