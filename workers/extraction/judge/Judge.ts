import type { Checks, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import type { Precision } from "../../../src/jobs/model/Precision.ts"
import type { GroundedDraft } from "../grounding/Grounding.ts"
import { isCertain } from "./Certainty.ts"
import type { JudgeContext } from "./JudgeFeatures.ts"
import { judgeTrees, thresholds } from "./JudgeWeights.ts"
import type { ProposalContext } from "./ProposalFeatures.ts"
import { proposalTrees } from "./ProposalWeights.ts"
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

/**
 * The judge by rules of what a model proposes and no other model has judged: how well the cited lines are tied to this field, to the
 * others and to the rest of its entry, by trees that were boosted on right and wrong values with true quotes (see
 * `tools/fit-proposals.ts`). It holds nothing back, since rules know less than a model that can be configured as judge; what it
 * doubts is not called verified.
 */
export const judgeProposal = (context: ProposalContext, draft: GroundedDraft): Verdict => {
  const tied = chanceBy(proposalTrees, context.of(draft))
  return { answers: Math.round(1000 * Math.min(tied, draft.confidence)) / 1000, judged_by: "rules" }
}

const inPercent = (share: number): string => `${Math.round(100 * share)} %`

const tooUnlikely = (answers: number, least: number): NonNullable<Verdict["hold"]> => ({
  reason: "below_threshold",
  because: `The cited lines answer the field with ${inPercent(answers)} likelihood; this precision asks for ${
    inPercent(least)
  }.`
})

/** Records that are put together by likelihood: a strict result has none, since of those above its threshold too few were seen to tell. */
const BY_LIKELIHOOD = "list:records"

/** The verdict on a value whose likelihood was told when it was found: held back where this precision asks for more. */
export const heldBelow = (
  { checks: { answers, judged_by }, proposed_by }: Pick<GroundedDraft, "checks" | "proposed_by">,
  precision: Precision
): Verdict => {
  const [said, least] = [
    answers ?? 0,
    precision === "strict" && proposed_by === BY_LIKELIHOOD ? 1 : thresholds[precision]
  ]
  return { answers, judged_by, ...(said >= least ? {} : { hold: tooUnlikely(said, least) }) }
}

/**
 * The judge by rules: how likely it is that the cited lines answer this field and not another, from 0 to 1, by trees that were
 * boosted on written footage (see `tools/fit-judge.ts`). It has not proposed the value, and knows of it only what is cited. What
 * is less likely than the job's precision asks is held back, and for a strict job what is not of a certain sort.
 */
export const judgeByRules = (context: JudgeContext, draft: GroundedDraft, precision: Precision): Verdict => {
  const features = context.of(draft)
  const answers = Math.round(1000 * chanceBy(judgeTrees, features)) / 1000
  const verdict: Verdict = { answers, judged_by: "rules" }
  const least = thresholds[precision]
  if (precision === "strict" && answers >= least && !isCertain(draft.proposed_by, features)) {
    const because = "It is chosen by meaning, or another field or value has a like claim to these words."
    return { ...verdict, hold: { reason: "below_threshold", because } }
  }
  return answers >= least ? verdict : { ...verdict, hold: tooUnlikely(answers, least) }
}
