import { Effect, Fiber, Queue } from "effect"
import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Probe } from "../../../src/jobs/model/StageIo.ts"
import type { FrameParser } from "../codec/CodedFrame.ts"
import type { GroupedSample } from "../codec/PacketGroups.ts"
import { damageCount, type MediaContext } from "../ffmpeg/MediaContext.ts"
import { FrameIntake, nextOf, type OnFrames, type SampledFrames } from "../selection/FrameIntake.ts"
import { GroupFeeder } from "./FeedGroups.ts"
import { feedFile } from "./FeedPackets.ts"
import { firstSample, frameSize, longestRun, mostSamples, startPicking } from "./SampleDecoder.ts"

/** Samples of one group at most: a key picture may come as late as the sample after the longest gap. */
const groupSamples = ({ video }: Probe): number => Math.ceil(video!.longest_key_gap! * SAMPLES_PER_SECOND) + 1

/** No sample comes any more. */
const over = null

/**
 * Decodes groups of pictures by as many decoders as there are threads, of one thread each. A decoder's own threads wait for
 * one another at every picture: two such give VP9 in 1.65 times one's speed for a tenth more work. `flawless` is false where
 * something was said to be wrong or something is missing; what was sampled then is of no use.
 */
export const decodeGroups = Effect.fnUntraced(function*<E, R>(
  context: MediaContext,
  probe: Probe,
  file: string,
  on: OnFrames<E, R>,
  parse: FrameParser
) {
  const most = mostSamples(probe)
  const first = firstSample(probe)
  const longest = groupSamples(probe)
  const decoders = yield* Effect.forEach(
    Array.from({ length: context.decode_threads }),
    // While another shows its group, each decodes the whole of its own.
    () => startPicking(context, { probe, file, ahead: longest })
  )
  const queue = yield* Queue.unbounded<GroupedSample | typeof over>()
  const feeder = new GroupFeeder({
    parse,
    into: decoders.map(({ fed }) => fed!),
    first,
    most: longest,
    total: first + most,
    shown: (samples) => samples.forEach((sample) => Queue.offerUnsafe(queue, sample))
  })
  const feeding = yield* feedFile(context, { probe, file, wall_seconds: longestRun(probe) }, feeder).pipe(
    Effect.ensuring(Queue.offer(queue, over)),
    Effect.forkScoped
  )
  yield* Effect.forEach(decoders, ({ handedOver }) => handedOver)
  const intake = new FrameIntake(frameSize(probe.video!, context.limits.max_frame_side), on)
  const timestamps: Array<number> = []
  let frame: Buffer | null = null
  let complete = false
  const takeNext = Effect.gen(function*() {
    const sample = yield* Queue.take(queue)
    complete = sample === over
    if (sample === over) return false
    if (sample.decoder !== null) frame = yield* nextOf(decoders[sample.decoder]!.reader)
    if (frame === null) return false
    timestamps.push(Math.max(0, roundSeconds(sample.begins)))
    yield* intake.take(frame)
    complete = timestamps.length === most
    return !complete
  })
  while (yield* takeNext);
  yield* intake.finish()
  const surplus = yield* Effect.forEach(decoders, ({ reader }) =>
    Effect.gen(function*() {
      let frames = 0
      while ((yield* nextOf(reader)) !== null) frames++
      return frames
    }), { concurrency: "unbounded" })
  const fedAll = yield* Fiber.join(feeding)
  yield* Effect.forEach(decoders, ({ ended }) => ended)
  const messages = decoders.map(({ messages }) => messages().trim()).join("\n").trim()
  const sampled: SampledFrames = {
    hashes: intake.hashes,
    timestamps,
    clusters: intake.clusters,
    kept: intake.kept,
    damaged: damageCount(messages),
    warnings: []
  }
  const clean = decoders.every(({ exitCode }) => exitCode() === 0) && messages === ""
  const all = timestamps.length === most ||
    (complete && timestamps.length > 0 && surplus.every((frames) => frames === 0))
  return { sampled, flawless: fedAll && clean && all }
}, Effect.scoped)
