import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WebVTTParser } from "webvtt-parser"
import entities from "webvtt-parser/html-entities.json" with { type: "json" }
import { spokenSegments } from "../../src/artifacts/SpokenSegments.ts"
import { subtitleCues } from "../../src/artifacts/SubtitleCues.ts"
import { toSrt, toText, toVtt } from "../../src/artifacts/Subtitles.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { said, transcripts } from "./arbitraryTranscript.ts"

const solid = (text: string) => text.replaceAll(/[\s\p{Cc}]/gu, "")
const columns = (line: string) => Array.from(new Intl.Segmenter("und").segment(line)).length

/** Starts and ends in milliseconds, as FFmpeg's demuxer reads them. */
const readBack = (ffmpeg: string, name: string, text: string): Array<readonly [number, number]> => {
  const file = join(mkdtempSync(join(tmpdir(), "subtitles-")), name)
  writeFileSync(file, text)
  const lines = execFileSync(ffmpeg, ["-v", "error", "-i", file, "-map", "0", "-c", "copy", "-f", "framecrc", "-"], {
    encoding: "utf8"
  }).split("\n")
  assert.include(lines, "#tb 0: 1/1000")
  return lines.filter((line) => /^\d/u.test(line)).map((line) => {
    const [, , pts, duration] = line.split(",").map(Number)
    return [pts!, pts! + duration!]
  })
}

const colour = said(
  ["S1", "When you are ready, we start with the colour of the light. It changes with the temperature of the metal."],
  ["S2", "Does it?"],
  ["S1", "It does."]
)

const caption = (t_start: number, t_end: number, text: string) => ({
  ...said([null, text]).segments[0]!,
  id: "seg#000002",
  origin: "captions" as const,
  t_start,
  t_end,
  words: text.split(" ").map((text) => ({ text, t_start, t_end, confidence: 1 }))
})

