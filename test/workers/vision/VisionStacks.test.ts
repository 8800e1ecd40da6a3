import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import type { FrameDescription } from "../../../src/artifacts/Vision.ts"
import type { JobSpec } from "../../../src/jobs/model/JobSpec.ts"
import type { ModelRun } from "../../../src/jobs/model/Provenance.ts"
import type { KeptImages } from "../../../src/jobs/model/StageIo.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import { makeVisionStages } from "../../../workers/vision/VisionStage.ts"
import { captured } from "../../support/LogLines.ts"
import { said } from "./drivers/ToyPictureModels.ts"
import { makeToyVisionStacks } from "./drivers/ToyVisionStacks.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/vision/vision-compute.ts", import.meta.url))
})
const blobs = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-stacks-" }))
})).pipe(Layer.provide(NodeServices.layer))

/** Toy stacks and the lane over them. */
const makeLane = Effect.map(makeToyVisionStacks(), (toys) => ({
  ...toys,
  lane: Layer.mergeAll(compute, toys.store, Layer.provide(blobs, NodeServices.layer))
}))

const ran = (role: string, name: string): ModelRun => ({ role, name, execution_provider: "cpu" })
const measured = ({ labels, text, timestamp }: FrameDescription) => ({ labels, text, timestamp })

const colours = { bright: "#f0f0f0", dark: "#101010", blue: "#0000ff" } as const

/** One frame every five seconds, each of one colour. */
const describeFrames = Effect.fnUntraced(
  function*(model_stack: string, frames: ReadonlyArray<keyof typeof colours>, job_id = "job_1") {
    const store = yield* Blobs
    const [width, height] = [64, 36]
    const kept = yield* Effect.forEach(frames, (colour, i) =>
      Effect.gen(function*() {
        const bytes = yield* Effect.promise(() =>
          sharp({ create: { width, height, channels: 3, background: colours[colour] } }).png().toBuffer()
        )
        const image = yield* store.put(`jobs/${job_id}/frames/0/0/${i}.png`, bytes)
        return { index: 10 * i, timestamp: 5 * i, width, height, image } satisfies KeptImages[number]
      }))
    const images = yield* store.put(`jobs/${job_id}/images.json`, Buffer.from(JSON.stringify(kept)))
    const { describe } = yield* makeVisionStages
    const { descriptions, models, warnings } = yield* describe({
      job_id,
      tenant_id: `ten_${job_id}`,
      stage: "describe",
      index: 0,
      attempt: 0,
      spec: { hints: {}, model_stack } as JobSpec,
      input: { images, from: 0, to: kept.length },
      blobPrefix: `jobs/${job_id}/describe/0/0`,
      progress: () => Effect.void
    })
    const bytes = yield* store.get(descriptions.key)
    const described: ReadonlyArray<FrameDescription> = JSON.parse(Buffer.from(bytes).toString("utf8"))
    for (const { files = [], name } of models) {
      for (const { digest } of files) assert.match(digest.sha256, /^[0-9a-f]{64}$/u, name)
    }
    const runs = models.map(({ execution_provider, name, role }) => ({ role, name, execution_provider }))
    return { described, models: runs, warnings, sentences: described.map(({ description }) => description) }
  }
)

describe("a job's frames on a stack of models from a hub", () => {
  it.live("are described by its model, beside what the rules measured, and provenance says by whom", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock, version } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const frames = ["bright", "dark", "bright"] as const
        const rules = yield* describeFrames("builtin", frames)
        const [byRules, reader] = [ran("describe", "footnote-rules"), ran("ocr", "pp-ocr-v4")]
        assert.deepStrictEqual(rules.models, [byRules, ran("objects", "footnote-objects"), reader])
        for (const [stack, layout] of [["standard", "florence2"], ["accurate", "smolvlm"]] as const) {
          const own = yield* describeFrames(stack, frames)
          assert.deepStrictEqual(own.sentences, frames.map((frame, i) => `${said[frame]} ${rules.sentences[i]}`))
          assert.deepStrictEqual(
            own.described.map(({ model_sentence }) => model_sentence),
            frames.map((frame) => said[frame])
          )
          assert.deepStrictEqual(own.described.map(measured), rules.described.map(measured))
          assert.deepStrictEqual(own.models, [byRules, ran("describe", version(layout)), reader])
          assert.deepStrictEqual(own.warnings, [])
        }
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("are described by the rules alone where the model fails on one, with a warning that says which", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock, version } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const rules = yield* describeFrames("builtin", ["dark", "blue"])
        const { sentences, warnings } = yield* describeFrames("standard", ["dark", "blue"])
        assert.deepStrictEqual(sentences, [`${said.dark} ${rules.sentences[0]}`, rules.sentences[1]])
        assert.deepStrictEqual(warnings, [{
          code: "DESCRIPTION_REDUCED",
          message: `The frame at 5 s, described by rules alone: ${version("florence2")} failed on it.`
        }])
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("are told the same beside another tenant's job on another stack", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const stacks = ["standard", "accurate", "builtin"] as const
        const frames = ["dark", "bright", "dark", "bright"] as const
        const alone = yield* Effect.forEach(stacks, (stack) => describeFrames(stack, frames))
        const beside = yield* Effect.forEach(stacks, (stack) => describeFrames(stack, frames, `job_${stack}`), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(beside.map(({ described }) => described), alone.map(({ described }) => described))
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("are not described while the stack's files are not locked or not here, and the log says what to run", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock, path } = yield* makeLane
      const { lines, logged } = captured()
      const failure = Effect.flip(describeFrames("accurate", ["dark"])).pipe(Effect.provide(lane), logged)
      const told = (error: Effect.Success<typeof failure>, run: string) => {
        assert.deepInclude({ ...error }, { code: "MODEL_UNAVAILABLE", retryable: false })
        assert.include(error.message, "The model stack accurate is not ready on this deployment.")
        assert.include(lines.at(-1)?.text, run)
      }
      told(yield* failure, "npm run models -- lock accurate")
      yield* lock
      yield* fetch
      rmSync(path("smolvlm", "tokenizer.json"))
      told(yield* failure, "npm run models -- fetch accurate")
    }).pipe(Effect.scoped))
})
