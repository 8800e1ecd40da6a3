import { signal } from "@preact/signals"

const query = matchMedia("(max-width: 860px)")

/** Whether there is room for one column only. */
export const narrow = signal(query.matches)

query.addEventListener("change", () => (narrow.value = query.matches))
