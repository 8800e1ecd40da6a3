import { signal } from "@preact/signals"

const current = () => location.hash.replace(/^#\/?/u, "")

/** What follows `#/` in the address. */
export const route = signal(current())

/** Where somebody was last in the list of jobs, its filter with it: the way back from one of them. */
export const listPlace = signal("jobs")

const arrive = () => {
  route.value = current()
  if (/^jobs\/?(?:\?|$)/u.test(route.value)) listPlace.value = route.value
}

arrive()
addEventListener("hashchange", arrive)

export const go = (to: string): void => {
  location.hash = `#/${to}`
}
