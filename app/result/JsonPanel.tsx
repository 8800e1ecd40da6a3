import { useMemo, useState } from "preact/hooks"
import { keep } from "../parts/Keep.ts"
import type { Selection } from "../selection/Selection.ts"

const files = { result: "Result", evidence: "Evidence", json_schema: "Schema" } as const

/** The same as files: to read, to copy, to save. */
export function JsonPanel({ selection }: { readonly selection: Selection }) {
  const [name, setName] = useState<keyof typeof files>("result")
  const text = useMemo(() => JSON.stringify(selection.data[name], null, 2), [name])
  const save = () => keep(text, "application/json", `${name}.json`)
  return (
    <>
      <div class="panel-bar">
        <div class="segmented" role="group" aria-label="Which file">
          {Object.entries(files).map(([key, title]) => (
            <button
              key={key}
              type="button"
              aria-pressed={name === key}
              onClick={() => setName(key as keyof typeof files)}
            >
              {title}
            </button>
          ))}
        </div>
        <button type="button" class="quiet" onClick={save}>Save as {name}.json</button>
      </div>
      <pre class="scroller json" tabIndex={0} aria-label={`${files[name]} as JSON`}>{text}</pre>
    </>
  )
}
