import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"

export class RenditionNotReady extends ApiError<RenditionNotReady>()("RENDITION_NOT_READY") {}
export class RenditionFailed extends ApiError<RenditionFailed>()("RENDITION_FAILED") {}

/** How a preview stands, and what there is to play besides. */
export const Preview = Schema.Struct({
  status: Schema.Literals(["absent", "queued", "running", "ready", "failed"]).annotate({
    description:
      "`absent`: nobody has asked for it. `queued`, `running`: it is being made. `ready`: `url` plays it. `failed`: `message` says why; ask for it again to try again."
  }),
  fraction: Schema.Finite.annotate({ description: "How much of it has been made, 0 to 1." }),
  url: Schema.NullOr(Schema.String).annotate({ description: "Where it is played, once it is ready." }),
  message: Schema.NullOr(Schema.String).annotate({ description: "Why it could not be made." }),
  source: Schema.Struct({
    url: Schema.String.annotate({ description: "Where the source itself is played." }),
    content_type: Schema.String.annotate({ description: "What the source is, by the container that was found in it." }),
    kept_until: Schema.NullOr(Instant).annotate({
      description: "When it goes by itself: an upload after its 7 days. Null where it is kept as long as the job."
    })
  }).annotate({ description: "The source, which is kept still." })
}).annotate({ identifier: "Preview", description: "How the preview of a job's source stands." })
export type Preview = typeof Preview.Type

/** Longer ones are the preview's affair. */
export const mostClipSeconds = 60

export const ClipFormat = Schema.Literals(["mp4", "gif"])
