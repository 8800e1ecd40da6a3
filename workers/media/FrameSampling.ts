import { Effect, Fiber, Option } from "effect"
import { SAMPLES_PER_SECOND } from "../../src/artifacts/Frames.ts"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import type { Probe, Warning } from "../../src/jobs/StageIo.ts"
import type { FrameParser } from "./CodedFrame.ts"
import { decoderOptions, frameGraph, packetSieve } from "./DecodePlan.ts"
import { feedPackets } from "./FeedPackets.ts"
import { FrameClock } from "./FrameClock.ts"
import { FrameReader } from "./FrameReader.ts"
import { FrameSelector } from "./FrameSelector.ts"
import { everyPicture, fedArguments, flags, inputArguments } from "./InputArguments.ts"
import { analysisSize, makeLumaReducer } from "./LumaPlane.ts"
import { damageCount, type MediaContext } from "./MediaContext.ts"
import { runMedia, SECOND_OUTPUT } from "./MediaProcess.ts"
import { openPipe } from "./OutputPipe.ts"
import { hashHex } from "./PerceptualHash.ts"
import { frameBytes } from "./RgbPicture.ts"

/** Size of the frames that models see: upright, square pixels, even sides, the longer one within the limit. */
export const frameSize = (video: NonNullable<Probe["video"]>, max_side: number) => {
  const [width, height] = video.rotation % 180 === 90 ? [video.height, video.width] : [video.width, video.height]
  const scale = Math.min(1, max_side / Math.max(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

/** Threads cost more than they give on pictures this small: 120,000 of 16x16 took 6.9 s instead of 1.9 s. */
const SMALL_PICTURE = 640 * 360

export interface SampledFrames {
  /** Of each sampled frame, in time order, 16 hex digits. */
  readonly hashes: ReadonlyArray<string>
  /** Of each sampled frame: when the picture that it shows begins, in seconds from the start of the source. */
  readonly timestamps: ReadonlyArray<number>
  /** Of each sampled frame: the ordinal of the kept frame that stands for it, or -1 where nothing is to be seen. */
  readonly clusters: ReadonlyArray<number>
  readonly kept: ReadonlySet<number>
  /** How many decoder messages spoke of damage. */
  readonly damaged: number
  readonly warnings: ReadonlyArray<Warning>
}

/** What is done with the frames as they come. */
export interface OnFrames<E, R> {
  /** Takes a frame that carries new information; it must copy the pixels (see `rgbPicture`; of `frameSize`) before it returns. */
  readonly keep: (index: number, frame: Buffer) => Effect.Effect<void, E, R>
  /** Is told after each sample, about 1 ms of work apart. */
  readonly sampled: (count: number) => Effect.Effect<void, E, R>
  /** All that came so far counts for nothing: the samples come again from the first. */
  readonly again?: Effect.Effect<void>
}

/** These containers count from the start of whatever streams are read; the others from the start of all. */
const countsFromStream = new Set(["mpegts", "mpeg", "ogg"])

/** Half seconds before the first sample: where the picture begins late there is nothing to be seen before it. */
const firstSample = ({ demuxer, video }: Probe): number =>
  countsFromStream.has(demuxer) ? 0 : Math.max(0, Math.floor(video!.t_start * SAMPLES_PER_SECOND + 1e-6))

const reading = <A>(read: () => Promise<A>) =>
  Effect.tryPromise({
    try: read,
    catch: (error) => new StageFailure({ code: "INTERNAL", message: String(error), retryable: true })
  })

/** How a file is decoded: on a graphics card, or only the packets that the samples need, or plainly. */
interface Way {
  readonly acceleration: ReadonlyArray<string>
  readonly sieve: FrameParser | null
}

/**
 * Decodes in one of these ways. `flawless` is false where something was said to be wrong, or nothing came; what a sieve leaves
 * over then may be the wrong pictures.
 */
export const decodeFrames = Effect.fnUntraced(function*<E, R>(
  context: MediaContext,
  probe: Probe,
  file: string,
  on: OnFrames<E, R>,
  { acceleration, sieve }: Way
) {
  const { decode_threads, limits, tools } = context
  const video = probe.video!
  const { height, width } = frameSize(video, limits.max_frame_side)
  const duration = probe.facts.duration_seconds
  // The packets end where they end: a lying time stamp must not fill the gap with copies for ever.
  const most = Math.ceil(duration * SAMPLES_PER_SECOND) + 2
  const first = firstSample(probe)
  const clock = new FrameClock(first)
  const pipe = yield* openPipe
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => new FrameReader(pipe.path, frameBytes(width, height))),
    (reader) => Effect.sync(() => reader.destroy())
  )
  const threads = video.width * video.height < SMALL_PICTURE ? 1 : decode_threads
  const wall_seconds = Math.max(60, 3 * duration)
  const { ended, exitCode, fed, messages, stopped } = yield* runMedia(tools, {
    program: "ffmpeg",
    input: file,
    fed: sieve !== null,
    output: yield* pipe.writer,
    listed: (text) => clock.read(text),
    wall_seconds,
    args: [
      ...flags("-v error"),
      ...(sieve === null
        ? inputArguments(probe.demuxer, limits, { extra: [...acceleration, ...decoderOptions(video)], threads })
        : fedArguments("ivf", limits, threads)),
      "-filter_complex",
      frameGraph(sieve === null ? video : { ...video, index: 0 }, { width, height }, first),
      ...flags("-map [samples]"),
      ...everyPicture(tools.libavformat),
      ...flags(`-frames:v ${most} -f rawvideo pipe:1 -map [clock]`),
      ...everyPicture(tools.libavformat),
      // In pieces of 32 KiB: waking up for every picture's line took 40 µs each.
      ...flags("-enc_time_base 1/1000000 -flush_packets 0 -f framecrc"),
      SECOND_OUTPUT
    ]
  })
  let last = most
  const ends = (samples: number) => {
    last = Math.min(most, samples - first)
  }
  const feeding = sieve === null || fed === null
    ? null
    : yield* Effect.forkScoped(feedPackets(context, { probe, file, wall_seconds, parse: sieve, into: fed, ends }))
  yield* pipe.handedOver
  const size = analysisSize(width, height)
  const reduce = makeLumaReducer(width, height, size)
  const selector = new FrameSelector(size, SAMPLES_PER_SECOND)
  const hashes: Array<string> = []
  const kept = new Set<number>()
  let previous: Buffer | undefined
  let plane = new Uint8Array(0)

  const keep = (commitment: ReturnType<FrameSelector["finish"]>, current: Buffer | undefined) => {
    if (commitment === undefined || !commitment.kept) return Effect.void
    kept.add(commitment.index)
    return on.keep(commitment.index, commitment.index === hashes.length - 1 ? current! : previous!)
  }
  const next = reading(() => reader.next())
  for (let frame = yield* next; frame !== null && hashes.length < last; frame = yield* next) {
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
    if (hashes.length === most) break
  }
  yield* keep(selector.finish(), previous)
  // What a fed decoder shows behind the last picture is not looked at, but has to go somewhere.
  let surplus = sieve !== null && hashes.length < most
  while (surplus) surplus = (yield* next) !== null
  // The clock goes on for as long as the time stamps lie.
  yield* hashes.length < most ? ended : stopped
  const shift = countsFromStream.has(probe.demuxer) ? video.t_start - (clock.first ?? video.t_start) : 0
  const sampled: SampledFrames = {
    hashes,
    timestamps: clock.finish(hashes.length).map((begins) => Math.max(0, roundSeconds(begins + shift))),
    clusters: selector.clusters,
    kept,
    damaged: damageCount(messages()),
    warnings: []
  }
  const fedAll = feeding === null || ((yield* Fiber.join(feeding)) && hashes.length >= last)
  return { sampled, flawless: fedAll && hashes.length > 0 && exitCode() === 0 && messages().trim() === "" }
}, Effect.scoped)

/**
 * Decodes the video once and gives each frame that carries new information to `keep`. Sample n is what is on screen n/2 s
 * after the first, which is at 0 or at the half second before the first picture, and bears the time at which that picture
 * begins. On a graphics card where `FOOTNOTE_HWACCEL` says so; whatever goes wrong there, all is done again on the processor,
 * with a warning. Where decoding a part of the packets gives the same samples for less, that part alone; whatever goes wrong
 * there, all packets are decoded after all. Fails with `STAGE_TIMEOUT` when the decoder hangs.
 */
export const sampleFrames = Effect.fnUntraced(function*<E, R>(
  context: MediaContext,
  probe: Probe,
  file: string,
  on: OnFrames<E, R>
) {
  const { hwaccel } = context.tools
  const warnings: Array<Warning> = []
  if (hwaccel !== null) {
    const accelerated = hwaccel.offered
      ? yield* Effect.option(
        decodeFrames(
          { ...context, tools: { ...context.tools, sandbox: hwaccel.sandbox } },
          probe,
          file,
          on,
          { acceleration: flags(`-hwaccel ${hwaccel.name}`), sieve: null }
        )
      )
      : Option.none()
    if (Option.isSome(accelerated) && accelerated.value.flawless) return accelerated.value.sampled
    warnings.push({
      code: "HWACCEL_UNUSED",
      message: hwaccel.offered
        ? `Decoding with ${hwaccel.name} failed; the video was decoded on the processor.`
        : `The decoder has no ${hwaccel.name}; the video was decoded on the processor.`
    })
    if (on.again !== undefined) yield* on.again
  }
  const sieve = packetSieve(probe, context.tools.libavformat)
  if (sieve !== null) {
    const { flawless, sampled } = yield* decodeFrames(context, probe, file, on, { acceleration: [], sieve })
    if (flawless) return { ...sampled, warnings }
    if (on.again !== undefined) yield* on.again
  }
  const { sampled } = yield* decodeFrames(context, probe, file, on, { acceleration: [], sieve: null })
  return { ...sampled, warnings }
})
