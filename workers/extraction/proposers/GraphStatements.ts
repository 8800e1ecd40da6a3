import type { Span } from "../text/SourceDocument.ts"

/** What a name may be the name of. */
export const NAMED_TYPES = ["person", "organisation", "place", "product", "event", "work"] as const

/** How two things may hang together, said by a model; of corrections the rules alone speak. */
export const GRAPH_RELATIONS = ["works_for", "role_of", "price_of", "part_of", "located_in", "happened_at"] as const

/** What a proposer says about the graph, every part of it in the source's own words. */
export interface GraphStatements {
  readonly names: ReadonlyArray<{
    readonly name: Span
    readonly type: string | null
    /** Another name of the same thing. */
    readonly also_called: Span | null
  }>
  readonly relations: ReadonlyArray<{
    readonly subject: Span
    readonly relation: string
    readonly object: Span
    readonly where: Span
  }>
}
