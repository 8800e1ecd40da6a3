import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Schema } from "effect"
import { fileURLToPath } from "node:url"
import type { TenantId } from "../../../src/identity/Id.ts"
import type { JobSpec } from "../../../src/jobs/model/JobSpec.ts"
import { ModelStore } from "../../../src/model-stacks/ModelStore.ts"
import { findTemplate } from "../../../src/schemas/Templates.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import type { StageTask } from "../../../workers/engine/Stage.ts"
import { makeExtractionStages } from "../../../workers/extraction/ExtractionStage.ts"
import { type Footage, inputOf } from "./Footage.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/extraction/extraction-compute.ts", import.meta.url))
})
/** A blob store in a folder of its own. */
const blobs = Layer.unwrap(
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-extraction-" }))
  })
)
/** The lane with these variables set, over the stacks of this repository or others. */
export const laneWith = (
  variables: Readonly<Record<string, string>> = {},
  store: typeof ModelStore.layer | ReturnType<typeof ModelStore.layerOptions> = ModelStore.layer
) =>
  Layer.mergeAll(compute, blobs, store).pipe(
    Layer.provideMerge(ConfigProvider.layer(ConfigProvider.fromUnknown(variables))),
    Layer.provide(NodeServices.layer)
  )

interface RunOptions {
  readonly pictures?: boolean
  /** What every kept frame's image holds; none are kept where it is not given. */
  readonly image?: Buffer
  readonly tenant_id?: TenantId
  /** The book that is told what was spent. */
  readonly charge?: NonNullable<StageTask<"extract">["charge"]>
}

/** Runs the stage over a source whose descriptions came in batches of two, the last one first. */
export const run = Effect.fnUntraced(
  function*(source: Footage, options: Partial<JobSpec> & RunOptions = {}) {
    const { charge, image, pictures = true, tenant_id = "ten_1", ...given } = options
    const store = yield* Blobs
    const put = (name: string, value: unknown) => store.put(`in/${name}.json`, Buffer.from(JSON.stringify(value)))
    const { frames } = source.vision
    const kept = image === undefined ? undefined : yield* Effect.forEach(
      source.frames.frames.filter((frame) => frame.kept),
      ({ height, id, source_ref, timestamp, width }) =>
        Effect.map(store.put(`in/images/${id}.jpg`, image), (ref) => ({
          index: Number(source_ref.slice("frame#".length)),
          timestamp,
          width,
          height,
          image: ref
        }))
    )
    const json_schema = findTemplate("product-demo")!.json_schema
    const task: StageTask<"extract"> = {
      job_id: "job_1",
      tenant_id,
      stage: "extract",
      index: 0,
      attempt: 2,
      blobPrefix: "jobs/job_1/extract/0/2",
      progress: () => Effect.void,
      charge,
      spec: {
        source_uri: "upload://upl_1",
        json_schema: json_schema as Schema.Json,
        schema_id: null,
        hints: {},
        on_missing: "fill",
        precision: "balanced",
        model_stack: "builtin",
        ...given
      },
      input: {
        facts: inputOf({}, source).facts,
        transcript: yield* put("transcript", source.transcript),
        ...(kept === undefined ? {} : { images: yield* put("images", kept) }),
        inventory: pictures ? yield* put("inventory", source.frames) : null,
        vision_model: pictures ? "toy-vision" : null,
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
