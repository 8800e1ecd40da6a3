import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"

/** Opaque to callers; templates have a name behind the prefix and keep it for ever. */
const SchemaId = Schema.String.annotate({ identifier: "SchemaId", examples: ["sch_template_lecture_notes"] })

/** What a list shows of a schema. */
export const SchemaSummary = Schema.Struct({
  id: SchemaId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  is_template: Schema.Boolean
}).annotate({ identifier: "SchemaSummary" })
export type SchemaSummary = typeof SchemaSummary.Type

/** A saved schema or a shipped template, with the JSON Schema as it was registered. */
export const ExtractionSchema = Schema.Struct({
  ...SchemaSummary.fields,
  version: Schema.Int.annotate({
    description: "Counts up from 1. A version never changes; a job that names none takes the newest and tells which."
  }),
  json_schema: Schema.Json,
  created_at: Schema.NullOr(Instant).annotate({ description: "Of this version; null for a template." })
}).annotate({ identifier: "ExtractionSchema" })
export type ExtractionSchema = typeof ExtractionSchema.Type

/** What a list shows of a version. */
export const SchemaVersion = Schema.Struct({ version: Schema.Int, created_at: Instant }).annotate({
  identifier: "SchemaVersion"
})
export type SchemaVersion = typeof SchemaVersion.Type

/** Not a JSON Schema, over a limit, or one that no value fits; `details` has at most ten items with a pointer each. */
export class SchemaInvalid extends ApiError<SchemaInvalid>()("SCHEMA_INVALID") {}

export class SchemaNotFound extends ApiError<SchemaNotFound>()("SCHEMA_NOT_FOUND") {}
