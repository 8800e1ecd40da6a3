import { Schema } from "effect"
import type { Graph } from "./Graph.ts"

/** What a graph can be written as, besides JSON: Neo4j's bulk import takes a file of nodes and one of relationships. */
export const GraphFormat = Schema.Literals(["jsonld", "graphml", "nodes_csv", "edges_csv"])
export type GraphFormat = typeof GraphFormat.Type

/** The graph's own words in those of schema.org and PROV-O (www.w3.org/TR/prov-o): readers of JSON-LD see theirs, people ours. */
const context = {
  schema: "https://schema.org/",
  prov: "http://www.w3.org/ns/prov#",
  own: "urn:footnote:graph:",
  label: "schema:name",
  entity: "schema:Thing",
  person: "schema:Person",
  organisation: "schema:Organization",
  place: "schema:Place",
  role: "schema:Role",
  price: "schema:MonetaryAmount",
  date: "own:date",
  title: "schema:CreativeWork",
  claim: "schema:Claim",
  speaker: "prov:Agent",
  result: "prov:Entity",
  t_start: "schema:startTime",
  t_end: "schema:endTime",
  source_refs: "own:source_refs",
  modality: "own:modality",
  field: "own:field",
  is: { "@id": "schema:sameAs", "@type": "@id" },
  mentions: { "@id": "schema:mentions", "@type": "@id" },
  part_of: { "@id": "schema:isPartOf", "@type": "@id" },
  works_for: { "@id": "schema:worksFor", "@type": "@id" },
  role_of: { "@id": "own:role_of", "@type": "@id" },
  price_of: { "@id": "own:price_of", "@type": "@id" },
  located_in: { "@id": "schema:location", "@type": "@id" },
  happened_at: { "@id": "own:happened_at", "@type": "@id" },
  superseded_by: { "@id": "schema:supersededBy", "@type": "@id" },
  evidenced_by: { "@id": "prov:wasDerivedFrom", "@type": "@id" },
  states: { "@reverse": "prov:wasAttributedTo", "@type": "@id" },
  co_occurs: { "@id": "own:co_occurs", "@type": "@id" }
}

/** What a language model may name besides: told only where the graph has it, so that every other one is written as before. */
const named = { product: "schema:Product", event: "schema:Event", work: "schema:CreativeWork" }

const contextOf = (nodes: Graph["nodes"]): Readonly<Record<string, unknown>> => {
  const types = new Set(nodes.flatMap(({ kind, type }) => kind === "entity" && type !== null ? [type] : []))
  return { ...context, ...Object.fromEntries(Object.entries(named).filter(([type]) => types.has(type))) }
}

const toJsonLd = ({ edges, nodes }: Graph, job: string): string => {
  const words = contextOf(nodes)
  const iri = (id: string): string => `urn:footnote:${job}:${id}`
  const from = Map.groupBy(edges, ({ source }) => source)
  const things = nodes.map(({ id, kind, label, modality, source_refs, t_end, t_start, type }) => {
    const known = kind === "entity" && type !== null && Object.hasOwn(words, type) ? type : kind
    const related = Map.groupBy(from.get(id) ?? [], ({ relation }) => relation)
    return {
      "@id": iri(id),
      "@type": known,
      label,
      ...(kind === "result" && type !== null ? { field: type } : {}),
      t_start,
      t_end,
      modality,
      source_refs,
      ...Object.fromEntries(
        Array.from(related, ([relation, some]) => [relation, some.map(({ target }) => iri(target))])
      )
    }
  })
  return `${JSON.stringify({ "@context": words, "@graph": things }, null, 2)}\n`
}

const xml = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "�")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")
    // A reader of XML makes a line feed of it where it stands by itself.
    .replaceAll("\r", "&#13;")

