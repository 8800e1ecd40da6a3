import { useState } from "preact/hooks"
import { Icon } from "../parts/Icons.tsx"

/** A link to one moment: opened as any link is, and copied by a click where the browser allows it. */
export function CopyLink({ address }: { readonly address: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(address, location.href).href)
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    } catch {
      // Then the address bar has it, by the link itself.
    }
  }
  return (
    <a
      class="icon-button copy-link"
      href={address}
      aria-label="Link to this moment"
      title="Link to this moment"
      onClick={() => void copy()}
    >
      <Icon name={copied ? "check" : "link"} />
      <span class="hidden" role="status">{copied ? "Copied" : ""}</span>
    </a>
  )
}
