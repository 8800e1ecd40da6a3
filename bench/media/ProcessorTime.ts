import { readFileSync } from "node:fs"

/** Ticks per second that /proc counts in: the same on every Linux that Node runs on. */
const TICKS = 100

/** Processor seconds of a process and of all its children that have ended; 0 where it is gone (Linux; elsewhere this process alone is known). */
export const processorSeconds = (pid: number | "self" = "self"): number => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ")
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS
  } catch {
    if (pid !== "self") return 0
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  }
}
