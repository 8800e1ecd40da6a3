import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Player } from "../footage/Player.tsx"
import { TimeLine } from "../footage/TimeLine.tsx"
import type { LeafState } from "../footnotes/Leaves.ts"
import { narrow } from "../parts/Narrow.ts"
import { Tabs } from "../parts/Tabs.tsx"
import { Theme } from "../parts/Theme.tsx"
import type { Panel, Selection } from "../selection/Selection.ts"
import { FramesPanel } from "./FramesPanel.tsx"
import { GraphPanel } from "./GraphPanel.tsx"
import { JsonPanel } from "./JsonPanel.tsx"
import { Keys } from "./Keys.tsx"
import { RecordPanel } from "./RecordPanel.tsx"
import { TranscriptPanel } from "./TranscriptPanel.tsx"
import { ValueList } from "./ValueList.tsx"

const panels: ReadonlyArray<readonly [Panel, string]> = [
  ["values", "Values"],
  ["transcript", "Transcript"],
  ["frames", "Frames"],
  ["graph", "Graph"],
  ["json", "JSON"],
  ["record", "Record"]
]

function ShownPanel({ panel, selection }: { readonly panel: Panel; readonly selection: Selection }) {
  switch (panel) {
    case "values":
      return <ValueList selection={selection} />
    case "transcript":
      return <TranscriptPanel selection={selection} />
    case "frames":
      return <FramesPanel selection={selection} />
    case "graph":
      return <GraphPanel selection={selection} />
    case "json":
      return <JsonPanel selection={selection} />
    case "record":
      return <RecordPanel selection={selection} />
  }
}

function Counts({ selection }: { readonly selection: Selection }) {
  const { evidence: { counts }, job: { warnings } } = selection.data
  const { leaves, unfilled, verified } = counts
  const inState = (wanted: LeafState) => selection.leaves.filter(({ state }) => state === wanted).length
  // By the marks of the rows: what a person gave is neither verified nor in doubt.
  const [people, doubted] = [inState("person"), inState("not_verified")]
  return (
    <p class="counts">
      <span class="count-part verified">
        <b>{verified}</b> verified
      </span>
      {people > 0
        ? (
          <span class="count-part person">
            <b>{people}</b> by a person
          </span>
        )
        : null}
      {doubted > 0
        ? (
          <span class="count-part not_verified">
            <b>{doubted}</b> not verified
          </span>
        )
        : null}
      {unfilled > 0
        ? (
          <span class="count-part unfilled">
            <b>{unfilled}</b> not filled
          </span>
        )
        : null}
      <span class="muted of">of {leaves} values</span>
      {warnings.length === 0 ?
        null :
        (
          <button type="button" class="count-part warned" onClick={() => (selection.panel.value = "record")}>
            {warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}
          </button>
        )}
    </p>
  )
}

interface Properties {
  readonly selection: Selection
  /** What stands before the title, such as the way back. */
  readonly before?: ComponentChildren
  readonly after?: ComponentChildren
}

/** A result beside its footage: every value leads to its moment, and every moment to its values. */
export function ResultScreen({ after, before, selection }: Properties) {
  const { job } = selection.data
  const title = job.title ?? job.source_name ?? job.source_uri
  useEffect(() => {
    if (narrow.value && selection.panel.peek() === "transcript") selection.panel.value = "values"
    if (!narrow.value && selection.panel.peek() === "values") selection.panel.value = "transcript"
  }, [narrow.value])
  const tabs = narrow.value ? panels : panels.filter(([name]) => name !== "values")
  const panel = tabs.some(([name]) => name === selection.panel.value) ? selection.panel.value : tabs[0]![0]
  return (
    <div class="result-screen">
      <header class="top-bar">
        {before ?? <span class="wordmark">Footnote</span>}
        <h1 title={title} dir="auto">{title}</h1>
        <Counts selection={selection} />
        <div class="top-tools">
          {after}
          <Keys selection={selection} />
          <Theme />
        </div>
      </header>
      <main>
        {narrow.value ? null : (
          <section class="column values-column" aria-label="Result">
            <ValueList selection={selection} />
          </section>
        )}
        <div class="column footage-column">
          <Player selection={selection} />
          <TimeLine selection={selection} />
          <section class="panels" aria-label="More of the result">
            <Tabs
              tabs={tabs}
              chosen={panel}
              choose={(name) => (selection.panel.value = name)}
              label="Parts of the result"
            >
              <ShownPanel panel={panel} selection={selection} />
            </Tabs>
          </section>
        </div>
      </main>
    </div>
  )
}
