import { Effect } from "effect"
import type { Cues, Warning } from "../../../src/jobs/model/StageIo.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore } from "../../engine/FromStore.ts"
import type { StageHandler } from "../../engine/Stage.ts"
import { flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { runMedia } from "../ffmpeg/MediaProcess.ts"
import { readCues } from "./CaptionText.ts"

/** More tracks than this are translations of the same words. */
const MAX_TRACKS = 8
/** Four hours of dense captions are about 1 MB. */
const MAX_CHARACTERS = 16e6

const trackText = Effect.fnUntraced(
  function*(context: MediaContext, demuxer: string, file: string, index: number, wall_seconds: number) {
    const { ended, stdout } = yield* runMedia(context.tools, {
      program: "ffmpeg",
      input: file,
      wall_seconds,
      args: [
        ...flags("-v error"),
        ...inputArguments(demuxer, context.limits),
        ...flags(`-map 0:${index} -c:s webvtt -f webvtt -`)
      ]
    })
    const text = yield* Effect.promise(async () => {
      let all = ""
      stdout.setEncoding("utf8")
      for await (const part of stdout) {
        all += part
        if (all.length > MAX_CHARACTERS) return undefined
      }
      return all
    })
    if (text !== undefined) yield* ended
    return text
  },
  Effect.scoped
)

/**
 * Reads the embedded text captions of all tracks (at most 8) in time order. `captions` is null where there are none; a
 * track that cannot be read or is absurdly large is left out with a warning. Never fails because of the captions' own
 * content.
 */
export const makeCaptions = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const handler: StageHandler<"captions"> = Effect.fn("captions")(function*({ blobPrefix, input: { probe } }) {
    const tracks = probe.caption_streams.slice(0, MAX_TRACKS)
    if (tracks.length === 0) return { captions: null, warnings: [] }
    const file = yield* fromStore(blobFile(blobs, probe.source))
    const cues: Array<Cues[number]> = []
    const warnings: Array<Warning> = []
    for (const { index, language } of tracks) {
      const wall_seconds = 60 + probe.source.size_bytes / 20e6
      const text = yield* trackText(context, probe.demuxer, file, index, wall_seconds)
      const found = readCues(text ?? "", language, probe.facts.duration_seconds)
      cues.push(...found)
      if (found.length === 0) {
        warnings.push({ code: "CAPTIONS_UNREADABLE", message: `Caption track ${index} holds no readable cue.` })
      }
    }
    if (cues.length === 0) return { captions: null, warnings }
    // The sort is stable: cues of the same moment stay in track order.
    cues.sort((a, b) => a.t_start - b.t_start)
    const captions = yield* fromStore(
      blobs.put(`${blobPrefix}/captions.json`, Buffer.from(JSON.stringify(cues)))
    )
    return { captions, warnings }
  })
  return handler
})
