import { signal } from "@preact/signals"

const query = matchMedia("(max-width: 860px), (max-height: 480px)")

/** Whether there is room for one column only: beside each other, or under the picture. As `style.css` has it. */
export const narrow = signal(query.matches)

query.addEventListener("change", () => (narrow.value = query.matches))
