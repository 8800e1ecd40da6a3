import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import os from "node:os"

/**
 * How far what computes stands behind what answers (the API, PostgreSQL, deliveries: 0) where a machine has too little for
 * all. A process at 10 gets a tenth of what one at 0 gets beside it, and all that nobody else wants.
 */
export const niceness = {
  /** A caller waits for it, and other tenants' callers for other things. */
  schema_check: 5,
  /** The same for a tenant that has had much of the processor for it just now: behind what others have computed, too. */
  dear_schema_check: 15,
  /** It renews the leases of its tasks. */
  worker: 5,
  /** Model processes and decoders. */
  computation: 10,
  /** Those of a tenant that asks for much more than its share while another asks for little: a quarter beside the other's. */
  backlog: 15
} as const

/** A process may always be put further back; where a machine refuses all the same, it stays where it is. */
const putBack = (id: number, nice: number): void => {
  try {
    if (os.getPriority(id) < nice) os.setPriority(id, nice)
  } catch {
    // It has ended, or may not.
  }
}

/**
 * Where the kernel groups tasks by session (sched_autogroup(7), Debian's default), niceness counts within a session alone, and
 * each session gets as much as any other: one decoder in a session of its own as much as all else that the service runs.
 */
const putSessionBack = (pid: number, nice: number): void => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8")
    // Group, then session, after the name in brackets, the state and the parent.
    const session = Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[3])
    if (session === pid) writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // It has ended, or this kernel knows no such groups.
  }
}

/**
 * Puts a process that was just started behind, before it has threads or children: they inherit it. One that leads a session
 * takes its session with it.
 */
export const startBehind = (pid: number | undefined, nice: number): void => {
  if (pid === undefined) return
  putBack(pid, nice)
  putSessionBack(pid, nice)
}

/** Linux counts threads one by one; elsewhere one call is enough. */
const threadsOf = (pid: number): ReadonlyArray<number> => {
  try {
    return process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid]
  } catch {
    // It has ended.
    return []
  }
}

/** Puts a process that runs already behind, with all its threads and whatever it starts from now on. There is no way back. */
export const putProcessBehind = (pid: number | undefined, nice: number): void => {
  if (pid !== undefined) { for (const thread of threadsOf(pid)) putBack(thread, nice) }
}

/** Puts this process behind. */
export const standBehind = (nice: number): void => putProcessBehind(process.pid, nice)

/** Puts the calling thread behind; on systems that know priorities of whole processes alone, nothing. */
export const standThreadBehind = (nice: number): void => {
  if (process.platform === "linux") putBack(0, nice)
}
