import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { FrameNotFound } from "../../artifacts/ArtifactViews.ts"
import { wire } from "../../errors/ApiError.ts"
import { InvalidRequest, RateLimited, ServiceUnavailable } from "../../errors/RequestErrors.ts"
import { idempotencyHeader, keyRefusals } from "../../idempotency/IdempotencyKey.ts"
import { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../../jobs/model/Job.ts"
import { CreateMediaLink, MediaLink } from "../../media/MediaLink.ts"
import { RangeNotSatisfiable } from "../../media/RangeNotSatisfiable.ts"
import { ClipFormat, Preview, RenditionFailed, RenditionNotReady } from "../../media/Rendition.ts"
import { SourceErased } from "../../media/SourceMedia.ts"

const params = { id: Schema.String }
const rangeHeaders = {
  range: Schema.optionalKey(Schema.String.annotate({
    description: "One range of bytes, such as `bytes=0-1023`; several are answered with the whole."
  })),
  "if-range": Schema.optionalKey(Schema.String.annotate({
    description: "The entity tag that the caller has begun with; where it is another one, the whole is sent."
  }))
}
const Moment = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const partErrors = [
  JobNotFound,
  JobNotSucceeded,
  InvalidRequest,
  RateLimited,
  ServiceUnavailable,
  RangeNotSatisfiable
] as const

/** Answered with 206 where a range was asked for, which a description of one stream cannot say beside the 200. */
const bytes = (contentType: string) => HttpApiSchema.StreamUint8Array({ contentType })

export class MediaApi extends HttpApiGroup.make("media").add(
  HttpApiEndpoint.get("media", "/jobs/:id/media", {
    params,
    headers: rangeHeaders,
    success: bytes("application/octet-stream"),
    error: wire(JobNotFound, JobNotSucceeded, SourceErased, RangeNotSatisfiable)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getMedia",
    summary: "Play the source",
    description:
      "The bytes that the job was made of, with `Range` (answered by 206), `If-Range`, `ETag` and `HEAD`, as the media type of the container that was found in them. What was fetched from an address is kept as long as the job; an upload for its 7 days, or until it is deleted: then 410 `SOURCE_ERASED`, while the transcript, kept frames and evidence remain. A job that was extracted from another one has that one's source. Takes one of the tenant's places for open streams while it is sent."
  })),
  HttpApiEndpoint.get("preview", "/jobs/:id/preview", {
    params,
    success: Preview,
    error: wire(JobNotFound, JobNotSucceeded, SourceErased)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getPreview",
    summary: "See how the preview stands",
    description: "Whether there is something that every browser plays, how far it is, and what the source itself is."
  })),
  HttpApiEndpoint.post("requestPreview", "/jobs/:id/preview", {
    params,
    headers: idempotencyHeader,
    success: [Preview.pipe(HttpApiSchema.status(202)), Preview.pipe(HttpApiSchema.status(200))],
    error: wire(JobNotFound, JobNotSucceeded, SourceErased, RateLimited, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createPreview",
    summary: "Have a preview made",
    description:
      "Of a source that browsers cannot play (HEVC, AV1 on old machines, MPEG-2, odd containers, pictures at odd times): H.264 and AAC in fragmented MP4, 720 lines at most, whose moments are those of the source within one picture. Made by a media worker, kept as long as the source and the job, and counted in the tenant's storage. 202 while it is being made, 200 once it is there. Idempotent by itself: it is made once. Sent again under its `Idempotency-Key` it answers 200 with how the preview stands now."
  })),
  HttpApiEndpoint.get("previewMedia", "/jobs/:id/preview/media", {
    params,
    headers: rangeHeaders,
    success: bytes("video/mp4"),
    error: wire(JobNotFound, JobNotSucceeded, SourceErased, RenditionNotReady, RangeNotSatisfiable)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getPreviewMedia",
    summary: "Play the preview",
    description: "As the source is played; 409 `RENDITION_NOT_READY` before it has been made."
  })),
  HttpApiEndpoint.get("frameAt", "/jobs/:id/frames/at", {
    params,
    headers: rangeHeaders,
    query: { t: Moment.annotate({ description: "The moment, in seconds of the source." }) },
    success: bytes("image/jpeg"),
    error: wire(...partErrors, FrameNotFound, ArtifactDamaged)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getFrameAt",
    summary: "See the picture of a moment",
    description:
      "The picture that stands at that moment as JPEG, made from the source by a media worker and kept for a day: `X-Frame-Timestamp` is the moment, `X-Frame-Origin` `source`. Where the source is gone, or has no picture there, the kept frame nearest to it, with its own moment and `kept`. 503 with `Retry-After` where it takes longer than a request may: the next one finds it."
  })),
  HttpApiEndpoint.get("clip", "/jobs/:id/clips", {
    params,
    headers: rangeHeaders,
    query: {
      t_start: Moment.annotate({ description: "Where the clip begins, in seconds of the source." }),
      t_end: Moment.annotate({ description: "Where it ends: 60 s later at most." }),
      format: ClipFormat.annotate({
        description: "`mp4` with sound, or `gif` of ten small pictures a second.",
        default: "mp4"
      }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("mp4" as const)))
    },
    success: bytes("video/mp4"),
    error: wire(...partErrors, SourceErased, RenditionFailed)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getClip",
    summary: "Cut a clip",
    description:
      "A part of the source, made by a media worker and kept for a day. 503 with `Retry-After` where it takes longer than a request may: the next one finds it. 422 `RENDITION_FAILED` where it cannot be made, which nobody tries again for a minute."
  })),
  HttpApiEndpoint.post("createLink", "/jobs/:id/media-links", {
    params,
    headers: idempotencyHeader,
    payload: CreateMediaLink,
    success: [MediaLink.pipe(HttpApiSchema.status(201)), MediaLink.pipe(HttpApiSchema.status(200))],
    error: wire(JobNotFound, JobNotSucceeded, SourceErased, RenditionNotReady, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createMediaLink",
    summary: "Make a link to the media",
    description:
      "A signed address that opens one job's media without a key, for a player that cannot send one: for an hour at most, and no longer than the job and its source are there. What is sent by it counts for the tenant. A link that is forged, over, or of a job that is gone is answered as one to nothing. Under an `Idempotency-Key` the same link is told until it is over."
  }))
).annotateMerge(
  OpenApi.annotations({ title: "Media", description: "What a succeeded job was made of, to be looked at." })
) {}
