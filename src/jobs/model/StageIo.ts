import { Schema } from "effect"
import { EvidenceCounts } from "../../artifacts/Evidence.ts"
import { Seconds } from "../../artifacts/Moment.ts"
import { BlobRef } from "../../storage/BlobRef.ts"
import { Attested } from "./Attested.ts"
import { ModelUse } from "./Provenance.ts"

/** Every code that a worker gives a warning; a test holds the workers' code against it. */
export const WarningCode = Schema.Literals([
  "PLACEHOLDERS",
  "SPEECH_UNCLEAR",
  "NOTHING_TO_READ",
  "LANGUAGE_UNSUPPORTED",
  "SOURCE_GIVES_ORDERS",
  "DURATION_MISMATCH",
  "AUDIO_UNREADABLE",
  "AUDIO_DAMAGED",
  "AUDIO_TRACK_CHOSEN",
  "AUDIO_CHANNEL_CHOSEN",
  "VIDEO_UNREADABLE",
  "VIDEO_DAMAGED",
  "CAPTIONS_UNREADABLE",
  "DESCRIPTION_REDUCED",
  "HWACCEL_UNUSED",
  "LLM_BUDGET_SPENT",
  "LLM_UNAVAILABLE",
  "LLM_REFUSED",
  "LLM_INCOMPLETE",
  "LLM_PROMPT_CUT",
  "LLM_CONTEXT_SMALL",
  "LLM_FOUND_NOTHING"
]).annotate({
  identifier: "WarningCode",
  description:
    "`PLACEHOLDERS`: values stand in the result that the source does not support (`pointers`). `SPEECH_UNCLEAR`: the recogniser was unsure of its words. `NOTHING_TO_READ`: neither speech nor text. `LANGUAGE_UNSUPPORTED`: another language than the models know. `SOURCE_GIVES_ORDERS`: passages that speak to the machine, taken for data. `DURATION_MISMATCH`, `AUDIO_…`, `VIDEO_…`, `CAPTIONS_UNREADABLE`: what of the file could not be read, or which part of it was. `DESCRIPTION_REDUCED`, `HWACCEL_UNUSED`: done with less than the deployment has. `LLM_…`: the language model did not answer everything: it would not, was cut off or away, its tokens were spent, its server shortened what it was sent or reads little at once, or it found nothing in a rich source."
})

/** A trouble that did not stop the job; the caller reads it in `job.warnings`. */
export const Warning = Schema.Struct({
  // What a later version writes must not keep this one from reading the rest.
  code: Schema.Union([WarningCode, Schema.String]).annotate({
    description: "Which kind of trouble: one of these, or one that is added later."
  }),
  message: Schema.String.annotate({
    description: "What happened and what it means for the result, in words for people."
  }),
  pointers: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "With `PLACEHOLDERS`: JSON pointers into the result, the first 20."
    })
  )
}).annotate({ identifier: "Warning", description: "A trouble that did not stop the job." })
export type Warning = typeof Warning.Type

/** What the file is, as measured, not as its header claims. */
export const SourceFacts = Schema.Struct({
  container: Schema.String,
  duration_seconds: Seconds,
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  frame_rate: Schema.NullOr(Schema.Finite),
  audio: Schema.NullOr(Schema.String),
  video: Schema.NullOr(Schema.String),
  size_bytes: Schema.Int,
  sha256: Schema.String
}).annotate({ identifier: "Source" })
export type SourceFacts = typeof SourceFacts.Type

const Warnings = Schema.Array(Warning)
/** The models that a task ran, from which files, and on what. */
const Models = Schema.Array(ModelUse)

/**
 * The video stream as the decoder needs it: its number in the file, `rotation` in degrees clockwise, when its first picture
 * begins, its transfer characteristics and colour matrix where they are told, and the longest time in seconds that passes from one picture
 * to the next and from one key picture to the next.
 */
const VideoStream = Schema.Struct({
  index: Schema.Int,
  codec: Schema.String,
  width: Schema.Int,
  height: Schema.Int,
  rotation: Schema.Int,
  frame_rate: Schema.NullOr(Schema.Finite),
  t_start: Schema.Finite,
  interlaced: Schema.Boolean,
  transfer: Schema.NullOr(Schema.String),
  matrix: Schema.NullOr(Schema.String),
  longest_gap: Schema.Finite,
  longest_key_gap: Schema.NullOr(Schema.Finite)
})

/** A file as the probe saw it: how to open it again (`demuxer`) and what is worth decoding. */
export const Probe = Schema.Struct({
  source: BlobRef,
  demuxer: Schema.String,
  facts: SourceFacts,
  video: Schema.NullOr(VideoStream),
  has_audio: Schema.Boolean,
  /** The sound tracks that decode, as they are preferred, and when each begins in seconds; before 0 it is cut. */
  audio_streams: Schema.Array(
    Schema.Struct({ index: Schema.Int, channels: Schema.Int, t_start: Schema.Finite })
  ),
  caption_streams: Schema.Array(Schema.Struct({ index: Schema.Int, language: Schema.NullOr(Schema.String) }))
})
export type Probe = typeof Probe.Type

/**
 * What each stage is given and what it leaves: small JSON with references, never bytes. The keys are the stage names
 * that callers see in `progress.stages`, in pipeline order.
 */
