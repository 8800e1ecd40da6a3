import { Effect } from "effect"
import { systemFailure } from "../../engine/FromStore.ts"
import { PacketTable, type PacketTimes } from "../codec/PacketTable.ts"
import { flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { runMedia } from "../ffmpeg/MediaProcess.ts"

/** What a file's packets say, by the number of the stream in the file. */
interface PacketScan {
  /** What the decoder printed, the header included. */
  readonly messages: string
  /** Of the sound and moving-picture streams; cover art is not among them. One without packets is all zeroes. */
  readonly streams: ReadonlyMap<number, PacketTimes>
}

const none: PacketTimes = { packets: 0, last: 0, end: 0, longest_gap: 0, longest_key_gap: null }

/** Its line in the decoder's list of what goes where. */
const copied = /^ {2}Stream #0:(\d+) -> #0:(\d+)/gmu

/**
 * Reads every packet without decoding it: real times instead of what the header claims, about 500 times real time. What
 * cannot be read is missing; fails with `STAGE_TIMEOUT` when that takes a minute more than 20 MB/s.
 */
export const scanPackets = Effect.fnUntraced(function*(
  context: MediaContext,
  demuxer: string,
  size_bytes: number,
  file: string
) {
  const { ended, messages, stdout } = yield* runMedia(context.tools, {
    program: "ffmpeg",
    input: file,
    wall_seconds: 60 + size_bytes / 20e6,
    args: [
      ...inputArguments(demuxer, context.limits),
      ...flags("-map 0:V? -map 0:a? -c copy -flush_packets 0 -f framecrc -")
    ]
  })
  const table = new PacketTable()
  yield* Effect.tryPromise({
    try: async () => {
      stdout.setEncoding("latin1")
      for await (const text of stdout as AsyncIterable<string>) table.push(text)
    },
    catch: systemFailure("Reading packets")
  })
  yield* ended
  const text = messages()
  const { streams } = table
  const scan: PacketScan = {
    messages: text,
    streams: new Map(
      [...text.matchAll(copied)].map(([, from, to]) => [Number(from), streams.get(Number(to)) ?? none] as const)
    )
  }
  return scan
}, Effect.scoped)
