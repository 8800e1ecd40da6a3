import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { madeOnce } from "./MadeFixture.ts"

let folder = ""
let made = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "footnote-fixture-"))
  made = 0
  build("1")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const program = () => join(folder, "decoder")
const build = (version: string) => {
  writeFileSync(program(), `#!/bin/sh\necho version ${version}\n`)
  chmodSync(program(), 0o755)
}
const make = (args: ReadonlyArray<string>, name = "clip.mp4") => {
  const to = join(folder, name)
  madeOnce({ program: program(), args, to }, () => writeFileSync(to, `made ${++made}`), join(folder, "kept"))
  return to
}

describe("a clip that tests make", () => {
  it("is made once by the same arguments, and each test has its own copy", () => {
    appendFileSync(make(["-t", "2"]), " and spoiled")
    assert.strictEqual(readFileSync(make(["-t", "2"]), "utf8"), "made 1")
    assert.lengthOf(readdirSync(join(folder, "kept")), 1)
  })

  it("is made anew by other arguments, by another name, from a file with other bytes, and by another decoder", () => {
    const input = join(folder, "input.srt")
    writeFileSync(input, "one")
    make(["-i", input])
    make(["-i", input, "-t", "2"])
    make(["-i", input], "clip.mkv")
    writeFileSync(input, "two")
    make(["-i", input])
    build("1.1")
    make(["-i", input])
    assert.strictEqual(made, 5)
  })

  it("is made every time where its arguments name files that are not looked into", () => {
    for (const arg of [`subtitles=${folder}/a.srt`, join(folder, "list.txt"), "concat:a|b"]) {
      make([arg])
      make([arg])
    }
    assert.strictEqual(made, 6)
  })
})
