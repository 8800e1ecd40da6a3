import { Effect } from "effect"
import { availableParallelism } from "node:os"
import { addressPolicyConfig } from "../../src/egress/AddressPolicy.ts"
import { s3PolicyConfig } from "../../src/sources/S3Policy.ts"
import { sourceMaxSeconds } from "../../src/sources/SourceLimits.ts"
import { makeAudio } from "./audio/AudioStage.ts"
import { makeCaptions } from "./captions/CaptionStage.ts"
import { findMediaTools, type MediaTools } from "./ffmpeg/Ffmpeg.ts"
import type { MediaContext } from "./ffmpeg/MediaContext.ts"
import { defaultLimits, type MediaLimits } from "./ffmpeg/MediaLimits.ts"
import { makeFrames } from "./frames/FrameStage.ts"
import { PictureMemory } from "./pixels/PictureMemory.ts"
import { makeProbe } from "./probe/ProbeStage.ts"
import { makeRender } from "./renditions/RenderStage.ts"
import { makeFetch } from "./source/FetchStage.ts"

/** The fetch lane, which needs no decoder: dies with `AddressPolicyInvalid` where the source policy cannot be read. */
export const makeFetchStages = Effect.fn("makeFetchStages")(function*(limits: MediaLimits = defaultLimits) {
  return { fetch: yield* makeFetch(yield* addressPolicyConfig, yield* s3PolicyConfig, limits) }
})

/** What every decoder of this process works with. No source is longer than `SOURCE_MAX_SECONDS`. */
const makeContext = Effect.fnUntraced(function*(limits: Partial<MediaLimits>, tools: MediaTools | undefined) {
  const context: MediaContext = {
    tools: tools ?? (yield* findMediaTools),
    limits: { ...defaultLimits, max_duration_seconds: yield* sourceMaxSeconds, ...limits },
    decode_threads: Math.min(2, availableParallelism()),
    memory: new PictureMemory()
  }
  return context
})

/** What is made of sources for people to look at; fails and dies as `makeMediaStages`. */
export const makeRenditions = Effect.fn("makeRenditions")(function*(
  limits: Partial<MediaLimits> = {},
  tools?: MediaTools
) {
  return yield* makeRender(yield* makeContext(limits, tools))
})

/**
 * The media lane: probe, audio, captions and frames, and the fetches that an earlier version put in line here. Fails with `MediaToolMissing` where there is no decoder that
 * may be used; dies with `AddressPolicyInvalid` where the source policy cannot be read. No source is longer than `SOURCE_MAX_SECONDS`.
 */
export const makeMediaStages = Effect.fn("makeMediaStages")(function*(
  limits: Partial<MediaLimits> = {},
  tools?: MediaTools
) {
  const context = yield* makeContext(limits, tools)
  return {
    ...(yield* makeFetchStages(context.limits)),
    probe: yield* makeProbe(context),
    audio: yield* makeAudio(context),
    captions: yield* makeCaptions(context),
    frames: yield* makeFrames(context)
  }
})
