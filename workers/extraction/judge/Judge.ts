import type { Checks, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import type { Precision } from "../../../src/jobs/model/Precision.ts"
import type { GroundedDraft } from "../grounding/Ground.ts"
import type { JudgeContext } from "./JudgeFeatures.ts"
import { judgeTrees, thresholds } from "./JudgeWeights.ts"
import { chanceBy } from "./Trees.ts"

/** What somebody other than its proposer says of a grounded value. */
export interface Verdict extends Pick<Checks, "answers" | "judged_by"> {
  /** Set where it does not come into the result: why, for `unfilled`, and in words for people. */
  readonly hold?: { readonly reason: UnfilledReason; readonly because: string }
}

/** What `answers` has to reach for a value to be called verified: a balanced result gives less likely ones too, and says so. */
export const verifiedFrom: Readonly<Record<Precision, number>> = { strict: thresholds.strict, balanced: 0.5 }

/** Whether everything holds that a verified span promises. */
export const isVerified = ({ answers, derivable, quoted }: Checks, precision: Precision): boolean =>
  quoted && derivable !== false && answers !== null && answers >= verifiedFrom[precision]

/** A model's own record, which holds nothing back: what it proposes is judged by another call or by its gate. */
export const judgeByRecord = ({ confidence }: GroundedDraft): Verdict => ({ answers: confidence, judged_by: "rules" })

const inPercent = (share: number): string => `${Math.round(100 * share)} %`

/**
 * The judge by rules: how likely it is that the cited lines answer this field and not another, from 0 to 1, by trees that were
 * boosted on written footage (see `tools/fit-judge.ts`). It has not proposed the value, and knows of it only what is cited. What
 * is less likely than the job's precision asks is held back.
 */
export const judgeByRules = (context: JudgeContext, draft: GroundedDraft, precision: Precision): Verdict => {
  const answers = Math.round(1000 * chanceBy(judgeTrees, context.of(draft))) / 1000
  const verdict: Verdict = { answers, judged_by: "rules" }
  const least = thresholds[precision]
  return answers >= least ? verdict : {
    ...verdict,
    hold: {
      reason: "below_threshold",
      because: `The cited lines answer the field with ${inPercent(answers)} likelihood; this precision asks for ${
        inPercent(least)
      }.`
    }
  }
}
