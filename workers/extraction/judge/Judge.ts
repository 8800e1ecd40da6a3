import type { Checks, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import type { GroundedDraft } from "../grounding/Grounding.ts"
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

/** A hold for a value that is less likely than is asked for. */
export const tooUnlikely = (answers: number, least: number): NonNullable<Verdict["hold"]> => ({
  reason: "below_threshold",
  because: `The cited lines answer the field with ${inPercent(answers)} likelihood; this precision asks for ${
    inPercent(least)
  }.`
})

/** A verdict by what the judge says alone: held back where that is too low for any result. */
const ruling = (answers: number | null, judged_by: Verdict["judged_by"]): Verdict => {
  const said = answers ?? 0
  return {
    answers,
    judged_by,
    ...(said >= thresholds.balanced ? {} : { hold: tooUnlikely(said, thresholds.balanced) })
  }
}

/**
 * The judge by rules: how likely it is that the cited lines answer this field and not another, from 0 to 1, by trees that were
 * boosted on written footage (see `tools/fit-judge.ts`). It has not proposed the value, and knows of it only what is cited. What
 * is too unlikely for any result is held back.
 */
export const judgeByRules = (context: JudgeContext, draft: GroundedDraft): Verdict =>
  ruling(Math.round(1000 * chanceBy(judgeTrees, context.of(draft))) / 1000, "rules")

/**
 * The verdict on a value whose likelihood was told when it was found: that, or, where the telling is only a least, the judge's own word where it is more. So a
 * rule or a kind of list whose values the judge has not seen often enough takes nothing from those that it knows.
 */
export const toldVerdict = (context: JudgeContext, draft: GroundedDraft, atLeast: boolean): Verdict => {
  const told = ruling(draft.checks.answers, draft.checks.judged_by)
  const own = atLeast ? judgeByRules(context, draft) : told
  return (own.answers ?? 0) > (told.answers ?? 0) ? own : told
}
