import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { json, jsonParseLinter } from "@codemirror/lang-json"
import { bracketMatching, HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language"
import { type Diagnostic, forceLinting, linter, lintGutter } from "@codemirror/lint"
import { type EditorState, StateEffect, StateField } from "@codemirror/state"
import { EditorView, keymap, lineNumbers } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { stepsOf } from "../footnotes/JsonPointer.ts"

interface Mark {
  readonly pointer: string
  readonly message: string
}

export interface Editor {
  readonly mark: (marks: ReadonlyArray<Mark>) => void
  readonly close: () => void
}

type Node = ReturnType<ReturnType<typeof syntaxTree>["resolve"]>

const childrenOf = (node: Node): ReadonlyArray<Node> => {
  const children: Array<Node> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const values: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"])

/** Where in the text a pointer leads; as far as it does. */
const placeOf = (state: EditorState, pointer: string): { readonly from: number; readonly to: number } => {
  let here = syntaxTree(state).topNode.firstChild
  let name: Node | null = here
  for (const step of stepsOf(pointer)) {
    if (here === null) break
    if (here.name === "Array") {
      here = name = childrenOf(here).filter((child) => values.has(child.name))[Number(step)] ?? null
      continue
    }
    const property = childrenOf(here).find((child) => {
      const key = child.name === "Property" ? child.firstChild : null
      return key !== null && state.sliceDoc(key.from, key.to) === JSON.stringify(step)
    })
    if (property === undefined) break
    name = property.firstChild
    here = childrenOf(property).find((child) => values.has(child.name)) ?? null
  }
  return name === null ? { from: 0, to: Math.min(1, state.doc.length) } : { from: name.from, to: name.to }
}

const setMarks = StateEffect.define<ReadonlyArray<Mark>>()
const marks = StateField.define<ReadonlyArray<Mark>>({
  create: () => [],
  // What the service said was said of the text before it was changed.
  update: (known, transaction) =>
    transaction.effects.reduce(
      (now, effect) => (effect.is(setMarks) ? effect.value : now),
      transaction.docChanged ? [] : known
    )
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--verified)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warning)" }
])

const look = EditorView.theme({
  "&": { fontSize: "13.5px", backgroundColor: "var(--surface)", color: "var(--ink)", maxHeight: "420px" },
  ".cm-scroller": { fontFamily: "var(--mono)", minHeight: "220px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--quiet)", border: "0" },
  ".cm-content": { caretColor: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", borderColor: "var(--strong-line)" }
})

/**
 * A JSON editor in `host`. It lives in a shadow root, where its sheets are adopted ones: a sheet in line is what the page's policy
 * forbids.
 */
export const openEditor = (host: HTMLElement, text: string, changed: (text: string) => void): Editor => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  const syntax = jsonParseLinter()
  const view = new EditorView({
    doc: text,
    root,
    extensions: [
      lineNumbers(),
      history(),
      bracketMatching(),
      json(),
      syntaxHighlighting(colours),
      marks,
      lintGutter(),
      linter((view): ReadonlyArray<Diagnostic> => [
        ...(view.state.doc.length === 0 ? [] : syntax(view)),
        ...view.state.field(marks).map(({ message, pointer }) => ({
          ...placeOf(view.state, pointer),
          severity: "error" as const,
          message
        }))
      ], { needsRefresh: ({ startState, state }) => startState.field(marks) !== state.field(marks) }),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "JSON Schema", spellcheck: "false", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString())
      }),
      look
    ]
  })
  root.append(view.dom)
  return {
    mark: (told) => {
      view.dispatch({ effects: setMarks.of(told) })
      forceLinting(view)
    },
    close: () => view.destroy()
  }
}
