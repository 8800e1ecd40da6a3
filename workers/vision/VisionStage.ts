import { Effect, Schema } from "effect"
import { frameId, frameRef } from "../../src/artifacts/Frames.ts"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { type ModelRun, provenanceOf } from "../../src/jobs/model/Provenance.ts"
import { KeptImages, type Warning } from "../../src/jobs/model/StageIo.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { blobFile, readBlob } from "../../src/storage/CheckedBlobs.ts"
import { Compute } from "../compute/Compute.ts"
import { fromStore } from "../engine/FromStore.ts"
import { usesOn } from "../engine/ModelUses.ts"
import { stackAway } from "../engine/StackAway.ts"
import type { StageHandler } from "../engine/Stage.ts"
import { visionCalls } from "./VisionCalls.ts"
import { isRules } from "./VisionRoles.ts"

const decodeImages = Schema.decodeEffect(Schema.fromJsonString(KeptImages))

/** Pictures of one task that wait for the stack's describer together; a task has no more (`Pipeline.ts`). */
const AT_ONCE = 4

interface Refused {
  readonly timestamp: number
  readonly refusal: string
}

/** One warning for all frames of a task that the stack's describer left to the rules. */
const warningsOf = (refused: ReadonlyArray<Refused>): ReadonlyArray<Warning> => {
  const [first] = refused
  if (first === undefined) return []
  const frames = refused.length === 1 ? "The frame" : `${refused.length} frames, the first`
  return [{
    code: "DESCRIPTION_REDUCED",
    message: `${frames} at ${first.timestamp} s, described by rules alone: ${first.refusal}.`
  }]
}

/**
 * The vision lane: what is written and shown on each kept frame of a task's range, in time order. The models run in the
 * lane's child process, each picture on its own, so a task's share of the frames does not change what is said of them. A
 * frame that the stack's describer fails on, or takes too long for, is described by the rules alone, with the warning
 * `DESCRIPTION_REDUCED`. Fails with the child's own codes, with `MODEL_UNAVAILABLE` when the job's stack is not here with
 * the files that were locked, and with `INTERNAL` when the blob store is away or its list of images is broken.
 */
export const makeVisionStages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const compute = yield* Compute
  const store = yield* ModelStore
  /** Files that are not here may be fetched meanwhile, but not within the seconds between two attempts. */
  const rolesOf = (stack: string) =>
    store.resolve(stack).pipe(
      Effect.map(({ roles: { describe, objects, ocr } }) => ({
        describe,
        ocr,
        ...(objects === undefined ? {} : { objects })
      })),
      Effect.catch(stackAway(store, stack))
    )
  const describe: StageHandler<"describe"> = Effect.fn("describe")(
    function*({ blobPrefix, input, progress, spec, tenant_id }) {
      const roles = yield* rolesOf(spec.model_stack)
      const list = yield* fromStore(readBlob(blobs, input.images))
      const images = yield* decodeImages(Buffer.from(list).toString("utf8")).pipe(
        Effect.mapError(({ message }) => new StageFailure({ code: "INTERNAL", message, retryable: false }))
      )
      const wanted = images.slice(input.from, input.to)
      let done = 0
      const replies = yield* Effect.forEach(
        wanted,
        Effect.fnUntraced(function*({ image, index, timestamp }) {
          const path = yield* fromStore(blobFile(blobs, image))
          const { models, model_seconds, picture, refusal } = yield* compute.call(visionCalls.describe, {
            tenant_id,
            path,
            roles
          })
          yield* progress(++done, wanted.length)
          return {
            described: { frame_id: frameId(index), source_ref: frameRef(index), timestamp, ...picture },
            refused: refusal === null ? [] : [{ timestamp, refusal }],
            models,
            model_seconds
          }
        }),
        { concurrency: isRules(roles.describe) ? 1 : AT_ONCE }
      )
      const described = replies.map((reply) => reply.described)
      const models = replies.flatMap((reply): ReadonlyArray<ModelRun> => reply.models)
      const seconds = replies.reduce((sum, { model_seconds }) => sum + model_seconds, 0)
      const descriptions = yield* fromStore(
        blobs.put(`${blobPrefix}/descriptions.json`, Buffer.from(JSON.stringify(described)))
      )
      return {
        descriptions,
        model_seconds: roundSeconds(seconds),
        models: yield* usesOn(store, spec.model_stack, provenanceOf(models).models),
        warnings: warningsOf(replies.flatMap((reply) => reply.refused))
      }
    }
  )

  return { describe }
})
