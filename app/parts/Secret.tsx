import { useState } from "preact/hooks"

/** Something that is shown once and never again. */
export function Secret({ name, text }: { readonly name: string; readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Then it is there to be selected.
    }
  }
  return (
    <div class="secret" role="status">
      <p>
        <strong>{name}</strong>, shown once: keep it now.
      </p>
      <code>{text}</code>
      <button type="button" class="secondary" onClick={() => void copy()}>{copied ? "Copied" : "Copy"}</button>
    </div>
  )
}
