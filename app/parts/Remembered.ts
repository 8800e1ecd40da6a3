import { effect, type Signal, signal } from "@preact/signals"

/** A setting that this browser keeps. Where it keeps nothing, such as in a private window, it lasts as long as the page. */
export const remembered = (name: string, otherwise: string): Signal<string> => {
  let known: string | null = null
  try {
    known = localStorage.getItem(name)
  } catch {
    // Then it starts as for the first time.
  }
  const value = signal(known ?? otherwise)
  effect(() => {
    const now = value.value
    try {
      localStorage.setItem(name, now)
    } catch {
      // Kept for this page alone.
    }
  })
  return value
}
