import { Effect } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** The user of the processes, who is in no list of users. */
export const uid = 10_001

/**
 * What `--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --user 10001` of a container engine makes of a
 * process: a root of its own with the system, the project at /app and /data, all but /data and /tmp read-only, no capability
 * and none to be had.
 */
const script = `set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1; data=$2; shift 2
mount -t tmpfs tmpfs "$root"
cd "$root"
mkdir usr etc proc dev tmp app data old
for name in bin sbin lib lib32 lib64; do if [ -L /$name ]; then ln -s usr/$name $name; elif [ -d /$name ]; then mkdir $name; mount --rbind /$name $name; mount -o remount,ro,bind $name; fi; done
for name in usr etc; do mount --bind /$name $name; mount -o remount,ro,bind $name; done
mount --rbind /proc proc
mount --rbind /dev dev
mount --bind "$FOOTNOTE_PROJECT" app; mount -o remount,ro,bind app
mount --bind "$data" data
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmpfs tmp
pivot_root . old
cd /app
umount -l /old; rmdir /old
mount -o remount,ro /
exec setpriv --reuid ${uid} --regid ${uid} --clear-groups --bounding-set -all --inh-caps -all --no-new-privs "$@"`

const started = (
  data: string,
  command: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  output: number
) => {
  const root = mkdtempSync(join(tmpdir(), "footnote-root-"))
  const child = spawn(
    "unshare",
    ["--mount", "--propagation", "private", "sh", "-c", script, "sh", root, data, ...command],
    { env: { ...env, FOOTNOTE_PROJECT: project }, stdio: ["ignore", output, output] }
  )
  child.once("exit", () => rmSync(root, { recursive: true, force: true }))
  return child
}

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

/** Runs a command of the project there until the scope closes, with these variables alone; both outputs go to a file. */
export const runThere = (
  options: {
    readonly data: string
    readonly command: ReadonlyArray<string>
    readonly env: Readonly<Record<string, string>>
    readonly log_file: string
  }
) =>
  Effect.acquireRelease(
    Effect.sync(() => started(options.data, options.command, options.env, openSync(options.log_file, "a"))),
    (child) => Effect.andThen(Effect.sync(() => void child.kill("SIGTERM")), ended(child))
  )

/** Why it cannot be done here, if it cannot. */
export const unable: string | undefined = process.getuid?.() !== 0
  ? "mounts need root"
  : spawnSync("unshare", ["--mount", "true"]).status === 0 && spawnSync("setpriv", ["--version"]).status === 0
  ? undefined
  : "there is no unshare or setpriv here"
