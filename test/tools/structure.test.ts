import assert from "node:assert/strict"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"
import { findingsOf } from "../../tools/structure/Findings.ts"
import { type House, house } from "../../tools/structure/House.ts"
import { arrowsOf, readSources } from "../../tools/structure/Tree.ts"

const made: House = {
  order: [["src/errors"], ["src/jobs", "src/queue"], ["workers/media/codec"], ["workers/media"], ["workers/speech"], [
    "src"
  ]],
  apart: [[["workers/media"], ["workers/speech"]]],
  knots: [],
  most: { files: 2, lines: 4 },
  folders: [],
  anys: [],
  casts: [{ path: "src/queue/Excused.ts", count: 1, reason: "a reason" }],
  parses: [],
  silences: [],
  rows: ["src/jobs"]
}

/** What each rule says of a tree of the given files, without the rules that have nothing to say. */
const broken = (files: Readonly<Record<string, string>>, rules: House = made) =>
  Object.fromEntries(
    findingsOf(rules, new Map(Object.entries(files)))
      .filter((finding) => finding.broken.length > 0)
      .map((finding) => [finding.rule, finding.broken])
  )

describe("npm run structure", () => {
  it("finds nothing in this tree, and lets nothing pass that is there no more", () => {
    const sources = readSources(fileURLToPath(new URL("../..", import.meta.url)), ["src", "workers", "app"])
    const findings = findingsOf(house, sources)
    assert.deepEqual(findings.flatMap((finding) => finding.broken), [])
    const { anys, casts, folders, knots, parses, silences } = house
    const excuses = [anys, casts, folders, knots, parses, silences].flat()
    assert.equal(findings.flatMap((finding) => finding.excused).length, excuses.length)
    assert.ok(arrowsOf(sources).length > 2000)
  })

  it("finds files and folders that import each other, by types alone as well", () => {
    assert.deepEqual(
      broken({
        "src/jobs/A.ts": "import { b } from \"../queue/B.ts\"\n",
        "src/queue/B.ts": "import {\n  type A\n} from \"../jobs/A.ts\"\n"
      }),
      {
        "cycles of files, types included": ["src/jobs/A.ts ↔ src/queue/B.ts"],
        "cycles of folders, types included": ["src/jobs ↔ src/queue"]
      }
    )
  })

  it("finds an import of a later room, however it is written", () => {
    for (
      const line of [
        "import { a } from \"../jobs/A.ts\"",
        "import type { A } from \"../jobs/A.ts\"",
        "import \"../jobs/A.ts\"",
        "export { a } from \"../jobs/A.ts\"",
        "export * from \"../jobs/A.ts\"",
        "const load = () => import(\"../jobs/A.ts\")"
      ]
    ) {
      const found = broken({ "src/errors/E.ts": `${line}\n`, "src/jobs/A.ts": "" })
      assert.deepEqual(Object.keys(found), ["arrows against the order"], line)
    }
  })

  it("finds an import between rooms that are kept apart, and a folder without a place", () => {
    assert.deepEqual(
      broken({
        "workers/media/codec/A.ts": "",
        "workers/speech/B.ts": "import { a } from \"../media/codec/A.ts\"\n",
        "src/new/C.ts": ""
      }),
      {
        "arrows against the order": [
          "src/new has no place in the order",
          "workers/speech/B.ts → workers/media/codec/A.ts"
        ]
      }
    )
  })

  it("finds JSON that is taken for something nobody has looked for in it", () => {
    const lines = [
      "const a = JSON.parse(text) as Thing",
      "const b = JSON.parse(read(path)) as { readonly c: string }",
      "const d: ReadonlyArray<Thing> = JSON.parse(text)",
      "const { e } = JSON.parse(text)"
    ]
    for (const line of lines) {
      assert.deepEqual(
        broken({ "src/jobs/A.ts": `${line}\n` }),
        { "`JSON.parse` into a type": ["src/jobs/A.ts: 1"] },
        line
      )
    }
    const fine =
      "const a: unknown = JSON.parse(text)\nconst b = JSON.parse(text) as Schema.Json\nfit(JSON.parse(text))\n"
    assert.deepEqual(broken({ "src/jobs/A.ts": fine }), {})
  })

  it("finds rows that are believed to be of a type, where schemas are to look", () => {
    for (
      const line of ["sql<Row>`SELECT 1`", "engine<{ readonly a: Array<B> }>`\n  SELECT a`", "sql<A &\n B>`SELECT 1`"]
    ) {
      const rows = { "rows of src/jobs that no schema is held to": ["src/jobs/A.ts: 1"] }
      assert.deepEqual(
        broken({ "src/jobs/A.ts": `const a = yield* ${line}\n`, "src/queue/A.ts": `${line}\n` }),
        rows,
        line
      )
    }
    assert.deepEqual(broken({ "src/jobs/A.ts": "const a: Array<B> = rowsOf(B)(sql`SELECT 1`)\n" }), {})
  })

  it("finds heaps, long files, casts and silent failures, except as often as they have a reason", () => {
    assert.deepEqual(
      broken({
        "src/queue/A.ts": "a as any\nb as unknown as B\n",
        "src/queue/Excused.ts": "a as unknown as B\n/** As many as unknown as these. */\n",
        "src/queue/C.ts": "Effect.ignoreCause(f(a, b))\nx.pipe(Effect.ignoreCause)\n",
        "src/jobs/A.ts": "Effect.ignoreCause(f(a), { log: \"Warn\" })\nx.pipe(Effect.ignoreCause({ log: true }))\n",
        "src/jobs/B.ts": "1\n2\n3\n4\n5\n"
      }),
      {
        "folders with more than 2 files": ["src/queue: 3"],
        "files over 4 lines": ["src/jobs/B.ts: 5"],
        "`as any`": ["src/queue/A.ts: 1"],
        "`as unknown as`": ["src/queue/A.ts: 1"],
        "`ignoreCause` without a log": ["src/queue/C.ts: 2"]
      }
    )
  })
})

describe("what tells a newcomer where to look", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url))

  it("docs/glossary.md names files that exist, in the order of the alphabet", () => {
    const rows = Array.from(
      readFileSync(join(root, "docs/glossary.md"), "utf8").matchAll(
        /^\| (?<word>[^|]+) \| .* \| `(?<file>[^`]+)` \|$/gmu
      ),
      ({ groups }) => ({ word: groups!["word"]!.toLowerCase(), file: groups!["file"]! })
    )
    assert.ok(rows.length > 30)
    assert.deepEqual(rows.filter(({ file }) => !existsSync(join(root, file))), [])
    assert.deepEqual(rows.map(({ word }) => word), rows.map(({ word }) => word).toSorted())
  })

  it("every lane has a README of ten lines at most that names what is there", () => {
    const pages = globSync("{src,workers}/*/README.md", { cwd: root })
    for (const lane of ["media", "speech", "vision", "extraction", "delivery"]) {
      assert.ok(pages.includes(`workers/${lane}/README.md`), lane)
    }
    for (const page of pages) {
      const text = readFileSync(join(root, page), "utf8")
      assert.ok(text.trimEnd().split("\n").length <= 10, page)
      const named = Array.from(text.matchAll(/`(?<path>[\w./-]+)`/gu), ({ groups }) => groups!["path"]!)
      const made = new Set(["transcript.json", "descriptions.json", "result.json", "evidence.json", "graph.json"])
      const missing = named.filter((path) =>
        !made.has(path) && !existsSync(join(root, page, "..", path)) && !existsSync(join(root, path))
      )
      assert.deepEqual(missing, [], page)
    }
  })
})
