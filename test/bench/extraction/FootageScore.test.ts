import { assert, describe, it } from "@effect/vitest"
import type { FootageRecord } from "../../../bench/extraction/FootageRecord.ts"
import { footageScore, scoreRecord } from "../../../bench/extraction/FootageScore.ts"
import type { EvidenceSpan } from "../../../src/artifacts/Evidence.ts"
import { leavesOf } from "../../../workers/extraction/text/InstanceLeaves.ts"

const record: FootageRecord = {
  id: "two-boats",
  schema: {
    type: "object",
    properties: {
      harbour: { type: "string" },
      pilot: { type: "string" },
      boats: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            crew: { type: "array", items: { type: "string" } },
            knots: { type: "number" }
          }
        }
      },
      why_late: { type: "string" }
    }
  },
  segments: [
    {
      id: "seg_00000",
      speaker: "A",
      text: "This is Lornhaven harbour. The Gull did nine knots, no, eight, with Ida and Tam."
    },
    { id: "seg_00001", speaker: "A", text: "The Tern did six. The ferry had fog on the bar, so all were late." }
  ],
  ocr: [],
  gold: {
    harbour: "Lornhaven",
    boats: [{ name: "Gull", crew: ["Ida", "Tam"], knots: 8 }, { name: "Tern", knots: 6 }],
    why_late: "Fog on the bar held the ferry up."
  },
  evidence: {
    "/harbour": ["seg_00000"],
    "/boats/0/name": ["seg_00000"],
    "/boats/0/crew/0": ["seg_00000"],
    "/boats/0/crew/1": ["seg_00000"],
    "/boats/0/knots": ["seg_00000"],
    "/boats/1/name": ["seg_00001"],
    "/boats/1/knots": ["seg_00001"],
    "/why_late": ["seg_00001"]
  },
  kinds: {
    "/harbour": "stated",
    "/boats/0/name": "stated",
    "/boats/0/crew/0": "stated",
    "/boats/0/crew/1": "stated",
    "/boats/0/knots": "normalised",
    "/boats/1/name": "stated",
    "/boats/1/knots": "normalised",
    "/why_late": "generated"
  },
  facts: { "/why_late": ["fog", "ferry"] },
  traps: [{ pointer: "/boats/0/knots", value: 9, why: "former value", evidence: ["seg_00000"] }],
  not_stated: ["/pilot"]
}

const cited = (pointer: string, source_ref: string, confidence = 0.9) =>
  ({ pointer, source_ref, confidence }) as EvidenceSpan

