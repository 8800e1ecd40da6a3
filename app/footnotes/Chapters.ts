import { stepsOf } from "./JsonPointer.ts"
import { type Leaf, shown } from "./Leaves.ts"
import type { Interval } from "./Moments.ts"

export interface Chapter extends Interval {
  readonly title: string
}

const startNames = /^(?:t_?start|start(?:s|_at|_time|_seconds)?|from|begins?)$/iu

/** Entries of a list that say when they begin, such as chapters: the first text of each is its title. */
export const chaptersOf = (leaves: ReadonlyArray<Leaf>, duration: number): ReadonlyArray<Chapter> => {
  const starts = new Map<string, Map<string, { t_start: number; title: string }>>()
  for (const { pointer, span, value } of leaves) {
    const steps = stepsOf(pointer)
    const [entry, name] = steps.slice(-2)
    if (steps.length < 3 || !/^\d+$/u.test(entry!)) continue
    const list = steps.slice(0, -2).join("/")
    const entries = starts.get(list) ?? new Map<string, { t_start: number; title: string }>()
    starts.set(list, entries)
    const known = entries.get(entry!) ?? { t_start: Number.NaN, title: "" }
    const begins = startNames.test(name!) || span?.formula?.startsWith("t_start(") === true
    if (begins && span !== null && Number.isNaN(known.t_start)) {
      known.t_start = typeof value === "number" ? value : span.t_start
    }
    if (!begins && known.title === "" && typeof value === "string") known.title = shown(value)
    entries.set(entry!, known)
  }
  const [chapters] = [...starts].filter(([, entries]) => [...entries.values()].some(({ t_start }) => t_start >= 0))
    .toSorted(([a], [b]) => Number(/chapter/iu.test(b)) - Number(/chapter/iu.test(a)))
    .map(([, entries]) =>
      [...entries.values()].filter(({ t_start }) => t_start >= 0).toSorted((a, b) => a.t_start - b.t_start)
    )
  return (chapters ?? []).map(({ t_start, title }, at) => ({
    t_start,
    t_end: chapters?.[at + 1]?.t_start ?? duration,
    title
  }))
}
