import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const empty = mkdtempSync(join(tmpdir(), "footnote-empty-"))
const unturned = mkdtempSync(join(tmpdir(), "footnote-truths-"))
writeFileSync(join(unturned, "a.mp4"), "")
writeFileSync(join(unturned, "a.truth.json"), JSON.stringify({ title: "a film" }))
const file = join(mkdtempSync(join(tmpdir(), "footnote-file-")), "a.jsonl")
writeFileSync(file, "")

const status = (command: string, args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [fileURLToPath(new URL(`../../bench/${command}.ts`, import.meta.url)), ...args]).status

describe("the commands that measure", () => {
  it.each([
    ["eval", ["extraction", "--set", empty, empty]],
    ["eval", ["extraction", "speech"]],
    ["eval", ["speech", "--without", "nosuch"]],
    ["eval", ["extraction", "--without", "greedy"]],
    ["eval", ["extraction", "--set", file]],
    ["bench", ["clusters", "--nonsense=1"]],
    ["bench", ["media", "--rounds=abc"]],
    ["bench", ["media", "--rounds"]],
    ["bench", ["media", "--rounds=0"]]
  ])("refuse %s %j", (command, args) => {
    assert.strictEqual(status(command, args), 2)
  }, 60_000)

  it.each([
    ["eval", ["gate", "--set", empty, "--json"]],
    ["eval", ["speech", "--set", unturned]],
    ["bench", ["media", `--folder=${empty}`]]
  ])("fail without anything to measure: %s %j", (command, args) => {
    assert.strictEqual(status(command, args), 1)
  }, 60_000)
})
