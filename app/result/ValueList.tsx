import { useMemo } from "preact/hooks"
import type { Heading, Row } from "../footnotes/Leaves.ts"
import { VirtualList } from "../parts/VirtualList.tsx"
import type { Selection } from "../selection/Selection.ts"
import { LeafRow } from "./LeafRow.tsx"

function HeadingRow({ row, selection }: { readonly row: Heading; readonly selection: Selection }) {
  const { depth, description, entries, title } = row
  const entry = /^\d+$/u.test(title)
  const tools = selection.headingTools?.(row)
  const heading = (
    <div
      class={entry ? "heading entry" : "heading"}
      role="heading"
      aria-level={2}
      dir="auto"
      title={description ?? undefined}
      style={{ "--depth": depth }}
    >
      {entry ? <span class="entry-number">{title}</span> : title}
      {entries === null ? null : <span class="count">{entries}</span>}
    </div>
  )
  return tools === undefined ? heading : (
    <div class="heading-row">
      {heading}
      <div class="heading-tools" style={{ "--depth": depth }}>{tools}</div>
    </div>
  )
}

/** Whoever opens a result that says nothing is told so at once, and what helps. */
function NothingFilled({ selection }: { readonly selection: Selection }) {
  const { evidence: { counts, unfilled }, job, transcript } = selection.data
  if (counts.filled > 0 || counts.leaves === 0) return null
  const held = unfilled.filter(({ candidates }) => candidates.length > 0).length
  return (
    <div class="nothing-filled" role="status">
      <p>
        <strong>The footage fills none of the {counts.leaves === 1 ? "one field" : `${counts.leaves} fields`}.</strong>
      </p>
      <p>
        {transcript.segments.length === 0 && selection.data.frames.length === 0
          ? "No words were heard in it, and it has no picture."
          : held > 0
          ? `For ${
            held === 1 ? "one of them" : `${held} of them`
          } something was found and held back: open it to see why.`
          : "What is asked for was neither said nor shown in it."}{" "}
        {job.precision === "balanced" || held === 0 ? "" : "With balanced precision more of it is given."}
      </p>
    </div>
  )
}

/** The typed result from top to bottom; every value opens its footnote. */
export function ValueList({ selection }: { readonly selection: Selection }) {
  const { leaf, reveal, rows } = selection
  const places = useMemo(() => new Map(rows.map((row, at) => [row, at])), [])
  return (
    <div class="values-with-notice">
      <NothingFilled selection={selection} />
      <VirtualList
        class="values"
        items={rows}
        keyOf={(row: Row) => `${row.kind}${row.pointer}`}
        estimate={54}
        label="Values of the result"
        reveal={leaf.value === null ? undefined : places.get(leaf.value)}
        revealed={reveal.value}
        render={(row) =>
          row.kind === "leaf"
            ? <LeafRow leaf={row} selection={selection} />
            : <HeadingRow row={row} selection={selection} />}
      />
    </div>
  )
}
