import { describe, expect, it } from "vitest"
import type { Graph } from "../../src/artifacts/Graph.ts"
import { graphFormats } from "../../src/artifacts/GraphFormat.ts"

const moment = { t_start: 1, t_end: 2.5, modality: "audio", source_refs: ["seg#000001"], mentions: 1 } as const
const nasty = "\"Tea\", <cake> & 'rain'\n=cmd\u0001"
const graph: Graph = {
  view: "compact",
  nodes: [
    { id: "ent_1", kind: "entity", label: "Nina Sommer", type: "person", ...moment },
    { id: "clm_1", kind: "claim", label: nasty, type: "statement", ...moment },
    { id: "spk_1", kind: "speaker", label: "Speaker 1", type: null, ...moment },
    {
      id: "res_1",
      kind: "result",
      label: "Nina",
      type: "people",
      ...moment,
      source_refs: ["seg#000001", "frame#000002"]
    }
  ],
  edges: [
    { id: "rel_1", source: "clm_1", target: "ent_1", relation: "mentions", ...moment },
    { id: "rel_2", source: "res_1", target: "ent_1", relation: "evidenced_by", ...moment },
    { id: "rel_3", source: "res_1", target: "clm_1", relation: "evidenced_by", ...moment }
  ]
}
const written = (format: keyof typeof graphFormats) => graphFormats[format].render(graph, "job_1")

describe("a graph", () => {
  it("as JSON-LD names its things by schema.org and PROV-O, each with what it leads to", () => {
    const { "@context": context, "@graph": things } = JSON.parse(written("jsonld"))
    const at = (id: string) => things.find((thing: { "@id": string }) => thing["@id"] === `urn:footnote:job_1:${id}`)
    expect(things.length).toBe(graph.nodes.length)
    expect(context[at("ent_1")["@type"]]).toBe("schema:Person")
    expect(context[at("clm_1")["@type"]]).toBe("schema:Claim")
    expect(at("clm_1")).toMatchObject({ label: nasty, mentions: ["urn:footnote:job_1:ent_1"] })
    expect(at("res_1")).toMatchObject({
      "@type": "result",
      field: "people",
      evidenced_by: ["urn:footnote:job_1:ent_1", "urn:footnote:job_1:clm_1"]
    })
  })

  it("as GraphML is well-formed XML with every node and edge, whatever was said", () => {
    const text = written("graphml")
    const open: Array<string> = []
    for (const [, closes, name, empty] of text.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/gu)) {
      if (closes !== "") expect(open.pop()).toBe(name)
      else if (empty === "") open.push(name!)
    }
    expect(open).toEqual([])
    expect(text.replaceAll(/&(?:amp|lt|gt|quot);/gu, "")).not.toContain("&")
    expect(text).not.toContain("\u0001")
    const ids = (pattern: RegExp) => Array.from(text.matchAll(pattern), (match) => match.slice(1))
    expect(ids(/<node id="(\w+)"/gu).flat()).toEqual(graph.nodes.map(({ id }) => id))
    expect(ids(/<edge id="\w+" source="(\w+)" target="(\w+)"/gu))
      .toEqual(graph.edges.map(({ source, target }) => [source, target]))
  })

  it("as GraphML keeps every line end, which a reader of XML makes another of where it stands by itself", () => {
    const [node] = graph.nodes
    const text = graphFormats.graphml.render(
      { ...graph, nodes: [{ ...node!, label: "a\r\nb\rc" }], edges: [] },
      "job_1"
    )
    expect(text).toContain(">a&#13;\nb&#13;c<")
  })

  it("as Neo4j's two files quotes every field and parts lists by semicolons", () => {
    const [header, , claim, , result] = written("nodes_csv").split("\r\n")
    expect(header).toBe(
      "\"id:ID\",\":LABEL\",\"label\",\"type\",\"t_start:double\",\"t_end:double\",\"modality\",\"mentions:int\",\"source_refs:string[]\""
    )
    expect(claim).toContain("\"\"\"Tea\"\", <cake> & 'rain'\n=cmd")
    expect(result).toContain("\"seg#000001;frame#000002\"")
    expect(written("edges_csv").split("\r\n").slice(0, 2)).toEqual([
      "\":START_ID\",\":END_ID\",\":TYPE\",\"id\",\"t_start:double\",\"t_end:double\",\"source_refs:string[]\"",
      "\"clm_1\",\"ent_1\",\"mentions\",\"rel_1\",\"1\",\"2.5\",\"seg#000001\""
    ])
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+SUM(1,2)", "'+SUM(1,2)"],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
    ["@now", "'@now"],
    [" =1+1", "' =1+1"],
    ["\t=1+1", "'\t=1+1"],
    ["＝1+1", "'＝1+1"],
    ["Nina = 1", "Nina = 1"]
  ])(
    "as Neo4j's files has no formula for a spreadsheet to run, and elsewhere every word as said: %j",
    (label, cell) => {
      const said = {
        ...graph,
        nodes: [{ id: "clm_1", kind: "claim" as const, label, type: "statement", ...moment }],
        edges: []
      }
      expect(graphFormats.nodes_csv.render(said, "job_1").split("\r\n")[1]).toContain(`"claim","${cell}","statement"`)
      expect(JSON.parse(graphFormats.jsonld.render(said, "job_1"))["@graph"][0].label).toBe(label)
    }
  )
})
