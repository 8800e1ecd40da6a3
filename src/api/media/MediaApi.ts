import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "../../errors/ApiError.ts"
import { JobNotFound, JobNotSucceeded } from "../../jobs/model/Job.ts"
import { CreateMediaLink, MediaLink } from "../../media/MediaLink.ts"
import { RangeNotSatisfiable } from "../../media/RangeNotSatisfiable.ts"
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
  HttpApiEndpoint.post("createLink", "/jobs/:id/media-links", {
    params,
    payload: CreateMediaLink,
    success: MediaLink.pipe(HttpApiSchema.status(201)),
    error: wire(JobNotFound, JobNotSucceeded, SourceErased)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createMediaLink",
    summary: "Make a link to the media",
    description:
      "A signed address that opens one job's media without a key, for a player that cannot send one: for an hour at most, and no longer than the job and its source are there. What is sent by it counts for the tenant. A link that is forged, over, or of a job that is gone is answered as one to nothing."
  }))
).annotateMerge(
  OpenApi.annotations({ title: "Media", description: "What a succeeded job was made of, to be looked at." })
) {}
