import { useMemo } from "preact/hooks"
import type { Heading, Row } from "../footnotes/Leaves.ts"
import { VirtualList } from "../parts/VirtualList.tsx"
import type { Selection } from "../selection/Selection.ts"
import { LeafRow } from "./LeafRow.tsx"

function HeadingRow({ row }: { readonly row: Heading }) {
  const { depth, description, entries, title } = row
  const entry = /^\d+$/u.test(title)
  return (
    <div
      class={entry ? "heading entry" : "heading"}
      role="heading"
      aria-level={2}
      title={description ?? undefined}
      style={{ "--depth": depth }}
    >
      {entry ? <span class="entry-number">{title}</span> : title}
      {entries === null ? null : <span class="count">{entries}</span>}
    </div>
  )
}

/** The typed result from top to bottom; every value opens its footnote. */
export function ValueList({ selection }: { readonly selection: Selection }) {
  const { leaf, reveal, rows } = selection
  const places = useMemo(() => new Map(rows.map((row, at) => [row, at])), [])
  return (
    <VirtualList
      class="values"
      items={rows}
      keyOf={(row: Row) => `${row.kind}${row.pointer}`}
      estimate={54}
      label="Values of the result"
      reveal={leaf.value === null ? undefined : places.get(leaf.value)}
      revealed={reveal.value}
      render={(row) => row.kind === "leaf" ? <LeafRow leaf={row} selection={selection} /> : <HeadingRow row={row} />}
    />
  )
}