describe("the score of footage", () => {
  it("pairs entries by likeness, whatever their order, and counts each leaf once", () => {
    const { given, missed } = scoreRecord(record, {
      result: { boats: [{ name: "Tern", knots: 6 }, { name: "Gull", crew: ["Tam"], knots: 8 }] },
      spans: ["/boats/0/name", "/boats/0/knots", "/boats/1/name", "/boats/1/crew/0", "/boats/1/knots"].map((pointer) =>
        cited(pointer, "seg#000001")
      )
    })
    assert.deepStrictEqual(given.map(({ gold, right }) => [gold, right]), [
      ["/boats/1/name", true],
      ["/boats/1/knots", true],
      ["/boats/0/name", true],
      ["/boats/0/crew/1", true],
      ["/boats/0/knots", true]
    ])
    assert.deepStrictEqual(missed, ["stated", "stated", "generated"])
  })

  it("calls a value grounded where it cites a line that the right result names", () => {
    const { given } = scoreRecord(record, {
      result: { harbour: "Lornhaven", boats: [{ name: "Tern" }] },
      spans: [cited("/harbour", "seg#000001"), cited("/boats/0/name", "seg#000001")]
    })
    assert.deepStrictEqual(given.map(({ grounded }) => grounded), [false, true])
  })

  it("counts a wrong value that is said as a trap, and a value for what nobody answers as unanswered", () => {
    const result = { pilot: "Ida", boats: [{ name: "Gull", knots: 9 }] }
    const score = scoreRecord(record, {
      result,
      spans: [
        cited("/pilot", "seg#000000"),
        cited("/boats/0/name", "seg#000000"),
        cited("/boats/0/knots", "seg#000000")
      ]
    })
    const { precision, traps_taken, unanswered_filled } = footageScore([record], [score])
    assert.deepStrictEqual({ precision, traps_taken, unanswered_filled }, {
      precision: 0.333,
      traps_taken: 1,
      unanswered_filled: 1
    })
  })

  it("takes a generated text for right where it holds every fact, and for wrong where one is missing", () => {
    const verdicts = ["The ferry met fog.", "There was fog."].map((why_late) =>
      scoreRecord(record, { result: { why_late }, spans: [cited("/why_late", "seg#000001")] }).given[0]!.right
    )
    assert.deepStrictEqual(verdicts, [true, false])
  })

  it("counts a placeholder as no fact, and tells how many there are", () => {
    const score = scoreRecord(record, {
      result: { harbour: "", boats: [{ name: "Gull" }] },
      spans: [cited("/boats/0/name", "seg#000000")]
    })
    const { given, placeholders, precision } = footageScore([record], [score])
    assert.deepStrictEqual({ given, placeholders, precision }, { given: 1, placeholders: 1, precision: 1 })
  })

  it.each([
    {
      title: "a value for an array that nobody answers is unanswered, once however many it is given",
      gold: {},
      given: { prices: [3, 4] },
      more: { not_stated: ["/prices"] },
      expected: { precision: 0, traps_taken: null, unanswered_filled: 1 }
    },
    {
      title: "an object that nobody answers is filled once however many of its fields are",
      gold: {},
      given: { agent: { name: "Ida", phone: "12" } },
      more: { not_stated: ["/agent"] },
      expected: { precision: 0, traps_taken: null, unanswered_filled: 1 }
    },
    {
      title: "the wrong value said for an array is a trap in whatever entry",
      gold: { tags: ["red", "blue"] },
      given: { tags: ["green", "red"] },
      more: { traps: [{ pointer: "/tags/1", value: "green", why: "denied", evidence: [] }] },
      expected: { precision: 0.5, traps_taken: 1, unanswered_filled: null }
    },
    {
      title: "a trap is taken once however often its value is given",
      gold: { tags: ["red"] },
      given: { tags: ["green", "green"] },
      more: { traps: [{ pointer: "/tags/1", value: "green", why: "denied", evidence: [] }] },
      expected: { precision: 0, traps_taken: 1, unanswered_filled: null }
    },
    {
      title: "a value of another field of an entry is no trap",
      gold: { boats: [{ name: "Gull" }] },
      given: { boats: [{ crew: "green" }] },
      more: { traps: [{ pointer: "/boats/0/name", value: "green", why: "denied", evidence: [] }] },
      expected: { precision: 0, traps_taken: 0, unanswered_filled: null }
    },
    {
      title: "a key with a slash or a tilde is found",
      gold: { "km/h": "nine", "a~b": "ten" },
      given: { "km/h": "nine", "a~b": "ten" },
      more: {},
      expected: { precision: 1, traps_taken: null, unanswered_filled: null }
    },
    {
      title: "generated texts of an array are paired by their facts",
      gold: { reasons: ["Fog held the ferry up.", "A sail was torn."] },
      given: { reasons: ["One torn sail.", "The ferry met fog."] },
      more: {
        kinds: { "/reasons/0": "generated", "/reasons/1": "generated" },
        facts: { "/reasons/0": ["fog", "ferry"], "/reasons/1": ["sail"] }
      },
      expected: { precision: 1, traps_taken: null, unanswered_filled: null }
    },
    {
      title: "a generated text holds a fact in any form of its word",
      gold: { why: "It has to be signed." },
      given: { why: "The sheet was not signed yet." },
      more: { kinds: { "/why": "generated" }, facts: { "/why": ["sign"] } },
      expected: { precision: 1, traps_taken: null, unanswered_filled: null }
    },
    {
      title: "a generated text holds no number in a longer one",
      gold: { fix: "Print at 245." },
      given: { fix: "Print at 2450." },
      more: { kinds: { "/fix": "generated" }, facts: { "/fix": ["245"] } },
      expected: { precision: 0, traps_taken: null, unanswered_filled: null }
    },
    {
      title: "entries are paired so that the most leaves are right",
      gold: { rows: [{ a: 1, b: 1, c: 1, d: 1 }, { a: 1, b: 1, c: 1, d: 2 }] },
      given: { rows: [{ a: 1, b: 1, c: 1 }, { d: 1 }] },
      more: {},
      expected: { precision: 1, traps_taken: null, unanswered_filled: null }
    },
    {
      title: "a decimal is not right without its point, and a trap where it is said for another",
      gold: { version: "15" },
      given: { version: "1.5" },
      more: { traps: [{ pointer: "/version", value: "1.5", why: "former", evidence: [] }] },
      expected: { precision: 0, traps_taken: 1, unanswered_filled: null }
    }
  ])("counts right: $title", ({ expected, given, gold, more }) => {
    const kinds = Object.fromEntries(Array.from(leavesOf(gold), ({ pointer }) => [pointer, "stated" as const]))
    const own = { ...record, gold, evidence: {}, facts: {}, traps: [], not_stated: [], kinds, ...more } as FootageRecord
    const score = scoreRecord(own, {
      result: given,
      spans: Array.from(leavesOf(given), ({ pointer }) => cited(pointer, "seg#000000"))
    })
    const { precision, traps_taken, unanswered_filled } = footageScore([own], [score])
    assert.deepStrictEqual({ precision, traps_taken, unanswered_filled }, expected)
  })
})
