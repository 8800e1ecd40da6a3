import { describe, expect, it } from "vitest"
import type { Graph } from "../../../../../src/artifacts/Graph.ts"
import { graphFormats } from "../../../../../src/artifacts/GraphFormat.ts"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { type Footage, footage, inputOf } from "../../Footage.ts"
import { lineOf, type ModelCall, type PlayedModel, TOKENS } from "./ModelServer.ts"
import { run } from "./PlayedRun.ts"

const fair = footage([
  [0, "S1", "Welcome to the Glide Fair, everybody, and thank you all for coming."],
  [10, "S1", "Lena Marwick runs the paint shop for Harrow Works these days."],
  [20, "S1", "The Wavecutter, also called the Blue Nose, costs 480 pounds this season."],
  [30, "S1", "Harrow Works sits at the harbour, a little outside of Leith."],
  [40, "S1", "Tom Becker does not work for Harrow Works any more, sadly."],
  [50, "S1", "Does Nina Sommer work for Harrow Works as well?"]
])
const schema = { type: "object", properties: { fair: { type: "string", description: "Name of the fair" } } }

const asksForGraph = ({ fields }: ModelCall): boolean => fields.includes("/names/*/name")

interface Name {
  readonly name: string
  readonly type?: string
  readonly also?: string
  readonly line: string
}
type Statement = readonly [subject: string, relation: string, object: string, line: string]

/** One that reads the form and says this of the graph, in whole true lines. */
const telling = (names: ReadonlyArray<Name>, relations: ReadonlyArray<Statement> = []): PlayedModel => (call) => {
  const of = (line: string) => ({
    quote: call.lines.find(({ text }) => text.includes(line))!.text,
    refs: lineOf(call, line)
  })
  if (!asksForGraph(call)) {
    return { say: [{ path: "/fair", value: "Glide Fair", ...of("Glide Fair") }] }
  }
  return {
    say: [
      ...names.flatMap(({ also, line, name, type }) => [
        { path: "/names/*/name", item: name, value: name, ...of(line) },
        ...(type === undefined ? [] : [{ path: "/names/*/type", item: name, value: type, ...of(line) }]),
        ...(also === undefined ? [] : [{ path: "/names/*/also_called", item: name, value: also, ...of(line) }])
      ]),
      ...relations.flatMap(([subject, relation, object, line], at) => [
        { path: "/relations/*/subject", item: `r${at}`, value: subject, ...of(line) },
        { path: "/relations/*/relation", item: `r${at}`, value: relation, ...of(line) },
        { path: "/relations/*/object", item: `r${at}`, value: object, ...of(line) }
      ])
    ]
  }
}

const graphOf = (model: PlayedModel, source: Footage = fair, more = {}) =>
  run(model, schema, source, { graph: true, ...more })

const named = ({ nodes }: Graph, label: string) => nodes.find((node) => node.kind === "entity" && node.label === label)
const told = ({ edges, nodes }: Graph): ReadonlyArray<string> => {
  const label = new Map(nodes.map((node) => [node.id, node.label]))
  return edges.filter(({ relation }) => !["states", "mentions", "co_occurs", "evidenced_by", "is"].includes(relation))
    .map(({ relation, source, target }) => `${label.get(source)} ${relation} ${label.get(target)}`).toSorted()
}

const marwick: Name = { name: "Lena Marwick", type: "person", line: "Lena Marwick" }
const works: Name = { name: "Harrow Works", type: "organisation", line: "paint shop" }
const cutter: Name = { name: "Wavecutter", type: "product", also: "Blue Nose", line: "Wavecutter" }
const leith: Name = { name: "Leith", type: "place", line: "Leith" }

/** One that is away for the graph alone. */
const unread: PlayedModel = (call) => asksForGraph(call) ? { status: 503 } : telling([])(call)

/** Any words of the source as anything. */
const wild: PlayedModel = (call) =>
  asksForGraph(call)
    ? {
      say: call.lines.flatMap(({ number, text }, at) =>
        ["/names/*/name", "/names/*/also_called", "/relations/*/subject", "/relations/*/object"].map((path, k) => ({
          path,
          item: String(at % 2),
          value: text.split(" ").slice(k, k + 1 + (at % 3)).join(" "),
          quote: text,
          refs: [number, 999]
        })).concat([
          { path: "/names/*/type", item: String(at % 2), value: "person", quote: text, refs: [number] },
          { path: "/relations/*/relation", item: String(at % 2), value: "part_of", quote: text, refs: [number] }
        ])
      )
    }
    : telling([])(call)

