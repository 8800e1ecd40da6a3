import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../../../bench/extraction.ts"
import { readFilmedFootage } from "../../../bench/extraction/EndToEnd.ts"
import { readDialogues } from "../../../bench/extraction/ExtractionData.ts"
import { readFootageFile, readFootageFolder } from "../../../bench/extraction/FootageRecord.ts"

const folder = () => mkdtempSync(join(tmpdir(), "footnote-labelled-"))

const footage = {
  id: "course",
  schema: { type: "object", properties: { lecturer: { type: "string" } } },
  segments: [{ id: "seg_00000", speaker: "A", t0: 0, t1: 3, text: "My name is Mary Brown and I am the lecturer." }],
  ocr: [],
  gold: { lecturer: "Mary Brown" },
  evidence: { "/lecturer": ["seg_00000"] },
  kinds: { "/lecturer": "stated" }
}
const dialogue = {
  id: "taxi",
  service: "Taxi",
  schema: footage.schema,
  segments: footage.segments,
  gold: { "/lecturer": { accept: ["Mary Brown"], segments: ["seg_00000"] } },
  optional: {}
}
const written = (name: string, ...lines: ReadonlyArray<unknown>) => {
  const file = join(folder(), name)
  writeFileSync(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""))
  return file
}

describe("labelled lines", () => {
  it.each([
    ["traps that are null", { ...footage, traps: null }],
    ["a segment without text", { ...footage, segments: [{ id: "seg_00000", speaker: null }] }],
    ["an unresolved reference", { ...footage, schema: { properties: { lecturer: { $ref: "#/nowhere" } } } }],
    ["a kind that there is not", { ...footage, kinds: { "/lecturer": "guessed" } }],
    ["evidence of a segment that is not there", { ...footage, evidence: {}, evidence_segments: { "/lecturer": [7] } }],
    ["half a line", "{\"id\": "],
    ["no object", "3"]
  ])("name footage with %s by file and line, and give all other", (_, broken) => {
    const file = written("a.jsonl", footage, "", broken, footage)
    const { records, unread } = readFootageFile(file)
    assert.strictEqual(records.length, 2)
    assert.strictEqual(unread.length, 1)
    assert.isTrue(unread[0]!.startsWith(`${file}:3: `))
  })

  it.each([
    ["a blank line", "", 0],
    ["half a line", "{", 1],
    ["no segments", { ...dialogue, segments: null }, 1],
    ["gold without its turns", { ...dialogue, gold: { "/lecturer": "Mary Brown" } }, 1]
  ])("name a dialogue with %s by file and line, and give all other", (_, broken, count) => {
    const file = written("sgd.jsonl", dialogue, broken, dialogue)
    const { records, unread } = readDialogues(file)
    assert.strictEqual(records.length, 2)
    assert.deepStrictEqual(
      unread.map((line) => line.startsWith(`${file}:2: `)),
      Array.from({ length: count }, () => true)
    )
  })

  it("lose no first record to a byte order mark", () => {
    const { records, unread } = readFootageFile(written("a.jsonl", `\uFEFF${JSON.stringify(footage)}`, footage))
    assert.deepStrictEqual([records.length, unread], [2, []])
  })

  it("name folders inside and files that end otherwise", () => {
    const at = folder()
    for (const name of ["a.jsonl", "b.JSONL", "c.ndjson"]) writeFileSync(join(at, name), JSON.stringify(footage))
    mkdirSync(join(at, "more"))
    const { records, unread } = readFootageFolder(at)
    assert.strictEqual(records.length, 1)
    assert.deepStrictEqual(
      unread.map((line) => line.split(": ")[0]),
      ["b.JSONL", "c.ndjson", "more"].map((name) => join(at, name))
    )
  })

  it("score folders of one name as two sets, and one that is named twice once", async () => {
    const parents = [folder(), folder()]
    for (const parent of parents) {
      mkdirSync(join(parent, "dev"))
      writeFileSync(join(parent, "dev", "a.jsonl"), `${JSON.stringify(footage)}\n{\n`)
    }
    const [one, other] = parents.map((parent) => join(parent, "dev"))
    const { sets, unread } = await run([one!, other!, `${one}/`], { usual: false })
    assert.strictEqual(Object.keys(sets).filter((name) => name.endsWith("dev/a")).length, 2)
    assert.strictEqual(unread.length, 2)
  })
})

describe("filmed footage", () => {
  it("has the media of its very name, no picture and no other video that begins alike", () => {
    const at = folder()
    for (const name of ["news.extra.mp4", "news.jpg", "news.mp4", "news.said.json"]) writeFileSync(join(at, name), "")
    for (const kind of ["truth", "schema"]) writeFileSync(join(at, `news.${kind}.json`), "{}")
    const { footage: found, unread } = readFilmedFootage(at)
    assert.deepStrictEqual([found.map(({ media }) => media), unread], [[join(at, "news.mp4")], []])
  })
})
