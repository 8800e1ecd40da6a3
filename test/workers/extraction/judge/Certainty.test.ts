import { assert, describe, it } from "@effect/vitest"
import { isCertain } from "../../../../workers/extraction/judge/Certainty.ts"
import { JUDGE_FEATURES } from "../../../../workers/extraction/judge/JudgeFeatures.ts"

const certain = (names: ReadonlyArray<(typeof JUDGE_FEATURES)[number]>, proposed_by = "ranker"): boolean =>
  isCertain(proposed_by, JUDGE_FEATURES.map((name) => names.includes(name) ? 1 : 0))

describe("what a strict result may have", () => {
  it("is what is said and nothing contends for", () => {
    assert.isTrue(certain([]))
    assert.isTrue(certain(["named_here", "number", "measured"]))
  })

  it("is a number with its unit or the noun that it counts beside it, or one that the screen shows", () => {
    assert.isFalse(certain(["named_here", "number"]))
    for (const name of ["measured", "fits_measure", "on_screen", "seen_and_heard"] as const) {
      assert.isTrue(certain(["number", name]), name)
    }
  })

  it("is no label by meaning, nothing asked, and nothing that another field or value has a like claim to", () => {
    for (const name of ["boolean", "enum", "asked", "better_elsewhere", "other_values_close"] as const) {
      assert.isFalse(certain([name]), name)
    }
  })

  it("is a day among other days, unless it is taken back or only supposed", () => {
    assert.isTrue(certain(["timed", "other_values_close"]))
    assert.isFalse(certain(["timed", "other_values_close", "corrected_soon"]))
    assert.isFalse(certain(["timed", "other_values_close", "unsure"]))
  })

  it("is the one address or number of its form, whatever else has a claim to it", () => {
    assert.isTrue(certain(["better_elsewhere"], "rules:plain-form"))
    assert.isFalse(certain(["better_elsewhere"], "rules:own-name"))
  })

  it("is an entry of a list that was recognised as one", () => {
    assert.isTrue(certain(["other_values_close"], "list:strung"))
    assert.isFalse(certain(["other_values_close"]))
  })
})
