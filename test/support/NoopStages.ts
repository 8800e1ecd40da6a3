import { Effect } from "effect"
import type { HeldTask } from "../../src/jobs/engine/Tasks.ts"
import type { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { JobSpec } from "../../src/jobs/model/JobSpec.ts"
import type { ModelRun } from "../../src/jobs/model/Provenance.ts"
import type { StageName, StageOutput } from "../../src/jobs/model/StageIo.ts"
import { pools } from "../../src/processes/Pools.ts"
import type { TaskAnswer } from "../../workers/engine/Stage.ts"
import type { Progress, WorkerOptions, WorkerPool } from "../../workers/engine/Worker.ts"

/** What an imagined source holds; the engine sees only the fan-out that follows from it. */
export interface ImaginedSource {
  readonly chunks?: number
  readonly images?: number
  readonly audio?: boolean
  readonly video?: boolean
  readonly captions?: boolean
}

export const imaginedSpec = (source: ImaginedSource = {}): JobSpec => ({
  source_uri: `https://source.test/${new URLSearchParams(JSON.parse(JSON.stringify(source)))}`,
  json_schema: true,
  schema_id: null,
  hints: {},
  on_missing: "fill",
  model_stack: "builtin"
})

const run = (role: string): ModelRun => ({ role, name: `noop-${role}`, execution_provider: "cpu" })

/** Outputs that fit each stage, made of references to nothing: the engine moves references and never opens them. */
export const noopOutput = (task: Pick<HeldTask, "stage" | "spec" | "job_id" | "index">): unknown => {
  // In the path: a query is sealed, and no stage but the fetch sees it.
  const source = new URLSearchParams(new URL(task.spec.source_uri).pathname.slice(1))
  const flag = (name: string, otherwise: boolean) => (source.get(name) ?? String(otherwise)) === "true"
  const blob = { key: `jobs/${task.job_id}/${task.stage}/${task.index}`, size_bytes: 1, sha256: "0".repeat(64) }
  const digest = { jcs_sha256: "0".repeat(64) }
  const probe = {
    source: blob,
    demuxer: "mp4",
    facts: {
      container: "mp4",
      duration_seconds: 60,
      width: 640,
      height: 360,
      frame_rate: 25,
      audio: "aac",
      video: "h264",
      size_bytes: 1,
      sha256: "0".repeat(64)
    },
    video: flag("video", true)
      ? {
        index: 0,
        codec: "h264",
        width: 640,
        height: 360,
        rotation: 0,
        frame_rate: 25,
        t_start: 0,
        interlaced: false,
        transfer: null,
        matrix: null,
        longest_gap: 0.04,
        longest_key_gap: 10
      }
      : null,
    has_audio: flag("audio", true),
    audio_streams: flag("audio", true) ? [{ index: 1, channels: 2, t_start: 0 }] : [],
    caption_streams: flag("captions", false) ? [{ index: 2, language: "en" }] : []
  }
  const outputs: { readonly [S in StageName]: StageOutput<S> } = {
    fetch: { source: blob, warnings: [] },
    probe: { probe, warnings: [{ code: "PROBED", message: "A warning of the probe." }], decoder: "ffmpeg none" },
    audio: { pcm: blob, duration_seconds: 60, warnings: [] },
    captions: { captions: blob, warnings: [] },
    frames: {
      inventory: blob,
      images: blob,
      sampled: 60,
      kept: Number(source.get("images") ?? 6),
      duration_seconds: 60,
      warnings: []
    },
    detect_speech: {
      speech: blob,
      chunks: Number(source.get("chunks") ?? 3),
      speech_seconds: 30,
      models: [],
      warnings: []
    },
    transcribe: { words: blob, model_seconds: 0.5, models: [run("asr"), run("speaker")] },
    diarize: { transcript: blob, warnings: [] },
    describe: { descriptions: blob, model_seconds: 0.25, models: [run("ocr")] },
    extract: {
      transcript: blob,
      frames: blob,
      vision: blob,
      graph: blob,
      graph_compact: blob,
      evidence: blob,
      result: blob,
      result_confidence: 0.5,
      model_seconds: 0,
      tokens: 120,
      cost: 0.25,
      models: [],
      warnings: [],
      attested: {
        subjects: blob,
        schema: { original: digest, normalised: digest },
        model_stack: { id: task.spec.model_stack, digest },
        extractor: { kind: "builtin" },
        software: {
          name: "footnote",
          version: "0.0.0",
          digest: { dirHash: "0".repeat(64) },
          node: "v24.0.0",
          platform: "none"
        }
      }
    }
  }
  return task.stage === "deliver" || task.stage === "render" ? null : outputs[task.stage]
}

/** Says nothing instead: the stage's own no-op output stands. */
export const unchanged: Effect.Effect<undefined> = Effect.undefined

/** A worker of every pool whose handlers do nothing but what `instead` says. */
export const noopWorker = (
  instead: (task: HeldTask, progress: Progress) => Effect.Effect<TaskAnswer | undefined, StageFailure> = () =>
    unchanged,
  slots: Partial<Record<WorkerPool["pool"], number>> = {}
): WorkerOptions => ({
  pools: pools.map((pool) => ({
    pool,
    // No tenant is given a pool's last slot, and most tests have one tenant.
    slots: (slots[pool] ?? 8) + 1,
    handle: (task, progress) => Effect.map(instead(task, progress), (answer) => answer ?? { output: noopOutput(task) })
  })),
  drain_seconds: 1
})
