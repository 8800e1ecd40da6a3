import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"
import { callTool, type ToolResult } from "../support/ToolClient.ts"
import { jobOf, signedInScene, transcribedJob } from "../support/ToolScene.ts"

const { TestServer } = Server

const word = (t_start: number, text: string) => ({ t_start, t_end: t_start + 0.4, text, confidence: 0.9 })

/** Two hours of a lecture: 117 words a minute, a sentence of 13 in every 6.7 s, by one speaker and a question now and then. */
const lecture = (() => {
  const sentence = "and so the orbit of the outer planet takes almost thirty of our years"
  const said = sentence.split(" ")
  return {
    language: "en",
    duration_seconds: 7200,
    speakers: [{ id: "S1", label: "Ada", speaking_seconds: 1 }, { id: "S2", label: "Bob", speaking_seconds: 1 }],
    segments: Array.from({ length: 1080 }, (_, index) => ({
      id: `seg#${String(index + 1).padStart(6, "0")}`,
      origin: "asr",
      t_start: index * 6.67,
      t_end: index * 6.67 + 6,
      speaker: index % 40 === 39 ? "S2" : "S1",
      text: sentence,
      confidence: 0.9,
      words: said.map((text, at) => word(index * 6.67 + at * 0.45, text))
    })),
    text: Array.from({ length: 1080 }, () => sentence).join(" "),
    turns: [],
    audio_branch: "present",
    model: null
  }
})()

const node = (index: number) => ({
  id: `n${index}`,
  kind: "claim",
  label: `Claim ${index}`,
  type: null,
  t_start: index * 10,
  t_end: index * 10 + 5,
  modality: "audio",
  source_refs: [],
  mentions: 1
})
const edge = (index: number) => ({
  id: `e${index}`,
  source: `n${index}`,
  target: "n0",
  relation: "follows",
  t_start: index * 10,
  t_end: index * 10 + 5,
  source_refs: []
})

layer(Server.layer, { excludeTestServices: true })("parts of long answers", (it) => {
  const arrange = signedInScene("parts")
  const lectureJob = transcribedJob("parts", lecture)

  it.effect("get_transcript of two hours is whole, as REST answers it, unless less is asked for", () =>
    Effect.gen(function*() {
      const { job_id, token } = yield* lectureJob
      const { structured } = yield* callTool(token, "get_transcript", { job_id })
      assert.deepStrictEqual(structured.segments, lecture.segments)
      assert.notProperty(structured, "left_out")
      assert.notProperty(structured, "truncated")
    }))

  it.effect("get_transcript of two hours in 25,000 tokens has every word that was said, and tells what it leaves out", () =>
    Effect.gen(function*() {
      const { job_id, token } = yield* lectureJob
      const max_tokens = 25_000
      const { structured, text } = yield* callTool(token, "get_transcript", { job_id, max_tokens })
      assert.isBelow(text.length / 4, 25_000)
      assert.deepInclude(structured, { job_id, format: "lines", left_out: "segments" })
      const lines = structured.content.trim().split("\n") as ReadonlyArray<string>
      const words = lines.map((line) => line.replace(/^\[\d+\] (?:Ada|Bob): /u, "")).join(" ")
      assert.strictEqual(words, lecture.text)
      const seconds = lines.map((line) => Number(/^\[(\d+)\]/u.exec(line)![1]))
      assert.isTrue(seconds.every((second, at) => at === 0 || second - seconds[at - 1]! <= 37))

      const hour = yield* callTool(token, "get_transcript", { job_id, max_tokens, to: 1200 })
      assert.strictEqual(hour.structured.left_out, "words")
      assert.isBelow(hour.text.length / 3, 25_000)
      assert.lengthOf(hour.structured.segments, 180)
      const minutes = yield* callTool(token, "get_transcript", { job_id, max_tokens, from: 600, to: 720 })
      assert.notProperty(minutes.structured, "left_out")
      assert.isNotEmpty(minutes.structured.segments[0].words)
    }))

  it.effect("get_transcript with max_tokens is cut there, says so, and goes on to the end without a gap", () =>
    Effect.gen(function*() {
      const { job_id, token } = yield* lectureJob
      for (const asked of [{ format: "json", max_tokens: 100_000 }, { words: false, max_tokens: 25_000 }]) {
        const seen = new Set<string>()
        let from: number | undefined = 0
        let calls = 0
        while (from !== undefined) {
          const { structured, text }: ToolResult = yield* callTool(token, "get_transcript", { job_id, from, ...asked })
          assert.isAtMost(text.length / 3, asked.max_tokens + 50)
          for (const { id } of structured.segments) seen.add(id)
          assert.strictEqual(structured.truncated ?? false, structured.next_from !== undefined)
          assert.isTrue(structured.next_from === undefined || structured.next_from > from)
          from = structured.next_from
          calls += 1
        }
        assert.strictEqual(seen.size, lecture.segments.length)
        assert.isAbove(calls, 3)
      }
      const { structured } = yield* callTool(token, "get_transcript", { job_id, max_tokens: 5000 })
      assert.deepInclude(structured, { format: "lines", truncated: true })
    }))

  it.effect("get_graph gives the part between two moments with both ends of its relations, and is cut at max_tokens", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const { succeed } = yield* TestServer
      const job_id = yield* jobOf(scene.key)
      const nodes = Array.from({ length: 100 }, (_, index) => node(index))
      const edges = Array.from({ length: 99 }, (_, index) => edge(index + 1))
      yield* succeed(job_id, { graph: { view: "canonical", nodes, edges }, result: {} })
      const args = { job_id, view: "canonical" }
      const part = yield* callTool(token, "get_graph", { ...args, from: 500, to: 520 })
      assert.deepStrictEqual(part.structured.nodes.map(({ id }: { id: string }) => id), ["n0", "n50", "n51"])
      assert.deepStrictEqual(part.structured.edges.map(({ id }: { id: string }) => id), ["e50", "e51"])
      const seen = new Set<string>()
      let from: number | undefined = 0
      while (from !== undefined) {
        const { structured, text }: ToolResult = yield* callTool(token, "get_graph", {
          ...args,
          from,
          max_tokens: 2000
        })
        assert.isAtMost(text.length / 3, 2050)
        for (const { id } of [...structured.nodes, ...structured.edges]) seen.add(id)
        from = structured.next_from
      }
      assert.strictEqual(seen.size, 199)
    }))
})
