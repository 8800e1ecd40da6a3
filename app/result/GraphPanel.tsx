import { useMemo, useState } from "preact/hooks"
import type { GraphNode } from "../../clients/typescript/src/generated/types.ts"
import { clock } from "../footnotes/Moments.ts"
import { Icon } from "../parts/Icons.tsx"
import { Segmented } from "../parts/Segmented.tsx"
import { VirtualList } from "../parts/VirtualList.tsx"
import type { Selection } from "../selection/Selection.ts"
import { GraphDrawing } from "./GraphDrawing.tsx"

const kinds = { entity: "People and things", claim: "Claims", speaker: "Speakers", result: "In the result" } as const

const looks = [["drawing", "Drawing"], ["list", "List"]] as const

/** Who and what is named, with what the footage says of them, as a drawing or a list; both lead to the moments. */
export function GraphPanel({ selection }: { readonly selection: Selection }) {
  const { edges, nodes } = selection.data.graph
  const [look, setLook] = useState<"drawing" | "list">(edges.length === 0 ? "list" : "drawing")
  if (nodes.length === 0) return <p class="empty">Nothing was found to relate.</p>
  const count = `${nodes.length === 1 ? "1 node" : `${nodes.length} nodes`}, ${
    edges.length === 1 ? "1 relation" : `${edges.length} relations`
  }`
  return (
    <>
      {edges.length === 0 ? null : (
        <div class="panel-bar">
          <Segmented label="How the graph is shown" options={looks} chosen={look} choose={setLook} />
          <span class="muted small">{count}</span>
        </div>
      )}
      {look === "drawing"
        ? <GraphDrawing selection={selection} nodes={nodes} edges={edges} />
        : <GraphList selection={selection} />}
    </>
  )
}

function GraphList({ selection }: { readonly selection: Selection }) {
  const { edges, nodes } = selection.data.graph
  const [query, setQuery] = useState("")
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [])
  const relations = useMemo(() => {
    const all = new Map<string, Array<{ readonly relation: string; readonly to: GraphNode }>>()
    const add = (id: string, relation: string, to: GraphNode | undefined) => {
      if (to !== undefined) all.set(id, [...(all.get(id) ?? []), { relation, to }])
    }
    for (const { relation, source, target } of edges) {
      add(source, relation.replaceAll("_", " "), byId.get(target))
      add(target, `in: ${relation.replaceAll("_", " ")}`, byId.get(source))
    }
    return all
  }, [])
  const order = Object.keys(kinds)
  const sought = query.trim().toLowerCase()
  const found = useMemo(
    () =>
      nodes.filter(({ label }) => label.toLowerCase().includes(sought))
        .toSorted((a, b) =>
          order.indexOf(a.kind) - order.indexOf(b.kind) || b.mentions - a.mentions || a.t_start - b.t_start
        ),
    [sought]
  )
  return (
    <>
      <div class="panel-bar">
        <label class="search">
          <Icon name="search" />
          <span class="hidden">Search the graph</span>
          <input
            type="search"
            placeholder="Search people, things and claims"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
      </div>
      <VirtualList
        class="graph"
        items={found}
        keyOf={(node) => node.id}
        estimate={58}
        label="Nodes of the graph"
        render={(node, row) => (
          <div class="node">
            {found[row - 1]?.kind === node.kind ? null : <h2>{kinds[node.kind]}</h2>}
            <button type="button" class="node-button" onClick={() => selection.playback.show(node)}>
              <span class={node.kind === "claim" ? "serif" : "node-label"}>{node.label}</span>
              <span class="facts">
                {node.type === null ? null : <span>{node.type.replaceAll("_", " ")}</span>}
                <span class="number">{clock(node.t_start)}</span>
                <span>{node.mentions === 1 ? "once" : `${node.mentions} times`}</span>
              </span>
            </button>
            <ul class="relations">
              {(relations.get(node.id) ?? []).slice(0, 6).map(({ relation, to }) => (
                <li key={`${relation}${to.id}`}>
                  <span class="muted">{relation}</span>{" "}
                  <button type="button" class="chip" onClick={() => selection.playback.show(to)}>{to.label}</button>
                </li>
              ))}
            </ul>
          </div>
        )}
      />
    </>
  )
}
