import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { checkDecisions, editsOf, keptDecisions } from "../../src/reviews/model/CheckDecisions.ts"
import { heardOf } from "../../src/reviews/model/CitedPlaces.ts"
import { foldReviews, leavesOf, type Reviewed } from "../../src/reviews/model/FoldReviews.ts"
import type { GivenDecision, Review } from "../../src/reviews/model/Review.ts"
import { isObject, valueAt } from "../../src/schemas/json-schema/JsonSchema.ts"
import { resultValidator } from "../../src/schemas/json-schema/ResultValidator.ts"
import { fitEdits } from "../../src/schemas/json-schema/ValueEdits.ts"
import { evidence, result, schema, transcript, vision } from "./reviewScene.ts"

const own = { result, evidence }
const heard = heardOf(transcript, vision)
const validate = resultValidator(schema)

/** The revision that these decisions make on what stands, or why they make none. */
const review = (state: Reviewed, given: ReadonlyArray<GivenDecision>): Review | string => {
  const details = checkDecisions(given, state, heard)
  if (details.length > 0) return JSON.stringify(details)
  const edits = editsOf(given, state)
  const edited = fitEdits(schema, state.result, edits.filter((edit) => edit !== null))
  if (!edited.ok) return edited.message
  return {
    id: `rev_${state.revision + 1}`,
    job_id: "job_1",
    revision: state.revision + 1,
    base_revision: state.revision,
    author: { key_id: "key_1", name: "Ada" },
    created_at: "2026-11-20T09:30:00.000Z",
    note: null,
    decisions: keptDecisions(given, state, heard, edits, edited)
  }
}

const first: Reviewed = { ...own, revision: 0 }

const after = (...given: ReadonlyArray<GivenDecision>): Reviewed => {
  const made = review(first, given)
  if (typeof made === "string") throw new Error(made)
  return foldReviews(own, [made])
}

const pointers = [...evidence.spans, ...evidence.unfilled].map(({ pointer }) => pointer)
  .concat("", "/rooms", "/rooms/0", "/rooms/1", "/rooms/2", "/rooms/2/name", "/tags", "/tags/2", "/none")

const decision: fc.Arbitrary<GivenDecision> = fc.oneof(
  fc.record({ pointer: fc.constantFrom(...pointers), action: fc.constantFrom("accept", "reject") }),
  fc.record({
    pointer: fc.constantFrom(...pointers),
    action: fc.constant("correct" as const),
    value: fc.constantFrom<NonNullable<GivenDecision["value"]>>("x", 3, true, [], ["a", "b"], { name: "n" }, [{
      name: "m"
    }])
  }),
  fc.record({
    pointer: fc.constantFrom(...pointers),
    action: fc.constant("choose" as const),
    candidate: fc.nat(1)
  })
)

const factor = Number(process.env.FOOTNOTE_PROPERTY_RUNS)

