import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQuery } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { ExtractionSchema, SchemaInvalid, SchemaNotFound, SchemaSummary } from "../schemas/ExtractionSchema.ts"
import { CreateSchema, DeletedSchema } from "../schemas/SchemaRequests.ts"

export class SchemasApi extends HttpApiGroup.make("schemas").add(
  HttpApiEndpoint.post("create", "/schemas", {
    payload: CreateSchema,
    success: ExtractionSchema.pipe(HttpApiSchema.status(201)),
    error: wire(SchemaInvalid)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createSchema",
    summary: "Register a schema",
    description:
      "Takes a JSON Schema that a result can be given for: at most 128 KiB, no remote `$ref`, linear patterns."
  })),
  HttpApiEndpoint.get("list", "/schemas", {
    query: pageQuery,
    success: page(SchemaSummary).annotate({ identifier: "SchemaPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listSchemas",
    summary: "List schemas",
    description: "The tenant's own, newest first, then the shipped templates."
  })),
  HttpApiEndpoint.get("get", "/schemas/:id", {
    params: { id: Schema.String },
    success: ExtractionSchema,
    error: wire(SchemaNotFound)
  }).annotateMerge(OpenApi.annotations({ identifier: "getSchema", summary: "Read a schema" })),
  HttpApiEndpoint.delete("remove", "/schemas/:id", {
    params: { id: Schema.String },
    success: DeletedSchema,
    error: wire(SchemaNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteSchema",
    summary: "Delete a schema",
    description: "Idempotent. Jobs keep the copy that they run with."
  }))
).annotateMerge(OpenApi.annotations({ title: "Schemas", description: "What a result looks like." })) {}
