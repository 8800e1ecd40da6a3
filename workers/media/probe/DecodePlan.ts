import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import type { Probe } from "../../../src/jobs/model/StageIo.ts"
import { av1Parser } from "../codec/Av1Parser.ts"
import type { FrameParser } from "../codec/CodedFrame.ts"
import { flags } from "../ffmpeg/InputArguments.ts"
import { BLACK, LUMA_SPAN } from "../pixels/RgbPicture.ts"

type Video = NonNullable<Probe["video"]>

const SAMPLE = 1 / SAMPLES_PER_SECOND

/**
 * Decoders that can leave out all but the key pictures. AV1's does from FFmpeg 6.1 with dav1d 1.1 on, and before decodes
 * everything all the same, as libaom does; VP9's always does.
 */
const skipsToKeys = new Set(["h264", "hevc", "av1", "mpeg2video", "mpeg1video", "mpeg4"])
const skipsUnreferenced = new Set(["h264", "hevc", "av1"])
const skipsLoopFilter = new Set(["h264", "hevc"])

/**
 * What the decoder may leave out without a sample showing anything else. Where key pictures are as close as samples, only
 * they are decoded: 8 times faster. Where no picture stands longer than a sample, those that none refers to are left out;
 * in a recording of a screen such a picture can stand for a minute. Without the loop filter H.264 and HEVC are 1.3 times
 * faster at 40 dB, and the same frames are kept; a third of AV1's pictures are such that none refers to.
 */
export const decoderOptions = (
  { codec, longest_gap, longest_key_gap }: Pick<Video, "codec" | "longest_gap" | "longest_key_gap">
): ReadonlyArray<string> => {
  const filter = skipsLoopFilter.has(codec) ? flags("-skip_loop_filter all") : []
  if (skipsToKeys.has(codec) && longest_key_gap !== null && longest_key_gap <= SAMPLE) {
    return [...filter, ...flags("-skip_frame nokey")]
  }
  return skipsUnreferenced.has(codec) && longest_gap <= SAMPLE ? [...filter, ...flags("-skip_frame noref")] : filter
}

/** From how many pixels x seconds on choosing packets saves more than a second process and the choosing take: 10 s of 1080p. */
const SIEVED_FROM = 10 * 1920 * 1080

/** Containers whose times are those of their packets, and that are copied packet by packet. */
const copiedAsIs = new Set(["mov", "matroska"])

/**
 * Reads which packets the samples need, or null where all are decoded: what the container alone says of turned pictures and of
 * HDR would be lost on the way. Of AV1 it saves half of the decoding and more; of VP9, where every picture is decoded with the
 * one before it, next to nothing. Before FFmpeg 5.1 all are, as libaom of 2018 loses its way in AV1 of SVT's with frames left out.
 */
export const packetSieve = (
  { demuxer, facts, video }: Probe,
  [major]: readonly [major: number, minor: number]
): FrameParser | null => {
  if (major < 59 || video?.codec !== "av1") return null
  if (!copiedAsIs.has(demuxer) || video.rotation !== 0 || video.transfer === "smpte2084") return null
  return video.width * video.height * facts.duration_seconds < SIEVED_FROM ? null : av1Parser()
}

/**
 * One graph for the whole video. Where pictures change size FFmpeg begins another, which counts from the first sample again: all
 * that followed came too late by as much. What turns pictures counts on their size, so those keep FFmpeg's way.
 */
export const oneGraph = ({ rotation }: Pick<Video, "rotation">): ReadonlyArray<string> =>
  rotation === 0 ? flags("-reinit_filter 0") : []

/** Threads cost more than they give on pictures this small: 120,000 of 16x16 took 6.9 s instead of 1.9 s. */
const SMALL_PICTURE = 640 * 360
export const isSmall = ({ height, width }: Pick<Video, "width" | "height">): boolean => width * height < SMALL_PICTURE

/** Full luminance of the standard screen, in candela per square metre (ITU-R BT.2408), and the brightest that is kept apart. */
const WHITE = 203
const BRIGHTEST = 1000 / WHITE

/**
 * Pictures coded for HDR by SMPTE ST 2084 look grey when shown as they are: light by its curve, brought into range by
 * Reinhard's operator ("Photographic tone reproduction", 2002, equation 4), and the usual gamma. 256 values, looked up.
 */
