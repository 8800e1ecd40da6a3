import type { Transcript } from "../../src/artifacts/Transcript.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import type { JobHints } from "../../src/jobs/model/JobSpec.ts"
import type { ModelRun } from "../../src/jobs/model/Provenance.ts"
import type { RecognisedChunk } from "./asr/RecognisedChunk.ts"
import type { SpeechRoles } from "./asr/SpeechRoles.ts"
import type { Chunk } from "./vad/Chunks.ts"

/** What the lane's child process is asked and answers; every file by absolute path. */
export interface DetectSpeechCall {
  readonly input: { readonly pcm: string; readonly roles: Pick<SpeechRoles, "vad"> }
  readonly output: {
    readonly chunks: ReadonlyArray<Chunk>
    readonly speech_seconds: number
    readonly models: ReadonlyArray<ModelRun>
  }
}

export interface TranscribeCall {
  readonly input: {
    /** Models are shared out fairly between tenants. */
    readonly tenant_id: TenantId
    readonly pcm: string
    /** JSON: the chunks of `detect_speech`. */
    readonly speech: string
    readonly chunk: number
    readonly terms: ReadonlyArray<string>
    /** Base tag of the language that the caller says is spoken. */
    readonly language: string | null
    readonly recognises: boolean
    readonly roles: Pick<SpeechRoles, "asr" | "speaker">
  }
  readonly output: {
    readonly recognised: RecognisedChunk
    readonly model_seconds: number
    readonly models: ReadonlyArray<ModelRun>
  }
}

export interface DiarizeCall {
  readonly input: {
    /** JSON: one `RecognisedChunk` each. */
    readonly words: ReadonlyArray<string>
    /** JSON: `Cues`. */
    readonly captions: string | null
    /** JSON: `FrameDescription`s, in time order. */
    readonly descriptions: ReadonlyArray<string>
    readonly duration_seconds: number
    readonly hints: JobHints
    /** Words and names that were expected before anything was seen. */
    readonly terms: ReadonlyArray<string>
    /** The recogniser that heard the words; null where it knew no word of the language. */
    readonly recogniser: SpeechRoles["asr"] | null
  }
  readonly output: { readonly transcript: Transcript }
}
