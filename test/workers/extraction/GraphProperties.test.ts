import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { alignmentIndex } from "../../../workers/extraction/grounding/Align.ts"
import { buildGraph } from "../../../workers/extraction/result/Graph.ts"
import { materialOf, type Shown, type Turn } from "./Footage.ts"

const graphOf = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown>) => {
  const { registry, reading, sentences } = materialOf(said, seen)
  const heard = alignmentIndex(reading.passages.filter((passage) => passage.modality === "audio"))
  return { ...buildGraph(reading, registry, sentences, heard, []), reading }
}

const sentence = fc.constantFrom(
  "Hello, I am Nina Sommer and I work for Northwind Software in Oslo.",
  "Nina measured 40 percent less power in nine weeks.",
  "We looked at the Trail Buddy for about nine weeks.",
  "Northwind Software paid 1,800 dollars a month to Harbour Systems.",
  "Is that so?",
  "The team of Harbour Systems moved to Rotterdam in May.",
  "okay"
)
const turns = fc.array(fc.tuple(fc.constantFrom("S1", "S2"), sentence), { maxLength: 8 }).map((said) =>
  said.map(([speaker, text], at): Turn => [at * 10, speaker, text])
)
const shown = fc.constantFrom<ReadonlyArray<Shown>>([], [[0.5, ["Trail Buddy", "by Northwind Software"]]])

const ninasOf = (said: ReadonlyArray<Turn>) =>
  graphOf(said, []).canonical.nodes.filter(({ kind, label }) => kind === "entity" && label.startsWith("Nina"))

describe("the graph of any source", () => {
  it("is the same to the byte when it is built again, and every edge names a source", () => {
    fc.assert(fc.property(turns, shown, (said, seen) => {
      const [first, second] = [graphOf(said, seen), graphOf(structuredClone(said), structuredClone(seen))]
      expect(JSON.stringify([second.canonical, second.compact])).toBe(JSON.stringify([first.canonical, first.compact]))
      for (const { edges, nodes } of [first.canonical, first.compact]) {
        const ids = new Set(nodes.map(({ id }) => id))
        expect(ids.size).toBe(nodes.length)
        for (const { source, source_refs, t_end, t_start, target } of edges) {
          expect([ids.has(source), ids.has(target)]).toEqual([true, true])
          expect(source_refs.length).toBeGreaterThan(0)
          expect(t_end).toBeGreaterThanOrEqual(t_start)
        }
      }
    }))
  })

  it("holds of the compact view nothing that the canonical one has not", () => {
    fc.assert(fc.property(turns, shown, (said, seen) => {
      const { canonical, compact } = graphOf(said, seen)
      expect(canonical.nodes).toEqual(expect.arrayContaining([...compact.nodes]))
      expect(canonical.edges).toEqual(expect.arrayContaining([...compact.edges]))
    }))
  })

  it("states claims word for word, in the passage that they cite, within its time and by its speaker", () => {
    fc.assert(fc.property(turns, shown, (said, seen) => {
      const { canonical: { edges, nodes }, reading } = graphOf(said, seen)
      for (const claim of nodes.filter(({ kind }) => kind === "claim")) {
        const passage = reading.passages.find((one) =>
          claim.source_refs.includes(one.source_ref) && one.text.includes(claim.label)
        )!
        expect(claim.t_start).toBeGreaterThanOrEqual(passage.t_start)
        expect(claim.t_end).toBeLessThanOrEqual(passage.t_end + 0.001)
        const stated = edges.filter(({ relation, target }) => relation === "states" && target === claim.id)
        expect(stated).toHaveLength(passage.speaker === null ? 0 : 1)
      }
    }))
  })

  it("keeps every id when a segment about something else is appended", () => {
    fc.assert(fc.property(turns, shown, (said, seen) => {
      const before = graphOf(said, seen).canonical
      const last: Turn = [said.length * 10, "S3", "Later Paul Hall from Bergen bought 12 of them."]
      const after = graphOf([...said, last], seen).canonical
      const ids = new Set([...after.nodes, ...after.edges].map(({ id }) => id))
      expect([...before.nodes, ...before.edges].filter(({ id }) => !ids.has(id))).toEqual([])
    }))
  })

  it("keeps the id of somebody whose full name comes up later", () => {
    const said: ReadonlyArray<Turn> = [
      [0, "S1", "We asked Nina about the meter in Oslo."],
      [10, "S2", "Nina measured 40 percent less power in nine weeks."]
    ]
    const [before] = ninasOf(said)
    const [after, ...others] = ninasOf([...said, [20, "S1", "Her name is Nina Sommer, by the way."]])
    expect([after?.label, others]).toEqual(["Nina Sommer", []])
    expect(after?.id).toBe(before?.id)
  })
})
