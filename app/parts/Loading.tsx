import { useEffect, useState } from "preact/hooks"

export type Loaded<A> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "here"; readonly value: A }

/** What `load` answers, anew whenever one of `on` changes; `again` loads it once more and keeps what is shown meanwhile. */
export function useLoaded<A>(load: () => Promise<A>, on: ReadonlyArray<unknown>) {
  const [loaded, setLoaded] = useState<Loaded<A>>({ kind: "loading" })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let current = true
    load().then(
      (value) => current && setLoaded({ kind: "here", value }),
      (error: unknown) =>
        current && setLoaded({ kind: "failed", message: error instanceof Error ? error.message : String(error) })
    )
    return () => {
      current = false
    }
  }, [...on, turn])
  return { loaded, again: () => setTurn((count) => count + 1) }
}

/** What stands where something is to come, or says why it does not. */
export function NotHere({ loaded }: { readonly loaded: Loaded<unknown> }) {
  return loaded.kind === "failed"
    ? <p class="alert" role="alert">{loaded.message}</p>
    : <p class="muted" role="status">Loading…</p>
}
