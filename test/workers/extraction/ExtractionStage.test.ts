import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { Evidence } from "../../../src/artifacts/Evidence.ts"
import { Frames } from "../../../src/artifacts/Frames.ts"
import { Graph } from "../../../src/artifacts/Graph.ts"
import { Vision } from "../../../src/artifacts/Vision.ts"
import type { JobSpec } from "../../../src/jobs/JobSpec.ts"
import { findTemplate } from "../../../src/schemas/Templates.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { makeExtractionStages } from "../../../workers/extraction/ExtractionStage.ts"
import type { StageTask } from "../../../workers/Stage.ts"
import { demo, type Footage, footage, inputOf, meeting } from "./Footage.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/extraction/extraction-compute.ts", import.meta.url))
})
const blobs = Layer.unwrap(
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-extraction-" }))
  })
)
const lane = Layer.merge(compute, blobs).pipe(Layer.provide(NodeServices.layer))

/** Runs the stage over a source whose descriptions came in batches of two, the last one first. */
const run = Effect.fnUntraced(
  function*(source: Footage, options: Partial<JobSpec> & { readonly pictures?: boolean } = {}) {
    const { pictures = true, ...given } = options
    const store = yield* Blobs
    const put = (name: string, value: unknown) => store.put(`in/${name}.json`, Buffer.from(JSON.stringify(value)))
    const { frames } = source.vision
    const json_schema = findTemplate("product-demo")!.json_schema
    const task: StageTask<"extract"> = {
      job_id: "job_1",
      tenant_id: "ten_1",
      stage: "extract",
      index: 0,
      attempt: 2,
      blobPrefix: "jobs/job_1/extract/0/2",
      progress: () => Effect.void,
      spec: {
        source_uri: "upload://upl_1",
        json_schema: json_schema as Schema.Json,
        schema_id: null,
        hints: {},
        on_missing: "fill",
        model_stack: "builtin",
        ...given
      },
      input: {
        facts: inputOf({}, source).facts,
        transcript: yield* put("transcript", source.transcript),
        inventory: pictures ? yield* put("inventory", source.frames) : null,
        descriptions: pictures ? [yield* put("last", frames.slice(2)), yield* put("first", frames.slice(0, 2))] : []
      }
    }
    const { extract } = yield* makeExtractionStages
    const output = yield* extract(task)
    const read = <S extends Schema.Constraint>(name: keyof typeof output, schema: S) => {
      const { key } = output[name] as { readonly key: string }
      assert.isTrue(key.startsWith(task.blobPrefix))
      return Effect.flatMap(
        store.get(key),
        (bytes) => Schema.decodeEffect(Schema.fromJsonString(schema))(Buffer.from(bytes).toString())
      )
    }
    return { output, read }
  }
)

describe("makeExtractionStages", () => {
  it.live("leaves every artifact, in its schema's form, below the attempt's own prefix", () =>
    Effect.gen(function*() {
      const { read } = yield* run(demo)
      assert.deepStrictEqual(yield* read("frames", Frames), demo.frames)
      const vision = yield* read("vision", Vision)
      assert.deepStrictEqual(vision.frames, demo.vision.frames)
      assert.isString(vision.model)
      assert.strictEqual((yield* read("graph", Graph)).view, "canonical")
      assert.strictEqual((yield* read("graph_compact", Graph)).view, "compact")
      assert.isNotEmpty((yield* read("evidence", Evidence)).spans)
    }).pipe(Effect.provide(lane)))

  it.live("gives what the extraction gives in this process", () =>
    Effect.gen(function*() {
      const { output, read } = yield* run(demo)
      const here = extract(inputOf(findTemplate("product-demo")!.json_schema, demo))
      assert.deepStrictEqual(yield* read("result", Schema.Json), here.result)
      assert.deepStrictEqual(yield* read("evidence", Evidence), here.evidence)
      assert.strictEqual(output.result_confidence, here.result_confidence)
    }).pipe(Effect.provide(lane)))

  it.live("says that there are no pictures where there is only sound", () =>
    Effect.gen(function*() {
      const { read } = yield* run(meeting, { pictures: false })
      assert.deepInclude(yield* read("frames", Frames), { visual_branch: "absent", kept: 0 })
      assert.deepInclude(yield* read("vision", Vision), { visual_branch: "absent", model: null })
    }).pipe(Effect.provide(lane)))

  it.live("fails with EXTRACTION_FAILED, for good, where a required leaf is missing and may not be filled", () =>
    Effect.gen(function*() {
      const json_schema = {
        type: "object",
        required: ["isbn"],
        properties: { isbn: { type: "string", minLength: 13 } }
      }
      const failure = yield* Effect.flip(run(footage([]), { json_schema, on_missing: "fail" }))
      assert.deepInclude(failure, { code: "EXTRACTION_FAILED", retryable: false })
    }).pipe(Effect.provide(lane)))
})