describe("reviews of a result", () => {
  it("fold into a result that fits its schema, with every leaf told once, whatever is decided; or the review is refused", () => {
    let made = 0
    let refused = 0
    fc.assert(
      fc.property(fc.array(fc.array(decision, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), (rounds) => {
        const reviews: Array<Review> = []
        let state = first
        for (const given of rounds) {
          const next = review(state, given)
          if (typeof next === "string") {
            refused++
            continue
          }
          made++
          reviews.push(next)
          state = foldReviews(own, reviews)
          assert.isUndefined(validate(state.result))
          const { counts, spans, unfilled } = state.evidence
          const told = [...spans, ...unfilled].map((leaf) => leaf.pointer)
          assert.strictEqual(new Set(told).size, told.length, told.join(" "))
          for (const { pointer, value } of spans) assert.deepStrictEqual(valueAt(state.result, pointer), value, pointer)
          for (const [pointer, value] of leavesOf(state.result)) {
            const isEmpty = Array.isArray(value) || isObject(value)
            if (!isEmpty) assert.isTrue(told.some((one) => one === pointer || pointer.startsWith(`${one}/`)), pointer)
          }
          assert.strictEqual(counts.leaves, spans.length + unfilled.length)
        }
        assert.strictEqual(state.revision, reviews.length)
      }),
      { numRuns: 300 }
    )
    assert.isAbove(made, 25 * factor)
    assert.isAbove(refused, 25 * factor)
  })

  it("in two revisions make what one after the other makes, and the job's own result stays what it was", () => {
    const before = JSON.stringify(own)
    const one = review(first, [{ pointer: "/rooms/0", action: "reject" }]) as Review
    const middle = foldReviews(own, [one])
    const two = review(middle, [{ pointer: "/rooms/0/size", action: "correct", value: 10 }]) as Review
    const end = foldReviews(own, [one, two])
    assert.deepStrictEqual(end.result, { ...result, rooms: [{ name: "Attic", size: 10 }] })
    assert.deepStrictEqual(
      end.evidence.spans.filter(({ pointer }) => pointer.startsWith("/rooms")).map(({ pointer, quote, revision }) => [
        pointer,
        quote,
        revision
      ]),
      [["/rooms/0/name", "attic", undefined], ["/rooms/0/size", "", 2]]
    )
    assert.strictEqual(JSON.stringify(own), before)
  })

  it("make the evidence of a corrected value a person's, keep what it replaced as an alternative, and touch no other", () => {
    const { evidence: { spans } } = after({
      pointer: "/price",
      action: "correct",
      value: 13,
      citations: [{ source_ref: "frame#000040", t_start: 19.5, t_end: 20.5, box: [0, 0.4, 1, 0.4] }]
    })
    const price = spans.find(({ pointer }) => pointer === "/price")!
    assert.deepInclude(price, {
      value: 13,
      origin: "person",
      origin_channel: "ocr",
      modality: "visual",
      source_ref: "frame#000040",
      frame_id: "frm_000040",
      quote: "€ 12",
      media_fragment: "#t=19.5,20.5&xywh=percent:0,40,100,40",
      verified: true,
      reviewed_by: { key_id: "key_1", name: "Ada" },
      revision: 1
    })
    assert.deepStrictEqual(price.alternatives.map(({ value }) => value), [12, 15])
    assert.deepStrictEqual(
      spans.filter(({ pointer }) => pointer !== "/price"),
      evidence.spans.filter(({ pointer }) => pointer !== "/price")
    )
  })

  it("call a value that a person gave without a place of the source by its name, and not verified", () => {
    const { evidence: { spans, unfilled } } = after({ pointer: "/paid", action: "correct", value: true })
    const paid = spans.find(({ pointer }) => pointer === "/paid")
    assert.deepInclude(paid, {
      origin: "person",
      source_ref: "person",
      modality: "none",
      verified: false,
      citations: []
    })
    assert.deepStrictEqual(unfilled.map(({ pointer }) => pointer), ["/city"])
  })

  it("choose among what was held back and among alternatives, with the place where it was found", () => {
    const { evidence: { spans }, result: chosen } = after(
      { pointer: "/city", action: "choose", candidate: 0 },
      { pointer: "/price", action: "choose", candidate: 0 }
    )
    assert.deepInclude(chosen, { city: "Graz", price: 15 })
    const [city, price] = ["/city", "/price"].map((at) => spans.find(({ pointer }) => pointer === at)!)
    assert.deepInclude(city, { origin: "person", quote: "Graz", source_ref: "seg#000003", verified: true })
    assert.deepInclude(price, { quote: "fifteen", source_ref: "seg#000000" })
  })

  it("accept what is within a place and not decided otherwise; what is accepted keeps its origin and its checks", () => {
    const { evidence: { spans, unfilled } } = after(
      { pointer: "", action: "accept" },
      { pointer: "/title", action: "reject" }
    )
    assert.isTrue(
      spans.every(({ checks, origin, revision, verified }) =>
        origin === "extracted" && revision === 1 && verified && checks.judged_by === "person"
      )
    )
    assert.deepStrictEqual(unfilled.map(({ pointer, reason, revision }) => [pointer, reason, revision]), [
      ["/paid", "not_found", 1],
      ["/city", "below_threshold", 1],
      ["/title", "rejected", 1]
    ])
  })

  it("are refused where nothing stands, where a place is decided twice, and where a citation is not in the source", () => {
    const cite = { source_ref: "seg#000001", t_start: 10, t_end: 12 }
    const corrected = { pointer: "/title", action: "correct", value: "x" } as const
    const wrong: ReadonlyArray<readonly [ReadonlyArray<GivenDecision>, string]> = [
      [[{ pointer: "/none", action: "accept" }], "/decisions/0/pointer"],
      [[{ pointer: "/paid", action: "reject" }], "/decisions/0/pointer"],
      [[{ pointer: "/city", action: "choose", candidate: 1 }], "/decisions/0/candidate"],
      [[{ pointer: "/title", action: "choose", candidate: 0 }], "/decisions/0/candidate"],
      [
        [{ pointer: "/rooms", action: "reject" }, { pointer: "/rooms/0/name", action: "accept" }],
        "/decisions/1/pointer"
      ],
      [[{ ...corrected, citations: [{ ...cite, source_ref: "seg#000009" }] }], "/decisions/0/citations/0/source_ref"],
      [[{ ...corrected, citations: [{ ...cite, t_start: 20, t_end: 22 }] }], "/decisions/0/citations/0/t_start"],
      [[{ ...corrected, citations: [{ ...cite, t_end: 1e21 }] }], "/decisions/0/citations/0/t_end"],
      [[{ ...corrected, citations: [{ ...cite, quote: "The Hall" }] }], "/decisions/0/citations/0/quote"],
      [
        [{
          ...corrected,
          citations: [{ ...cite, source_ref: "frame#000040", t_start: 20, t_end: 20, quote: "Inn of" }]
        }],
        "/decisions/0/citations/0/quote"
      ]
    ]
    for (const [given, path] of wrong) {
      const details = checkDecisions(given, first, heard)
      assert.deepStrictEqual(details.map((detail) => detail.path), [path], JSON.stringify(given))
    }
    assert.deepStrictEqual(
      checkDecisions([{ ...corrected, citations: [{ ...cite, quote: "The hall" }] }], first, heard),
      []
    )
  })

  it("quote the words of the moment where no quote is given", () => {
    const { evidence: { spans } } = after({
      pointer: "/title",
      action: "correct",
      value: "The hall",
      citations: [{ source_ref: "seg#000001", t_start: 10, t_end: 10.9 }]
    })
    assert.deepInclude(spans[0], { quote: "The hall", support: "verbatim", modality: "audio" })
  })
})
