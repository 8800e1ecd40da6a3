import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../errors/RequestErrors.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import {
  DeletedUpload,
  TusVersionUnsupported,
  Upload,
  UploadChecksumMismatch,
  UploadNotFound,
  UploadOffsetConflict
} from "../sources/Upload.ts"
import { StorageQuotaExceeded } from "../usage/ledger/StorageQuota.ts"

const text = (description: string, ...examples: readonly [string, ...ReadonlyArray<string>]) =>
  Schema.String.annotate({ description, examples })

const tusResumable = text(
  "The version of the tus protocol: `1.0.0`. Without it the request is no tus request.",
  "1.0.0"
)
const uploadLength = text("Length of the whole file in bytes.", "73400320")
const uploadOffset = text("How many bytes of the file are there.", "8388608")
const uploadExpires = text("When the upload is dropped.", "Sat, 21 Nov 2026 09:30:00 GMT")
const uploadMetadata = text(
  "What the sender says about the file: names with values in base64.",
  "filename dGFsay5tcDQ="
)
const contentDisposition = text(
  "Where the body is the whole file: its name, in `filename` or `filename*` (RFC 6266).",
  "attachment; filename=\"talk.mp4\""
)
const uploadChecksum = text(
  "What the bytes of this request must come to: `sha1`, `sha256`, `sha512` or `md5`, and the digest in base64.",
  "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="
)

const params = { id: Schema.String }
const optional = Schema.optionalKey

const progress = {
  "upload-offset": uploadOffset,
  "upload-length": uploadLength,
  "upload-expires": uploadExpires
}

const placed = {
  location: text("Where the upload is.", "/v1/uploads/upl_01kaj3e5h8z9q0w1x2y3z4a5b6"),
  ...progress
}

export class UploadsApi extends HttpApiGroup.make("uploads").add(
  HttpApiEndpoint.post("create", "/uploads", {
    headers: {
      "tus-resumable": optional(tusResumable),
      "upload-length": optional(uploadLength),
      "upload-metadata": optional(uploadMetadata),
      "upload-checksum": optional(uploadChecksum),
      "content-disposition": optional(contentDisposition),
      ...idempotencyHeader
    },
    payload: HttpApiSchema.StreamUint8Array({
      contentType: ["application/octet-stream", "video/*", "audio/*", "application/offset+octet-stream"]
    }),
    success: [
      HttpApiSchema.WithHeaders(Upload.pipe(HttpApiSchema.status(201)), placed),
      HttpApiSchema.WithHeaders(Upload.pipe(HttpApiSchema.status(200)), placed)
    ],
    error: wire(
      UploadChecksumMismatch,
      UploadOffsetConflict,
      TusVersionUnsupported,
      StorageQuotaExceeded,
      ...keyRefusals
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "createUpload",
    summary: "Upload a file, or begin to",
    description:
      "Without `Tus-Resumable` the body is the whole file; a broken or too large body leaves nothing behind. With it, the request "
      + "begins an upload in the tus 1.0 protocol (creation, creation-with-upload): `Upload-Length` announces the file, and a body of "
      + "`application/offset+octet-stream` is its beginning. A file is kept for 7 days, an unfinished one for 24 hours after its last "
      + "byte. A replay under an `Idempotency-Key` tells how far the upload has come by now."
  })),
  HttpApiEndpoint.get("list", "/uploads", {
    query: pageQueryOf("upl"),
    success: page(Upload).annotate({ identifier: "UploadPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listUploads",
    summary: "List uploads",
    description: "Newest first: files that are here and files that are still coming, until they expire."
  })),
  HttpApiEndpoint.options("capabilities", "/uploads", {
    success: HttpApiSchema.WithHeaders(HttpApiSchema.NoContent, {
      "tus-resumable": tusResumable,
      "tus-version": text("The versions of tus that are spoken.", "1.0.0"),
      "tus-extension": text(
        "The parts of tus that are there.",
        "creation,creation-with-upload,termination,checksum,expiration"
      ),
      "tus-max-size": text("The longest file that is taken, in bytes.", "10737418240"),
      "tus-checksum-algorithm": text("What `Upload-Checksum` may name.", "sha1,sha256,sha512,md5")
    })
  }).annotateMerge(OpenApi.annotations({
    identifier: "getUploadCapabilities",
    summary: "Read what of tus is spoken",
    description: "In headers, as the protocol has it."
  })),
  HttpApiEndpoint.get("get", "/uploads/:id", {
    params,
    headers: { "tus-resumable": optional(tusResumable) },
    success: HttpApiSchema.WithHeaders(Upload, { ...progress, "upload-metadata": optional(uploadMetadata) }),
    error: wire(UploadNotFound, TusVersionUnsupported)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getUpload",
    summary: "Read an upload",
    description:
      "`HEAD` gives the headers alone; with `Tus-Resumable` it also ends a request that still sends to this upload, so that "
      + "`Upload-Offset` is where to go on."
  })),
  HttpApiEndpoint.patch("append", "/uploads/:id", {
    params,
    headers: {
      "tus-resumable": optional(tusResumable),
      "upload-offset": optional(uploadOffset),
      "upload-checksum": optional(uploadChecksum)
    },
    payload: HttpApiSchema.StreamUint8Array({ contentType: "application/offset+octet-stream" }),
    success: HttpApiSchema.WithHeaders(HttpApiSchema.NoContent, progress),
    error: wire(
      InvalidRequest,
      UploadNotFound,
      UploadOffsetConflict,
      UploadChecksumMismatch,
      PayloadTooLarge,
      UnsupportedMediaType,
      TusVersionUnsupported
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "appendUpload",
    summary: "Go on with an upload",
    description:
      "The body goes where `Upload-Offset` says, which must be where the upload stands. A body that breaks off counts as far as it "
      + "came; one with a checksum that does not fit counts not at all. A later request takes the place of an earlier one."
  })),
  HttpApiEndpoint.delete("remove", "/uploads/:id", {
    params,
    headers: { "tus-resumable": optional(tusResumable) },
    success: [DeletedUpload, HttpApiSchema.NoContent],
    error: wire(UploadNotFound, TusVersionUnsupported)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteUpload",
    summary: "Delete an upload",
    description:
      "It is unknown at once to everything but another DELETE, which is answered as the first for 30 days; a job that has fetched it already is not disturbed, and one that has not fails with `SOURCE_UNREACHABLE`. 204 where the request speaks tus, as that protocol has it."
  }))
).annotateMerge(OpenApi.annotations({ title: "Uploads", description: "Files to make jobs of." })) {}
