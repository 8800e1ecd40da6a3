import { describe, expect, it } from "vitest"
import type { GroundedDraft } from "../../../../workers/extraction/grounding/Grounding.ts"
import { withoutSharedWords } from "../../../../workers/extraction/grounding/SharedWords.ts"

/** A value of an entry of `/forecast` that stands on the words from `from` to `to` of the first passage. */
const value = (item_key: string | undefined, leaf: string, from: number, more: Partial<GroundedDraft> = {}) =>
  ({
    pointer_template: `/forecast/*/${leaf}`,
    item_key,
    span: { passage: { index: 0 }, from, to: from + 5 },
    t_start: from,
    t_end: from + 1,
    origin: "extracted",
    proposed_by: "list:records",
    value: leaf,
    quote: leaf,
    source_ref: "seg#000001",
    confidence: 0.5,
    checks: { answers: 0.5 },
    ...more
  }) as GroundedDraft

const kept = (...given: ReadonlyArray<GroundedDraft>) => {
  const told = withoutSharedWords({ kept: given, held: [] })
  expect(told.held.map(({ reason }) => reason)).toEqual(
    Array.from({ length: given.length - told.kept.length }, () => "below_threshold")
  )
  return told.kept.map(({ item_key, pointer_template }) => `${pointer_template.split("/").at(-1)} of ${item_key}`)
}

const likely = (answers: number) => ({ checks: { answers } }) as Partial<GroundedDraft>

describe("The words of a list's values", () => {
  it("are those of the earliest entry alone, whatever the order in which they are given", () => {
    const [friday, saturday] = [value("friday", "day", 10), value("saturday", "day", 40)]
    const shared = [value("saturday", "sky", 20), value("friday", "sky", 20)]
    expect(kept(saturday, ...shared, friday)).toEqual(["day of saturday", "sky of friday", "day of friday"])
    expect(kept(friday, ...shared.toReversed(), saturday)).toEqual([
      "day of friday",
      "sky of friday",
      "day of saturday"
    ])
  })

  it("may be those of two members, of other places, and of single fields", () => {
    const all = [
      value("friday", "low", 10),
      value("friday", "high", 10),
      value("saturday", "low", 30),
      value(undefined, "low", 10)
    ]
    expect(kept(...all)).toHaveLength(all.length)
  })

  it("are of one list: a recognised one's, else the likeliest's, unless a property refers to what the other has", () => {
    const one = value("friday", "sky", 10, likely(0.4))
    const other = (more: object) => value("a", "name", 10, { pointer_template: "/stops/*", ...likely(0.6), ...more })
    const known = value("friday", "sky", 10, { ...likely(0.2), proposed_by: "list:headed-lines" })
    expect(kept(one, other({}))).toEqual(["* of a"])
    expect(kept(known, other({}))).toEqual(["sky of friday"])
    expect(kept(known, other({ proposed_by: "list:counted" }))).toHaveLength(2)
    expect(kept(value("friday", "owner", 10, likely(0.4)), other({}))).toHaveLength(2)
  })

  it("are not asked for of what a language model proposed", () => {
    const all = ["friday", "saturday"].map((day) => value(day, "sky", 20, { proposed_by: "llm:any" }))
    expect(kept(...all)).toHaveLength(2)
  })
})
