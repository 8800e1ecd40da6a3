import { Effect, Schema, Stream } from "effect"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { type RenderInput, renderSeconds } from "../../../src/jobs/model/Rendition.ts"
import { Probe } from "../../../src/jobs/model/StageIo.ts"
import { type BlobError, Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore, storeFailure, systemFailure } from "../../engine/FromStore.ts"
import type { RenderHandler } from "../../engine/Stage.ts"
import { makeTenantRoom } from "../../engine/TenantRoom.ts"
import { type MediaContext, refuse } from "../ffmpeg/MediaContext.ts"
import { runMedia } from "../ffmpeg/MediaProcess.ts"
import { probeFile } from "../probe/ProbeStage.ts"
import { renderArguments } from "./RenderArguments.ts"

const probeText = Schema.fromJsonString(Probe)

const readFailure = systemFailure("Reading a rendition")

/** A minute of the largest pictures is 23 MB at the most bits that the encoder may take; of GIF some 40. */
const MOST_CLIP_BYTES = 96 * 1024 ** 2

const mediaTypeOf = ({ format }: RenderInput, { video }: Probe): string =>
  format === "jpeg" ? "image/jpeg" : format === "gif" ? "image/gif" : video === null ? "audio/mp4" : "video/mp4"

const failed = (error: BlobError | StageFailure) => error._tag === "BlobError" ? storeFailure(error) : error

/** What the decoder tells of itself: how much it has written, in microseconds. */
const written = /out_time_(?:us|ms)=(\d+)(?![\s\S]*out_time_(?:us|ms)=\d)/u

/**
 * Makes what people look at of a job's source, behind the sandbox of all decoders, as one blob that is written whole or not at all.
 * Fails where the source is gone, where nothing of it can be shown, and with `STORAGE_QUOTA_EXCEEDED` where it does not fit.
 */
export const makeRender = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const roomOf = yield* makeTenantRoom

  /** Read once for all that is made of a source: of a long one every packet is looked at. */
  const probeOf = Effect.fnUntraced(function*(job_id: string, { source }: RenderInput, file: string) {
    const key = `jobs/${job_id}/renditions/probe.json`
    const kept = yield* blobs.get(key).pipe(
      Effect.flatMap((bytes) => Schema.decodeEffect(probeText)(new TextDecoder().decode(bytes))),
      Effect.option
    )
    if (kept._tag === "Some" && kept.value.source.sha256 === source.sha256) return kept.value
    const { probe } = yield* probeFile(context, source, file)
    yield* fromStore(blobs.put(key, Buffer.from(JSON.stringify(probe))))
    return probe
  })

  const render: RenderHandler = Effect.fn("render")(
    function*({ input, job_id, progress, tenant_id }) {
      const file = yield* fromStore(blobFile(blobs, input.source))
      const probe = yield* probeOf(job_id, input, file)
      if (probe.video === null && input.format !== "mp4") {
        return yield* refuse("SOURCE_NOT_MEDIA", "The source has no moving pictures.")
      }
      const { bytes: room, exceeded } = yield* roomOf(tenant_id)
      const most = Math.min(room, input.kind === "preview" ? Infinity : MOST_CLIP_BYTES)
      const total = input.kind === "preview" ? probe.facts.duration_seconds : 0
      let [done, size] = [0, 0]
      const { ended, messages, stdout } = yield* runMedia(context.tools, {
        program: "ffmpeg",
        input: file,
        wall_seconds: Math.min(renderSeconds[input.kind] - 60, 60 + 4 * probe.facts.duration_seconds),
        listed: (text) => done = Math.max(done, Number(written.exec(text)?.[1] ?? 0) / 1e6),
        args: renderArguments(context, probe, input)
      })
      const key = `jobs/${job_id}/renditions/${input.name}`
      const bytes = Stream.fromAsyncIterable(stdout as AsyncIterable<Uint8Array>, readFailure).pipe(
        Stream.tap((chunk) => {
          size += chunk.length
          if (size > most) {
            return most === room ? exceeded : refuse("MEDIA_LIMIT_EXCEEDED", `It has more than ${most} bytes.`)
          }
          return total === 0 ? Effect.void : progress(Math.min(done, total), total)
        })
      )
      const drop = Effect.ignore(blobs.removeAll(key))
      const blob = yield* Effect.mapError(blobs.putStream(key, bytes), failed)
      yield* Effect.onError(ended, () => drop)
      if (size === 0) {
        yield* drop
        yield* Effect.logWarning(
          "The decoder gave nothing for a rendition; it fails as SOURCE_CORRUPT and is not tried again"
        ).pipe(
          Effect.annotateLogs({ rendition: input.name, decoder: messages().slice(-500) })
        )
        return yield* new StageFailure({
          code: "SOURCE_CORRUPT",
          message: "The source has nothing to show there.",
          retryable: false
        })
      }
      return { blob, content_type: mediaTypeOf(input, probe) }
    },
    Effect.scoped
  )
  return render
})
