import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { ExtractionSchema, SchemaInvalid, SchemaNotFound, SchemaSummary } from "../schemas/ExtractionSchema.ts"
import {
  CreateSchema,
  DeletedSchema,
  InferredSchema,
  InferSchema,
  RegisteredSchema
} from "../schemas/SchemaRequests.ts"

export class SchemasApi extends HttpApiGroup.make("schemas").add(
  HttpApiEndpoint.post("create", "/schemas", {
    headers: idempotencyHeader,
    payload: CreateSchema,
    success: [RegisteredSchema.pipe(HttpApiSchema.status(201)), RegisteredSchema.pipe(HttpApiSchema.status(200))],
    error: wire(SchemaInvalid, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createSchema",
    summary: "Register a schema",
    description:
      "Takes a JSON Schema that a result can be given for: at most 128 KiB, no remote `$ref`, linear patterns."
  })),
  HttpApiEndpoint.post("infer", "/schemas/infer", {
    payload: InferSchema,
    success: InferredSchema,
    error: wire(SchemaInvalid)
  }).annotateMerge(OpenApi.annotations({
    identifier: "inferSchema",
    summary: "Make a schema from examples",
    description:
      "Every example fits the answer, which can be registered as it is; the same examples in any order give the same bytes. Nothing is saved, so an `Idempotency-Key` is not needed and does nothing."
  })),
  HttpApiEndpoint.get("list", "/schemas", {
    query: pageQueryOf("sch"),
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
  }).annotateMerge(OpenApi.annotations({
    identifier: "getSchema",
    summary: "Read a schema",
    description: "One of the tenant's own or a shipped template."
  })),
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
