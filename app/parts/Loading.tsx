import { signal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"

export type Loaded<A> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string; readonly again: () => void }
  | { readonly kind: "here"; readonly value: A }

/** Counts up when what failed before may well be answered now, as after signing in again. */
export const loadAgain = signal(0)

/**
 * What `load` answers, anew whenever one of `on` changes; `again` loads it once more and keeps what is shown meanwhile. What
 * failed is loaded once more by whoever asks, and by itself with `loadAgain`.
 */
export function useLoaded<A>(load: () => Promise<A>, on: ReadonlyArray<unknown>) {
  const [loaded, setLoaded] = useState<Loaded<A>>({ kind: "loading" })
  const [turn, setTurn] = useState(0)
  const again = () => setTurn((count) => count + 1)
  useEffect(() => {
    let current = true
    load().then(
      (value) => current && setLoaded({ kind: "here", value }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        if (current) setLoaded({ kind: "failed", message, again })
      }
    )
    return () => {
      current = false
    }
  }, [...on, turn])
  const back = loadAgain.value
  useEffect(() => {
    if (loaded.kind === "failed") again()
  }, [back])
  return { loaded, again }
}

/** What stands where something is to come, or says why it does not and tries again. */
export function NotHere({ loaded }: { readonly loaded: Loaded<unknown> }) {
  return loaded.kind === "failed"
    ? (
      <div class="alert" role="alert">
        <p>{loaded.message}</p>
        <button type="button" class="quiet" onClick={loaded.again}>Try again</button>
      </div>
    )
    : <p class="muted" role="status">Loading…</p>
}
