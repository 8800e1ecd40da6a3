import { lstatSync, readdirSync, readlinkSync, rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What a worker has folders for, below the system's folder for temporary files. */
type Purpose = "media" | "pipe" | "sandbox" | "openings"

const form = /^footnote-(?:media|pipe|sandbox|openings)-(\d+)-(\d+)-\w{6}$/u

/** Numbers of processes mean something within their namespace: containers may share a folder for temporary files. */
const namespace = (): string => {
  try {
    return /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0"
  } catch {
    return "0"
  }
}

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** A new folder that names this process as its owner, which removes it; what a killed owner leaves, `sweep` does. */
export const temporaryFolder = (purpose: Purpose): Promise<string> =>
  mkdtemp(join(tmpdir(), `footnote-${purpose}-${namespace()}-${process.pid}-`))

/**
 * Removes the folders of owners that were killed, and answers how many. Those of a process that runs, of another user and of
 * another container are left alone, and so is one that cannot be removed.
 */
export const sweepTemporaryFolders = (): number => {
  const here = namespace()
  let removed = 0
  for (const name of readdirSync(tmpdir())) {
    const [, owned_in, pid] = form.exec(name) ?? []
    if (pid === undefined || owned_in !== here || runs(Number(pid))) continue
    const folder = join(tmpdir(), name)
    try {
      const found = lstatSync(folder)
      if (!found.isDirectory() || found.uid !== process.getuid?.()) continue
      rmSync(folder, { recursive: true, force: true })
      removed++
    } catch {
      // Another worker that starts has been faster, or somebody holds it.
    }
  }
  return removed
}
