import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Icon } from "../parts/Icons.tsx"
import { remembered } from "../parts/Remembered.ts"
import type { Selection } from "../selection/Selection.ts"

/** WCAG 2.1.4: keys of a single letter can be switched off. */
const letters = remembered("footnote.letter-keys", "on")
const helpOpen = signal(false)

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=range]), textarea, select, [contenteditable], .cm-editor") !== null

/** The keys of the result screen, wherever the focus is that does not need them itself. */
const onKey = (selection: Selection, event: KeyboardEvent): boolean => {
  const { playback } = selection
  const target = event.target instanceof HTMLElement ? event.target : null
  const ranging = target?.matches("input[type=range]") === true
  if (typing(target) || target?.closest("dialog") || event.ctrlKey || event.metaKey || event.altKey) return false
  switch (event.key) {
    case "ArrowDown":
    case "ArrowUp":
      if (ranging || target?.closest(".scroller:not(.values)")) return false
      selection.step(event.key === "ArrowDown" ? 1 : -1)
      return true
    case "ArrowRight":
    case "ArrowLeft":
      if (ranging || target?.closest("[role=tablist]")) return false
      selection.stepCitation(event.key === "ArrowRight" ? 1 : -1)
      return true
    case " ":
      // A leaf is opened by Enter; on any other button Space is the button's own.
      if (target?.closest("button:not(.leaf-button), a, summary") && !target.closest(".control-bar")) return false
      if (target?.closest(".control-bar button")) return false
      playback.toggle()
      return true
    case "Enter":
      if (target?.closest("button, a, summary")) return false
      selection.playPlace()
      return true
  }
  if (letters.value !== "on") return false
  switch (event.key) {
    case "j":
      selection.step(1)
      return true
    case "k":
      selection.step(-1)
      return true
    case "m":
      playback.setMuted(!playback.muted.value)
      return true
    case "c":
      playback.captions.value = !playback.captions.value
      return true
    case "/":
      selection.panel.value = "transcript"
      requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-key-target=search]")?.focus())
      return true
    case "?":
      helpOpen.value = true
      return true
    default:
      return false
  }
}

const table: ReadonlyArray<readonly [string, string]> = [
  ["↑ ↓", "the value before and the next"],
  ["← →", "its citations, one by one"],
  ["Enter", "play the span once"],
  ["Space", "play and pause"]
]
const letterTable: ReadonlyArray<readonly [string, string]> = [
  ["j k", "the next value and the one before"],
  ["m", "sound"],
  ["c", "captions"],
  ["/", "search the transcript"],
  ["?", "this list"]
]

/** Listens to the keys while the screen is there, and has the list of them. */
export function Keys({ selection }: { readonly selection: Selection }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && onKey(selection, event)) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [selection])
  useEffect(() => {
    if (helpOpen.value && dialog.current?.open === false) dialog.current.showModal()
  }, [helpOpen.value])
  return (
    <>
      <button type="button" class="icon-button" aria-label="Keys" title="Keys" onClick={() => (helpOpen.value = true)}>
        <Icon name="keyboard" />
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title" onClose={() => (helpOpen.value = false)}>
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {[...table, ...(letters.value === "on" ? letterTable : [])].map(([key, does]) => (
            <div key={key}>
              <dt>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label class="switch">
          <input
            type="checkbox"
            checked={letters.value === "on"}
            onChange={(event) => (letters.value = event.currentTarget.checked ? "on" : "off")}
          />
          Keys of a single letter
        </label>
        <form method="dialog">
          <button class="secondary">Close</button>
        </form>
      </dialog>
    </>
  )
}
