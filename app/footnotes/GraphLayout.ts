import type { GraphEdge, GraphNode } from "../../clients/typescript/src/generated/types.ts"

/** A node where it is drawn: its column from the left, and its middle in pixels from the top. */
export interface Placed {
  readonly node: GraphNode
  readonly column: number
  readonly y: number
}

export interface GraphLayout {
  readonly placed: ReadonlyArray<Placed>
  readonly height: number
  /** Nodes that are related to something and not drawn. */
  readonly left: number
}

/** What is read together stands beside each other: the result, the claims that it rests on, and whom and what they name. */
const columnOf = { result: 0, claim: 1, speaker: 2, entity: 2 } as const

/** More than this in a column is no drawing any more: the list has all. */
const mostInColumn = 40
export const rowHeight = 46

/** Each other column stands as near as it can to what it is related to, from the top down and none over another. */
const settle = (wished: ReadonlyArray<{ readonly node: GraphNode; readonly y: number }>): Array<number> => {
  const places: Array<number> = []
  for (const { y } of wished) places.push(Math.max(y, (places.at(-1) ?? -rowHeight / 2) + rowHeight))
  return places
}

/**
 * The nodes that are related to anything in columns: claims by their moments, all others beside their neighbours (their mean, as layered
 * drawings have it: Sugiyama, Tagawa and Toda 1981). The same graph is always drawn the same.
 */
export const layoutOf = (
  { edges, nodes }: { readonly nodes: ReadonlyArray<GraphNode>; readonly edges: ReadonlyArray<GraphEdge> }
): GraphLayout => {
  const neighbours = new Map<string, Array<string>>()
  for (const { source, target } of edges) {
    neighbours.set(source, [...(neighbours.get(source) ?? []), target])
    neighbours.set(target, [...(neighbours.get(target) ?? []), source])
  }
  const degree = ({ id }: GraphNode) => neighbours.get(id)?.length ?? 0
  const related = nodes.filter((node) => degree(node) > 0)
  const drawn = [0, 1, 2].map((column) =>
    related.filter(({ kind }) => columnOf[kind] === column)
      .toSorted((a, b) => degree(b) - degree(a) || a.t_start - b.t_start || (a.id < b.id ? -1 : 1))
      .slice(0, mostInColumn)
      .toSorted((a, b) => a.t_start - b.t_start || (a.id < b.id ? -1 : 1))
  )
  const y = new Map(drawn[1]!.map(({ id }, row) => [id, (row + 0.5) * rowHeight]))
  const height = Math.max(...drawn.map(({ length }) => length)) * rowHeight
  const placed = drawn[1]!.map((node): Placed => ({ node, column: 1, y: y.get(node.id)! }))
  for (const column of [0, 2]) {
    const wished = drawn[column]!.map((node, row) => {
      const around = (neighbours.get(node.id) ?? []).flatMap((id) => y.get(id) ?? [])
      const mean = around.reduce((sum, one) => sum + one, 0) / around.length
      return { node, y: around.length === 0 ? (row + 0.5) * rowHeight : mean }
    }).toSorted((a, b) => a.y - b.y)
    const places = settle(wished)
    // What has been pushed out at the bottom moves the whole column up, as far as there is room.
    const over = Math.max(0, Math.min((places.at(-1) ?? 0) + rowHeight / 2 - height, (places[0] ?? 0) - rowHeight / 2))
    placed.push(...wished.map(({ node }, row) => ({ node, column, y: places[row]! - over })))
  }
  return {
    placed,
    height: Math.max(height, ...placed.map((one) => one.y + rowHeight / 2)),
    left: related.length - placed.length
  }
}
