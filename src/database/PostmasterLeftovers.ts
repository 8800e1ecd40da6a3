import * as fs from "node:fs"
import * as path from "node:path"
import { setTimeout as delay } from "node:timers/promises"

/**
 * What a killed server may leave: sessions that have not noticed yet, and files that name a process. Pids repeat, most of
 * all after a container's restart, so a file alone says nothing about who runs. Without `/proc` a file is believed.
 */

/** Whether the process is one of PostgreSQL's in this folder, which is where each of them works. */
export const serves = (pid: number, dataDir: string): boolean => {
  if (process.platform !== "linux") return true
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(dataDir)
      && fs.readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres"
  } catch {
    return false
  }
}

const within = (dataDir: string): ReadonlyArray<number> =>
  process.platform !== "linux"
    ? []
    : fs.readdirSync("/proc").map(Number).filter((pid) => pid > 0 && serves(pid, dataDir))

/**
 * Ends the sessions of a server that is dead, since a new one beside them would damage the data and refuses to start, and
 * removes a pid file and a socket's lock that name a living stranger. What names the dead PostgreSQL removes itself.
 */
export const clear = async (dataDir: string, socketDir: string): Promise<void> => {
  for (let left = within(dataDir); left.length > 0; left = within(dataDir)) {
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // It has gone by itself.
      }
    }
    await delay(10)
  }
  removeIfForeign(path.join(dataDir, "postmaster.pid"), dataDir)
  removeIfForeign(path.join(socketDir, ".s.PGSQL.5432.lock"), dataDir)
}

const removeIfForeign = (file: string, dataDir: string): void => {
  try {
    const pid = Number.parseInt(fs.readFileSync(file, "utf8"), 10)
    process.kill(pid, 0)
    if (!serves(pid, dataDir)) fs.rmSync(file, { force: true })
  } catch {
    // There is none, or it names nobody who lives.
  }
}
