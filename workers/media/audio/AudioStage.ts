import { Effect, Stream } from "effect"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Probe, Warning } from "../../../src/jobs/model/StageIo.ts"
import type { BlobRef } from "../../../src/storage/BlobRef.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore, storeFailure, systemFailure } from "../../engine/FromStore.ts"
import type { StageHandler } from "../../engine/Stage.ts"
import { makeTenantRoom } from "../../engine/TenantRoom.ts"
import { flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import { damageCount, type MediaContext, refuse } from "../ffmpeg/MediaContext.ts"
import { PCM_RATE } from "../ffmpeg/MediaLimits.ts"
import { runMedia } from "../ffmpeg/MediaProcess.ts"
import { loudestChannel } from "./ChannelLevels.ts"
import { isAudible, isWhole, makeMono, type MixLevels } from "./Mono.ts"

const BYTES_PER_SECOND = PCM_RATE * 2
const SILENCE_BYTES = 1 << 16

/**
 * Gaps in the timestamps become silence. The silence before a track that starts late is not the filter's to make
 * (`first_pts=0`): it begins anew where the rate or the channels change, and would make it again.
 */
const resample = `aresample=${PCM_RATE}:async=1`

/** One sound track: one channel of it, or all as stereo, so that what cancels out is seen before it is mixed. */
const output = ({ channels, index }: Track, channel: number | null) => [
  ...flags(`-map 0:${index} -vn -sn -dn`),
  "-af",
  channel === null || channels === 1 ? resample : `pan=mono|c0=c${channel},${resample}`,
  ...flags(`-ac ${mixed(channels, channel)} -f s16le -`)
]

/** Stereo made of mono would be 3 dB quieter. */
const mixed = (channels: number, channel: number | null) => channels === 1 || channel !== null ? 1 : 2

const readFailure = systemFailure("Reading sound")

type Track = Probe["audio_streams"][number]

/** Mono samples of nothing, in pieces. */
function* silence(samples: number) {
  for (let left = 2 * samples; left > 0; left -= SILENCE_BYTES) yield new Uint8Array(Math.min(left, SILENCE_BYTES))
}

/** A decoded track in the blob store, and what was seen on the way. */
interface Take {
  readonly pcm: BlobRef
  readonly levels: MixLevels
  readonly damaged: number
}

/** A track or channel that is heard instead of the usual mix. */
interface Choice {
  readonly track: Track
  readonly channel: number | null
  readonly warning: Warning
}

/**
 * Decodes one sound track to 16 kHz mono s16le that starts at the source's own zero: the default track mixed down, or,
 * where that mix is silent or its channels cancel out, the loudest channel alone or the next track with sound, with a
 * warning. `pcm` is null where the source has no sound or none could be decoded. Fails with `SOURCE_TOO_LONG` when it
 * goes on beyond the limit whatever the header says, `STAGE_TIMEOUT` when the decoder hangs; a damaged track gives what is
 * readable and a warning.
 */
export const makeAudio = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const { max_duration_seconds } = context.limits
  const roomOf = yield* makeTenantRoom

  const decode = Effect.fnUntraced(function*(probe: Probe, args: ReadonlyArray<string>) {
    return yield* runMedia(context.tools, {
      program: "ffmpeg",
      input: yield* fromStore(blobFile(blobs, probe.source)),
      wall_seconds: Math.max(60, probe.facts.duration_seconds),
      args: [...flags("-v error"), ...inputArguments(probe.demuxer, context.limits), ...args]
    })
  })

  /** Decodes into `key`, in place of what was there. */
  const take = Effect.fnUntraced(
    function*(
      probe: Probe,
      key: string,
      { channel, track }: Pick<Choice, "channel" | "track">,
      progress: (seconds: number) => Effect.Effect<void>
    ) {
      const { ended, messages, stdout } = yield* decode(probe, output(track, channel))
      const lead = Math.round(track.t_start * PCM_RATE)
      const mix = makeMono(mixed(track.channels, channel), Math.max(0, -lead))
      let bytes = 0
      let reported = 0
      const decoded = Stream.fromAsyncIterable(stdout as AsyncIterable<Uint8Array>, readFailure).pipe(
        Stream.map(mix.push)
      )
      const sound = Stream.fromIterable(silence(Math.max(0, lead))).pipe(
        Stream.concat(decoded),
        Stream.tap((mono) =>
          Effect.gen(function*() {
            bytes += mono.length
            const seconds = bytes / BYTES_PER_SECOND
            if (seconds > max_duration_seconds + 0.5) {
              return yield* refuse("SOURCE_TOO_LONG", `The sound is longer than ${max_duration_seconds} s.`)
            }
            if (seconds - reported < 30) return
            reported = seconds
            yield* progress(seconds)
          })
        )
      )
      const pcm = yield* blobs.putStream(key, sound).pipe(
        Effect.mapError((error) => error._tag === "BlobError" ? storeFailure(error) : error)
      )
      yield* ended
      return { pcm, levels: mix.levels, damaged: damageCount(messages()) } satisfies Take
    },
    Effect.scoped
  )

  /** The first track with a channel that can be heard; undefined where all are silent. */
  const chooseAgain = Effect.fnUntraced(function*(probe: Probe) {
    for (const [i, track] of probe.audio_streams.entries()) {
      const loudest = yield* loudestOf(probe, track.index)
      if (loudest === undefined || !isAudible(loudest)) continue
      const choice: Choice = i > 0
        ? {
          track,
          channel: null,
          warning: { code: "AUDIO_TRACK_CHOSEN", message: `The first sound track is silent; track ${i + 1} is heard.` }
        }
        : {
          track,
          channel: loudest.channel,
          warning: {
            code: "AUDIO_CHANNEL_CHOSEN",
            message: `The sound's channels cancel out or are not mixed in; channel ${
              loudest.channel + 1
            } alone is heard.`
          }
        }
      return choice
    }
    return undefined
  })

  const loudestOf = Effect.fnUntraced(function*(probe: Probe, stream: number) {
    const { stdout } = yield* decode(probe, flags(`-map 0:${stream} -vn -sn -dn -ar ${PCM_RATE} -f wav -`))
    return yield* Effect.tryPromise({ try: () => loudestChannel(stdout), catch: readFailure })
  }, Effect.scoped)

  const handler: StageHandler<"audio"> = Effect.fn("audio")(function*(
    { blobPrefix, input: { probe }, progress, tenant_id }
  ) {
    const [first] = probe.audio_streams
    if (!probe.has_audio || first === undefined) return { pcm: null, duration_seconds: 0, warnings: [] }
    const key = `${blobPrefix}/sound.pcm`
    const total = probe.facts.duration_seconds
    const { bytes, exceeded } = yield* roomOf(tenant_id)
    // 8.3 MB of silence in FLAC are 1.4 GB of samples.
    if (total * BYTES_PER_SECOND > bytes) return yield* exceeded
    const report = (seconds: number) => progress(Math.min(seconds, total), total)
    const warnings: Array<Warning> = []
    let heard = yield* take(probe, key, { track: first, channel: null }, report)
    const other = isWhole(heard.levels) ? undefined : yield* chooseAgain(probe)
    if (other !== undefined) {
      heard = yield* take(probe, key, other, report)
      warnings.push(other.warning)
    }
    const { damaged, pcm } = heard
    if (pcm.size_bytes === 0) {
      return {
        pcm: null,
        duration_seconds: 0,
        warnings: [{ code: "AUDIO_UNREADABLE", message: "No sound could be decoded." }]
      }
    }
    yield* progress(total, total)
    if (damaged > 0) {
      const message = `Parts of the sound could not be decoded (${damaged} messages).`
      warnings.push({ code: "AUDIO_DAMAGED", message })
    }
    return { pcm, duration_seconds: roundSeconds(pcm.size_bytes / BYTES_PER_SECOND), warnings }
  })
  return handler
})
