import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import type { Transcript } from "../../../../src/artifacts/Transcript.ts"
import { subjectsOf } from "../../../../workers/extraction/result/Subjects.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const transcript: Transcript = {
  language: "en",
  duration_seconds: 3,
  text: "Hello.",
  speakers: [{ id: "S1", label: "Speaker 1", speaking_seconds: 1 }],
  segments: [{
    id: "seg#000001",
    origin: "asr",
    t_start: 1,
    t_end: 2,
    speaker: "S1",
    text: "Hello.",
    confidence: 0.5,
    words: []
  }],
  turns: [{ speaker: "S1", t_start: 1, t_end: 2 }],
  audio_branch: "present",
  model: null
}
const image = (index: number, sha256: string) => ({
  index,
  timestamp: index,
  width: 2,
  height: 2,
  image: { key: `jobs/job_1/frames/0/0/${index}.jpg`, size_bytes: 1, sha256 }
})
const made = {
  result: { b: 1, a: [0.5, "é"] },
  artifacts: { transcript, graph: { edges: [], nodes: [] } },
  images: [image(12, "2".repeat(64)), image(3, "1".repeat(64))]
}

describe("subjects of a manifest", () => {
  it("name every file once, in one order", () => {
    assert.deepStrictEqual(subjectsOf(made).map(({ name }) => name), [
      "frames/frm_000003.jpg",
      "frames/frm_000012.jpg",
      "graph.json",
      "result.json",
      "transcript.ctm",
      "transcript.json",
      "transcript.rttm",
      "transcript.srt",
      "transcript.stm",
      "transcript.txt",
      "transcript.vtt"
    ])
  })

  it("hash JSON in its canonical form, pictures and texts by their bytes", () => {
    const subjects = new Map(subjectsOf(made).map((subject) => [subject.name, subject]))
    assert.deepStrictEqual(subjects.get("result.json"), {
      name: "result.json",
      digest: { jcs_sha256: sha256("{\"a\":[0.5,\"é\"],\"b\":1}") }
    })
    assert.deepStrictEqual(subjects.get("graph.json")?.digest, { jcs_sha256: sha256("{\"edges\":[],\"nodes\":[]}") })
    assert.deepStrictEqual(subjects.get("graph.json")?.annotations, { omitted: ["job_id"] })
    assert.deepStrictEqual(subjects.get("frames/frm_000003.jpg")?.digest, { sha256: "1".repeat(64) })
    assert.deepStrictEqual(subjects.get("transcript.txt")?.digest, { sha256: sha256("Speaker 1: Hello.\n") })
    assert.deepStrictEqual(subjects.get("transcript.stm"), {
      name: "transcript.stm",
      digest: { sha256: sha256("JOB_ID 1 S1 1.000 2.000 <O> hello\n") },
      annotations: { job_id: "JOB_ID" }
    })
  })

  it("are the same whatever order members come in, and without those that are undefined", () => {
    const result = { a: [0.5, "é"], c: undefined, b: 1 }
    const graph = { nodes: [], edges: [] }
    assert.deepStrictEqual(subjectsOf({ ...made, result, artifacts: { graph, transcript } }), subjectsOf(made))
  })
})
