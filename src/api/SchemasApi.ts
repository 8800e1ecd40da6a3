import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import {
  ArtifactDamaged,
  ConcurrentJobsLimit,
  JobNotFound,
  JobNotSucceeded,
  ModelStackUnknown
} from "../jobs/model/Job.ts"
import { SchemaTest, TestSchema } from "../jobs/SchemaTest.ts"
import {
  ExtractionSchema,
  SchemaInvalid,
  SchemaNotFound,
  SchemaSummary,
  SchemaVersion
} from "../schemas/ExtractionSchema.ts"
import {
  CreateSchema,
  CreateSchemaVersion,
  DeletedSchema,
  InferredSchema,
  InferSchema,
  RegisteredSchema
} from "../schemas/SchemaRequests.ts"
import { CostQuotaExceeded } from "../usage/ledger/CostQuota.ts"
import { StorageQuotaExceeded } from "../usage/ledger/StorageQuota.ts"

const Version = Schema.Int.annotate({ description: "The version; the newest where none is named." }).check(
  Schema.isBetween({ minimum: 1, maximum: 1_000_000 })
)

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
    headers: idempotencyHeader,
    payload: InferSchema,
    success: InferredSchema,
    error: wire(SchemaInvalid, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "inferSchema",
    summary: "Make a schema from examples",
    description:
      "Every example fits the answer, which can be registered as it is; the same examples in any order give the same bytes. Nothing is saved."
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
    query: { version: Schema.optionalKey(Version) },
    success: ExtractionSchema,
    error: wire(SchemaNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getSchema",
    summary: "Read a schema",
    description: "One of the tenant's own or a shipped template: its newest version, or the one that is named."
  })),
  HttpApiEndpoint.post("addVersion", "/schemas/:id/versions", {
    params: { id: Schema.String },
    headers: idempotencyHeader,
    payload: CreateSchemaVersion,
    success: [RegisteredSchema.pipe(HttpApiSchema.status(201)), RegisteredSchema.pipe(HttpApiSchema.status(200))],
    error: wire(SchemaNotFound, SchemaInvalid, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createSchemaVersion",
    summary: "Add a version to a schema",
    description:
      "The newest version is what a job gets that names the schema alone; jobs that run already, and the versions before, stay as they are. Templates have none."
  })),
  HttpApiEndpoint.get("versions", "/schemas/:id/versions", {
    params: { id: Schema.String },
    success: Schema.Struct({ data: Schema.Array(SchemaVersion) }).annotate({ identifier: "SchemaVersions" }),
    error: wire(SchemaNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "listSchemaVersions",
    summary: "List the versions of a schema",
    description: "All of them, newest first. Each is read by `GET /v1/schemas/{id}?version=`."
  })),
  HttpApiEndpoint.post("test", "/schemas/:id/test", {
    params: { id: Schema.String },
    headers: idempotencyHeader,
    payload: TestSchema,
    success: SchemaTest,
    error: wire(
      SchemaNotFound,
      SchemaInvalid,
      JobNotFound,
      JobNotSucceeded,
      ModelStackUnknown,
      ConcurrentJobsLimit,
      CostQuotaExceeded,
      StorageQuotaExceeded,
      ...keyRefusals,
      ArtifactDamaged
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "testSchema",
    summary: "Try a schema",
    description:
      "Fills the schema from a transcript that is sent, or from what a job that succeeded has heard and seen, and answers result, evidence and what was not found. It is a job like any other, in the same line and under the same limits; its answer is held for `wait_seconds`, and nothing of it is kept once it is told. Where it takes longer, `status` is not terminal and `GET /v1/jobs/{job_id}` has the rest. Under an `Idempotency-Key` the answer is kept for as long as the key, where it has no more than a million characters."
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
