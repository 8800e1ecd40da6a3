import type { RenderInput } from "../../../src/jobs/model/Rendition.ts"
import type { Probe } from "../../../src/jobs/model/StageIo.ts"
import { everyPicture, flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { SECOND_OUTPUT } from "../ffmpeg/MediaProcess.ts"
import { countsFromStream } from "../frames/SampleDecoder.ts"
import { oneGraph, picture, still } from "../probe/DecodePlan.ts"

type Video = NonNullable<Probe["video"]>

/** Smooth enough to follow a hand, and half the work of 60. */
const MOST_RATE = 31
/** Below it a player's bar moves in jumps. */
const LEAST_RATE = 10
const USUAL_RATE = 30

/** A steady stream keeps its rate, or half of it; one whose pictures come as they like is shown 30 times a second. */
const shownRate = ({ frame_rate, longest_gap }: Pick<Video, "frame_rate" | "longest_gap">): number => {
  if (frame_rate === null || longest_gap * frame_rate > 1.5 || frame_rate < LEAST_RATE) return USUAL_RATE
  let rate = frame_rate
  while (rate > MOST_RATE) rate /= 2
  return rate
}

/** Upright, square pixels, even sides, within a box that may stand as well as lie. */
const sizeWithin = (video: Pick<Video, "width" | "height" | "rotation">, long: number, short: number) => {
  const [width, height] = video.rotation % 180 === 90 ? [video.height, video.width] : [video.width, video.height]
  const scale = Math.min(1, long / Math.max(width, height), short / Math.min(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

/** The moment of the source that the decoder calls zero, and where it begins to read. */
const clockOf = (
  { demuxer, video }: Probe,
  track: Probe["audio_streams"][number] | undefined,
  { kind, t_start }: Pick<RenderInput, "kind" | "t_start">
) => {
  // The picture that stands at the moment may have come long before.
  const seek = kind === "preview" ? 0 : Math.max(0, Math.floor(t_start - (video?.longest_gap ?? 0) - 1))
  const begins = [video?.t_start, track?.t_start].flatMap((time) => time === undefined ? [] : [time])
  const zero = Math.max(seek, countsFromStream.has(demuxer) ? Math.min(...begins) : 0)
  return { zero, seek: seek === 0 ? [] : flags(`-ss ${seek}`) }
}

/**
 * Each picture is the one that the source shows at that moment, from the first moment on: a picture that stands long is repeated, one
 * that begins late stands from the beginning.
 */
const timed = (rate: number, from: number): string =>
  `settb=1/1000000,setpts=PTS-${from.toFixed(6)}/TB,fps=${rate}:start_time=0:round=up`

/**
 * AAC's encoder puts 1,024 samples before the first; as many are left out here, so that sound and pictures begin together without
 * an edit list, which not every player reads.
 */
const sound = (from: number): string =>
  `asetpts=PTS-${from.toFixed(6)}/TB,aresample=48000:async=1:first_pts=0,atrim=start_sample=1024`

const h264 = (rate: number) =>
  flags(
    `-c:v libx264 -preset veryfast -profile:v baseline -pix_fmt yuv420p -crf 25 -maxrate 3000k -bufsize 6000k -g ${
      Math.round(2 * rate)
    } -colorspace bt709 -color_primaries bt709 -color_trc bt709`
  )
const aac = flags("-c:a aac -ac 2 -b:a 128k")

/** Written as it comes, since a decoder has no file to go back in; a fragment per key picture, two seconds of sound alone. */
const fragmented = (has_video: boolean) =>
  flags(
    `-movflags ${has_video ? "frag_keyframe+" : ""}empty_moov+default_base_moof${
      has_video ? "" : " -frag_duration 2000000"
    } -f mp4`
  )

const GIF_RATE = 10

/** A palette for each picture: one for all would hold all of them in memory. */
const palette = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"

/** What a decoder is started with to make a rendition; it writes to `stdout`, and how far it is to its second output. */
export const renderArguments = (
  { decode_threads, limits, tools }: MediaContext,
  probe: Probe,
  { format, kind, t_end, t_start }: RenderInput
): ReadonlyArray<string> => {
  const { video } = probe
  const [track] = format === "mp4" ? probe.audio_streams : []
  const { seek, zero } = clockOf(probe, track, { kind, t_start })
  const from = t_start - zero
  const shown = (video: Video): ReadonlyArray<string> => {
    const pictures = (rate: number, long: number, short: number, matrix: "bt601" | "bt709") =>
      `${timed(rate, from)},${picture(video, sizeWithin(video, long, short), matrix)}`
    const side = limits.max_frame_side
    const mapped = [...flags(`-map 0:${video.index}`), ...everyPicture(tools.libavformat)]
    switch (format) {
      case "mp4": {
        const rate = shownRate(video)
        return [...mapped, "-vf", pictures(rate, 1280, 720, "bt709"), ...h264(rate)]
      }
      case "gif":
        return [...mapped, "-vf", `${pictures(GIF_RATE, 480, 480, "bt601")},${palette}`, ...flags("-f gif")]
      case "jpeg":
        return [
          ...mapped,
          "-vf",
          `${timed(1, from)},${still(video, sizeWithin(video, side, side), "bt601")},format=yuvj420p`,
          ...flags("-frames:v 1 -c:v mjpeg -q:v 3 -f mjpeg")
        ]
    }
  }
  return [
    ...flags("-v error"),
    ...(video === null ? [] : oneGraph(video)),
    ...inputArguments(probe.demuxer, limits, { extra: seek, threads: decode_threads }),
    ...flags(`-progress ${SECOND_OUTPUT} -sn -dn -map_metadata -1 -map_chapters -1`),
    ...(video === null ? ["-vn"] : shown(video)),
    ...(track === undefined ? ["-an"] : [...flags(`-map 0:${track.index}`), "-af", sound(from), ...aac]),
    ...(t_end === null ? [] : flags(`-t ${(t_end - t_start).toFixed(3)}`)),
    ...(format === "mp4" ? fragmented(video !== null) : []),
    "pipe:1"
  ]
}
