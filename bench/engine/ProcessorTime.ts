import { readFileSync } from "node:fs"
import { join } from "node:path"
import { descendantsOf } from "../ProcessTree.ts"

/** Of a process and of those of its children that are gone, in ticks of 10 ms (Linux). */
const ticksOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  } catch {
    return 0
  }
}

/** Milliseconds of these processes so far. */
export const processorMillisOf = (pids: ReadonlyArray<number>): number =>
  pids.reduce((sum, pid) => sum + ticksOf(pid) * 10, 0)

/** The server of this folder, with its sessions; those that have ended count with it. */
export const serverOf = (folder: string): ReadonlyArray<number> => {
  const pid = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0])
  return [pid, ...descendantsOf(pid)]
}
