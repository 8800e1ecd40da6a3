import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

let found: string | null | undefined

/** util-linux `setpriv`, where the machine has one that can ask the kernel for a signal at the parent's death. */
const setpriv = (): string | null => {
  if (found !== undefined) return found
  found = null
  if (process.platform !== "linux") return found
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter((entry) => entry !== "")) {
    const file = join(folder, "setpriv")
    try {
      accessSync(file, constants.X_OK)
    } catch {
      continue
    }
    // Busybox has a program of this name that knows no such option.
    const env = { PATH: process.env.PATH }
    if (spawnSync(file, ["--pdeathsig", "KILL", "--", "true"], { env, stdio: "ignore" }).status === 0) found = file
    break
  }
  return found
}

/** Whether the kernel ends what is started as a `tiedCommand` here. */
export const canTie = (): boolean => setpriv() !== null

/**
 * Becomes the command, unless this process's parent is another one by now: whoever asked was gone before the kernel knew whose end
 * this is to be, and would never be heard of.
 */
const unlessOrphaned = "[ \"$PPID\" = \"$0\" ] && exec \"$@\""

/**
 * The command as one that the kernel sends `signal` when the process that starts it is gone, however and whenever that went,
 * and whatever the command does at the time (PR_SET_PDEATHSIG). On a machine that cannot, the command as it is: it has to
 * notice by itself.
 */
export const tiedCommand = (
  file: string,
  args: ReadonlyArray<string>,
  signal: "KILL" | "QUIT" = "KILL"
): readonly [file: string, args: Array<string>] => {
  const by = setpriv()
  if (by === null) return [file, [...args]]
  return [by, ["--pdeathsig", signal, "--", "/bin/sh", "-c", unlessOrphaned, String(process.pid), file, ...args]]
}
