import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as TestDatabase from "../support/TestDatabase.ts"

const script = fileURLToPath(new URL("../support/full-disk.ts", import.meta.url))

/** Mounts a disk of memory, of which nobody else sees anything, and runs what follows on it. */
const onSmallDisk = (megabytes: number, folder: string, program: ReadonlyArray<string>) => [
  "--mount",
  "--propagation=private",
  "sh",
  "-c",
  `mount -t tmpfs -o size=${megabytes}m,mode=0700 none "$0" && exec "$@"`,
  folder,
  ...program
]

/** Why it cannot be tried here, if so. */
const missing = (): string | undefined => {
  if (process.getuid?.() !== 0) return "only root may mount a disk"
  const folder = mkdtempSync(join(tmpdir(), "footnote-disk-"))
  try {
    execFileSync("unshare", onSmallDisk(1, folder, ["true"]), { stdio: "ignore" })
    return undefined
  } catch {
    return "no disk can be mounted here"
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const why = missing()
if (why !== undefined) process.stdout.write(`Skipped, a disk that is full: ${why}.\n`)

it.skipIf(why !== undefined)(
  "on a disk that is full uploads are refused with 503, sound and frames wait without using up an attempt, and all goes on when there is room",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-disk-"))
    const url = await TestDatabase.create()
    try {
      const said = await new Promise<string>((resolve, reject) => {
        const env = {
          ...process.env,
          DATABASE_URL: Redacted.value(TestDatabase.asOwner(url))
        }
        execFile(
          "unshare",
          onSmallDisk(48, folder, [process.execPath, script, folder]),
          { env },
          (error, stdout, stderr) =>
            error === null ? resolve(stdout) : reject(new Error(`${error.message} ${stdout} ${stderr}`))
        )
      })
      const seen = JSON.parse(said.split("\n").find((line) => line.startsWith("{\"upload\""))!)
      for (const { code, retry_after, status } of [seen.upload, seen.part]) {
        assert.deepStrictEqual([status, code], [503, "SERVICE_UNAVAILABLE"])
        assert.match(retry_after, /^[1-9]\d*$/u)
      }
      assert.deepStrictEqual(seen.kept, [])
      assert.strictEqual(seen.offset, 0)
      assert.includeMembers(seen.paused, ["audio", "frames"])
      assert.strictEqual(seen.status, "running")
      for (const [stage, used] of Object.entries(seen.used)) assert.strictEqual(used, 0, stage)
      assert.containsAllKeys(seen.used, ["fetch", "probe", "audio", "frames"])
      assert.deepStrictEqual([seen.again, seen.rest, seen.same], [201, 204, true])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  300_000
)
