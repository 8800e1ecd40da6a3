import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

let folder: string
let footage: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "footnote-extract-"))
  footage = join(folder, "talk.mp4")
  writeFileSync(footage, "footage")
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The command in a process of its own, over a service that stands in. */
const extract = async (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const args = [
    "--import",
    import.meta.resolve("./extract/standIn.ts"),
    at("../../src/cli/extract.ts"),
    footage,
    ...words
  ]
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    timeout: 60_000
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (chunk) => stdout += chunk)
  child.stderr.on("data", (chunk) => stderr += chunk)
  const status = await new Promise<number | null>((resolve) => void child.once("close", resolve))
  return { status, stdout, stderr }
}

describe("npm run extract -- --out", () => {
  it("refuses a folder that cannot be written before a service is started, and says why", async () => {
    const taken = join(folder, "taken")
    mkdirSync(taken)
    writeFileSync(join(taken, "frames"), "no folder")
    // In /sys not even root makes a folder; where there is none, the root of the file system is the system's.
    for (const out of [taken, "/sys/out"]) {
      const { status, stderr, stdout } = await extract(["--out", out])
      expect(status, stderr).toBe(1)
      expect(stderr).toMatch(new RegExp(`^Cannot write into ${out}: E[A-Z]+: `, "u"))
      expect(stderr).not.toContain("The service has started.")
      expect(stdout).toBe("")
    }
    expect(readdirSync(taken)).toEqual(["frames"])
  })

  it("prints what the job found before it writes, and fails where the folder takes it no more", async () => {
    const out = join(folder, "lost")
    const { status, stderr, stdout } = await extract(["--json", "--out", out], { FOOTNOTE_TEST_LOST_FOLDER: out })
    expect(status).toBe(1)
    expect(JSON.parse(stdout).result).toEqual({ title: "What an hour has found" })
    expect(stderr).toContain(`Cannot write into ${out}: ENOTDIR: `)
  })

  it("leaves the artifacts in a folder that it makes, and nothing of its own", async () => {
    const out = join(folder, "new", "out")
    const { status, stderr } = await extract(["--out", out])
    expect(status, stderr).toBe(0)
    expect(JSON.parse(readFileSync(join(out, "result.json"), "utf8"))).toEqual({ title: "What an hour has found" })
    expect(readdirSync(out).filter((name) => name.startsWith("."))).toEqual([])
    expect(readdirSync(join(out, "frames"))).toEqual([])
  })
})