/** Attributes of nodes and of relationships: name, GraphML's type and Neo4j's. */
const nodeFields = [
  ["label", "string", ""],
  ["type", "string", ""],
  ["t_start", "double", ":double"],
  ["t_end", "double", ":double"],
  ["modality", "string", ""],
  ["mentions", "int", ":int"],
  ["source_refs", "string", ":string[]"]
] as const
const edgeFields = [
  ["t_start", "double", ":double"],
  ["t_end", "double", ":double"],
  ["source_refs", "string", ":string[]"]
] as const

const plain = (value: unknown): string => Array.isArray(value) ? value.join(";") : value === null ? "" : String(value)

const key = (name: string, of: string, type: string) =>
  `  <key id="${of}_${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`
const data = (of: string, name: string, value: unknown) =>
  value === null ? [] : [`      <data key="${of}_${name}">${xml(plain(value))}</data>`]

/** GraphML (graphml.graphdrawing.org/specification.html). */
const toGraphMl = ({ edges, nodes }: Graph): string => {
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`,
    key("kind", "node", "string"),
    ...nodeFields.map(([name, type]) => key(name, "node", type)),
    key("relation", "edge", "string"),
    ...edgeFields.map(([name, type]) => key(name, "edge", type)),
    `  <graph edgedefault="directed">`,
    ...nodes.flatMap((node) => [
      `    <node id="${xml(node.id)}">`,
      ...data("node", "kind", node.kind),
      ...nodeFields.flatMap(([name]) => data("node", name, node[name])),
      `    </node>`
    ]),
    ...edges.flatMap((edge) => [
      `    <edge id="${xml(edge.id)}" source="${xml(edge.source)}" target="${xml(edge.target)}">`,
      ...data("edge", "relation", edge.relation),
      ...edgeFields.flatMap(([name]) => data("edge", name, edge[name])),
      `    </edge>`
    ]),
    `  </graph>`,
    `</graphml>`,
    ""
  ].join("\n")
}

/** Text that a spreadsheet would run as a formula, as text: an apostrophe before it (owasp.org/www-community/attacks/CSV_Injection). */
const inert = (value: unknown): string =>
  typeof value === "string" && /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(value) ? `'${value}` : plain(value)

/** Rows by RFC 4180, every field in quotes and none of them a formula. */
const csv = (rows: ReadonlyArray<ReadonlyArray<unknown>>): string =>
  rows.map((row) => `${row.map((value) => `"${inert(value).replaceAll("\"", "\"\"")}"`).join(",")}\r\n`).join("")

/** Headers of neo4j-admin's import (neo4j.com/docs/operations-manual/current/import). */
const toNodesCsv = ({ nodes }: Graph): string =>
  csv([
    ["id:ID", ":LABEL", ...nodeFields.map(([name, , type]) => name + type)],
    ...nodes.map((node) => [node.id, node.kind, ...nodeFields.map(([name]) => node[name])])
  ])
const toEdgesCsv = ({ edges }: Graph): string =>
  csv([
    [":START_ID", ":END_ID", ":TYPE", "id", ...edgeFields.map(([name, , type]) => name + type)],
    ...edges.map((edge) => [
      edge.source,
      edge.target,
      edge.relation,
      edge.id,
      ...edgeFields.map(([name]) => edge[name])
    ])
  ])

interface Written {
  readonly contentType: string
  /** What a file of it is called, after the job's id. */
  readonly file: string
  readonly render: (graph: Graph, job: string) => string
}

/** How each format is written and sent: the same graph gives the same bytes. */
export const graphFormats: Readonly<Record<GraphFormat, Written>> = {
  jsonld: { render: toJsonLd, contentType: "application/ld+json; charset=utf-8", file: "graph.jsonld" },
  graphml: { render: toGraphMl, contentType: "application/graphml+xml; charset=utf-8", file: "graph.graphml" },
  nodes_csv: { render: toNodesCsv, contentType: "text/csv; charset=utf-8", file: "nodes.csv" },
  edges_csv: { render: toEdgesCsv, contentType: "text/csv; charset=utf-8", file: "edges.csv" }
}
