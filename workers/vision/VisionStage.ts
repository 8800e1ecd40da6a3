import { Effect, Schema } from "effect"
import { frameId, frameRef } from "../../src/artifacts/Frames.ts"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import type { FrameDescription } from "../../src/artifacts/Vision.ts"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import { KeptImages } from "../../src/jobs/StageIo.ts"
import { type BlobError, Blobs } from "../../src/storage/Blobs.ts"
import { Compute, type StageHandler } from "../Stage.ts"
import type { DescribeCall } from "./VisionCalls.ts"

/** A lost blob may be on a file system that comes back; another attempt can help. */
const fromStore = <A, R>(effect: Effect.Effect<A, BlobError, R>): Effect.Effect<A, StageFailure, R> =>
  Effect.mapError(
    effect,
    ({ message }) => new StageFailure({ code: "INTERNAL", message: `Blob store: ${message}`, retryable: true })
  )

const decodeImages = Schema.decodeEffect(Schema.fromJsonString(KeptImages))

/**
 * The vision lane: what is written and shown on each kept frame of a task's range, in time order. The models run in the
 * lane's child process, one picture at a time, so a task's share of the frames does not change what is said of them.
 * Fails with the child's own codes, and with `INTERNAL` when the blob store is away or its list of images is broken.
 */
export const makeVisionStages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const compute = yield* Compute
  const call = (input: DescribeCall["input"]) =>
    compute.call("describe", input) as Effect.Effect<DescribeCall["output"], StageFailure>

  const describe: StageHandler<"describe"> = Effect.fn("describe")(function*({ blobPrefix, input, progress }) {
    const list = yield* fromStore(blobs.get(input.images.key))
    const images = yield* decodeImages(Buffer.from(list).toString("utf8")).pipe(
      Effect.mapError(({ message }) => new StageFailure({ code: "INTERNAL", message, retryable: false }))
    )
    const wanted = images.slice(input.from, input.to)
    const described: Array<FrameDescription> = []
    let model_seconds = 0
    let models: DescribeCall["output"]["models"] = []
    for (const { image, index, timestamp } of wanted) {
      const reply = yield* call({ path: yield* fromStore(blobs.localPath(image.key)) })
      described.push({ frame_id: frameId(index), source_ref: frameRef(index), timestamp, ...reply.picture })
      model_seconds += reply.model_seconds
      models = reply.models
      yield* progress(described.length, wanted.length)
    }
    const descriptions = yield* fromStore(
      blobs.put(`${blobPrefix}/descriptions.json`, Buffer.from(JSON.stringify(described)))
    )
    return { descriptions, model_seconds: roundSeconds(model_seconds), models }
  })

  return { describe }
})
