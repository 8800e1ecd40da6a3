import { Schema } from "effect"
import { ApiError } from "../errors/ApiError.ts"
import { Evidence } from "./Evidence.ts"
import { Frames } from "./Frames.ts"
import { Graph } from "./Graph.ts"
import { Transcript } from "./Transcript.ts"
import { Vision } from "./Vision.ts"

const job_id = Schema.String.annotate({ description: "Form `job_<id>`." })

// What callers read: an artifact with the id of the job that it belongs to.
export const JobTranscript = Schema.Struct({ job_id, ...Transcript.fields }).annotate({ identifier: "JobTranscript" })
export const JobFrames = Schema.Struct({ job_id, ...Frames.fields }).annotate({ identifier: "JobFrames" })
export const JobVision = Schema.Struct({ job_id, ...Vision.fields }).annotate({ identifier: "JobVision" })
export const JobGraph = Schema.Struct({ job_id, ...Graph.fields }).annotate({ identifier: "JobGraph" })
export const JobEvidence = Schema.Struct({
  job_id,
  ...Evidence.fields,
  revision: Schema.optionalKey(
    Schema.Int.annotate({ description: "With `reviewed=true`: the last review that it holds, 0 where there is none." })
  )
}).annotate({ identifier: "JobEvidence" })

export class FrameNotFound extends ApiError<FrameNotFound>()("FRAME_NOT_FOUND") {}
