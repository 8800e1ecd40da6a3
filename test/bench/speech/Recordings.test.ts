import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readRecordings } from "../../../bench/speech/Recordings.ts"

const folderOf = (files: Readonly<Record<string, unknown>>) => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-recordings-"))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content))
  }
  return folder
}
const named = (folder: string, paths: ReadonlyArray<string>) =>
  paths.map((path) => path.slice(folder.length + 1).split(": ")[0])

const entry = (path: string, language?: string) => ({ path, kind: "audio", language, transcript: "hello" })

const segments = [
  { start: 0, end: 2, speaker: "A", text: "hello" },
  { start: 2, end: 3, speaker: "B", text: "there" }
]

describe("recordings of a folder", () => {
  it("are those with truth files, told by turns or by segments, and what has no media or no turns is named", () => {
    const folder = folderOf({
      "a.flac": "",
      "a.truth.json": { segments },
      "b.opus": "",
      "b.truth.json": { turns: [{ t_start: 0, t_end: 1, speaker: "A", text: "well" }] },
      "c.truth.json": { segments },
      "d.mp4": "",
      "d.truth.json": { title: "a film" }
    })
    const { recordings, unread } = readRecordings(folder)
    assert.deepStrictEqual(recordings.map(({ set, transcript, turns }) => [set, transcript, turns?.length]), [
      ["a", "hello there", 2],
      ["b", "well", 1]
    ])
    assert.deepStrictEqual(named(folder, unread), ["c.truth.json", "d.truth.json"])
  })

  it("are the English ones of a manifest, each once, and what is not here or listed again is named", () => {
    const files = [
      entry("a.wav"),
      entry("b.wav", "English"),
      entry("c.wav", "EN"),
      entry("d.wav", "en-GB"),
      entry("e.wav", "de"),
      entry("f.wav"),
      entry("a.wav")
    ]
    const here = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`${name}.wav`, ""]))
    const folder = folderOf({ ...here, "manifest.json": { files } })
    const { recordings, unread } = readRecordings(folder)
    assert.deepStrictEqual(named(folder, recordings.map(({ file }) => file)), ["a.wav", "b.wav", "c.wav", "d.wav"])
    assert.deepStrictEqual(named(folder, unread), ["e.wav", "f.wav", "a.wav"])
  })
})
