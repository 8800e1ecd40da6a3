import { expect } from "vitest"
import type { Extracted } from "../../../workers/extraction/Extract.ts"
import { leavesOf } from "../../../workers/extraction/text/InstanceLeaves.ts"
import { evidenceFaults } from "./EvidenceFaults.ts"
import type { Footage } from "./Footage.ts"

/** All text of one source: a segment's, or a frame's lines, description and the names of things on it. */
const textOf = ({ transcript, vision }: Footage, ref: string): string =>
  transcript.segments.find(({ id }) => id === ref)?.text ??
    vision.frames.filter(({ source_ref }) => source_ref === ref).map(({ description, labels, text }) =>
      [...text.map((line) => line.text), description, ...labels.map(({ name }) => name)].join(" ")
    ).join(" ")

/** Every leaf has one span that holds and names a node of the graph, or is told as unfilled. */
export const expectSound = (out: Extracted, source: Footage, schema: object) => {
  expect(evidenceFaults(out, source, schema)).toEqual([])
  const pointers = out.evidence.spans.map(({ pointer }) => pointer)
  const unfilled = new Set(out.evidence.unfilled.map(({ pointer }) => pointer))
  const leaves = Array.from(leavesOf(out.result))
  expect(new Set(pointers).size).toBe(pointers.length)
  expect(
    leaves.map(({ pointer }) => pointer).filter((pointer) => !pointers.includes(pointer) && !unfilled.has(pointer))
  ).toEqual([])
  expect(pointers.filter((pointer) => unfilled.has(pointer))).toEqual([])
  const ids = new Set(out.graph.nodes.map(({ id }) => id))
  const compact = new Set(out.graph_compact.nodes.map(({ id }) => id))
  for (const span of out.evidence.spans) {
    expect(leaves).toContainEqual({ pointer: span.pointer, value: span.value })
    if (span.grade === "default") {
      expect(span).toMatchObject({ origin: "default", quote: "", citations: [], verified: false })
      continue
    }
    const { answers, derivable, quoted } = span.checks
    expect(span.verified).toBe(quoted && derivable !== false && answers! >= 0.5)
    const [first] = span.citations
    const { quote: words, source_ref: ref, t_end: end, t_start: start } = span
    expect(first).toMatchObject({ quote: words, source_ref: ref, t_start: start, t_end: end })
    for (
      const { quote, source_ref, t_end, t_start } of [
        span,
        ...span.citations,
        ...span.corroborated_by,
        ...span.alternatives
      ]
    ) {
      expect(textOf(source, source_ref)).toContain(quote)
      expect(quote).not.toBe("")
      expect(t_start).toBeLessThanOrEqual(t_end)
    }
    // What a model says of a picture is no claim of the source, so the graph has no node for it.
    if (span.origin_channel !== "vision" || span.node_id !== null) {
      expect(ids).toContain(span.node_id)
      expect(compact).toContain(span.node_id)
    }
    expect(span.modality === "both").toBe(span.corroborated_by.length > 0)
  }
}
