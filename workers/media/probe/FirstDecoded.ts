import { Effect } from "effect"
import { everyPicture, flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { PCM_RATE } from "../ffmpeg/MediaLimits.ts"
import { runMedia, SECOND_OUTPUT } from "../ffmpeg/MediaProcess.ts"
import type { Header } from "./HeaderText.ts"

/** What is asked of a file that has been scanned. */
export interface FirstAsked {
  readonly demuxer: string
  readonly file: string
  readonly header: Header
  /** The picture stream and how it will be decoded; null where none is wanted. */
  readonly video: { readonly index: number; readonly decoder: ReadonlyArray<string> } | null
  readonly tracks: ReadonlyArray<{ readonly index: number }>
}

interface Decoded {
  /** Seconds from the start of the whole file. Asked for one stream alone, FFmpeg counts some containers from its start. */
  readonly t_start: number
  /** In the stream's own units of time. */
  readonly length: number
  readonly bytes: number
}

/** A sound track that decodes, and when it begins. */
interface Sound {
  readonly index: number
  readonly channels: number
  readonly t_start: number
}

const asSound = (index: number, { bytes, length, t_start }: Decoded): Sound => ({
  index,
  // The decoder writes 16-bit samples here, and counts time in samples.
  channels: Math.max(1, Math.round(bytes / 2 / length)),
  t_start: Math.round(t_start * PCM_RATE) / PCM_RATE
})

/** One output's list: its unit of time, and the first line of it. */
const readOne = (list: string, start_seconds: number): Decoded | undefined => {
  const [, over, under] = /^#tb 0: (\d+)\/(\d+)$/mu.exec(list) ?? []
  const [, pts, length, bytes] = /^0, *-?\d+, *(-?\d+), *(\d+), *(\d+),/mu.exec(list) ?? []
  const t_start = (Number(pts) * Number(over)) / Number(under) - start_seconds
  return Number.isFinite(t_start) ? { t_start, length: Number(length), bytes: Number(bytes) } : undefined
}

/**
 * What a stream of each kind decodes to first; where one decodes to nothing, the other may be missing too. The file is
 * opened once for each, so that neither is read on for the other's sake, and each has a list of its own: in one, the lines of
 * both can stand under either's heading.
 */
const first = Effect.fnUntraced(function*(
  context: MediaContext,
  { demuxer, file, header }: FirstAsked,
  video: FirstAsked["video"],
  track: number | undefined
) {
  const input = (extra: ReadonlyArray<string>) => inputArguments(demuxer, context.limits, { extra })
  let sound = ""
  const { ended, stdout } = yield* runMedia(context.tools, {
    program: "ffmpeg",
    input: file,
    wall_seconds: 60,
    listed: (text) => sound += text,
    args: [
      ...flags("-v error -copyts"),
      ...(video === null ? [] : input(video.decoder)),
      ...(track === undefined ? [] : input([])),
      ...(video === null ? [] : [
        ...flags(`-map 0:${video.index} -an -sn -dn -vf settb=1/1000000,scale=16:16,format=gray`),
        ...everyPicture(context.tools.libavformat),
        ...flags("-enc_time_base 1/1000000 -frames:v 1 -f framecrc pipe:1")
      ]),
      ...(track === undefined
        ? []
        : flags(`-map ${video === null ? 0 : 1}:${track} -vn -sn -dn -frames:a 1 -f framecrc ${SECOND_OUTPUT}`))
    ]
  })
  const picture = yield* Effect.promise(async () => {
    let text = ""
    for await (const part of stdout) text += String(part)
    return text
  })
  yield* ended
  return { picture: readOne(picture, header.start_seconds), sound: readOne(sound, header.start_seconds) }
}, Effect.scoped)

/**
 * When the first picture begins, and the sound tracks that decode, in the order asked for; undefined and left out where
 * nothing decodes. Pictures and the first track are asked for together, as starting a decoder takes longer than this.
 */
export const firstDecoded = Effect.fnUntraced(function*(context: MediaContext, asked: FirstAsked) {
  const { tracks, video } = asked
  const [head] = tracks
  const both = video !== null && head !== undefined
    ? yield* first(context, asked, video, head.index)
    : { picture: undefined, sound: undefined }
  const [picture, sounds] = yield* Effect.all([
    video === null || both.picture !== undefined
      ? Effect.succeed(both)
      : first(context, asked, video, undefined),
    Effect.forEach(tracks, ({ index }, nth) =>
      nth === 0 && both.sound !== undefined
        ? Effect.succeed(asSound(index, both.sound))
        : Effect.map(
          first(context, asked, null, index),
          ({ sound }) => sound === undefined ? undefined : asSound(index, sound)
        ))
  ], { concurrency: 2 })
  return { begins: picture.picture?.t_start, sounding: sounds.filter((sound) => sound !== undefined) }
})
