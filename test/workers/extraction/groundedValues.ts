import * as fc from "fast-check"
import type { Grounded } from "../../../workers/extraction/grounding/Proposal.ts"

/** A grounded value as the gate lets it through, for one place of the result. */
export const grounded = (
  pointer_template: string,
  value: Grounded["value"],
  more: Partial<Grounded> = {}
): Grounded => ({
  pointer_template,
  value,
  source_refs: ["seg#000000"],
  source_ref: "seg#000000",
  quote: String(value),
  media_fragment: "#t=0,1",
  score: 0.5,
  proposed_by: "ranker",
  origin: "extracted",
  origin_channel: "asr",
  modality: "audio",
  t_start: 0,
  t_end: 1,
  support: "verbatim",
  confidence: 0.5,
  grade: "stated",
  citations: [],
  checks: { quoted: true, derivable: true, answers: null, judged_by: null },
  verified: true,
  corroborated_by: [],
  alternatives: [],
  ...more
})

const values = fc.oneof(
  fc.constantFrom("red", "GREEN", "fixed", "Fixed!", "12", "1,200", "example.org", "a@b.co", "2026-03-12", "AB-12", ""),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(0, 1, 2, 3, 2.5, -1, 6, 1e9),
  fc.boolean()
)

/** Any values for any of these places, sensible or not, with keys that sometimes join them to records. */
export const anyGrounded = (templates: ReadonlyArray<string>): fc.Arbitrary<ReadonlyArray<Grounded>> =>
  fc.array(
    fc.record({
      template: fc.constantFrom(...templates),
      value: values,
      item_key: fc.option(fc.constantFrom("a", "b", "c", "a/b", "__proto__"), { nil: undefined }),
      score: fc.constantFrom(0.2, 0.5, 0.5, 0.9),
      t_start: fc.nat(5)
    }).map(({ item_key, score, t_start, template, value }) =>
      grounded(template, value, { score, t_start, t_end: t_start + 1, ...(item_key === undefined ? {} : { item_key }) })
    ),
    { maxLength: 14 }
  )
