import { readFileSync } from "node:fs"
import { descendantsOf, look } from "../ProcessTree.ts"

/** Processor time since the machine's start, in ticks: of all that there was, of what was used, and of our processes. */
export interface MachineTime {
  readonly all: number
  readonly used: number
  /** By what they are. */
  readonly ours: ReadonlyMap<string, number>
}

interface Ticks {
  readonly own: number
  /** Of children that have ended. */
  readonly ended: number
}

const ticksOf = (pid: number): Ticks => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ")
    return { own: Number(fields[11]) + Number(fields[12]), ended: Number(fields[13]) + Number(fields[14]) }
  } catch {
    return { own: 0, ended: 0 }
  }
}

const shown: Readonly<Record<string, string>> = { session: "PostgreSQL", decoder: "decoders" }

const kindOf = (pid: number): string => {
  if (pid === process.pid) return "this bench"
  const kind = look(pid)?.kind ?? "other"
  return shown[kind] ?? kind
}
/** Of a worker mostly decoders, and model processes that were idle for a minute; of PostgreSQL sessions. */
const kindOfEnded: Readonly<Record<string, string>> = { worker: "workers' ended children" }

/** What the machine has done so far (Linux). Children of a process that was killed are missing from what is ours. */
export const machineTime = (): MachineTime => {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n")
  const ticks = line.split(/\s+/u).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, part) => sum + part, 0)
  const ours = new Map<string, number>()
  const add = (kind: string, part: number) => ours.set(kind, (ours.get(kind) ?? 0) + part)
  for (const pid of [process.pid, ...descendantsOf(process.pid)]) {
    const kind = kindOf(pid)
    const { ended, own } = ticksOf(pid)
    add(kind, own)
    add(kindOfEnded[kind] ?? kind, ended)
  }
  // The fourth and fifth are idle, and idle with a disk to wait for.
  return { all, used: all - ticks[3]! - ticks[4]!, ours }
}

/** What of the machine our processes, kind by kind, and everybody else's used between two moments, in percent. */
export const sharesBetween = (from: MachineTime, to: MachineTime): ReadonlyMap<string, number> => {
  const all = Math.max(1, to.all - from.all)
  const percent = (part: number) => 100 * Math.max(0, part) / all
  const shares = new Map(Array.from(to.ours, ([kind, part]) => [kind, percent(part - (from.ours.get(kind) ?? 0))]))
  const ours = [...shares.values()].reduce((sum, part) => sum + part, 0)
  return shares.set("everybody else", Math.max(0, percent(to.used - from.used) - ours))
}
