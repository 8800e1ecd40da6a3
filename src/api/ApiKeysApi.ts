import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  ApiKey,
  ApiKeyNotFound,
  ApiKeySelfRevoke,
  CreateApiKey,
  CreatedApiKey,
  RevokedApiKey
} from "../api-keys/ApiKey.ts"
import { page, pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"

export class ApiKeysApi extends HttpApiGroup.make("api_keys").add(
  HttpApiEndpoint.post("create", "/api-keys", {
    headers: idempotencyHeader,
    payload: CreateApiKey,
    success: [CreatedApiKey.pipe(HttpApiSchema.status(201)), CreatedApiKey.pipe(HttpApiSchema.status(200))],
    error: wire(...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createApiKey",
    summary: "Create an API key",
    description:
      "Mints a key of the calling tenant. Its secret is in this answer and its replays within 24 hours, and nowhere else."
  })),
  HttpApiEndpoint.get("list", "/api-keys", {
    query: pageQueryOf("key"),
    success: page(ApiKey).annotate({ identifier: "ApiKeyPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listApiKeys",
    summary: "List API keys",
    description: "Newest first, revoked ones included; never a secret."
  })),
  HttpApiEndpoint.delete("revoke", "/api-keys/:id", {
    params: { id: Schema.String },
    success: RevokedApiKey,
    error: wire(ApiKeyNotFound, ApiKeySelfRevoke)
  }).annotateMerge(OpenApi.annotations({
    identifier: "revokeApiKey",
    summary: "Revoke an API key",
    description: "Idempotent. The key that authenticates the request cannot be revoked by it."
  }))
).annotateMerge(OpenApi.annotations({ title: "API keys", description: "Who may call." })) {}
