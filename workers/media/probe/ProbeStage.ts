import { Effect } from "effect"
import { open } from "node:fs/promises"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import type { Probe, Warning } from "../../../src/jobs/model/StageIo.ts"
import type { BlobRef } from "../../../src/storage/BlobRef.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore, systemFailure } from "../../engine/FromStore.ts"
import type { StageHandler } from "../../engine/Stage.ts"
import type { PacketTimes } from "../codec/PacketTable.ts"
import { demuxerArguments, flags } from "../ffmpeg/InputArguments.ts"
import { type MediaContext, refuse } from "../ffmpeg/MediaContext.ts"
import { INPUT, runMedia } from "../ffmpeg/MediaProcess.ts"
import { detectContainer } from "../source/DetectContainer.ts"
import { SNIFF_BYTES } from "../source/Sniff.ts"
import { decoderOptions } from "./DecodePlan.ts"
import { firstDecoded } from "./FirstDecoded.ts"
import { HEADER_ENTRIES, readHeaderJson } from "./HeaderJson.ts"
import { type Header, readHeaderText, type StreamHeader } from "./HeaderText.ts"
import { scanPackets } from "./PacketScan.ts"

const firstBytes = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      const handle = await open(file, "r")
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await handle.close()
      }
    },
    catch: systemFailure("Reading a file")
  })

/**
 * What the scan printed of it; starting ffprobe takes longer than the scan of an hour. It is asked where that text is none that
 * can be read, as a later decoder may write another.
 */
const readHeader = Effect.fnUntraced(function*(context: MediaContext, demuxer: string, file: string, printed: string) {
  const header = readHeaderText(printed)
  if (header.streams.length > 0 || context.tools.ffprobe === null) return header
  const { ended, stdout } = yield* runMedia(context.tools, {
    program: "ffprobe",
    input: file,
    wall_seconds: 60,
    args: [
      ...flags("-v error -hide_banner"),
      ...demuxerArguments(demuxer, context.limits),
      ...flags(`-show_entries ${HEADER_ENTRIES} -of json ${INPUT}`)
    ]
  })
  const json = yield* Effect.promise(async () => {
    let text = ""
    stdout.setEncoding("utf8")
    for await (const part of stdout) {
      if (text.length < 4e6) text += part
    }
    return text
  })
  yield* ended
  return readHeaderJson(json) ?? header
}, Effect.scoped)

/** The default track first, then the others as they stand. */
const byPreference = (tracks: ReadonlyArray<StreamHeader>): ReadonlyArray<StreamHeader> => [
  ...tracks.filter(({ is_default }) => is_default),
  ...tracks.filter(({ is_default }) => !is_default)
]

/** More sound tracks than this are not tried. */
const MOST_TRACKS = 8

/** A last packet that claims to stand for longer than this is not believed: ten minutes of one picture. */
const LONGEST_PACKET = 600

/**
 * The header's figure where the packets confirm it, or where packets carry no times at all (AMR); else where the last packet
 * ends by its own length.
 */
const measuredDuration = (header: Header, streams: Iterable<PacketTimes>, frame_rate: number | null): number => {
  let last = 0
  let end = 0
  for (const stream of streams) {
    last = Math.max(last, stream.last)
    end = Math.max(end, stream.end - stream.last <= LONGEST_PACKET ? stream.end : stream.last)
  }
  const slack = Math.max(1, Math.min(60, 2 / (frame_rate ?? 2)))
  const claimed = header.duration_seconds
  // It is printed in hundredths; the packets tell the same in full.
  if (claimed === null || Math.abs(claimed - end) < 0.0051) return end
  return last === 0 || (claimed >= last && claimed <= Math.max(end, last + slack)) ? claimed : end
}

/** Beyond this a container tells its clock's resolution, not a rate. */
const CLOCK_RATE = 240

const measuredRate = (declared: number | null, pictures: number, duration: number): number | null => {
  if (declared !== null && declared <= CLOCK_RATE) return declared
  return pictures < 2 || duration <= 0 ? declared : Math.round((pictures / duration) * 100) / 100
}

const textCaptions = new Set(["mov_text", "subrip", "srt", "ass", "ssa", "webvtt", "text"])

const upright = ({ height, pixel_aspect, rotation, width }: StreamHeader) => {
  const shown = Math.max(1, Math.round(width * pixel_aspect))
  return rotation % 180 === 90 ? { width: height, height: shown } : { width: shown, height }
}

/** Limits that the header alone breaks. */
const overLimits = (context: MediaContext, header: Header, messages: string): StageFailure | undefined => {
  const { max_pixels, max_streams } = context.limits
  if (header.streams.length > max_streams || /exceeds max_streams/u.test(messages)) {
    return refuse("MEDIA_LIMIT_EXCEEDED", `The file has more than ${max_streams} streams.`)
  }
  const large = header.streams.find(({ height, kind, width }) => kind === "video" && width * height > max_pixels)
  if (large !== undefined) {
    return refuse(
      "MEDIA_LIMIT_EXCEEDED",
      `The picture of ${large.width}x${large.height} has more than ${max_pixels} pixels.`
    )
  }
  return undefined
}

