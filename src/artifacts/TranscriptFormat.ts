import { Schema } from "effect"
import { toCtm, toRttm, toStm } from "./ScoringFiles.ts"
import { toSrt, toText, toVtt } from "./Subtitles.ts"
import type { Transcript } from "./Transcript.ts"

/** What a transcript can be written as, besides JSON. */
export const TranscriptFormat = Schema.Literals(["srt", "vtt", "txt", "stm", "ctm", "rttm"])
export type TranscriptFormat = typeof TranscriptFormat.Type

interface Written {
  readonly contentType: string
  /** `name` is what the formats for scoring call the recording. */
  readonly render: (transcript: Transcript, name: string) => string
}

/** How each format is written and sent. The formats for scoring have no media type of their own. */
export const transcriptFormats: Readonly<Record<TranscriptFormat, Written>> = {
  srt: { render: toSrt, contentType: "application/x-subrip; charset=utf-8" },
  vtt: { render: toVtt, contentType: "text/vtt; charset=utf-8" },
  txt: { render: toText, contentType: "text/plain; charset=utf-8" },
  stm: { render: toStm, contentType: "text/plain; charset=utf-8" },
  ctm: { render: toCtm, contentType: "text/plain; charset=utf-8" },
  rttm: { render: toRttm, contentType: "text/plain; charset=utf-8" }
}
