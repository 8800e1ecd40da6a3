import { readFileSync } from "node:fs"
import { descendantsOf } from "../ProcessTree.ts"

/** Processor time since the machine's start, in ticks: of all that there was, of what was used, and of our processes. */
export interface MachineTime {
  readonly all: number
  readonly used: number
  readonly ours: number
}

const ticksOf = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8")
    // user, system, and both of children that have ended.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ")
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
  } catch {
    return 0
  }
}

/** What the machine has done so far (Linux). Children of a process that was killed are missing from what is ours. */
export const machineTime = (): MachineTime => {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n")
  const ticks = line.split(/\s+/u).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, part) => sum + part, 0)
  const ours = [process.pid, ...descendantsOf(process.pid)].reduce((sum, pid) => sum + ticksOf(pid), 0)
  // The fourth and fifth are idle, and idle with a disk to wait for.
  return { all, used: all - ticks[3]! - ticks[4]!, ours }
}

/** What of the machine our processes and everybody else's used between two moments, in percent. */
export const sharesBetween = (from: MachineTime, to: MachineTime) => {
  const all = Math.max(1, to.all - from.all)
  const ours = Math.max(0, to.ours - from.ours)
  return { ours: 100 * ours / all, others: 100 * Math.max(0, to.used - from.used - ours) / all }
}
