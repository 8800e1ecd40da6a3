import { assert, it } from "@effect/vitest"
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("../support/full-wal.ts", import.meta.url))

/** Mounts a disk of memory below the folder, of which nobody else sees anything, and runs what follows. */
const withSmallDisk = (folder: string, program: ReadonlyArray<string>) => [
  "--mount",
  "--propagation=private",
  "sh",
  "-c",
  `mkdir "$0/wal" && mount -t tmpfs -o size=64m,mode=0700 none "$0/wal" && exec "$@"`,
  folder,
  ...program
]

const folderOf = () => mkdtempSync(join(tmpdir(), "footnote-wal-"))

/** Why it cannot be tried here, if so. */
const missing = (): string | undefined => {
  if (process.getuid?.() !== 0) return "only root may mount a disk"
  const folder = folderOf()
  try {
    execFileSync("unshare", withSmallDisk(folder, ["true"]), { stdio: "ignore" })
    return undefined
  } catch {
    return "no disk can be mounted here"
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const why = missing()
if (why !== undefined) process.stdout.write(`Skipped, a full disk below the write-ahead log: ${why}.\n`)

it.skipIf(why !== undefined)(
  "while PostgreSQL's log has no room every request is 503 with when to come again, and all goes on when there is, by the same process",
  async () => {
    const folder = folderOf()
    try {
      const said = await new Promise<string>((resolve, reject) => {
        execFile(
          "unshare",
          withSmallDisk(folder, [process.execPath, script, folder]),
          { maxBuffer: 64 * 1024 * 1024 },
          (error, stdout, stderr) =>
            error === null ? resolve(stdout) : reject(new Error(`${error.message} ${stdout} ${stderr.slice(-4000)}`))
        )
      })
      const seen = JSON.parse(said.split("\n").find((line) => line.startsWith("{\"before\""))!)
      assert.strictEqual(seen.before.status, 201)
      assert.isTrue(seen.refused)
      for (const { code, retry_after, status } of seen.full) {
        assert.deepStrictEqual([status, code], [503, "SERVICE_UNAVAILABLE"])
        assert.match(retry_after, /^[1-9]\d*$/u)
      }
      assert.deepStrictEqual([seen.after.status, seen.kept.status, seen.alive], [201, 200, true])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  300_000
)
