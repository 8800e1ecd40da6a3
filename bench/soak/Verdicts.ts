import type { Table } from "./Books.ts"
import type { Life, Sample } from "./ProcessSamples.ts"

export interface Verdict {
  readonly what: string
  readonly figure: string
  readonly bound: string
  readonly holds: boolean
}

type Figure = "memory_mib" | "handles" | "threads"

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** How a figure of one process went while the load was on: its slope by least squares, and its level at begin and end. */
const trendOf = (samples: ReadonlyArray<Sample>, figure: Figure) => {
  const points = samples.map((sample) => [sample.seconds / 3600, sample[figure]] as const)
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [hours]) => sum + (hours - x) ** 2, 0)
  const third = Math.max(1, Math.floor(samples.length / 3))
  const level = (some: ReadonlyArray<Sample>) => median(some.map((sample) => sample[figure]))
  return {
    per_hour: spread === 0 ? 0 : points.reduce((sum, [hours, value]) => sum + (hours - x) * (value - y), 0) / spread,
    first: level(samples.slice(0, third)),
    last: level(samples.slice(-third))
  }
}

/**
 * Memory: a heap of V8 breathes by the garbage of a few collections and an allocator keeps its arenas, so the level of the
 * last third may be a tenth and 24 MiB above that of the first; 1 KiB kept per request is 36 MiB in an hour of 10 a second.
 */
const memoryBound = (first: number): number => first * 1.1 + 24

/**
 * Handles and threads are compared between two moments at which nothing was to be done: what differs then is at most what a pool
 * of connections has opened and not closed yet (10 of a process's two pools), and one upload or source that was ending.
 */
const idleBound = (first: number): number => first + 12

/**
 * Dead rows: PostgreSQL sweeps a table from 50 and a fifth of its rows on, at the next of its rounds (60 s) or the one after, so
 * what changes in two minutes may lie there beside them.
 */
export const deadBound = ({ live }: Table, changed_per_second: number): number =>
  50 + live / 5 + changed_per_second * 120

/** What stays of a job that was deleted (row, deliveries, tasks for 7 days, their indexes) and of its share of events. */
export const databaseKibPerJob = 256

const shown = (value: number) => value.toFixed(value < 100 ? 1 : 0)

/** Verdicts about one process that lived through the whole load. */
export const judge = (
  life: Life,
  during: ReadonlyArray<Sample>,
  idle: readonly [Sample, Sample]
): ReadonlyArray<Verdict> => {
  const memory = trendOf(during, "memory_mib")
  const compared = (figure: "handles" | "threads"): Verdict => ({
    what: `${life.name}: ${figure}`,
    figure: `${idle[0][figure]} → ${idle[1][figure]} when idle, ${
      shown(trendOf(during, figure).per_hour)
    } an hour under load`,
    bound: `${idleBound(idle[0][figure])} when idle`,
    holds: idle[1][figure] <= idleBound(idle[0][figure])
  })
  return [
    {
      what: `${life.name}: memory`,
      figure: `${shown(memory.first)} → ${shown(memory.last)} MiB under load, ${shown(memory.per_hour)} MiB an hour, ${
        shown(idle[0].memory_mib)
      } → ${shown(idle[1].memory_mib)} MiB when idle`,
      bound: `${shown(memoryBound(memory.first))} MiB`,
      holds: memory.last <= memoryBound(memory.first)
    },
    compared("handles"),
    compared("threads")
  ]
}

export const atMost = (what: string, value: number, bound: number, note = ""): Verdict => ({
  what,
  figure: `${value}${note}`,
  bound: String(bound),
  holds: value <= bound
})
