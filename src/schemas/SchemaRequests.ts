import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"

/** The body of `POST /v1/schemas`. */
export const CreateSchema = Schema.Struct({
  name: Schema.String.annotate({ description: "1 to 100 characters." }).check(
    Schema.isMinCodePoints(1),
    Schema.isMaxCodePoints(100)
  ),
  json_schema: Schema.Json.annotate({ description: "A JSON Schema: 2020-12 where `$schema` names no other draft." }),
  description: Schema.optionalKey(Schema.String.check(Schema.isMaxCodePoints(1000)))
}).annotate({ identifier: "CreateSchema" })
export type CreateSchema = typeof CreateSchema.Type

export const DeletedSchema = Schema.Struct({ id: Schema.String, deleted_at: Instant }).annotate({
  identifier: "DeletedSchema"
})
export type DeletedSchema = typeof DeletedSchema.Type
