import { assert, describe, it } from "@effect/vitest"
import type { EvidenceSpan } from "../../src/artifacts/Evidence.ts"
import { clock, renderEvidence } from "../../src/cli/EvidenceTable.ts"

const span = (over: Partial<EvidenceSpan>): EvidenceSpan => ({
  pointer: "/title",
  value: "Cells",
  origin: "extracted",
  origin_channel: "ocr",
  modality: "visual",
  t_start: 0,
  t_end: 12.5,
  source_ref: "frame#000000",
  quote: "Cells",
  media_fragment: "#t=0,12.5&xywh=percent:10,5,30,8",
  node_id: null,
  support: "verbatim",
  confidence: 0.9,
  verified: true,
  corroborated_by: [],
  alternatives: [],
  ...over
})

describe("clock", () => {
  it("carries seconds into minutes when tenths round up", () => {
    assert.strictEqual(clock(59.96), "1:00.0")
    assert.strictEqual(clock(3723.4), "62:03.4")
    assert.strictEqual(clock(0), "0:00.0")
  })
})

describe("renderEvidence", () => {
  it("gives every leaf one row with its value, moment, source and quote", () => {
    const table = renderEvidence({
      spans: [span({}), span({ pointer: "/price", value: 49, quote: "forty nine" })],
      unfilled: []
    }, 120)
    const rows = table.split("\n")
    assert.strictEqual(rows.length, 3)
    assert.match(rows[1]!, /\/title\s+Cells\s+0:00\.0–0:12\.5\s+on screen\s+“Cells”/u)
    assert.match(rows[2]!, /\/price\s+49\s/u)
  })

  it("stays within the terminal whatever the values are", () => {
    const table = renderEvidence(
      { spans: [span({ value: "x".repeat(500), quote: "y ".repeat(300) })], unfilled: [] },
      100
    )
    for (const row of table.split("\n")) assert.isAtMost(row.length, 100)
  })

  it("links each moment to itself where the source's address is known, and is as wide as without", () => {
    const evidence = {
      spans: [span({}), span({ pointer: "/at", value: "0:00.0–0:12.5", quote: "0:00.0–0:12.5" })],
      unfilled: []
    }
    const plain = renderEvidence(evidence, 120)
    const linked = renderEvidence(evidence, 120, "https://example.com/talk.mp4")
    const link =
      "\u001b]8;;https://example.com/talk.mp4#t=0,12.5&xywh=percent:10,5,30,8\u001b\\0:00.0–0:12.5\u001b]8;;\u001b\\"
    assert.strictEqual(linked.split(link).length, 3)
    assert.strictEqual(linked.replaceAll(link, "0:00.0–0:12.5"), plain)
    assert.notInclude(plain, "\u001b")
  })

  it("tells what was not found and why", () => {
    const table = renderEvidence({ spans: [], unfilled: [{ pointer: "/course", reason: "not_found" }] }, 100)
    assert.include(table, "/course  (not_found)")
  })
})
