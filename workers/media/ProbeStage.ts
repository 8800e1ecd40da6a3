import { Effect } from "effect"
import { open } from "node:fs/promises"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import type { Probe, Warning } from "../../src/jobs/StageIo.ts"
import type { BlobRef } from "../../src/storage/BlobRef.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import type { StageHandler } from "../Stage.ts"
import { HEADER_ENTRIES, readHeaderJson } from "./HeaderJson.ts"
import { type Header, readHeaderText, type StreamHeader } from "./HeaderText.ts"
import { demuxerArguments, flags, inputArguments } from "./InputArguments.ts"
import { fromStore, type MediaContext, refuse } from "./MediaContext.ts"
import { PCM_RATE } from "./MediaLimits.ts"
import { INPUT, runMedia } from "./MediaProcess.ts"
import { recognise } from "./Recognise.ts"
import { SNIFF_BYTES } from "./Sniff.ts"

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
    catch: (error) => new StageFailure({ code: "INTERNAL", message: String(error), retryable: true })
  })

interface Scan {
  readonly messages: string
  /** Presentation time of the last packet, null where none could be read. */
  readonly last_packet: number | null
  /** Video packets in all, 0 without video. */
  readonly pictures: number
  /** Indices of the sound and moving-picture streams; cover art is not among them. */
  readonly playable: ReadonlySet<number>
}

const lastMatch = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1)