/**
 * Probes one file: container by its bytes, streams, duration from its packets, and what really decodes. Fails with
 * `SOURCE_NOT_MEDIA` for anything that is not an audio or video container or has no such stream, `SOURCE_CORRUPT` when
 * nothing in it can be decoded, `SOURCE_TOO_LONG`, `SOURCE_TOO_LARGE` and `MEDIA_LIMIT_EXCEEDED` beyond the limits.
 */
export const probeFile = Effect.fn("probeFile")(function*(context: MediaContext, source: BlobRef, file: string) {
  const { limits } = context
  if (source.size_bytes > limits.max_bytes) {
    return yield* refuse("SOURCE_TOO_LARGE", `The source has more than ${limits.max_bytes} bytes.`)
  }
  const { container, demuxer } = yield* detectContainer(yield* firstBytes(file))
  const packets = yield* scanPackets(context, demuxer, source.size_bytes, file)
  const header = yield* readHeader(context, demuxer, file, packets.messages)
  const excess = overLimits(context, header, packets.messages)
  if (excess !== undefined) return yield* excess
  if (header.streams.length === 0) return yield* refuse("SOURCE_CORRUPT", "The file's header cannot be read.")

  const playable = (kind: StreamHeader["kind"]) =>
    header.streams.filter((candidate) => candidate.kind === kind && packets.streams.has(candidate.index))
  const [video] = playable("video")
  const tracks = byPreference(playable("audio")).slice(0, MOST_TRACKS)
  if (video === undefined && tracks.length === 0) {
    return yield* refuse("SOURCE_NOT_MEDIA", "The file holds neither sound nor moving pictures.")
  }
  const duration = measuredDuration(header, packets.streams.values(), video?.frame_rate ?? null)
  if (duration > limits.max_duration_seconds) {
    return yield* refuse("SOURCE_TOO_LONG", `The source is longer than ${limits.max_duration_seconds} s.`)
  }

  const pictures = video === undefined ? undefined : packets.streams.get(video.index)!
  const { begins, sounding: audio_streams } = yield* firstDecoded(context, {
    demuxer,
    file,
    header,
    video: video === undefined || video.width === 0 || video.height === 0
      ? null
      : { index: video.index, decoder: decoderOptions({ ...video, ...pictures! }) },
    tracks
  })
  const picture = begins !== undefined
  const audible = (track: StreamHeader) => audio_streams.some(({ index }) => index === track.index)
  const audio = tracks.find(audible)
  if (!picture && audio === undefined) return yield* refuse("SOURCE_CORRUPT", "Nothing in the file can be decoded.")

  const warnings: Array<Warning> = []
  if (video !== undefined && !picture) {
    warnings.push({ code: "VIDEO_UNREADABLE", message: `The ${video.codec} video cannot be decoded.` })
  }
  const mute = tracks.find((track) => !audible(track))
  if (mute !== undefined) {
    warnings.push({ code: "AUDIO_UNREADABLE", message: `The ${mute.codec} sound cannot be decoded.` })
  }
  const claimed = header.duration_seconds
  if (claimed !== null && Math.abs(claimed - duration) > 2) {
    warnings.push({
      code: "DURATION_MISMATCH",
      message: `The header claims ${claimed} s, the packets end at ${roundSeconds(duration)} s.`
    })
  }
  const frame_rate = picture ? measuredRate(video!.frame_rate, pictures!.packets, duration) : null
  const shown = picture ? upright(video!) : undefined
  const probe: Probe = {
    source,
    demuxer,
    facts: {
      container,
      duration_seconds: roundSeconds(duration),
      width: shown?.width ?? null,
      height: shown?.height ?? null,
      frame_rate,
      audio: audio?.codec ?? null,
      video: picture ? video!.codec : null,
      size_bytes: source.size_bytes,
      sha256: source.sha256
    },
    video: picture
      ? {
        index: video!.index,
        codec: video!.codec,
        width: Math.max(1, Math.round(video!.width * video!.pixel_aspect)),
        height: video!.height,
        rotation: video!.rotation,
        frame_rate,
        t_start: begins,
        interlaced: video!.interlaced,
        transfer: video!.transfer,
        matrix: video!.matrix,
        longest_gap: pictures!.longest_gap,
        longest_key_gap: pictures!.longest_key_gap
      }
      : null,
    has_audio: audio !== undefined,
    audio_streams,
    caption_streams: header.streams
      .filter(({ codec, kind }) => kind === "subtitle" && textCaptions.has(codec))
      .map(({ index, language }) => ({ index, language }))
  }
  return { probe, warnings, decoder: context.tools.version }
})

export const makeProbe = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const handler: StageHandler<"probe"> = ({ input: { source } }) =>
    fromStore(blobFile(blobs, source)).pipe(Effect.flatMap((file) => probeFile(context, source, file)))
  return handler
})
