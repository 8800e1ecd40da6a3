import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sweepTemporaryFolders, temporaryFolder } from "../../src/processes/TemporaryFolders.ts"

const module = fileURLToPath(new URL("../../src/processes/TemporaryFolders.ts", import.meta.url))

/** The name of the folder that another process has made, and how to kill that process. */
const ownedByAnother = async () => {
  const script = `import { temporaryFolder } from ${JSON.stringify(module)}
    console.log(await temporaryFolder("media"))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  const [said] = await once(child.stdout, "data") as [Buffer]
  const kill = async () => {
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  return { name: said.toString().trim().split("/").at(-1)!, pid: child.pid!, kill }
}

it("a worker that was killed has its temporary folders removed at the next start, and only it", async () => {
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(tmpdir(), "footnote-test-"))
  process.env.TMPDIR = folder
  try {
    const dead = await ownedByAnother()
    const alive = await ownedByAnother()
    const own = (await temporaryFolder("pipe")).split("/").at(-1)!
    await dead.kill()
    const elsewhere = dead.name.replace(/^footnote-media-\d+/u, "footnote-media-1")
    const others = [elsewhere, "footnote-media-2vYYjI", "footnote-power-abcdef"]
    for (const name of others) mkdtempSync(join(folder, name))
    // Of the dead one's by name, and no folder.
    const link = dead.name.slice(0, -6) + "linked"
    symlinkSync(folder, join(folder, link))
    assert.strictEqual(sweepTemporaryFolders(), 1)
    const left = readdirSync(folder)
    assert.notInclude(left, dead.name)
    for (const name of [alive.name, own, link]) assert.include(left, name)
    assert.lengthOf(left, 3 + others.length)
    await alive.kill()
    assert.strictEqual(sweepTemporaryFolders(), 1)
    assert.notInclude(readdirSync(folder), alive.name)
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
})
