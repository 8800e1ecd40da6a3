import { readFileSync } from "node:fs"

/** Ticks per second that /proc counts in: the same on every Linux that Node runs on. */
const TICKS = 100

/** Processor seconds of this process and of all its children that have ended (Linux; of this process alone elsewhere). */
export const processorSeconds = (): number => {
  try {
    const status = readFileSync("/proc/self/stat", "utf8")
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ")
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS
  } catch {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  }
}
