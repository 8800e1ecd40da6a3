import * as fs from "node:fs"

/**
 * Who may start and stop the server of a data folder: a file beside it that names one process. A process is named by its
 * pid and its start time, because a restarted container hands out the same pids again.
 */
const fileOf = (dataDir: string) => `${dataDir}.owner`

/** Folders that this process owns already: a second claim in one process joins. */
const owned = new Set<string>()

/** True for exactly one living process. A dead owner's place is taken over. */
export const claim = (dataDir: string): boolean => {
  if (owned.has(dataDir)) return false
  const file = fileOf(dataDir)
  if (ownerLives(file)) return false
  const mine = `${file}-${process.pid}`
  fs.writeFileSync(mine, identity(process.pid) ?? "", { mode: 0o600 })
  try {
    // A link is atomic and comes with its content: nobody reads a half-written owner.
    fs.linkSync(mine, file)
  } catch {
    if (ownerLives(file)) return false
    const stale = `${mine}-stale`
    try {
      fs.renameSync(file, stale)
    } catch {
      return false
    }
    // Between the look and the rename another process may have taken the place: then it gets it back.
    if (ownerLives(stale)) {
      fs.renameSync(stale, file)
      return false
    }
    fs.rmSync(stale, { force: true })
    return claim(dataDir)
  } finally {
    fs.rmSync(mine, { force: true })
  }
  owned.add(dataDir)
  return true
}

export const release = (dataDir: string): void => {
  owned.delete(dataDir)
  fs.rmSync(fileOf(dataDir), { force: true })
}

const ownerLives = (file: string): boolean => {
  try {
    const owner = fs.readFileSync(file, "utf8")
    return owner !== "" && identity(Number.parseInt(owner, 10)) === owner
  } catch {
    return false
  }
}

const identity = (pid: number): string | undefined => {
  try {
    // The 22nd field is the start time; the second one, a name in parentheses, may hold spaces.
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // Where nobody waits for orphans, as in a container without an init, the dead stay listed.
    return fields[0] === "Z" ? undefined : `${pid} ${fields[19]}`
  } catch {
    return process.platform === "linux" || !signals(pid) ? undefined : `${pid}`
  }
}

const signals = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
