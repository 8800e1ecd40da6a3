import { Effect, Fiber, Semaphore } from "effect"
import sharp from "sharp"
import { type Frame, frameId, frameRef, type Frames, SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import type { KeptImages, Probe, Warning } from "../../../src/jobs/model/StageIo.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore } from "../../engine/FromStore.ts"
import type { StageHandler } from "../../engine/Stage.ts"
import { type MediaContext, refuse } from "../ffmpeg/MediaContext.ts"
import { rgbBytes, rgbPicture } from "../pixels/RgbPicture.ts"
import { sampleMatrix } from "../probe/DecodePlan.ts"
import type { SampledFrames } from "../selection/FrameIntake.ts"
import { sampleFrames } from "./FrameSampling.ts"
import { frameSize } from "./SampleDecoder.ts"

/**
 * JPEG at 82: text stays readable, 3 ms for 1280x720; mozjpeg and WebP take ten times as long and more. Huffman tables made
 * for the picture would give the same pixels in a seventh fewer bytes and take as long again.
 */
const JPEG = { quality: 82, optimiseCoding: false } as const
/** Pictures in memory that wait for their encoder, 2.8 MB each. */
const ENCODERS = 3

const encode = (rgb: Uint8Array, width: number, height: number) =>
  Effect.tryPromise({
    try: () => sharp(rgb, { raw: { width, height, channels: 3 } }).jpeg(JPEG).toBuffer(),
    catch: (error) => new StageFailure({ code: "INTERNAL", message: `JPEG: ${String(error)}`, retryable: true })
  })

const seconds = (samples: number): number => samples / SAMPLES_PER_SECOND

const inventoryOf = (sampled: SampledFrames, size: { readonly width: number; readonly height: number }): Frames => ({
  visual_branch: sampled.hashes.length > 0 ? "present" : "absent",
  sampled: sampled.hashes.length,
  kept: sampled.kept.size,
  frames: sampled.hashes.map((phash, index): Frame => ({
    id: frameId(index),
    source_ref: frameRef(index),
    timestamp: sampled.timestamps[index]!,
    cluster: sampled.clusters[index]!,
    phash,
    kept: sampled.kept.has(index),
    ...size
  }))
})

/**
 * Without the samples behind the source's measured end: the decoder repeats a last frame that claims to stand for long, and
 * nothing may be dated to a moment that the source does not have. A kept frame is never lost.
 */
const within = (sampled: SampledFrames, duration_seconds: number): SampledFrames => {
  if (duration_seconds === 0) return sampled
  const before = Math.floor((sampled.timestamps[0] ?? 0) * SAMPLES_PER_SECOND)
  const measured = Math.floor(duration_seconds * SAMPLES_PER_SECOND + 1e-6) - before
  let last = measured
  for (const index of sampled.kept) last = Math.max(last, index)
  return {
    ...sampled,
    hashes: sampled.hashes.slice(0, last + 1),
    timestamps: sampled.timestamps.slice(0, last + 1),
    clusters: sampled.clusters.slice(0, last + 1)
  }
}

const nothing: SampledFrames = { hashes: [], timestamps: [], clusters: [], kept: new Set(), damaged: 0, warnings: [] }

/**
 * Samples the video at 2 frames per second, keeps the frames that carry new information as JPEG and lists them all.
 * Without moving pictures the inventory is empty and its `visual_branch` is `absent`. A damaged video gives what is
 * readable and a warning; one with nothing readable and no sound beside it fails with `SOURCE_CORRUPT`.
 */
export const makeFrames = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  sharp.cache(false)
  sharp.concurrency(1)

  const json = (key: string, value: Frames | KeptImages) =>
    fromStore(blobs.put(key, Buffer.from(JSON.stringify(value))))

  const sample = Effect.fnUntraced(
    function*(
      probe: Probe,
      blobPrefix: string,
      size: { readonly width: number; readonly height: number },
      progress: (processed_seconds: number, total_seconds: number) => Effect.Effect<void>
    ) {
      const file = yield* fromStore(blobFile(blobs, probe.source))
      const total = probe.facts.duration_seconds
      const encoders = yield* Semaphore.make(ENCODERS)
      const scope = yield* Effect.scope
      const shape = { ...size, matrix: sampleMatrix(probe.video!) }
      const encodings: Array<Fiber.Fiber<Pick<KeptImages[number], "image" | "index">, StageFailure>> = []
      const sampled = yield* sampleFrames(context, probe, file, {
        keep: Effect.fnUntraced(function*(index, frame) {
          yield* Semaphore.take(encoders, 1)
          const rgb = context.memory.take(rgbBytes(size.width, size.height))
          rgbPicture(frame, shape, rgb)
          const fiber = yield* encode(rgb, size.width, size.height).pipe(
            // An encoder that is interrupted reads on, so its memory is not lent again.
            Effect.tap(Effect.sync(() => context.memory.give([rgb]))),
            Effect.flatMap((jpeg) =>
              fromStore(blobs.put(`${blobPrefix}/images/${String(index).padStart(6, "0")}.jpg`, jpeg))
            ),
            Effect.map((image) => ({ index, image })),
            Effect.ensuring(Semaphore.release(encoders, 1)),
            Effect.forkIn(scope)
          )
          encodings.push(fiber)
        }),
        again: Effect.suspend(() => Fiber.interruptAll(encodings.splice(0))),
        sampled: (count) =>
          count % (10 * SAMPLES_PER_SECOND) === 0 ? progress(Math.min(seconds(count), total), total) : Effect.void
      })
      const images = (yield* Fiber.joinAll(encodings)).map(({ image, index }) => (
        { index, timestamp: sampled.timestamps[index]!, width: size.width, height: size.height, image }
      ))
      yield* progress(total, total)
      return { sampled: within(sampled, total), images }
    },
    Effect.scoped
  )

  const handler: StageHandler<"frames"> = Effect.fn("frames")(function*({ blobPrefix, input: { probe }, progress }) {
    const size = probe.video === null ? { width: 0, height: 0 } : frameSize(probe.video, context.limits.max_frame_side)
    const { images, sampled } = probe.video === null
      ? { sampled: nothing, images: [] }
      : yield* sample(probe, blobPrefix, size, progress)
    const count = sampled.hashes.length
    if (probe.video !== null && count === 0 && !probe.has_audio) {
      return yield* refuse("SOURCE_CORRUPT", "No frame of the video can be decoded.")
    }
    const warnings: Array<Warning> = [...sampled.warnings]
    if (probe.video !== null && count === 0) {
      warnings.push({ code: "VIDEO_UNREADABLE", message: "No frame of the video can be decoded." })
    } else if (sampled.damaged > 0) {
      warnings.push({
        code: "VIDEO_DAMAGED",
        message: `Parts of the video could not be decoded (${sampled.damaged} messages).`
      })
    }
    return {
      inventory: yield* json(`${blobPrefix}/frames.json`, inventoryOf(sampled, size)),
      images: yield* json(`${blobPrefix}/images.json`, images),
      sampled: count,
      kept: sampled.kept.size,
      duration_seconds: seconds(count),
      warnings
    }
  })
  return handler
})
