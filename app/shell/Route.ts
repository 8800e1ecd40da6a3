import { signal } from "@preact/signals"

const current = () => location.hash.replace(/^#\/?/u, "")

/** What follows `#/` in the address. */
export const route = signal(current())

addEventListener("hashchange", () => (route.value = current()))

export const go = (to: string): void => {
  location.hash = `#/${to}`
}
