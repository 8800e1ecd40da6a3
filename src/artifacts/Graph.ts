import { Schema } from "effect"
import { Seconds } from "./Moment.ts"

const Modality = Schema.Literals(["audio", "visual", "both"])

/** An entity, a timestamped claim (verbatim), a speaker, or an entry of the result. `id` is derived from content, never from order. */
export const GraphNode = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["entity", "claim", "speaker", "result"]),
  label: Schema.String,
  type: Schema.NullOr(Schema.String),
  t_start: Seconds,
  t_end: Seconds,
  modality: Modality,
  source_refs: Schema.Array(Schema.String),
  mentions: Schema.Int
}).annotate({ identifier: "GraphNode" })
export type GraphNode = typeof GraphNode.Type

export const GraphEdge = Schema.Struct({
  id: Schema.String,
  source: Schema.String,
  target: Schema.String,
  relation: Schema.String,
  t_start: Seconds,
  t_end: Seconds,
  source_refs: Schema.Array(Schema.String)
}).annotate({ identifier: "GraphEdge" })
export type GraphEdge = typeof GraphEdge.Type

/** `canonical` has everything; `compact` merges co-referring mentions and drops what nothing refers to. */
export const GraphView = Schema.Literals(["compact", "canonical"])
export type GraphView = typeof GraphView.Type

export const Graph = Schema.Struct({
  view: GraphView,
  nodes: Schema.Array(GraphNode),
  edges: Schema.Array(GraphEdge)
}).annotate({ identifier: "Graph" })
export type Graph = typeof Graph.Type
