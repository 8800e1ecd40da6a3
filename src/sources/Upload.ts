import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"

/** A file that a job can be made of, for as long as it is kept. */
export const Upload = Schema.Struct({
  id: Schema.String.annotate({ description: "Form `upl_<id>`." }),
  uri: Schema.String.annotate({ description: "What a job's `source_uri` takes: `upload://upl_<id>`." }),
  size_bytes: Schema.Int,
  sha256: Schema.String,
  created_at: Instant,
  expires_at: Instant
}).annotate({ identifier: "Upload" })
export type Upload = typeof Upload.Type

export const DeletedUpload = Schema.Struct({ id: Schema.String, deleted_at: Instant }).annotate({
  identifier: "DeletedUpload"
})
export type DeletedUpload = typeof DeletedUpload.Type

export class UploadNotFound extends ApiError<UploadNotFound>()("UPLOAD_NOT_FOUND") {}
