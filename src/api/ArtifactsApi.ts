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
import { GraphFormat } from "../artifacts/GraphFormat.ts"
import { TranscriptFormat } from "../artifacts/TranscriptFormat.ts"
import { wire } from "../errors/ApiError.ts"
import { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../jobs/model/Job.ts"
import { Manifest, ManifestNotFound } from "../manifests/Manifest.ts"
import { JobResult } from "../reviews/model/Review.ts"
import { SpeakersAs } from "../reviews/model/SpeakerNaming.ts"

const params = { id: Schema.String }
const error = wire(JobNotFound, JobNotSucceeded, ArtifactDamaged)
const speakers = {
  speakers: SpeakersAs.annotate({
    description: "As people named them, or as the job heard them, which its manifest vouches for.",
    default: "named"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("named" as const)))
}
const reviewed = {
  reviewed: Schema.Boolean.annotate({
    description: "As the last review left it, instead of the job's own, which never changes.",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}
const query = { ...reviewed, ...speakers }
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
      ),
      ...speakers
    },
    success: [JobTranscript, text("application/x-subrip"), text("text/vtt"), text("text/plain")],
    error
  }).annotateMerge(OpenApi.annotations({
    identifier: "getTranscript",
    summary: "Read the transcript",
    description:
      "Words with their times and speakers, as JSON or as text: by `format`, else by what `Accept` likes best. A job without sound has `audio_branch: absent` and no segments."
  })),
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
  }).annotateMerge(OpenApi.annotations({
    identifier: "getFrames",
    summary: "Read the frame inventory",
    description:
      "The frames that were kept, each with its moment, cluster and perceptual hash. The number in `source_ref` is that of the sampled frame and the same in every run."
  })),
  HttpApiEndpoint.get("image", "/jobs/:id/frames/:frame_id/image", {
    params: { ...params, frame_id: Schema.String },
    success: HttpApiSchema.StreamUint8Array({ contentType: "image/jpeg" }),
    error: wire(JobNotFound, JobNotSucceeded, FrameNotFound, ArtifactDamaged)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getFrameImage",
    summary: "Read a kept frame",
    description:
      "The frame as JPEG, for showing evidence: by its id, or by the `source_ref` of a span, of which `#` is written `%23`."
  })),
  HttpApiEndpoint.get("vision", "/jobs/:id/vision", { params, success: JobVision, error }).annotateMerge(
    OpenApi.annotations({
      identifier: "getVision",
      summary: "Read the frame descriptions",
      description:
        "What is on screen in each kept frame, with the text read from it; boxes are fractions of the frame. A job without picture has `visual_branch: absent` and no frames."
    })
  ),
  HttpApiEndpoint.get("graph", "/jobs/:id/graph", {
    params,
    query: {
      view: GraphView.annotate({ default: "compact" }).pipe(
        Schema.withDecodingDefaultKey(Effect.succeed("compact" as const))
      ),
      format: Schema.optionalKey(
        Schema.Literals(["json", ...GraphFormat.literals]).annotate({
          description:
            "Default: json. `jsonld` speaks schema.org and PROV-O; `nodes_csv` and `edges_csv` are the two files of Neo4j's import."
        })
      ),
      ...speakers
    },
    success: [JobGraph, text("application/ld+json"), text("application/graphml+xml"), text("text/csv")],
    error
  }).annotateMerge(OpenApi.annotations({
    identifier: "getGraph",
    summary: "Read the knowledge graph",
    description:
      "`compact` merges mentions of the same thing and drops what nothing refers to; `canonical` has everything. Ids follow from the content. As JSON, or by `format` as text for other tools."
  })),
  HttpApiEndpoint.get("result", "/jobs/:id/result", { params, query, success: JobResult, error }).annotateMerge(
    OpenApi.annotations({
      identifier: "getResult",
      summary: "Read the result",
      description: "The typed result by itself; with `reviewed=true` as people have corrected it."
    })
  ),
  HttpApiEndpoint.get("evidence", "/jobs/:id/evidence", { params, query, success: JobEvidence, error }).annotateMerge(
    OpenApi.annotations({
      identifier: "getEvidence",
      summary: "Read the evidence spans",
      description:
        "One span for every value of the result that was extracted or derived: where in the source it comes from, word for word. What was not found is told in `unfilled`. With `reviewed=true` what people gave is of origin `person`, and what they decided on has `reviewed_by` and `revision`."
    })
  ),
  HttpApiEndpoint.get("manifest", "/jobs/:id/manifest", {
    params,
    success: Manifest,
    error: wire(JobNotFound, JobNotSucceeded, ManifestNotFound, ArtifactDamaged)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getManifest",
    summary: "Read the signed manifest",
    description: "What the job was made from and the hash of everything that it made, signed with Ed25519."
  })),
  HttpApiEndpoint.get("report", "/jobs/:id/report.html", {
    params,
    query: {
      media: Schema.optionalKey(
        Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9]{1,8}$/u)).annotate({
          description:
            "The name of the footage in the folder that the page is saved to, such as `media.mp4`; the kept frames are then looked for in its folder `frames`."
        })
      ),
      ...reviewed
    },
    success: text("text/html; charset=utf-8"),
    error
  }).annotateMerge(OpenApi.annotations({
    identifier: "getReport",
    summary: "Read the result as a page",
    description:
      "One page that shows the result beside its footage, with every script, word and style in it: it opens from a folder or a mail without a service and without the network. Kept frames are in it as far as 12 MiB hold them, cited ones first; where the footage is not beside the page, they stand in for it. With `reviewed=true` as people have corrected it, with what the job signed beside that, by which its manifest is verified."
  })),
  HttpApiEndpoint.get("export", "/jobs/:id/export", {
    params,
    success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
    error
  }).annotateMerge(OpenApi.annotations({
    identifier: "exportJob",
    summary: "Download all that a job left",
    description:
      "A zip file with the job, its schema and result, every artifact, the transcript in every format, the kept frames, and the signed manifest with the public keys: unpacked, `footnote verify` accepts it as it is. The same job is the same file, byte for byte. Takes one of the tenant's places for open streams while it is sent."
  }))
).annotateMerge(
  OpenApi.annotations({ title: "Artifacts", description: "What a succeeded job leaves. They never change." })
) {}
