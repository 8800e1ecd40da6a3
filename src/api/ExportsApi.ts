import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { CreateExport, DeletedExport, Export, ExportNotFound } from "../exports/Export.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { SchemaNotFound } from "../schemas/ExtractionSchema.ts"

const params = { id: Schema.String }

export class ExportsApi extends HttpApiGroup.make("exports").add(
  HttpApiEndpoint.post("create", "/exports", {
    headers: idempotencyHeader,
    payload: CreateExport,
    success: [Export.pipe(HttpApiSchema.status(201)), Export.pipe(HttpApiSchema.status(200))],
    error: wire(SchemaNotFound, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createExport",
    summary: "Export finished jobs",
    description:
      "Holds the jobs that pass every filter and have ended by now, with what is to stand beside each. Nothing is copied: erased jobs are left out. The next export takes this one's `created_at` as `finished_after`. Kept for 7 days."
  })),
  HttpApiEndpoint.get("list", "/exports", {
    query: pageQueryOf("exp"),
    success: page(Export).annotate({ identifier: "ExportPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listExports",
    summary: "List exports",
    description: "Newest first."
  })),
  HttpApiEndpoint.get("get", "/exports/:id", {
    params,
    success: Export,
    error: wire(ExportNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getExport",
    summary: "Read an export",
    description: "Which jobs it holds, and where its content is."
  })),
  HttpApiEndpoint.get("content", "/exports/:id/content", {
    params,
    query: { cursor: pageQueryOf("job").cursor },
    success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" }),
    error: wire(ExportNotFound, InvalidRequest)
  }).annotateMerge(OpenApi.annotations({
    identifier: "readExport",
    summary: "Read the content of an export",
    description:
      "One `ExportLine` as JSON in each line, in the order in which the jobs ended. Where the answer breaks off, send the `cursor` of the last whole line: the content goes on after it. Takes one of the tenant's places for open streams while it is sent."
  })),
  HttpApiEndpoint.delete("remove", "/exports/:id", {
    params,
    success: DeletedExport,
    error: wire(ExportNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteExport",
    summary: "Delete an export",
    description: "Idempotent. The jobs stay."
  }))
).annotateMerge(OpenApi.annotations({ title: "Exports", description: "Finished jobs in bulk." })) {}
