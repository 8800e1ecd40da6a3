import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { byKind, type Compared, compared, differencesOf, digestOf, settled } from "./compare/Differences.ts"
import { takeOut } from "./upgrade/LastRelease.ts"

// node bench/compare.ts BEFORE AFTER [CLIP …] extracts clips (the samples where none is named) with two versions of this repository,
// commits or folders, and says of every artifact whether it is the same to the byte, or else what differs. It ends with 1 where
// something does. `--digests FILE` keeps the SHA-256 of each artifact of both, `--show N` prints N differences of a kind.

const root = fileURLToPath(new URL("..", import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { digests: { type: "string" }, show: { type: "string", default: "1" } }
})
const [before, after, ...given] = positionals
if (before === undefined || after === undefined) {
  console.error("Usage: node bench/compare.ts BEFORE AFTER [CLIP …] [--digests FILE] [--show N]")
  process.exit(2)
}
const templates: Readonly<Record<string, string>> = {
  "lecture.mp4": "lecture-notes",
  "product-demo.mp4": "product-demo"
}
const clips = given.length > 0 ?
  given.map((path) => resolve(path)) :
  Object.keys(templates).map((name) => join(root, "samples", name))
const work = mkdtempSync(join(tmpdir(), "footnote-compare-"))
const print = (line: string) => void process.stdout.write(`${line}\n`)

const folderOf = (version: string, name: string): string => {
  if (existsSync(join(version, "package.json"))) return resolve(version)
  takeOut(version, join(work, name))
  return join(work, name)
}

type Artifacts = Readonly<Record<Compared, unknown>>

/** What a version makes of a clip, with everything that it proposes; or how it failed, in its own words. */
const extracted = async (folder: string, clip: string): Promise<Artifacts | string> => {
  const out = mkdtempSync(join(work, "out-"))
  const template = templates[basename(clip)]
  // Of versions before there was the choice, every result is a balanced one.
  const choice = readFileSync(join(folder, "src/cli/extract.ts"), "utf8").includes("Flag.String(\"precision\")")
  const args = [
    "src/cli/extract.ts",
    clip,
    "--out",
    out,
    "--json",
    ...(template === undefined ? [] : ["--template", template]),
    ...(choice ? ["--precision", "balanced"] : [])
  ]
  try {
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 })
  } catch (error) {
    return String((error as { readonly stderr?: string }).stderr).trim().split("\n").at(-1)!
  }
  const read = (name: Compared): unknown => JSON.parse(readFileSync(join(out, `${name}.json`), "utf8"))
  return Object.fromEntries(compared.map((name) => [name, read(name)] as const)) as Artifacts
}

const digests: Record<string, Record<string, ReadonlyArray<string | null>>> = {}
let different = 0

/** Prints one line for an artifact and one for each kind of difference; answers whether it is the same. */
const compare = (name: string, one: unknown, other: unknown): boolean => {
  if (digestOf(one) === digestOf(other)) return true
  const kinds = byKind(differencesOf(settled(one), settled(other)))
  print(`  ${name}: ${kinds.size} kinds of difference`)
  for (const [kind, all] of kinds) {
    print(`    ${String(all.length).padStart(5)}  ${kind}`)
    for (const { after: now, before: then, pointer } of all.slice(0, Number(values.show))) {
      print(`           ${pointer}: ${short(then)} → ${short(now)}`)
    }
  }
  return false
}

const short = (value: unknown): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length <= 70 ? text : `${text.slice(0, 69)}…`
}

try {
  const [one, other] = [folderOf(before, "before"), folderOf(after, "after")]
  for (const clip of clips) {
    const [then, now] = [await extracted(one, clip), await extracted(other, clip)]
    if (typeof then === "string" || typeof now === "string") {
      const same = then === now
      if (!same) different += 1
      print(`${basename(clip)}: ${same ? `both fail: ${then}` : "one of them fails"}`)
      if (!same) {
        print(`  ${typeof then === "string" ? then : "succeeds"} → ${typeof now === "string" ? now : "succeeds"}`)
      }
      continue
    }
    print(basename(clip))
    digests[basename(clip)] = Object.fromEntries(
      compared.map((name) => [name, [digestOf(then[name]), digestOf(now[name])]])
    )
    const same = compared.filter((name) => compare(name, then[name], now[name]))
    different += compared.length - same.length
    if (same.length > 0) print(`  the same to the byte: ${same.join(", ")}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
if (values.digests !== undefined) writeFileSync(values.digests, `${JSON.stringify(digests, null, 2)}\n`)
print(different === 0 ? "Nothing differs." : `${different} artifacts differ.`)
process.exitCode = different === 0 ? 0 : 1
