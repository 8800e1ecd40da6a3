import { assert, describe, it } from "@effect/vitest"
import { countsOf, type Evidence, type EvidenceSpan } from "../../../src/artifacts/Evidence.ts"
import { clock, howToGetMore, renderEvidence } from "../../../src/cli/output/EvidenceTable.ts"

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
  grade: "stated",
  citations: [],
  checks: { quoted: true, derivable: true, answers: 0.9, judged_by: "rules" },
  proposed_by: "rules:screen-label",
  ...over
})

const evidenceOf = (spans: ReadonlyArray<EvidenceSpan>, unfilled: Evidence["unfilled"] = []): Evidence => ({
  spans,
  unfilled,
  counts: countsOf(spans, unfilled)
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
    const table = renderEvidence(
      evidenceOf([span({}), span({ pointer: "/price", value: 49, quote: "forty nine" })]),
      120
    )
    const rows = table.split("\n")
    assert.strictEqual(rows.length, 5)
    assert.strictEqual(rows[4], "2 leaves: 2 filled, 2 of them verified, 0 not filled.")
    assert.match(rows[1]!, /\/title\s+Cells\s+0:00\.0–0:12\.5\s+on screen\s+stated\s+“Cells”/u)
    assert.match(rows[2]!, /\/price\s+49\s/u)
  })

  it("stays within the terminal whatever the values are", () => {
    const table = renderEvidence(
      evidenceOf([span({ value: "x".repeat(500), quote: "y ".repeat(300) })]),
      100
    )
    for (const row of table.split("\n")) assert.isAtMost(row.length, 100)
  })

  it("links each moment to itself where the source's address is known, and is as wide as without", () => {
    const evidence = evidenceOf([
      span({}),
      span({ pointer: "/at", value: "0:00.0–0:12.5", quote: "0:00.0–0:12.5" })
    ])
    const plain = renderEvidence(evidence, 120)
    const linked = renderEvidence(evidence, 120, "https://example.com/talk.mp4")
    const link =
      "\u001b]8;;https://example.com/talk.mp4#t=0,12.5&xywh=percent:10,5,30,8\u001b\\0:00.0–0:12.5\u001b]8;;\u001b\\"
    assert.strictEqual(linked.split(link).length, 3)
    assert.strictEqual(linked.replaceAll(link, "0:00.0–0:12.5"), plain)
    assert.notInclude(plain, "\u001b")
  })

  it("tells what was not found and why, with what was held back", () => {
    const candidate = { value: "MATH 201", confidence: 0.4, quote: "math two oh one", source_ref: "seg#000001" }
    const table = renderEvidence(
      evidenceOf([], [
        { pointer: "/course", reason: "not_found", candidates: [] },
        {
          pointer: "/code",
          reason: "below_threshold",
          candidates: [{ ...candidate, t_start: 61, t_end: 62, refused_because: "It is not sure enough." }]
        }
      ]),
      100
    )
    assert.include(table, "/course  (not_found) nothing in the footage answers it\n")
    assert.match(
      table,
      /\/code {2}\(below_threshold\) [^\n]+\n {4}MATH 201 0\.40 1:01\.0 “math two oh one”\n {6}It is not sure enough\./u
    )
  })

  it("marks what is not verified, and gives the schema's own value neither moment nor quote", () => {
    const table = renderEvidence(
      evidenceOf([
        span({ verified: false }),
        span({ pointer: "/kind", value: "talk", grade: "default", modality: "none", source_ref: "schema", quote: "" })
      ]),
      120
    )
    const rows = table.split("\n")
    assert.match(rows[1]!, /on screen\s+\?stated\s+“Cells”/u)
    assert.match(rows[2]!, /\/kind\s+talk\s+schema\s+default$/u)
  })
})

describe("howToGetMore", () => {
  const candidate = {
    value: 1932,
    confidence: 0.57,
    quote: "1932",
    source_ref: "frame#000001",
    t_start: 0,
    t_end: 13,
    refused_because: "It is not sure enough."
  }
  const unfilled = (reason: Evidence["unfilled"][number]["reason"], candidates = [candidate]) => ({
    pointer: "/year_built",
    reason,
    candidates
  })

  it("counts what was found and left out as not sure enough, and nothing else", () => {
    const some = [unfilled("below_threshold"), unfilled("below_threshold"), unfilled("not_found", [])]
    assert.match(howToGetMore(evidenceOf([], some))!, /^Of 2 more .*--precision balanced/u)
  })

  it("says nothing where nothing was", () => {
    const none = [unfilled("not_found", []), unfilled("below_threshold", []), unfilled("refused")]
    assert.isUndefined(howToGetMore(evidenceOf([span({})], none)))
  })
})
