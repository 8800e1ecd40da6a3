import { describe, expect, it } from "vitest"
import { JUDGE_FEATURES } from "../../../../workers/extraction/judge/JudgeFeatures.ts"
import { heldFromStrict, isTalk } from "../../../../workers/extraction/judge/Strict.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage } from "../Footage.ts"

const features = (...names: ReadonlyArray<(typeof JUDGE_FEATURES)[number]>) => () =>
  JUDGE_FEATURES.map((name) => names.includes(name) ? 1 : 0)
const judged = (answers: number, proposed_by = "ranker", modality: "audio" | "visual" | "both" = "audio") => ({
  proposed_by,
  pointer_template: "/seats",
  modality,
  support: "normalised" as const,
  value: 24,
  checks: { quoted: true, derivable: null, answers, judged_by: "rules" as const }
})

const entry = (pointer_template: string) => ({ ...judged(0.95), pointer_template })
const sure = (confidence: number, told = false) => ({ confidence, told })
const spoken = (words: number) => makeSourceDocument(footage([[0, "A", "word ".repeat(words).trim()]])).passages
const held = (
  found: Parameters<typeof heldFromStrict>[0],
  of: () => ReadonlyArray<number>,
  surely: ReturnType<typeof sure>,
  words = 200
) => heldFromStrict(found, of, surely, isTalk(spoken(words)))

describe("what strict holds back of a balanced result", () => {
  it("is nothing that the judge holds for sure", () => {
    expect(held(judged(0.85), features(), sure(0.85))).toBeUndefined()
  })

  it("is what the judge is not sure of, with the judge's word and the one that strict asks for", () => {
    expect(held(judged(0.7), features(), sure(0.7))).toEqual({
      reason: "below_threshold",
      because: "The cited lines answer the field with 70 % likelihood; this precision asks for 79 %."
    })
  })

  it("is of a talk also what the judge is surer of, as more is said that is like it", () => {
    expect(held(judged(0.85), features(), sure(0.85), 301)?.because).toMatch(/asks for 88 %/u)
    expect(held(judged(0.85), features(), sure(0.85), 300)).toBeUndefined()
  })

  it("is in a talk what may have changed by its end, and a cell of a row", () => {
    const [later, row] = [features("later_tied"), features("row")]
    expect(held(judged(0.95), later, sure(0.95), 301)?.because).toMatch(/comes later/u)
    expect(held(judged(0.95, "list:table", "visual"), row, sure(0.95), 301)?.reason).toBe("below_threshold")
    expect(held(judged(0.95), later, sure(0.95), 300)).toBeUndefined()
    expect(held(judged(0.95), features(), sure(0.95), 301)).toBeUndefined()
  })

  it("is what is chosen by meaning, and a record that is put together by likelihood, however sure", () => {
    expect(held(judged(0.95), features("enum"), sure(0.95))?.reason).toBe("below_threshold")
    expect(held(judged(0.95, "list:records"), features(), sure(0.95))?.reason).toBe("below_threshold")
  })

  it("is nothing that a rule reads from a form of speech and that was clearly heard, whatever its sort, from 70 % on, in talks from 80 %", () => {
    expect(held(judged(0.75, "rules:assertion"), features("boolean"), sure(0.81))).toBeUndefined()
    expect(held(judged(0.9, "rules:welcome"), features(), sure(0.68))).toEqual({
      reason: "below_threshold",
      because: "The cited lines answer the field with 68 % likelihood; this precision asks for 70 %."
    })
    expect(held(judged(0.9, "rules:own-name"), features(), sure(0.72))).toBeUndefined()
    expect(held(judged(0.9, "rules:own-name"), features(), sure(0.79), 301)?.because).toMatch(/asks for 80 %/u)
  })

  it("is no entry of a table that the screen explains, from 80 % on, but one that is only said and no surer, or whose column nothing names", () => {
    expect(held(judged(0.7, "list:table", "visual"), features(), sure(0.81))).toBeUndefined()
    expect(held(judged(0.7, "list:table", "both"), features(), sure(0.81))).toBeUndefined()
    expect(held(judged(0.7, "list:table", "visual"), features(), sure(0.79))?.reason)
      .toBe("below_threshold")
    expect(held(judged(0.7, "list:table"), features(), sure(0.81))?.reason).toBe("below_threshold")
    expect(held(judged(0.75, "list:table", "visual"), features(), sure(0.85, true))?.reason)
      .toBe("below_threshold")
  })

  it.each(["list:entries", "list:headed-lines"])(
    "is what only its arrangement makes an entry, however sure: %s",
    (by) => {
      expect(held(judged(0.95, by, "visual"), features(), sure(0.95))).toEqual({
        reason: "below_threshold",
        because: "It is an entry by how it is arranged: nothing names what it is one of."
      })
    }
  )

  it("is an entry of a list that was chosen by itself, however sure", () => {
    expect(held(entry("/free_slots/*"), features(), sure(0.95))?.reason).toBe("below_threshold")
    expect(held(entry("/visits/*/date"), features(), sure(0.95))?.reason).toBe("below_threshold")
    expect(held(entry("/free_slots/from"), features(), sure(0.95))).toBeUndefined()
  })

  it("is a text as it stands that is chosen among others, however sure, but a code, a number and what is written in another form", () => {
    const text = (value: string, support: "verbatim" | "normalised" = "verbatim") => ({
      ...judged(0.95),
      support,
      value
    })
    expect(held(text("Dana Whitfield"), features(), sure(0.95))).toEqual({
      reason: "below_threshold",
      because: "It is a text that is chosen among others: no form says that it is the one that is asked for."
    })
    expect(held(text("17:25"), features(), sure(0.95))?.reason).toBe("below_threshold")
    expect(held(text("P/24/0317"), features(), sure(0.95))).toBeUndefined()
    expect(held(text("2026-11-30", "normalised"), features(), sure(0.95))).toBeUndefined()
    expect(held({ ...judged(0.95), support: "verbatim" }, features(), sure(0.95))).toBeUndefined()
  })

  it("is what a card's heading or the service's own count says, as far as it is of no other sort", () => {
    expect(held(judged(0.75, "rules:screen-heading"), features(), sure(0.85))?.reason).toBe("below_threshold")
    expect(held(judged(0.75, "rules:counted"), features(), sure(0.85))?.reason).toBe("below_threshold")
  })
})
