import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"

/** A file that a job can be made of once all of it is here, for as long as it is kept. */
export const Upload = Schema.Struct({
  id: Schema.String.annotate({ description: "Form `upl_<id>`." }),
  uri: Schema.String.annotate({ description: "What a job's `source_uri` takes: `upload://upl_<id>`." }),
  size_bytes: Schema.Int.annotate({ description: "Length of the whole file." }),
  received_bytes: Schema.Int.annotate({ description: "How much of it is here: `size_bytes` once it can be used." }),
  filename: Schema.NullOr(Schema.String).annotate({
    description:
      "The file's name as its sender told it, without folders: `filename` of `Upload-Metadata` or `Content-Disposition`; null where none was told."
  }),
  sha256: Schema.NullOr(Schema.String).annotate({
    description: "SHA-256 of the file in hexadecimal digits; null until all of it is here."
  }),
  created_at: Instant,
  expires_at: Instant.annotate({
    description:
      "When it is dropped: 7 days after it was complete, or 24 hours after the last byte of an unfinished one."
  })
}).annotate({ identifier: "Upload" })
export type Upload = typeof Upload.Type

export const DeletedUpload = Schema.Struct({ id: Schema.String, deleted_at: Instant }).annotate({
  identifier: "DeletedUpload"
})
export type DeletedUpload = typeof DeletedUpload.Type

export class UploadNotFound extends ApiError<UploadNotFound>()("UPLOAD_NOT_FOUND") {}
export class UploadOffsetConflict extends ApiError<UploadOffsetConflict>()("UPLOAD_OFFSET_CONFLICT") {}
export class UploadChecksumMismatch extends ApiError<UploadChecksumMismatch>()("UPLOAD_CHECKSUM_MISMATCH") {}
export class TusVersionUnsupported extends ApiError<TusVersionUnsupported>()("TUS_VERSION_UNSUPPORTED") {}
