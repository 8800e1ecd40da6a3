import { HttpApi, OpenApi } from "effect/http-api"
import { configSchemas } from "../deliveries/model/DestinationConfig.ts"
import { webhookEvents } from "../deliveries/model/WebhookEvent.ts"
import { ErrorCode, ErrorEnvelope } from "../errors/ErrorEnvelope.ts"
import { ExportLine } from "../exports/Export.ts"
import { BatchItem } from "../jobs/model/Batch.ts"
import { defaultAddress } from "../processes/ServiceAddress.ts"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { ArtifactsApi } from "./ArtifactsApi.ts"
import { Authorization } from "./Authorization.ts"
import { BatchesApi } from "./BatchesApi.ts"
import { DeliveriesApi } from "./DeliveriesApi.ts"
import { DestinationsApi } from "./DestinationsApi.ts"
import { ExportsApi } from "./ExportsApi.ts"
import { HealthApi } from "./HealthApi.ts"
import { JobsApi } from "./JobsApi.ts"
import { MediaApi } from "./media/MediaApi.ts"
import { guide } from "./openapi/OpenApiGuide.ts"
import { asServed } from "./openapi/OpenApiTransform.ts"
import { RateLimiting } from "./RateLimiting.ts"
import { ParameterCheck, RequestDecoding, TextCheck } from "./RequestChecks.ts"
import { ReviewsApi } from "./ReviewsApi.ts"
import { SchemasApi } from "./SchemasApi.ts"
import { SessionApi } from "./SessionApi.ts"
import { SettingsApi } from "./SettingsApi.ts"
import { SigningKeysApi } from "./SigningKeysApi.ts"
import { UploadsApi } from "./UploadsApi.ts"
import { UsageApi } from "./UsageApi.ts"

// Middlewares wrap in this order, the last outermost: no key, no count; too many, no look at the body.
const V1 = HttpApi.make("footnote-v1")
  .add(
    JobsApi,
    BatchesApi,
    ArtifactsApi,
    MediaApi,
    ReviewsApi,
    UploadsApi,
    SchemasApi,
    ApiKeysApi,
    DestinationsApi,
    DeliveriesApi,
    ExportsApi,
    SettingsApi,
    UsageApi
  )
  .middleware(ParameterCheck)
  .middleware(TextCheck)
  .middleware(RateLimiting)
  .middleware(Authorization)
  .prefix("/v1")

const Definition = HttpApi.make("footnote")
  .addHttpApi(V1)
  // Signing in shows its key in the body, so it stands outside of what asks for one.
  .add(SessionApi.middleware(ParameterCheck).middleware(TextCheck))
  .add(HealthApi.middleware(ParameterCheck), SigningKeysApi.middleware(ParameterCheck))
  .middleware(RequestDecoding)
  // Every wrong field is named at once, and a field that would be dropped in silence is refused.
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.AdditionalSchemas, [
    ErrorCode,
    ErrorEnvelope,
    BatchItem,
    ExportLine,
    ...configSchemas,
    ...Object.values(webhookEvents).map(({ schema }) => schema)
  ])
  .annotateMerge(OpenApi.annotations({
    title: "Footnote",
    version: "1.0.0",
    description: guide,
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    servers: [{
      url: defaultAddress,
      description:
        "Where the service listens unless it is told otherwise. A deployment's own /openapi.json names its own address."
    }]
  }))

/** The REST contract: what can be asked and what is answered. No service is in sight of it. */
export class Api extends Definition.annotate(OpenApi.Transform, asServed(Definition)) {}
