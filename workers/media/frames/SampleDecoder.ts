import { Effect } from "effect"
import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import type { Probe } from "../../../src/jobs/model/StageIo.ts"
import { FrameReader } from "../ffmpeg/FrameReader.ts"
import { everyPicture, fedArguments, flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { runMedia, SECOND_OUTPUT } from "../ffmpeg/MediaProcess.ts"
import { openPipe } from "../ffmpeg/OutputPipe.ts"
import { FrameClock } from "../pixels/FrameClock.ts"
import { frameBytes } from "../pixels/RgbPicture.ts"
import { decoderOptions, frameGraph, oneGraph } from "../probe/DecodePlan.ts"

/** Size of the frames that models see: upright, square pixels, even sides, the longer one within the limit. */
export const frameSize = (video: NonNullable<Probe["video"]>, max_side: number) => {
  const [width, height] = video.rotation % 180 === 90 ? [video.height, video.width] : [video.width, video.height]
  const scale = Math.min(1, max_side / Math.max(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

/** These containers count from the start of whatever streams are read; the others from the start of all. */
export const countsFromStream = new Set(["mpegts", "mpeg", "ogg"])

/** Half seconds before the first sample: where the picture begins late there is nothing to be seen before it. */
export const firstSample = ({ demuxer, video }: Probe): number =>
  countsFromStream.has(demuxer) ? 0 : Math.max(0, Math.floor(video!.t_start * SAMPLES_PER_SECOND + 1e-6))

/** How many seconds the decoder's clock is behind the source's, by what it says of the first picture. */
export const clockShift = ({ demuxer, video }: Probe, begins: number | undefined): number =>
  countsFromStream.has(demuxer) ? video!.t_start - (begins ?? video!.t_start) : 0

/** The packets end where they end: a lying time stamp must not fill the gap with copies for ever. */
export const mostSamples = ({ facts }: Probe): number => Math.ceil(facts.duration_seconds * SAMPLES_PER_SECOND) + 2

/** Pixels per second of 1080p at 60 pictures a second, and the most times that a film may have of them. */
const USUAL_PIXELS = 60 * 1920 * 1080
const MOST_TIMES_USUAL = 16

/**
 * Seconds after which a decoder hangs: three times the video's length and a minute at least, and as many times longer as the
 * video has more pixels per second than 1080p60. 13 s of 4K at 240 pictures a second take more than a minute.
 */
export const longestRun = ({ facts, video }: Pick<Probe, "facts" | "video">): number => {
  const pixels = video === null ? 0 : video.width * video.height * (video.frame_rate ?? 0)
  const times = Math.min(MOST_TIMES_USUAL, Math.max(1, pixels / USUAL_PIXELS))
  return times * Math.max(60, 3 * facts.duration_seconds)
}

/** What a decoder of samples is started with. */
interface Decoding {
  readonly probe: Probe
  readonly file: string
  /** It is fed packets instead of the file. */
  readonly fed: boolean
  readonly threads: number
}

interface Started extends Decoding {
  /** Options of the decoder itself, where it opens the file. */
  readonly extra: ReadonlyArray<string>
  /** What is made of the pictures, where it goes, and who reads what is listed. */
  readonly outputs: ReadonlyArray<string>
  readonly listed: (text: string) => void
}

const start = Effect.fnUntraced(function*({ limits, memory, tools }: MediaContext, started: Started) {
  const { extra, fed, file, listed, outputs, probe, threads } = started
  const { height, width } = frameSize(probe.video!, limits.max_frame_side)
  const pipe = yield* openPipe
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => new FrameReader(pipe.path, frameBytes(width, height), memory)),
    (reader) => Effect.sync(() => reader.destroy())
  )
  const run = yield* runMedia(tools, {
    program: "ffmpeg",
    input: file,
    fed,
    output: yield* pipe.writer,
    listed,
    wall_seconds: longestRun(probe),
    args: [
      ...flags("-v error"),
      ...oneGraph(probe.video!),
      ...(fed ? fedArguments("ivf", limits, threads) : inputArguments(probe.demuxer, limits, { extra, threads })),
      ...outputs
    ]
  })
  return { ...run, reader, handedOver: pipe.handedOver }
})

interface Sampling extends Decoding {
  readonly acceleration: ReadonlyArray<string>
  /** The number of its first sample, in half seconds, and how many it gives at most. */
  readonly first: number
  readonly most: number
}

/** Starts a decoder that gives two samples of the video per second, and their times; it ends with the scope. */
export const startDecoder = Effect.fnUntraced(function*(context: MediaContext, sampling: Sampling) {
  const { acceleration, fed, first, most, probe } = sampling
  const video = probe.video!
  const size = frameSize(video, context.limits.max_frame_side)
  const every = everyPicture(context.tools.libavformat)
  const clock = new FrameClock(first)
  const run = yield* start(context, {
    ...sampling,
    extra: [...acceleration, ...decoderOptions(video)],
    outputs: [
      "-filter_complex",
      frameGraph(fed ? { ...video, index: 0 } : video, size, first),
      ...flags("-map [samples]"),
      ...every,
      ...flags(`-frames:v ${most} -f rawvideo pipe:1 -map [clock]`),
      ...every,
      // In pieces of 32 KiB: waking up for every picture's line took 40 µs each.
      ...flags("-enc_time_base 1/1000000 -flush_packets 0 -f framecrc"),
      SECOND_OUTPUT
    ],
    listed: (text) => clock.read(text)
  })
  return { ...run, clock }
})
