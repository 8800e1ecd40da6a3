import { describe, expect, it } from "vitest"
import { alignmentIndex } from "../../../../workers/extraction/grounding/Align.ts"
import { canonicalKeys } from "../../../../workers/extraction/result/Entities.ts"
import { buildGraph, contentId } from "../../../../workers/extraction/result/Graph.ts"
import { materialOf, type Shown, type Turn } from "../Footage.ts"

const turns: ReadonlyArray<Turn> = [
  [0, "S1", "Hello, I am Nina Sommer and I work for Northwind Software in Oslo."],
  [10, "S2", "we looked at the trail budy for about nine weeks"],
  [20, "S1", "Nina and the team of Northwind Software measured 40 percent less power."]
]
const shown: ReadonlyArray<Shown> = [[0.5, ["Trail Buddy", "by Northwind Software", "Nina Sommer"]]]

const graphOf = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown> = shown) => {
  const { cast, reading, sentences } = materialOf(said, seen)
  const heard = alignmentIndex(reading.passages.filter((passage) => passage.modality === "audio"))
  return buildGraph(reading, cast, sentences, heard, [])
}

describe("buildGraph", () => {
  it("joins what is heard and seen of one name in one node, spelled as on screen", () => {
    const { nodes } = graphOf(turns).canonical
    const company = nodes.find((node) => node.label === "Northwind Software")!
    expect(company).toMatchObject({ kind: "entity", type: "organisation", modality: "both" })
    expect(company.mentions).toBeGreaterThanOrEqual(3)
    expect(nodes.filter((node) => node.kind === "entity" && node.label.includes("Nina"))).toMatchObject([
      { label: "Nina Sommer", type: "person", modality: "both" }
    ])
  })

  it("states claims word for word, at their own seconds, by their speaker", () => {
    const { edges, nodes } = graphOf(turns).canonical
    const claim = nodes.find((node) => node.kind === "claim" && node.label.startsWith("Nina and the team"))!
    expect(claim).toMatchObject({ label: turns[2]![2], t_start: 20, source_refs: ["seg#000003"] })
    const speaker = nodes.find((node) => node.kind === "speaker" && node.label === "Nina Sommer")!
    expect(edges).toContainEqual(expect.objectContaining({ source: speaker.id, target: claim.id, relation: "states" }))
    const mentioned = edges.filter((edge) => edge.source === claim.id && edge.relation === "mentions")
    expect(mentioned).toHaveLength(2)
  })

  it("keeps every id when a segment is appended", () => {
    const before = graphOf(turns).canonical
    const after = graphOf([...turns, [30, "S3", "Later Paul Hall from Bergen bought 12 of them."]]).canonical
    const ids = new Set([...after.nodes, ...after.edges].map(({ id }) => id))
    expect([...before.nodes, ...before.edges].filter(({ id }) => !ids.has(id))).toEqual([])
    expect(after.nodes.length).toBeGreaterThan(before.nodes.length)
  })

  it("has unique ids, and edges only between nodes that are there, in both views", () => {
    const { canonical, compact } = graphOf(turns)
    for (const { edges, nodes } of [canonical, compact]) {
      const ids = new Set(nodes.map(({ id }) => id))
      expect(ids.size).toBe(nodes.length)
      expect(new Set(edges.map(({ id }) => id)).size).toBe(edges.length)
      expect(edges.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([])
    }
    expect(compact.nodes.length).toBeLessThanOrEqual(canonical.nodes.length)
    expect(compact.edges.some(({ relation }) => relation === "co_occurs")).toBe(false)
  })

  it("is empty for a source that says and shows nothing", () => {
    expect(graphOf([], []).canonical).toEqual({ view: "canonical", nodes: [], edges: [] })
  })
})

describe("contentId", () => {
  it("depends on content alone and gives ten characters after its prefix", () => {
    expect(contentId("ent_", "entity|oslo")).toBe(contentId("ent_", "entity|oslo"))
    expect(contentId("ent_", "entity|oslo")).toMatch(/^ent_[0-9a-hjkmnp-tv-z]{10}$/u)
    expect(contentId("ent_", "entity|oslo")).not.toBe(contentId("ent_", "entity|bergen"))
  })
})

const joined = (...keys: ReadonlyArray<string>) =>
  canonicalKeys(new Map(keys.map((key, at) => [key, keys.length - at])))

describe("canonicalKeys", () => {
  it("joins a person's parts, initials, near spellings and split words to the one whole they fit", () => {
    const heads = joined(
      "nina sommer",
      "nina",
      "northwind software",
      "northwind softwar",
      "world health group",
      "whg",
      "data base",
      "database"
    )
    expect(heads.get("nina")).toBe("nina sommer")
    expect(heads.get("northwind softwar")).toBe("northwind software")
    expect(heads.get("whg")).toBe("world health group")
    expect(heads.get("database")).toBe("data base")
  })

  it("leaves a part alone that fits two wholes, and parts of institutions", () => {
    expect(joined("nina sommer", "nina winter", "nina").get("nina")).toBe("nina")
    expect(joined("oslo university", "oslo").get("oslo")).toBe("oslo")
  })
})