describe("the graph where a language model is configured", () => {
  it("has its types, its other names and its relations, each with the moment and the words that say it", async () => {
    const { codes, out, server } = await graphOf(telling([marwick, works, cutter, leith], [
      ["Lena Marwick", "works_for", "Harrow Works", "paint shop"],
      ["480 pounds", "price_of", "Wavecutter", "Wavecutter"],
      ["Harrow Works", "located_in", "Leith", "Leith"]
    ]))
    expect(told(out.graph)).toEqual(expect.arrayContaining([
      "480 pounds price_of Wavecutter",
      "Harrow Works located_in Leith",
      "Lena Marwick works_for Harrow Works"
    ]))
    expect(named(out.graph, "Lena Marwick")?.type).toBe("person")
    expect(named(out.graph, "Wavecutter")?.type).toBe("product")
    expect(named(out.graph, "Blue Nose")).toBeUndefined()
    const edge = out.graph.edges.find(({ relation }) => relation === "works_for")!
    expect(edge).toMatchObject({ t_start: 10, source_refs: [fair.transcript.segments[1]!.id] })
    const ld = JSON.parse(graphFormats.jsonld.render(out.graph, "job_1"))
    expect(ld["@context"]).toMatchObject({ product: "schema:Product" })
    expect(ld["@graph"]).toContainEqual(expect.objectContaining({ "@type": "product", label: "Wavecutter" }))
    for (const { render } of Object.values(graphFormats)) expect(render(out.graph, "job_1").length).toBeGreaterThan(100)
    expect(codes).toEqual([])
    expect(server.calls).toHaveLength(2)
    expect(out.tokens).toBe(2 * (TOKENS.prompt_tokens + TOKENS.completion_tokens))
  })

  it("is asked for after the same lines, so that a server's cache has them", async () => {
    const { server } = await graphOf(telling([]))
    const [form, graph] = server.calls
    expect(graph!.system).toBe(form!.system)
    const fence = form!.prompt.slice(0, form!.prompt.indexOf("Fields:"))
    expect(graph!.prompt.startsWith(fence.trimEnd())).toBe(true)
  })

  it.each<readonly [string, ReadonlyArray<Name>, ReadonlyArray<Statement>]>([
    ["is denied", [{ name: "Tom Becker", type: "person", line: "Tom Becker" }, works], [
      ["Tom Becker", "works_for", "Harrow Works", "Tom Becker"]
    ]],
    ["is only asked", [{ name: "Nina Sommer", type: "person", line: "Nina Sommer" }, works], [
      ["Nina Sommer", "works_for", "Harrow Works", "Nina Sommer"]
    ]],
    ["stands the other way round", [marwick, works], [["Harrow Works", "works_for", "Lena Marwick", "paint shop"]]],
    ["no one sentence says", [marwick, leith], [["Lena Marwick", "located_in", "Leith", "Leith"]]],
    ["has a price that is none", [cutter], [["this season", "price_of", "Wavecutter", "Wavecutter"]]],
    ["is no relation", [marwick, works], [["Lena Marwick", "owns", "Harrow Works", "paint shop"]]]
  ])("leaves out what %s", async (_, names, relations) => {
    const [one, other] = await Promise.all([graphOf(telling(names, relations)), graphOf(telling(names))])
    expect(told(one.out.graph)).toEqual(told(other.out.graph))
  })

  it("does not take two names for one thing's because a line has both, nor a name that nobody said", async () => {
    const { out } = await graphOf(telling([
      { ...marwick, also: "Harrow Works" },
      works,
      { name: "Zanzibar", type: "place", line: "Leith" },
      { name: "sadly", type: "event", line: "sadly" }
    ]))
    expect(named(out.graph, "Lena Marwick")).toBeDefined()
    expect(named(out.graph, "Harrow Works")).toBeDefined()
    for (const label of ["Zanzibar", "sadly"]) expect(named(out.graph, label)).toBeUndefined()
  })

  it("is not what a judge objects to", async () => {
    const statement: Statement = ["Lena Marwick", "works_for", "Harrow Works", "paint shop"]
    const judging = (verdict: string): PlayedModel => (call) =>
      call.system.includes("You check")
        ? { text: JSON.stringify({ verdicts: [{ claim: 1, verdict, score: 0.9 }] }) }
        : telling([marwick, works], [statement])(call)
    const works_for = async (verdict: string) =>
      told((await graphOf(judging(verdict), fair, { judge: true })).out.graph).includes(
        "Lena Marwick works_for Harrow Works"
      )
    expect([await works_for("supports"), await works_for("not said")]).toEqual([true, false])
  })

  it("is the rules' own, byte for byte, where the model says nothing of it or is not asked", async () => {
    const { out } = await graphOf(telling([]))
    const { out: unasked } = await graphOf(telling([]), fair, { graph: false })
    expect(JSON.stringify(out.graph)).toBe(JSON.stringify(unasked.graph))
    expect(extract(inputOf(schema, fair)).graph.edges.length).toBeGreaterThan(0)
  })

  it("is left to rules, with a warning and the result whole, where the tokens are spent or the model is away", async () => {
    for (const [model, most_tokens] of [[unread, 500_000], [telling([marwick]), 6000]] as const) {
      const { codes, out } = await graphOf(model, fair, { most_tokens })
      expect(codes).toEqual(["LLM_INCOMPLETE"])
      expect(out.result).toEqual({ fair: "Glide Fair" })
      expect(out.tokens).toBe(TOKENS.prompt_tokens + TOKENS.completion_tokens)
    }
  })

  it("of a model that says anything at all is a graph: unique ids, edges between its nodes, words of the source", async () => {
    const { out } = await graphOf(wild)
    const words = fair.transcript.text
    const ids = new Set(out.graph.nodes.map(({ id }) => id))
    expect(ids.size).toBe(out.graph.nodes.length)
    expect(out.graph.edges.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([])
    for (const { kind, label } of out.graph.nodes) if (kind === "entity") expect(words).toContain(label)
  })
})