export const StageIo = {
  /** Source URI → the file in the blob store; a job that is run again has the bytes of before. */
  fetch: {
    input: Schema.Struct({ source_uri: Schema.String, kept_source: Schema.optionalKey(BlobRef) }),
    output: Schema.Struct({ source: BlobRef, warnings: Warnings })
  },
  /** File → what is in it. */
  probe: {
    input: Schema.Struct({ source: BlobRef }),
    output: Schema.Struct({
      probe: Probe,
      warnings: Warnings,
      /** Which decoder this is; workers of an earlier version did not tell. */
      decoder: Schema.optionalKey(Schema.String)
    })
  },
  /** File → 16 kHz mono s16le. `pcm` is null where the stream held no readable sound. */
  audio: {
    input: Schema.Struct({ probe: Probe }),
    output: Schema.Struct({ pcm: Schema.NullOr(BlobRef), duration_seconds: Seconds, warnings: Warnings })
  },
  /** File → embedded caption cues: `captions` refers to JSON `Cues`. */
  captions: {
    input: Schema.Struct({ probe: Probe }),
    output: Schema.Struct({ captions: Schema.NullOr(BlobRef), warnings: Warnings })
  },
  /** File → `inventory` (JSON `Frames`) and `images` (JSON `KeptImages`: one JPEG blob per kept frame). */
  frames: {
    input: Schema.Struct({ probe: Probe }),
    output: Schema.Struct({
      inventory: BlobRef,
      images: BlobRef,
      sampled: Schema.Int,
      kept: Schema.Int,
      duration_seconds: Seconds,
      warnings: Warnings
    })
  },
  /** PCM → `speech` (JSON `SpeechIntervals`) and the chunks, cut at pauses, that are recognised on their own. */
  detect_speech: {
    input: Schema.Struct({ pcm: BlobRef, duration_seconds: Seconds }),
    output: Schema.Struct({
      speech: BlobRef,
      chunks: Schema.Int,
      speech_seconds: Seconds,
      /** JSON `PackedActivity`, where the stack hears who of several speaks when. */
      turns: Schema.optionalKey(BlobRef),
      /** Of what hears the turns. */
      model_seconds: Schema.optionalKey(Seconds),
      models: Models,
      warnings: Warnings
    })
  },
  /** One chunk → `words` (JSON `RecognisedChunk`: turns with words and a speaker embedding each). */
  transcribe: {
    input: Schema.Struct({ pcm: BlobRef, speech: BlobRef, chunk: Schema.Int }),
    output: Schema.Struct({ words: BlobRef, model_seconds: Seconds, models: Models })
  },
  /** All chunks, captions and what is on the screen (`describe`'s outputs) → `transcript` (JSON `Transcript`). */
  diarize: {
    input: Schema.Struct({
      words: Schema.Array(BlobRef),
      /** Of `detect_speech`, where it left any. */
      turns: Schema.optionalKey(BlobRef),
      captions: Schema.NullOr(BlobRef),
      descriptions: Schema.Array(BlobRef),
      duration_seconds: Seconds,
      has_audio: Schema.Boolean
    }),
    output: Schema.Struct({ transcript: BlobRef, warnings: Warnings })
  },
  /** Kept images `[from, to)` → `descriptions` (JSON array of `FrameDescription`). Workers of an earlier version gave no warnings. */
  describe: {
    input: Schema.Struct({ images: BlobRef, from: Schema.Int, to: Schema.Int }),
    output: Schema.Struct({
      descriptions: BlobRef,
      model_seconds: Seconds,
      models: Models,
      warnings: Schema.optionalKey(Warnings)
    })
  },
  /** Everything → the artifacts and the typed result. */
  extract: {
    input: Schema.Struct({
      facts: SourceFacts,
      transcript: BlobRef,
      inventory: Schema.NullOr(BlobRef),
      /** Absent where `vision` holds them: a worker that does not know that refuses the task. */
      descriptions: Schema.optionalKey(Schema.Array(BlobRef)),
      /** JSON `Vision` of an earlier job: this and its `transcript` and `inventory` are stored artifacts. */
      vision: Schema.optionalKey(BlobRef),
      /** Who wrote the descriptions; absent in a task of an earlier version. */
      vision_model: Schema.optionalKey(Schema.NullOr(Schema.String)),
      /** JSON `KeptImages`; absent in a task of an earlier version. */
      images: Schema.optionalKey(Schema.NullOr(BlobRef))
    }),
    output: Schema.Struct({
      transcript: BlobRef,
      frames: BlobRef,
      vision: BlobRef,
      graph: BlobRef,
      graph_compact: BlobRef,
      evidence: BlobRef,
      result: BlobRef,
      /** JSON `KeptImages` below the task's own prefix, where they were an earlier job's. */
      images: Schema.optionalKey(BlobRef),
      result_confidence: Schema.NullOr(Schema.Finite),
      /** Workers of an earlier version did not count. */
      counts: Schema.optionalKey(EvidenceCounts),
      model_seconds: Seconds,
      /** What a model behind an address read and wrote, and its price. */
      tokens: Schema.Int,
      cost: Schema.Finite,
      models: Models,
      warnings: Warnings,
      /** Workers of an earlier version attested nothing. */
      attested: Schema.optionalKey(Attested)
    })
  }
} as const

export type StageName = keyof typeof StageIo
export type StageInput<S extends StageName> = (typeof StageIo)[S]["input"]["Type"]
export type StageOutput<S extends StageName> = (typeof StageIo)[S]["output"]["Type"]

/** Embedded captions, as read from the file. */
export const Cues = Schema.Array(Schema.Struct({
  t_start: Seconds,
  t_end: Seconds,
  text: Schema.String,
  language: Schema.NullOr(Schema.String)
}))
export type Cues = typeof Cues.Type

/** The kept frames' images in time order. */
export const KeptImages = Schema.Array(Schema.Struct({
  index: Schema.Int,
  timestamp: Seconds,
  width: Schema.Int,
  height: Schema.Int,
  image: BlobRef
}))
export type KeptImages = typeof KeptImages.Type
