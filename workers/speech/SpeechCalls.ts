import type { Transcript } from "../../src/artifacts/Transcript.ts"
import type { JobHints } from "../../src/jobs/JobSpec.ts"
import type { Chunk } from "./Chunks.ts"
import type { RecognisedChunk } from "./RecognisedChunk.ts"

/** What the lane's child process is asked and answers; every file by absolute path. */
export interface DetectSpeechCall {
  readonly input: { readonly pcm: string }
  readonly output: { readonly chunks: ReadonlyArray<Chunk>; readonly speech_seconds: number }
}

export interface TranscribeCall {
  readonly input: {
    readonly pcm: string
    /** JSON: the chunks of `detect_speech`. */
    readonly speech: string
    readonly chunk: number
    readonly terms: ReadonlyArray<string>
    readonly recognises: boolean
  }
  readonly output: { readonly recognised: RecognisedChunk; readonly model_seconds: number }
}

export interface DiarizeCall {
  readonly input: {
    /** JSON: one `RecognisedChunk` each. */
    readonly words: ReadonlyArray<string>
    /** JSON: `Cues`. */
    readonly captions: string | null
    readonly duration_seconds: number
    readonly hints: JobHints
  }
  readonly output: { readonly transcript: Transcript }
}
