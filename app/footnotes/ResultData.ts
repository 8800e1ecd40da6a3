import type {
  Evidence,
  Frame as GeneratedFrame,
  FrameDescription,
  GraphEdge,
  GraphNode,
  JobTranscript,
  Manifest,
  Review
} from "../../clients/typescript/src/generated/types.ts"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

export type JsonObject = { readonly [name: string]: Json }

export type Frame = Pick<GeneratedFrame, "id" | "source_ref" | "timestamp" | "width" | "height">

/** What is read of a job's record here; all of it is shown. */
interface JobFacts {
  readonly id: string
  readonly title?: string | null
  readonly source_name?: string | null
  readonly source_uri: string
  readonly created_at: string
  readonly precision?: string
  readonly model_stack: string
  readonly source: {
    readonly container: string
    readonly duration_seconds: number
    readonly width?: number | null
    readonly height?: number | null
    readonly audio?: string | null
    readonly size_bytes: number
    readonly sha256: string
  } | null
  readonly result_confidence: number | null
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: string }>
  readonly provenance: {
    readonly models: ReadonlyArray<
      { readonly name: string; readonly role: string; readonly execution_provider: string }
    >
  } | null
}

/** Everything that the result screen shows, whether a service answered it or it lies in the page itself. */
export interface ResultData {
  readonly job: JobFacts
  /** The last review that `result` and `evidence` hold; 0 or absent where they are the job's own. */
  readonly revision?: number
  readonly result: Json
  readonly json_schema: Json
  /** What people decided on it, newest first, as far as it was read; absent where nobody can review it. */
  readonly reviews?: ReadonlyArray<Review>
  readonly evidence: Pick<Evidence, "spans" | "unfilled" | "counts">
  readonly transcript: Omit<JobTranscript, "job_id">
  /** The kept ones, in time order. */
  readonly frames: ReadonlyArray<Frame>
  readonly vision: ReadonlyArray<FrameDescription>
  readonly graph: { readonly nodes: ReadonlyArray<GraphNode>; readonly edges: ReadonlyArray<GraphEdge> }
  readonly manifest: Manifest | null
  readonly signing_keys: JsonObject | null
}

/** What was made of a job, by the names of the signed manifest, as far as it is at hand. */
export type ManifestSubjects = ReadonlyMap<string, () => Promise<unknown>>

/** Where the footage and its pictures are. */
export interface Footage {
  readonly media_url: string | null
  /** Why there is none, as the beginning of a sentence. */
  readonly absent: string
  /** Has what every browser can play made of it, and says where that is; absent where there is nobody to make it. */
  readonly preview?: (tell: (fraction: number) => void, signal: AbortSignal) => Promise<string>
  readonly frame_url: (frame_id: string) => string | null
  /** Cuts a part of it into a file of its own, and gives it to the reader; absent where there is nobody to cut it. */
  readonly clip?: (span: { readonly t_start: number; readonly t_end: number }, format: "mp4" | "gif") => Promise<void>
}
