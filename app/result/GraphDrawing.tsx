import { useMemo, useState } from "preact/hooks"
import type { GraphEdge, GraphNode } from "../../clients/typescript/src/generated/types.ts"
import { layoutOf, type Placed, rowHeight } from "../footnotes/GraphLayout.ts"
import { clock, type Interval } from "../footnotes/Moments.ts"
import type { Selection } from "../selection/Selection.ts"

/** The middle of a column and its width, in percent of the drawing; right of the last there is room for a bow. */
const middles = [15, 49.5, 84] as const
const halfWidth = 14
/** A curve reaches three quarters of the way to its handles. */
const bow = 2.5
const headings = ["In the result", "What is said and shown", "Who and what"] as const

/** A line from one node's side to the other's; beside each other in one column, a bow around it. */
const curve = (from: Placed, to: Placed): string => {
  const [left, right] = from.column <= to.column ? [from, to] : [to, from]
  const x1 = middles[left.column]! + halfWidth
  if (left.column === right.column) {
    return `M${x1} ${left.y}C${x1 + bow} ${left.y} ${x1 + bow} ${right.y} ${x1} ${right.y}`
  }
  const x2 = middles[right.column]! - halfWidth
  const middle = (x1 + x2) / 2
  return `M${x1} ${left.y}C${middle} ${left.y} ${middle} ${right.y} ${x2} ${right.y}`
}

/** When the footage shows or says it: by the segments and frames that the graph names. */
const momentsOf = ({ data }: Selection, { source_refs, t_end, t_start }: GraphNode): ReadonlyArray<Interval> => {
  const found = source_refs.flatMap((ref): ReadonlyArray<Interval> => {
    const segment = data.transcript.segments.find(({ id }) => id === ref)
    const frame = data.frames.find(({ source_ref }) => source_ref === ref)
    return segment !== undefined ? [segment] : frame === undefined ? [] : [
      { t_start: frame.timestamp, t_end: frame.timestamp + 1 }
    ]
  })
  return found.length === 0 ? [{ t_start, t_end }] : found.toSorted((a, b) => a.t_start - b.t_start)
}

/** More chips than this say no more. */
const mostMoments = 16

function Chosen({ node, selection }: { readonly node: GraphNode; readonly selection: Selection }) {
  const moments = momentsOf(selection, node)
  return (
    <div class="graph-chosen" role="status">
      <p class={node.kind === "claim" ? "serif" : "node-label"}>{node.label}</p>
      <ul class="relations">
        {moments.slice(0, mostMoments).map((moment, at) => (
          <li key={at}>
            <button
              type="button"
              class="chip number"
              aria-label={`Play ${clock(moment.t_start, 1)}`}
              onClick={() => selection.playback.playSpan(moment)}
            >
              {clock(moment.t_start, 1)}
            </button>
          </li>
        ))}
        {moments.length > mostMoments ? <li class="muted">and {moments.length - mostMoments} more</li> : null}
      </ul>
    </div>
  )
}

interface Properties {
  readonly selection: Selection
  readonly nodes: ReadonlyArray<GraphNode>
  readonly edges: ReadonlyArray<GraphEdge>
}

/** The graph in three columns; a node leads to its moments and shows what it is related to. */
export function GraphDrawing({ edges, nodes, selection }: Properties) {
  const [chosen, choose] = useState<string | null>(null)
  const { height, left, placed } = useMemo(() => layoutOf({ nodes, edges }), [])
  const byId = useMemo(() => new Map(placed.map((one) => [one.node.id, one])), [])
  const near = new Set(
    chosen === null
      ? []
      : edges.flatMap(({ source, target }) => source === chosen || target === chosen ? [source, target] : [])
  )
  const node = chosen === null ? undefined : byId.get(chosen)?.node
  const lit = (id: string) => chosen === null ? "" : near.has(id) || id === chosen ? " near" : " far"
  return (
    <>
      {node === undefined ? null : <Chosen node={node} selection={selection} />}
      <div class="scroller drawing" tabIndex={0} role="region" aria-label="Drawing of the graph">
        <div class="drawing-heads" aria-hidden="true">
          {headings.map((heading) => <span key={heading}>{heading}</span>)}
        </div>
        <div class="drawing-area" style={{ height: `${height}px` }}>
          <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {edges.map(({ id, source, target }) => {
              const [from, to] = [byId.get(source), byId.get(target)]
              if (from === undefined || to === undefined) return null
              const lights = chosen === null ? "" : source === chosen || target === chosen ? "near" : "far"
              return <path key={id} class={lights} d={curve(from, to)} />
            })}
          </svg>
          <ul>
            {placed.map(({ column, node: one, y }) => (
              <li key={one.id} style={{ left: `${middles[column]! - halfWidth}%`, top: `${y - rowHeight / 2}px` }}>
                <button
                  type="button"
                  class={`drawn-node ${one.kind}${lit(one.id)}`}
                  aria-pressed={one.id === chosen}
                  title={one.label}
                  onClick={() => {
                    choose(one.id === chosen ? null : one.id)
                    selection.playback.show(one)
                  }}
                >
                  <span>{one.label}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
        {left === 0
          ? null
          : <p class="muted small drawing-left">{left} more are related to something: the list has them.</p>}
      </div>
    </>
  )
}
