import type { Signal } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import type { ErrorDetail } from "../../clients/typescript/src/generated/types.ts"
import type { Editor } from "./CodeEditor.ts"

interface Properties {
  readonly text: Signal<string>
  /** What the service said of the schema, by JSON pointers into it. */
  readonly details: ReadonlyArray<ErrorDetail>
}

/** A JSON Schema to be written; what is wrong is marked at its place. Until the editor is here, and where it cannot be had, a plain field does. */
export function SchemaEditor({ details, text }: Properties) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const [here, setHere] = useState(false)
  useEffect(() => {
    let gone = false
    const open = async () => {
      const { openEditor } = await import("./CodeEditor.ts")
      if (gone || host.current === null) return
      editor.current = openEditor(host.current, text.peek(), (changed) => (text.value = changed))
      setHere(true)
    }
    // Without it the plain field stays.
    open().catch(() => undefined)
    return () => {
      gone = true
      editor.current?.close()
      editor.current = null
    }
  }, [])
  useEffect(() => {
    editor.current?.mark(details.map(({ message, path }) => ({ pointer: path, message })))
  }, [details, here])
  return (
    <div class="field">
      <span class="field-label" id="schema-editor-label">JSON Schema</span>
      <div class={here ? "editor here" : "editor"} ref={host} />
      {here ? null : (
        <textarea
          class="code"
          rows={14}
          spellcheck={false}
          aria-labelledby="schema-editor-label"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      )}
      <p class="help">
        Draft 2020-12, 2019-09, 07, 06 or 04. A description says what is meant: “only if it is stated” is honoured.
        Escape, then Tab, leaves the editor.
      </p>
    </div>
  )
}
