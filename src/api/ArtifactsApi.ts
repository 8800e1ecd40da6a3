import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  FrameNotFound,
  JobEvidence,
  JobFrames,
  JobGraph,
  JobTranscript,
  JobVision
} from "../artifacts/ArtifactViews.ts"
import { GraphView } from "../artifacts/Graph.ts"
import { TranscriptFormat } from "../artifacts/TranscriptFormat.ts"
import { wire } from "../errors/ApiError.ts"
import { JobNotFound, JobNotSucceeded } from "../jobs/Job.ts"
import { Manifest, ManifestNotFound } from "../manifests/Manifest.ts"

const params = { id: Schema.String }
const error = wire(JobNotFound, JobNotSucceeded)
const text = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))

export class ArtifactsApi extends HttpApiGroup.make("artifacts").add(
  HttpApiEndpoint.get("transcript", "/jobs/:id/transcript", {
    params,
    query: {
      format: Schema.optionalKey(
        Schema.Literals(["json", ...TranscriptFormat.literals]).annotate({
          description:
            "Default: what `Accept` asks for, else json. Subtitles are `srt` and `vtt`; `stm`, `ctm` and `rttm` "
            + "are NIST's formats for scoring words, their times and speakers."
        })
      )
    },
    success: [JobTranscript, text("application/x-subrip"), text("text/vtt"), text("text/plain")],
    error
  }).annotateMerge(OpenApi.annotations({ identifier: "getTranscript", summary: "Read the transcript" })),
  HttpApiEndpoint.get("frames", "/jobs/:id/frames", {
    params,
    query: {
      include_raw: Schema.Boolean.annotate({
        description: "Also the sampled frames that were not kept.",
        default: false
      }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
    },
    success: JobFrames,
    error
  }).annotateMerge(OpenApi.annotations({ identifier: "getFrames", summary: "Read the frame inventory" })),
  HttpApiEndpoint.get("image", "/jobs/:id/frames/:frame_id/image", {
    params: { ...params, frame_id: Schema.String },
    success: HttpApiSchema.StreamUint8Array({ contentType: "image/jpeg" }),
    error: wire(JobNotFound, JobNotSucceeded, FrameNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getFrameImage",
    summary: "Read a kept frame",
    description: "The frame as JPEG, for showing evidence."
  })),
  HttpApiEndpoint.get("vision", "/jobs/:id/vision", { params, success: JobVision, error }).annotateMerge(
    OpenApi.annotations({ identifier: "getVision", summary: "Read the frame descriptions" })
  ),
  HttpApiEndpoint.get("graph", "/jobs/:id/graph", {
    params,
    query: {
      view: GraphView.annotate({ default: "compact" }).pipe(
        Schema.withDecodingDefaultKey(Effect.succeed("compact" as const))
      )
    },
    success: JobGraph,
    error
  }).annotateMerge(OpenApi.annotations({ identifier: "getGraph", summary: "Read the knowledge graph" })),
  HttpApiEndpoint.get("evidence", "/jobs/:id/evidence", { params, success: JobEvidence, error }).annotateMerge(
    OpenApi.annotations({ identifier: "getEvidence", summary: "Read the evidence spans" })
  ),
  HttpApiEndpoint.get("manifest", "/jobs/:id/manifest", {
    params,
    success: Manifest,
    error: wire(JobNotFound, JobNotSucceeded, ManifestNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getManifest",
    summary: "Read the signed manifest",
    description: "What the job was made from and the hash of everything that it made, signed with Ed25519."
  }))
).annotateMerge(
  OpenApi.annotations({ title: "Artifacts", description: "What a succeeded job leaves. They never change." })
) {}
