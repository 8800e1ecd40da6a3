import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const committed = fileURLToPath(new URL("../../app/built/", import.meta.url))

const filesOf = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length).replace(/^\//u, ""), readFileSync(path)] as const
    })
  )

it("what browsers are given is what the sources of app/ build, byte for byte", () => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-app-"))
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL("../../tools/build-app.ts", import.meta.url)), folder])
    const [built, here] = [filesOf(folder), filesOf(committed)]
    assert.sameMembers([...here.keys()], [...built.keys()], "npm run build:app")
    for (const [name, bytes] of built) assert.isTrue(here.get(name)!.equals(bytes), `${name}: npm run build:app`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it("the scripts of a page that come at once have at most 150 kB in gzip", () => {
  const scripts = [...filesOf(committed)].filter(([name]) =>
    name === "report.js" || name.startsWith("served/assets/index-")
  )
  for (const [name, bytes] of scripts) {
    if (name.endsWith(".js")) assert.isAtMost(gzipSync(bytes).length, 150_000, name)
  }
})
