import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "../errors/ApiError.ts"
import { DeletedUpload, Upload, UploadNotFound } from "../sources/Upload.ts"

export class UploadsApi extends HttpApiGroup.make("uploads").add(
  HttpApiEndpoint.post("create", "/uploads", {
    payload: HttpApiSchema.StreamUint8Array({ contentType: ["application/octet-stream", "video/*", "audio/*"] }),
    success: Upload.pipe(HttpApiSchema.status(201))
  }).annotateMerge(OpenApi.annotations({
    identifier: "createUpload",
    summary: "Upload a file",
    description: "The body is the file. It is kept for 7 days; a broken or too large body leaves nothing behind."
  })),
  HttpApiEndpoint.get("get", "/uploads/:id", {
    params: { id: Schema.String },
    success: Upload,
    error: wire(UploadNotFound)
  }).annotateMerge(OpenApi.annotations({ identifier: "getUpload", summary: "Read an upload" })),
  HttpApiEndpoint.delete("remove", "/uploads/:id", {
    params: { id: Schema.String },
    success: DeletedUpload,
    error: wire(UploadNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteUpload",
    summary: "Delete an upload",
    description: "Jobs that have fetched it already keep their copy."
  }))
).annotateMerge(OpenApi.annotations({ title: "Uploads", description: "Files to make jobs of." })) {}
