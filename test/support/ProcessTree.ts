import { Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { descendantsOf } from "../../bench/ProcessTree.ts"

/** A process told from a later one of the same pid. */
export interface Known {
  readonly pid: number
  readonly started: string
  readonly command: string
}

const statOf = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { state: fields[0]!, started: fields[19]! }
  } catch {
    return undefined
  }
}

/** The process and all below it, as they are now. */
export const treeOf = (pid: number): ReadonlyArray<Known> =>
  [pid, ...descendantsOf(pid)].flatMap((pid) => {
    const stat = statOf(pid)
    if (stat === undefined || stat.state === "Z") return []
    return [{ pid, started: stat.started, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }]
  })

/** Those of them that still run. */
export const left = (known: ReadonlyArray<Known>): ReadonlyArray<Known> =>
  known.filter(({ pid, started }) => {
    const stat = statOf(pid)
    return stat !== undefined && stat.state !== "Z" && stat.started === started
  })

/** Waits for a fact of the outside world, by asking again. */
export const until = (fact: () => boolean) =>
  Effect.repeat(Effect.sync(fact), { schedule: Schedule.spaced("20 millis"), until: (held) => held })

/** Waits until none of them runs any more. */
export const allGone = (known: ReadonlyArray<Known>) => until(() => left(known).length === 0)