describe("subtitles", () => {
  it("have two lines of 42 columns and end with a sentence or a phrase where they can", () => {
    assert.deepStrictEqual(subtitleCues(colour).map(({ lines, t_end, t_start }) => [t_start, t_end, lines]), [
      [0, 3600, ["When you are ready, we start", "with the colour of the light."]],
      [3600, 6000, ["It changes with the", "temperature of the metal."]],
      [6000, 6600, ["Does it?"]],
      [6600, 7200, ["It does."]]
    ])
  })

  it("name the speaker where another one takes the word: in front in SRT, as a voice in WebVTT", () => {
    const srt = toSrt(colour)
    assert.deepStrictEqual(srt.match(/^Name of S\d: .*$/gmu), [
      "Name of S1: When you are ready, we",
      "Name of S2: Does it?",
      "Name of S1: It does."
    ])
    const { cues } = new WebVTTParser(entities).parse(toVtt(colour))
    assert.deepStrictEqual(cues.map(({ id, tree }) => [id, tree.children[0]!.name, tree.children[0]!.value]), [
      ["seg-000001", "v", "Name of S1"],
      ["seg-000001-2", "v", "Name of S1"],
      ["seg-000002", "v", "Name of S2"],
      ["seg-000003", "v", "Name of S1"]
    ])
  })

  it("stay a second if nothing else is said, and no longer than the source", () => {
    const [first] = subtitleCues({ ...said([null, "Yes."]), duration_seconds: 60 })
    assert.deepInclude(first, { t_start: 0, t_end: 1000 })
    const [short] = subtitleCues({ ...said([null, "Yes."]), duration_seconds: 0.5 })
    assert.deepInclude(short, { t_start: 0, t_end: 500 })
  })

  it("say every sentence once: captions stand for what was recognised at the same time", () => {
    const heard = said([null, "helo wurld"])
    const written = { ...heard.segments[0]!, id: "seg#000002", origin: "captions" as const, text: "Hello, world!" }
    const both = { ...heard, segments: [heard.segments[0]!, { ...written, words: [] }] }
    assert.strictEqual(toText(both), "Hello, world!\n")
    assert.deepStrictEqual(subtitleCues(both).map(({ lines }) => lines), [["Hello, world!"]])
  })

  it("lose no recognised word that no caption says, and say none of the others again", () => {
    const heard = said([null, "We sold nine boats in May and none were returned later."])
    const read = (t_start: number, t_end: number, text: string) =>
      spokenSegments({ segments: [heard.segments[0]!, caption(t_start, t_end, text)] })
        .map(({ t_end, t_start, text }) => [t_start, t_end, text])
    // In the middle of the segment, where it took all of it with it.
    assert.deepStrictEqual(read(1.6, 1.7, "[bell]"), [
      [0, 3.3, "We sold nine boats in and none were returned later."],
      [1.6, 1.7, "[bell]"]
    ])
    // At its beginning, where its words were said twice; "boats" is heard 0.05 s behind the cue.
    assert.deepStrictEqual(read(0.05, 1, "We sold nine boats"), [
      [0.05, 1, "We sold nine boats"],
      [1.2, 3.3, "in May and none were returned later."]
    ])
    assert.deepStrictEqual(read(0, 3.3, "All of it"), [[0, 3.3, "All of it"]])
  })

  it("show the whole text of any transcript in cues that can be read, in time, apart for each speaker", () => {
    fc.assert(
      fc.property(transcripts(), (transcript) => {
        const cues = subtitleCues(transcript)
        const spoken = spokenSegments(transcript)
        let before = 0
        const ends = new Map<string | null, number>()
        for (const cue of cues) {
          const { lines, named_lines, segment, speaker, t_end, t_start } = cue
          const own = spoken.find(({ id }) => id === segment)!
          for (const line of [...lines, ...named_lines]) assert.isAtMost(columns(line), 42)
          for (const two of [lines, named_lines]) assert.include([1, 2], two.length)
          assert.isTrue(Number.isInteger(t_start) && Number.isInteger(t_end))
          assert.isAtLeast(t_start, before)
          assert.isAtLeast(t_start, Math.round(own.t_start * 1000))
          assert.isAbove(t_end, t_start)
          assert.isAtMost(t_end - t_start, 7000)
          assert.isAtLeast(t_start, ends.get(speaker) ?? 0)
          ends.set(speaker, t_end)
          before = t_start
        }
        for (const { id, text, words } of spoken) {
          const shown = cues.filter(({ segment }) => segment === id).toSorted((a, b) => a.part - b.part)
          const said = words.length === 0 ? text : words.map(({ text }) => text).join("")
          assert.strictEqual(solid(shown.flatMap(({ lines }) => lines).join("")), solid(said))
        }
      }),
      { numRuns: 300 }
    )
  })

  it("of any transcript are WebVTT without an error, and its parser reads the text as it was", () => {
    fc.assert(
      fc.property(transcripts(), (transcript) => {
        const { cues, errors } = new WebVTTParser(entities).parse(toVtt(transcript))
        assert.deepStrictEqual(errors, [])
        const own = subtitleCues(transcript)
        assert.strictEqual(cues.length, own.length)
        const texts = new Map(cues.map(({ id, tree }) => {
          const [first] = tree.children
          const text = first?.name === "v" ? first.children![0] : first
          return [id, text?.value]
        }))
        for (const { lines, part, segment } of own) {
          const id = `${segment.replace("#", "-")}${part === 0 ? "" : `-${part + 1}`}`
          assert.strictEqual(texts.get(id), lines.join("\n"))
        }
      }),
      { numRuns: 200 }
    )
  })

  it.effect(
    "of any transcript are read back by FFmpeg with every cue at its time, as SRT and as WebVTT",
    () =>
      Effect.gen(function*() {
        const { ffmpeg } = yield* findMediaTools
        // A file without cues is refused as one of no known format.
        const any = transcripts().filter((transcript) => subtitleCues(transcript).length > 0)
        for (const transcript of fc.sample(any, 12)) {
          const times = subtitleCues(transcript).map(({ t_end, t_start }) => [t_start, t_end] as const)
          for (const [name, write] of [["a.srt", toSrt], ["a.vtt", toVtt]] as const) {
            assert.deepStrictEqual(readBack(ffmpeg, name, write(transcript)), times, name)
          }
        }
      })
  )
})
