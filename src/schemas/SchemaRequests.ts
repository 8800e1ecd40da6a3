import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ExtractionSchema } from "./ExtractionSchema.ts"

/** The body of `POST /v1/schemas`. */
export const CreateSchema = Schema.Struct({
  name: Schema.String.annotate({ description: "1 to 100 characters." }).check(
    Schema.isMinCodePoints(1),
    Schema.isMaxCodePoints(100)
  ),
  json_schema: Schema.Json.annotate({ description: "A JSON Schema: 2020-12 where `$schema` names no other draft." }),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "What it is for; up to 1,000 characters." }).check(
      Schema.isMaxCodePoints(1000)
    )
  )
}).annotate({ identifier: "CreateSchema" })
export type CreateSchema = typeof CreateSchema.Type

/** The body of `POST /v1/schemas/{id}/versions`. */
export const CreateSchemaVersion = Schema.Struct({ json_schema: CreateSchema.fields.json_schema }).annotate({
  identifier: "CreateSchemaVersion"
})
export type CreateSchemaVersion = typeof CreateSchemaVersion.Type

/** The body of `POST /v1/schemas/infer`. */
export const InferSchema = Schema.Struct({
  examples: Schema.Array(Schema.Json).annotate({
    description: "1 to 100 JSON documents, each as a result should look. Their order does not matter."
  }).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  name: Schema.optionalKey(
    Schema.String.annotate({ description: "Becomes the schema's `title`; 1 to 100 characters." }).check(
      Schema.isMinCodePoints(1),
      Schema.isMaxCodePoints(100)
    )
  ),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "Becomes the schema's `description`." }).check(Schema.isMaxCodePoints(1000))
  )
}).annotate({ identifier: "InferSchema" })
export type InferSchema = typeof InferSchema.Type

const warnings = Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })).annotate({
  description: "At most ten; `path` is a JSON pointer into a result, `*` for any entry of an array."
})

/** A schema as it was registered, and what will make its results worse than they could be. */
export const RegisteredSchema = Schema.Struct({ ...ExtractionSchema.fields, warnings }).annotate({
  identifier: "RegisteredSchema"
})
export type RegisteredSchema = typeof RegisteredSchema.Type

/** A schema that was made and not saved, and what will make its results worse than they could be. */
export const InferredSchema = Schema.Struct({
  json_schema: Schema.Json,
  warnings
}).annotate({ identifier: "InferredSchema" })
export type InferredSchema = typeof InferredSchema.Type

export const DeletedSchema = Schema.Struct({ id: Schema.String, deleted_at: Instant }).annotate({
  identifier: "DeletedSchema"
})
export type DeletedSchema = typeof DeletedSchema.Type
