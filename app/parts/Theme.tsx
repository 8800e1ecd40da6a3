import { effect } from "@preact/signals"
import { remembered } from "./Remembered.ts"

const theme = remembered("footnote.theme", "auto")

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme.value
})

/** Light, dark, or as the system has it. */
export function Theme() {
  return (
    <select
      class="theme"
      aria-label="Colours"
      value={theme.value}
      onChange={(event) => (theme.value = event.currentTarget.value)}
    >
      <option value="auto">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  )
}
