import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { renderTry, triedBody, type TriedJob } from "../../src/cli/TryStack.ts"
import { CreateJob } from "../../src/jobs/model/Job.ts"

const job: TriedJob = {
  model_stack: "standard",
  progress: {
    stages: [
      {
        name: "fetch",
        status: "done",
        started_at: "2026-01-01T00:00:00.000Z",
        finished_at: "2026-01-01T00:00:00.250Z"
      },
      { name: "captions", status: "skipped", started_at: null, finished_at: "2026-01-01T00:00:00.250Z" },
      { name: "transcribe", status: "running", started_at: "2026-01-01T00:00:01.000Z", finished_at: null }
    ]
  },
  source: { duration_seconds: 12.34 },
  usage: { frames_kept: 2, model_seconds: 4.5 },
  warnings: [{ code: "SPEECH_UNCLEAR", message: "Hardly anything was understood." }],
  error: null,
  provenance: {
    models: [
      { role: "asr", name: "parakeet", execution_provider: "cuda" },
      { role: "describe", name: "qwen", execution_provider: "cuda" },
      { role: "turns", name: "nemotron", execution_provider: "cpu" }
    ]
  }
}

const box = [0.1, 0.1, 0.2, 0.2]

describe("the report of npm run models -- try", () => {
  it("tells the models and where they ran, seconds of each stage, and the first of what was heard, read and seen", () => {
    const report = renderTry({
      job,
      transcript: {
        language: "en",
        text: "good morning everybody",
        speakers: [{ id: "S1" }],
        overlaps: [{ t_start: 1 }]
      },
      vision: {
        frames: [
          {
            description: "A scene with a dog; no readable text.",
            text: [],
            labels: [{ name: "scene" }, { name: "dog", box }, { name: "dog", box }, { name: "cup", box }]
          },
          { description: "A slide.", text: [{ text: "Prices" }], labels: [{ name: "slide" }] }
        ]
      },
      seconds: 20,
      machine: "linux x64, 2 processors, Node 24"
    }, 100)
    expect(report.split("\n")).toEqual([
      "stack        standard",
      "machine      linux x64, 2 processors, Node 24",
      "took         20.0 s for 12.3 s of footage, models 4.5 s",
      "stages       fetch 0.3 s, transcribe not finished",
      "asr          parakeet on cuda",
      "describe     qwen on cuda",
      "turns        nemotron on cpu",
      "heard        3 words by 1 voice (at once 1 time), en: “good morning everybody”",
      "read         1 line on 2 frames: “Prices”",
      "things       dog 2, cup 1",
      "first frame  A scene with a dog; no readable text.",
      "warning      SPEECH_UNCLEAR: Hardly anything was understood.",
      "came to      its end"
    ])
  })

  it("tells what a job failed by, and is cut to a screen", () => {
    const failed = { ...job, error: { code: "MODEL_UNAVAILABLE", message: `Model file ${"x".repeat(500)}` } }
    const report = renderTry({ job: failed, seconds: 1, machine: "m" }, 60)
    expect(report).toMatch(/came to +MODEL_UNAVAILABLE: Model file xxx/u)
    for (const line of report.split("\n")) expect(line.length).toBeLessThanOrEqual(120)
  })
})

describe("the job of npm run models -- try", () => {
  it("is one that the API takes, which refuses any field that it does not know", () => {
    const take = Schema.decodeUnknownSync(CreateJob, { errors: "all", onExcessProperty: "error" })
    const body = triedBody("builtin", "upload://upl_1")
    expect(take(body)).toMatchObject({
      source_uri: "upload://upl_1",
      model_stack: "builtin",
      schema_inline: { type: "object" }
    })
    expect(() => take({ ...body, json_schema: {} })).toThrow(/json_schema/u)
  })
})
