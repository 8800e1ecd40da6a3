import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DestinationNotFound, RotateSigningSecret } from "../deliveries/model/Destination.ts"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { RotatedWebhookSecret, Settings, UpdateSettings } from "../tenants/Settings.ts"
import { withOptionalBody } from "./openapi/OptionalBody.ts"

export class SettingsApi extends HttpApiGroup.make("settings").add(
  HttpApiEndpoint.get("get", "/settings", { success: Settings }).annotateMerge(OpenApi.annotations({
    identifier: "getSettings",
    summary: "Read the settings",
    description: "What the tenant sets for all of its jobs; never a secret."
  })),
  HttpApiEndpoint.patch("update", "/settings", {
    payload: UpdateSettings,
    success: Settings,
    error: wire(DestinationNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "updateSettings",
    summary: "Change the settings",
    description:
      "Default destinations are taken by jobs that are created from now on without `destination_ids`. With a `language_model` the transcripts of this tenant's jobs go there and nowhere else; what it costs is the tenant's own."
  })),
  HttpApiEndpoint.post("rotate", "/settings/rotate-webhook-secret", {
    headers: idempotencyHeader,
    payload: [RotateSigningSecret, Schema.Null],
    success: RotatedWebhookSecret,
    error: wire(...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "rotateWebhookSecret",
    summary: "Make or rotate the tenant's webhook secret",
    description:
      "From now on every event to a job's `webhook_url` is signed with this secret too, beside the job's own, so that one secret checks them all. It is in this answer and nowhere else.",
    transform: withOptionalBody
  }))
).annotateMerge(OpenApi.annotations({ title: "Settings", description: "What holds for all jobs of a tenant." })) {}
