import { Effect } from "effect"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import type { Probe } from "../../src/jobs/StageIo.ts"
import { FrameReader } from "./FrameReader.ts"
import { FrameSelector } from "./FrameSelector.ts"
import { flags, inputArguments } from "./InputArguments.ts"
import { analysisSize, makeLumaReducer } from "./LumaPlane.ts"
import { damageCount, type MediaContext } from "./MediaContext.ts"
import { SAMPLES_PER_SECOND } from "./MediaLimits.ts"
import { runMedia } from "./MediaProcess.ts"
import { hashHex } from "./PerceptualHash.ts"

/** Size of the frames that models see: upright, square pixels, even sides, the longer one within the limit. */
export const frameSize = (video: NonNullable<Probe["video"]>, max_side: number) => {
  const [width, height] = video.rotation % 180 === 90 ? [video.height, video.width] : [video.width, video.height]
  const scale = Math.min(1, max_side / Math.max(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

/**
 * Frames that nothing refers to and the loop filter are skipped where the decoder can: 1.45 to 2.7 times faster at
 * 40 dB, and the same frames are kept.
 */
const fastDecoding = (codec: string): ReadonlyArray<string> =>
  codec === "h264" || codec === "hevc" ? flags("-skip_loop_filter all -skip_frame noref") : []

/** Threads cost more than they give on pictures this small: 120,000 of 16x16 took 6.9 s instead of 1.9 s. */
const SMALL_PICTURE = 640 * 360

export interface SampledFrames {
  /** Of each sampled frame, in time order, 16 hex digits. */
  readonly hashes: ReadonlyArray<string>
  /** Of each sampled frame: the ordinal of the kept frame that stands for it, or -1 where nothing is to be seen. */
  readonly clusters: ReadonlyArray<number>
  readonly kept: ReadonlySet<number>
  /** How many decoder messages spoke of damage. */
  readonly damaged: number
}

/**
 * Decodes the video once at 2 frames per second and gives each frame that carries new information to `keep`, which must
 * copy the pixels (packed RGB of `frameSize`) before it returns. `sampled` is told after each sample, about 4 ms of work
 * apart. Frame n is what is on screen at n/2 s. Fails with `STAGE_TIMEOUT` when the decoder hangs.
 */
export const sampleFrames = Effect.fnUntraced(function*<E, R>(context: MediaContext, probe: Probe, file: string, on: {
  readonly keep: (index: number, rgb: Buffer) => Effect.Effect<void, E, R>
  readonly sampled: (count: number) => Effect.Effect<void, E, R>
}) {
  const video = probe.video!
  const { height, width } = frameSize(video, context.limits.max_frame_side)
  const duration = probe.facts.duration_seconds
  // The packets end where they end: a lying time stamp must not fill the gap with copies for ever.
  const most = Math.ceil(duration * SAMPLES_PER_SECOND) + 2
  const passthrough = context.tools.libavformat[0] >= 59 ? flags("-fps_mode passthrough") : flags("-vsync 0")
  const { ended, messages, stdout } = yield* runMedia(context.tools, {
    program: "ffmpeg",
    input: file,
    wall_seconds: Math.max(60, 3 * duration),
    args: [
      ...flags("-v error"),
      ...inputArguments(probe.demuxer, context.limits, {
        extra: fastDecoding(video.codec),
        threads: video.width * video.height < SMALL_PICTURE ? 1 : context.decode_threads
      }),
      ...flags("-map 0:V:0 -an -sn -dn"),
      ...passthrough,
      "-vf",
      `fps=${SAMPLES_PER_SECOND}:start_time=0:round=up,scale=${width}:${height}:flags=area,setsar=1,format=rgb24`,
      ...flags(`-frames:v ${most} -f rawvideo -`)
    ]
  })
  const size = analysisSize(width, height)
  const reduce = makeLumaReducer(width, height, size)
  const selector = new FrameSelector(size, SAMPLES_PER_SECOND)
  const reader = new FrameReader(stdout, width * height * 3)
  const hashes: Array<string> = []
  const kept = new Set<number>()
  let previous: Buffer | undefined
  let plane = new Uint8Array(0)

  const keep = (commitment: ReturnType<FrameSelector["finish"]>, current: Buffer | undefined) => {
    if (commitment === undefined || !commitment.kept) return Effect.void
    kept.add(commitment.index)
    return on.keep(commitment.index, commitment.index === hashes.length - 1 ? current! : previous!)
  }
  const next = Effect.tryPromise({
    try: () => reader.next(),
    catch: (error) => new StageFailure({ code: "INTERNAL", message: String(error), retryable: true })
  })
  for (let frame = yield* next; frame !== null; frame = yield* next) {
    // A still picture repeats byte for byte: comparing takes a tenth of reducing.
    if (previous === undefined || !frame.equals(previous)) {
      plane = new Uint8Array(size.width * size.height)
      reduce(frame, plane)
    }
    const { commitment, hash } = selector.push(plane)
    hashes.push(hashHex(hash))
    yield* keep(commitment, frame)
    previous = frame
    yield* on.sampled(hashes.length)
  }
  yield* keep(selector.finish(), previous)
  yield* ended
  const result: SampledFrames = { hashes, clusters: selector.clusters, kept, damaged: damageCount(messages()) }
  return result
}, Effect.scoped)
