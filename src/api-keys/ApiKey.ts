import { Effect, Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"

const Name = Schema.String.annotate({ description: "1 to 100 characters.", examples: ["CI"] }).check(
  Schema.isMinCodePoints(1),
  Schema.isMaxCodePoints(100)
)

const fields = {
  id: Schema.String.annotate({ description: "Form `key_<id>`." }),
  name: Name,
  prefix: Schema.String.annotate({ description: "The visible part of the key." }),
  scopes: Schema.Array(Schema.String),
  created_at: Instant
}

/** A key as it is listed: never with its secret. */
export const ApiKey = Schema.Struct({
  ...fields,
  last_used_at: Schema.NullOr(Instant).annotate({ description: "To the minute." }),
  revoked_at: Schema.NullOr(Instant)
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** The one answer that carries the secret. */
export const CreatedApiKey = Schema.Struct({
  id: fields.id,
  name: fields.name,
  prefix: fields.prefix,
  secret: Schema.String.annotate({ description: "The key. Shown here and never again." }),
  scopes: fields.scopes,
  created_at: fields.created_at
}).annotate({ identifier: "CreatedApiKey" })
export type CreatedApiKey = typeof CreatedApiKey.Type

export const CreateApiKey = Schema.Struct({
  name: Name,
  scopes: Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxCodePoints(200))).annotate({
    description: "Up to 20; stored as they are, not enforced yet.",
    default: ["*"]
  }).check(Schema.isMaxLength(20)).pipe(Schema.withDecodingDefaultKey(Effect.succeed(["*"])))
}).annotate({ identifier: "CreateApiKey" })
export type CreateApiKey = typeof CreateApiKey.Type

export const RevokedApiKey = Schema.Struct({ id: fields.id, revoked_at: Instant }).annotate({
  identifier: "RevokedApiKey"
})
export type RevokedApiKey = typeof RevokedApiKey.Type

export class ApiKeyNotFound extends ApiError<ApiKeyNotFound>()("API_KEY_NOT_FOUND") {}
export class ApiKeySelfRevoke extends ApiError<ApiKeySelfRevoke>()("API_KEY_SELF_REVOKE") {}
export class Unauthenticated extends ApiError<Unauthenticated>()("UNAUTHENTICATED") {}