/** Reads every packet without decoding: real times instead of what the header claims, about 500 times real time. */
const scan = Effect.fnUntraced(function*(context: MediaContext, demuxer: string, source: BlobRef, file: string) {
  const { ended, messages, stdout } = yield* runMedia(context.tools, {
    program: "ffmpeg",
    input: file,
    wall_seconds: 60 + source.size_bytes / 20e6,
    args: [
      ...inputArguments(demuxer, context.limits),
      ...flags("-map 0:V? -map 0:a? -c copy -f null -")
    ]
  })
  stdout.resume()
  yield* ended
  const text = messages()
  const time = lastMatch(text, /\btime=(-?)(\d+):(\d{2}):(\d{2}(?:\.\d+)?)/gu)
  const result: Scan = {
    messages: text,
    last_packet: time === undefined
      ? null
      : time[1] === "-"
      ? 0
      : Number(time[2]) * 3600 + Number(time[3]) * 60 + Number(time[4]),
    pictures: Number(lastMatch(text, /\bframe= *(\d+)/gu)?.[1] ?? 0),
    playable: new Set([...text.matchAll(/^ {2}Stream #0:(\d+) -> #0:\d+/gmu)].map((match) => Number(match[1])))
  }
  return result
}, Effect.scoped)

const readHeader = Effect.fnUntraced(function*(context: MediaContext, demuxer: string, file: string) {
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
  return readHeaderJson(json)
}, Effect.scoped)

/** Whether the decoder gets anything at all out of a stream; stops at the first byte. */
const yieldsAnything = Effect.fnUntraced(
  function*(context: MediaContext, demuxer: string, file: string, output: ReadonlyArray<string>) {
    const { stdout } = yield* runMedia(context.tools, {
      program: "ffmpeg",
      input: file,
      wall_seconds: 60,
      args: [...flags("-v error"), ...inputArguments(demuxer, context.limits), ...output, "-"]
    })
    return yield* Effect.promise(async () => {
      for await (const bytes of stdout as AsyncIterable<Uint8Array>) {
        if (bytes.length > 0) return true
      }
      return false
    })
  },
  Effect.scoped
)

const firstPicture = flags("-map 0:V:0 -an -sn -dn -vf scale=16:16,format=gray -frames:v 1 -f rawvideo")

/**
 * A sound track that decodes, and when it begins, from the start of the whole file; undefined where nothing decodes. Asked
 * for one track alone, the decoder counts a transport stream from that track's own start; its raw times tell both.
 */
const firstSound = Effect.fnUntraced(function*(
  context: MediaContext,
  demuxer: string,
  file: string,
  { start_seconds }: Header,
  index: number
) {
  const { stdout } = yield* runMedia(context.tools, {
    program: "ffmpeg",
    input: file,
    wall_seconds: 60,
    args: [
      ...flags("-v error -copyts"),
      ...inputArguments(demuxer, context.limits),
      ...flags(`-map 0:${index} -vn -sn -dn -frames:a 1 -f framecrc -`)
    ]
  })
  const lines = yield* Effect.promise(async () => {
    let text = ""
    for await (const part of stdout) text += String(part)
    return text
  })
  const [, over, under] = /^#tb 0: (\d+)\/(\d+)$/mu.exec(lines) ?? []
  const [, pts, samples, bytes] = /^0, *-?\d+, *(-?\d+), *(\d+), *(\d+),/mu.exec(lines) ?? []
  const t_start = (Number(pts) * Number(over)) / Number(under) - start_seconds
  if (!Number.isFinite(t_start)) return undefined
  // The decoder writes 16-bit samples here, and counts time in samples.
  const channels = Math.max(1, Math.round(Number(bytes) / 2 / Number(samples)))
  return { index, channels, t_start: Math.round(t_start * PCM_RATE) / PCM_RATE }
}, Effect.scoped)

/** The default track first, then the others as they stand. */
const byPreference = (tracks: ReadonlyArray<StreamHeader>): ReadonlyArray<StreamHeader> => [
  ...tracks.filter(({ is_default }) => is_default),
  ...tracks.filter(({ is_default }) => !is_default)
]

/** More sound tracks than this are not tried. */
const MOST_TRACKS = 8

/**
 * The header's figure where the packets confirm it, because it includes the last packet's own length, or where packets
 * carry no times at all (AMR).
 */
const measuredDuration = (header: Header, last_packet: number, frame_rate: number | null): number => {
  const slack = Math.max(1, Math.min(60, 2 / (frame_rate ?? 2)))
  const claimed = header.duration_seconds
  if (claimed === null) return last_packet
  return last_packet === 0 || (claimed >= last_packet && claimed <= last_packet + slack) ? claimed : last_packet
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
  const { container, demuxer } = yield* recognise(yield* firstBytes(file))
  const packets = yield* scan(context, demuxer, source, file)
  const json = context.tools.ffprobe === null ? undefined : yield* readHeader(context, demuxer, file)
  const header = json ?? readHeaderText(packets.messages)
  const excess = overLimits(context, header, packets.messages)
  if (excess !== undefined) return yield* excess
  if (header.streams.length === 0) return yield* refuse("SOURCE_CORRUPT", "The file's header cannot be read.")

  const playable = (kind: StreamHeader["kind"]) =>
    header.streams.filter((candidate) => candidate.kind === kind && packets.playable.has(candidate.index))
  const [video] = playable("video")
  const tracks = byPreference(playable("audio")).slice(0, MOST_TRACKS)
  if (video === undefined && tracks.length === 0) {
    return yield* refuse("SOURCE_NOT_MEDIA", "The file holds neither sound nor moving pictures.")
  }
  const duration = measuredDuration(header, packets.last_packet ?? 0, video?.frame_rate ?? null)
  if (duration > limits.max_duration_seconds) {
    return yield* refuse("SOURCE_TOO_LONG", `The source is longer than ${limits.max_duration_seconds} s.`)
  }

  const decodes = (wanted: boolean, output: ReadonlyArray<string>) =>
    wanted ? yieldsAnything(context, demuxer, file, output) : Effect.succeed(false)
  const [picture, sounding] = yield* Effect.all([
    decodes(video !== undefined && video.width > 0 && video.height > 0, firstPicture),
    Effect.forEach(tracks, ({ index }) => firstSound(context, demuxer, file, header, index))
  ], { concurrency: 2 })
  const audio_streams = sounding.filter((track) => track !== undefined)
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
  const frame_rate = picture ? measuredRate(video!.frame_rate, packets.pictures, duration) : null
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
        codec: video!.codec,
        width: Math.max(1, Math.round(video!.width * video!.pixel_aspect)),
        height: video!.height,
        rotation: video!.rotation,
        frame_rate
      }
      : null,
    has_audio: audio !== undefined,
    audio_streams,
    caption_streams: header.streams
      .filter(({ codec, kind }) => kind === "subtitle" && textCaptions.has(codec))
      .map(({ index, language }) => ({ index, language }))
  }
  return { probe, warnings }
})

export const makeProbe = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const handler: StageHandler<"probe"> = ({ input: { source } }) =>
    fromStore(blobs.localPath(source.key)).pipe(Effect.flatMap((file) => probeFile(context, source, file)))
  return handler
})