const standardRange = (() => {
  const light = "pow(max(ld(0)-0.8359375,0)/(18.8515625-18.6875*ld(0)),6.277394636)"
  const tone = `st(0,pow(val/255,0.012683313));st(1,${light}*${10_000 / WHITE});`
    + `255*pow(min(ld(1)*(1+ld(1)/${BRIGHTEST ** 2})/(1+ld(1)),1),0.4545)`
  return `lutrgb=r='${tone}':g='${tone}':b='${tone}'`
})()

/**
 * Which matrix the samples' colours are coded by: the stream's own, as changing it takes nine times as long as the reduction
 * to 1280x720 alone (10 ms), or what comes of pictures that were brought into range.
 */
export const sampleMatrix = ({ matrix, transfer }: Pick<Video, "matrix" | "transfer">): string | null =>
  transfer === "smpte2084" ? null : matrix

/**
 * Codecs whose pictures may be transparent: by default what is hidden under them would show, which is black nearly always, and
 * dark words on it are gone. VP8's and VP9's transparency is not decoded.
 */
const transparent = new Set([
  "prores",
  "qtrle",
  "ffv1",
  "utvideo",
  "cfhd",
  "magicyuv",
  "huffyuv",
  "ffvhuff",
  "rawvideo"
])

/** The grey on which black and white stand out alike, 4.5 to 1 by WCAG's contrast ratio: 118 of 255. */
const GREY = BLACK + Math.round((118 * LUMA_SPAN) / 255)

/**
 * Lays such pictures on grey, as on white a caption made for a film would be lost and on black a diagram. Opaque ones stay as
 * they are. All keep the size of the first here, as two are laid over each other.
 */
const onGrey = (codec: string): ReadonlyArray<string> =>
  transparent.has(codec)
    ? [
      "scale=iw:ih",
      "format=yuva444p",
      `split[over][under];[under]lutyuv=y=${GREY}:u=128:v=128:a=255[ground];[ground][over]overlay=format=yuv444`
    ]
    : []

type Size = { readonly width: number; readonly height: number }

/**
 * Pictures become samples of `size`, `frameBytes` each. Fields are woven apart only here: their neighbours half a second away
 * tell yadif as well where nothing moves, and where something does it looks at one field alone.
 */
const sampled = (video: Video, size: Size): string => `${still(video, size, null)}[samples]`

const upright = (
  { codec, interlaced, transfer }: Video,
  { height, width }: Size,
  matrix: "bt601" | "bt709" | null,
  on_grey: boolean
): string =>
  [
    // Pictures that change size on the way come as large as the first, which yadif counts on.
    ...(interlaced ? ["scale=iw:ih", "yadif=deint=interlaced"] : []),
    ...(on_grey ? onGrey(codec) : []),
    ...(transfer === "smpte2084"
      ? [
        `scale=${width}:${height}:flags=area`,
        "format=rgb24",
        standardRange,
        `scale=out_color_matrix=${matrix ?? "bt601"}:out_range=limited`
      ]
      : [
        `scale=${width}:${height}:flags=area:${matrix === null ? "" : `out_color_matrix=${matrix}:`}out_range=limited`
      ]),
    "setsar=1",
    "format=yuv420p"
  ].join(",")

/**
 * One picture of `size` after another, upright and in the colours of the standard screen, by the stream's own matrix or another.
 * What is transparent shows what is hidden there: grey would take 90 ms more of a 4K picture, three times the decoding.
 */
export const picture = (video: Video, size: Size, matrix: "bt601" | "bt709" | null): string =>
  upright(video, size, matrix, false)

/** The same of few pictures, which are looked at one by one: what is transparent is grey. */
export const still = (video: Video, size: Size, matrix: "bt601" | "bt709" | null): string =>
  upright(video, size, matrix, true)

/**
 * Two outputs of one decoding: [samples] are 2 per second, from half second `first` on; [clock] is a corner of every picture,
 * for its time.
 */
export const frameGraph = (video: Video, size: Size, first: number): string =>
  [
    `[0:${video.index}]settb=1/1000000,split[all][every]`,
    `[all]fps=${SAMPLES_PER_SECOND}:start_time=${first / SAMPLES_PER_SECOND}:round=up,${sampled(video, size)}`,
    "[every]crop=min(iw\\,16):min(ih\\,16):0:0[clock]"
  ].join(";")
