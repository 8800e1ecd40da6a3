import { Effect, Fiber, Option } from "effect"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Probe, Warning } from "../../../src/jobs/model/StageIo.ts"
import type { FrameParser } from "../codec/CodedFrame.ts"
import { flags } from "../ffmpeg/InputArguments.ts"
import { damageCount, type MediaContext } from "../ffmpeg/MediaContext.ts"
import { isSmall, packetSieve } from "../probe/DecodePlan.ts"
import { FrameIntake, nextOf, type OnFrames, type SampledFrames } from "../selection/FrameIntake.ts"
import { feedPackets } from "./FeedPackets.ts"
import { clockShift, firstSample, frameSize, longestRun, mostSamples, startDecoder } from "./SampleDecoder.ts"

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
  const video = probe.video!
  const most = mostSamples(probe)
  const first = firstSample(probe)
  const { clock, ended, exitCode, fed, handedOver, messages, reader, stopped } = yield* startDecoder(context, {
    probe,
    file,
    fed: sieve !== null,
    acceleration,
    threads: isSmall(video) ? 1 : context.decode_threads,
    first,
    most
  })
  let last = most
  const ends = (samples: number) => {
    last = Math.min(most, samples - first)
  }
  const feed = { probe, file, wall_seconds: longestRun(probe), into: fed!, ends }
  const feeding = sieve === null ? null : yield* Effect.forkScoped(feedPackets(context, { ...feed, parse: sieve }))
  yield* handedOver
  const intake = new FrameIntake(frameSize(video, context.limits.max_frame_side), on)
  const { hashes, kept } = intake
  const next = nextOf(reader)
  for (let frame = yield* next; frame !== null && hashes.length < last; frame = yield* next) {
    yield* intake.take(frame)
    if (hashes.length === most) break
  }
  yield* intake.finish()
  // What a fed decoder shows behind the last picture is not looked at, but has to go somewhere.
  let surplus = sieve !== null && hashes.length < most
  while (surplus) surplus = (yield* next) !== null
  // The clock goes on for as long as the time stamps lie.
  yield* hashes.length < most ? ended : stopped
  const shift = clockShift(probe, clock.first)
  const sampled: SampledFrames = {
    hashes,
    timestamps: clock.finish(hashes.length).map((begins) => Math.max(0, roundSeconds(begins + shift))),
    clusters: intake.clusters,
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
