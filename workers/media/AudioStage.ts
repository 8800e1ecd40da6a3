import { Effect, Ref, Stream } from "effect"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import type { Warning } from "../../src/jobs/StageIo.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import type { StageHandler } from "../Stage.ts"
import { flags, inputArguments } from "./InputArguments.ts"
import { damageCount, fromStore, type MediaContext, refuse, storeFailure } from "./MediaContext.ts"
import { PCM_RATE } from "./MediaLimits.ts"
import { runMedia } from "./MediaProcess.ts"

const BYTES_PER_SECOND = PCM_RATE * 2

/** Without the filter a track that starts late would be read as if it started at 0, and every time would be early. */
const output = flags(
  `-map 0:a:0 -vn -sn -dn -af aresample=${PCM_RATE}:async=1:first_pts=0 -ac 1 -f s16le -`
)

const readFailure = (error: unknown) =>
  new StageFailure({ code: "INTERNAL", message: `Reading sound: ${String(error)}`, retryable: true })

/**
 * Decodes the first sound track to 16 kHz mono s16le that starts at the source's own zero. `pcm` is null where the
 * source has no sound or none could be decoded. Fails with `SOURCE_TOO_LONG` when it goes on beyond the limit whatever
 * the header says, `STAGE_TIMEOUT` when the decoder hangs; a damaged track gives what is readable and a warning.
 */
export const makeAudio = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const handler: StageHandler<"audio"> = Effect.fn("audio")(function*({ blobPrefix, input: { probe }, progress }) {
    if (!probe.has_audio) return { pcm: null, duration_seconds: 0, warnings: [] }
    const file = yield* fromStore(blobs.localPath(probe.source.key))
    const total = probe.facts.duration_seconds
    const { ended, messages, stdout } = yield* runMedia(context.tools, {
      program: "ffmpeg",
      input: file,
      wall_seconds: Math.max(60, total),
      args: [...flags("-v error"), ...inputArguments(probe.demuxer, context.limits), ...output]
    })
    const bytes = yield* Ref.make(0)
    let reported = 0
    const sound = Stream.fromAsyncIterable(stdout as AsyncIterable<Uint8Array>, readFailure).pipe(
      Stream.tap((chunk) =>
        Effect.gen(function*() {
          const seconds = (yield* Ref.updateAndGet(bytes, (sum) => sum + chunk.length)) / BYTES_PER_SECOND
          if (seconds > context.limits.max_duration_seconds + 0.5) {
            return yield* refuse(
              "SOURCE_TOO_LONG",
              `The sound is longer than ${context.limits.max_duration_seconds} s.`
            )
          }
          if (seconds - reported < 30) return
          reported = seconds
          yield* progress(Math.min(seconds, total), total)
        })
      )
    )
    const pcm = yield* blobs.putStream(`${blobPrefix}/sound.pcm`, sound).pipe(
      Effect.mapError((error) => error._tag === "BlobError" ? storeFailure(error) : error)
    )
    yield* ended
    const duration_seconds = roundSeconds(pcm.size_bytes / BYTES_PER_SECOND)
    if (pcm.size_bytes === 0) {
      return {
        pcm: null,
        duration_seconds: 0,
        warnings: [{ code: "AUDIO_UNREADABLE", message: "No sound could be decoded." }]
      }
    }
    yield* progress(total, total)
    const damaged = damageCount(messages())
    const warnings: Array<Warning> = damaged === 0
      ? []
      : [{ code: "AUDIO_DAMAGED", message: `Parts of the sound could not be decoded (${damaged} messages).` }]
    return { pcm, duration_seconds, warnings }
  }, Effect.scoped)
  return handler
})
