import { Schema } from "effect"
import { Transcript } from "../../src/artifacts/Transcript.ts"
import { TenantId } from "../../src/identity/Id.ts"
import { JobHints } from "../../src/jobs/model/JobSpec.ts"
import { ModelRun } from "../../src/jobs/model/Provenance.ts"
import { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { computeCalls } from "../compute/ComputeCall.ts"
import { HeardChunk } from "./asr/RecognisedChunk.ts"
import { PackedActivity } from "./asr/SpeakerActivity.ts"
import { Chunk } from "./vad/Chunks.ts"

/** What the lane's child process is asked and answers; every file by absolute path. */
export const speechCalls = computeCalls({
  detect_speech: {
    input: Schema.Struct({ pcm: Schema.String, roles: Schema.Struct({ vad: ResolvedModel }) }),
    output: Schema.Struct({
      chunks: Schema.Array(Chunk),
      speech_seconds: Schema.Finite,
      models: Schema.Array(ModelRun)
    })
  },

  track_speakers: {
    input: Schema.Struct({
      /** The network is shared out fairly between tenants. */
      tenant_id: TenantId,
      pcm: Schema.String,
      roles: Schema.Struct({ turns: ResolvedModel })
    }),
    output: Schema.Struct({
      activity: PackedActivity,
      model_seconds: Schema.Finite,
      models: Schema.Array(ModelRun)
    })
  },

  transcribe: {
    input: Schema.Struct({
      /** Models are shared out fairly between tenants. */
      tenant_id: TenantId,
      pcm: Schema.String,
      /** JSON: the chunks of `detect_speech`. */
      speech: Schema.String,
      chunk: Schema.Int,
      terms: Schema.Array(Schema.String),
      /** Base tag of the language that the caller says is spoken. */
      language: Schema.NullOr(Schema.String),
      recognises: Schema.Boolean,
      roles: Schema.Struct({ asr: ResolvedModel, speaker: ResolvedModel })
    }),
    output: Schema.Struct({
      recognised: HeardChunk,
      model_seconds: Schema.Finite,
      models: Schema.Array(ModelRun)
    })
  },

  diarize: {
    input: Schema.Struct({
      /** JSON: one `HeardChunk` each. */
      words: Schema.Array(Schema.String),
      /** JSON: `PackedActivity`; null where the stack has no such model, or it was not asked. */
      turns: Schema.NullOr(Schema.String),
      /** JSON: `Cues`. */
      captions: Schema.NullOr(Schema.String),
      /** JSON: `FrameDescription`s, in time order. */
      descriptions: Schema.Array(Schema.String),
      duration_seconds: Schema.Finite,
      hints: JobHints,
      /** Words and names that were expected before anything was seen. */
      terms: Schema.Array(Schema.String),
      /** The recogniser that heard the words; null where it knew no word of the language. */
      recogniser: Schema.NullOr(ResolvedModel)
    }),
    output: Schema.Struct({ transcript: Transcript })
  }
})
