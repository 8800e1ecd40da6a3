import { describe, expect, it } from "vitest"
import { heldFromStrict } from "../../../../workers/extraction/judge/Judge.ts"
import { JUDGE_FEATURES } from "../../../../workers/extraction/judge/JudgeFeatures.ts"

const features = (...names: ReadonlyArray<(typeof JUDGE_FEATURES)[number]>) => () =>
  JUDGE_FEATURES.map((name) => names.includes(name) ? 1 : 0)
const judged = (answers: number, proposed_by = "ranker") => ({
  proposed_by,
  checks: { quoted: true, derivable: null, answers, judged_by: "rules" as const }
})

describe("what strict holds back of a balanced result", () => {
  it("is nothing that the judge holds for sure, in whichever footage, or that is as sure in this footage", () => {
    expect(heldFromStrict(judged(0.85), features(), 0.6)).toBeUndefined()
    expect(heldFromStrict(judged(0.7), features(), 0.89)).toBeUndefined()
  })

  it("is what neither says, with the judge's word and the one that strict asks for", () => {
    expect(heldFromStrict(judged(0.7), features(), 0.87)).toEqual({
      reason: "below_threshold",
      because: "The cited lines answer the field with 70 % likelihood; this precision asks for 84 %."
    })
  })

  it("is what is chosen by meaning, and a record that is put together by likelihood, however sure", () => {
    expect(heldFromStrict(judged(0.95), features("enum"), 0.95)?.reason).toBe("below_threshold")
    expect(heldFromStrict(judged(0.95, "list:records"), features(), 0.95)?.reason).toBe("below_threshold")
  })
})
