import { Effect } from "effect"
import type { Warning } from "../../../src/jobs/model/StageIo.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore } from "../../engine/FromStore.ts"
import type { StageHandler } from "../../engine/Stage.ts"
import { flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { runMedia } from "../ffmpeg/MediaProcess.ts"
import { readHeaderText } from "../probe/HeaderText.ts"
import { readCues } from "./CaptionText.ts"
import { type CaptionTrack, oneOfEachLanguage } from "./CaptionTracks.ts"

/** More tracks than this are translations of the same words. */
const MAX_TRACKS = 8
/** Four hours of dense captions are about 1 MB. */
const MAX_CHARACTERS = 16e6

/** The words of one track, undefined where they are too many, and what the decoder prints of it in front of them. */
const readTrack = Effect.fnUntraced(
  function*(context: MediaContext, demuxer: string, file: string, index: number, wall_seconds: number) {
    const { ended, messages, stdout } = yield* runMedia(context.tools, {
      program: "ffmpeg",
      input: file,
      wall_seconds,
      args: [
        ...inputArguments(demuxer, context.limits),
        ...flags(`-nostats -map 0:${index} -c:s webvtt -f webvtt -`)
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
    return { text, header: readHeaderText(messages()).streams.find((stream) => stream.index === index) }
  },
  Effect.scoped
)

/**
 * Reads the embedded text captions of one track per language (of at most 8 tracks) in time order. `captions` is null where there are none; a
 * track that cannot be read or is absurdly large is left out with a warning. Never fails because of the captions' own
 * content.
 */
export const makeCaptions = Effect.fnUntraced(function*(context: MediaContext) {
  const blobs = yield* Blobs
  const handler: StageHandler<"captions"> = Effect.fn("captions")(function*({ blobPrefix, input: { probe } }) {
    const tracks = probe.caption_streams.slice(0, MAX_TRACKS)
    if (tracks.length === 0) return { captions: null, warnings: [] }
    const file = yield* fromStore(blobFile(blobs, probe.source))
    const read: Array<CaptionTrack> = []
    const warnings: Array<Warning> = []
    for (const { index, language } of tracks) {
      const wall_seconds = 60 + probe.source.size_bytes / 20e6
      const { header, text } = yield* readTrack(context, probe.demuxer, file, index, wall_seconds)
      const cues = readCues(text ?? "", language, probe.facts.duration_seconds)
      read.push({
        language,
        is_default: header?.is_default === true,
        is_forced: header?.is_forced === true,
        cues
      })
      if (cues.length === 0) {
        warnings.push({ code: "CAPTIONS_UNREADABLE", message: `Caption track ${index} holds no readable cue.` })
      }
    }
    // The sort is stable: cues of the same moment stay in track order.
    const cues = oneOfEachLanguage(read).flatMap((track) => track.cues).toSorted((a, b) => a.t_start - b.t_start)
    if (cues.length === 0) return { captions: null, warnings }
    const captions = yield* fromStore(
      blobs.put(`${blobPrefix}/captions.json`, Buffer.from(JSON.stringify(cues)))
    )
    return { captions, warnings }
  })
  return handler
})
