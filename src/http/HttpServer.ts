import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { Api } from "../api/Api.ts"
import { Artifacts } from "../artifacts/Artifacts.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { Erasure } from "../jobs/Erasure.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { Manifests } from "../manifests/Manifests.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { UploadLookupLayer, Uploads } from "../sources/Uploads.ts"
import { ApiKeysHandlers } from "./ApiKeysHandlers.ts"
import { ArtifactsHandlers } from "./ArtifactsHandlers.ts"
import { AuthorizationLayer } from "./AuthorizationLayer.ts"
import { compressed } from "./Compression.ts"
import { HealthHandlers } from "./HealthHandlers.ts"
import { JobsHandlers } from "./JobsHandlers.ts"
import { RequestDecodingLayer, TextCheckLayer } from "./RequestChecksLayer.ts"
import { enveloped } from "./RequestErrors.ts"
import { logged } from "./RequestLog.ts"
import { makeRouteTable } from "./RouteTable.ts"
import { SchemasHandlers } from "./SchemasHandlers.ts"
import { SigningKeysHandlers } from "./SigningKeysHandlers.ts"
import { UploadsHandlers } from "./UploadsHandlers.ts"

const pages = { openapi: "/openapi.json", docs: "/docs", metrics: "/metrics" } as const

const Rest = HttpApiBuilder.layer(Api, { openapiPath: pages.openapi }).pipe(
  Layer.provide([
    JobsHandlers,
    ArtifactsHandlers,
    UploadsHandlers,
    SchemasHandlers,
    ApiKeysHandlers,
    HealthHandlers,
    SigningKeysHandlers
  ]),
  Layer.provide([AuthorizationLayer, TextCheckLayer, RequestDecodingLayer])
)

/** The page carries all that it needs; the policy makes that a promise, since nothing from elsewhere would load. */
const contentSecurityPolicy = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'"

const Docs = HttpApiScalar.layer(Api, { path: pages.docs, scalar: { withDefaultFonts: false } }).pipe(
  Layer.provide(
    HttpRouter.middleware(
      Effect.map(HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy))
    ).layer
  )
)

const routeTable = makeRouteTable(Api, Object.values(pages))

/** One middleware for all routes and for none, so that the order of its parts is plain to see. */
const Pipeline = HttpRouter.middleware((app) => logged(compressed(enveloped(routeTable)(app))), { global: true })

const Services = Layer.mergeAll(
  ApiKeys.layer,
  Artifacts.layer,
  Deliveries.layer,
  Erasure.layer,
  Manifests.layer,
  Uploads.layer,
  Submissions.layer.pipe(Layer.provide([Schemas.layer, UploadLookupLayer, ModelStore.layer])),
  Schemas.layer
)

const Routes = Layer.mergeAll(Rest, Docs, PrometheusMetrics.layerHttp({ path: pages.metrics }), Pipeline).pipe(
  Layer.provide(Services)
)

/**
 * The whole REST API on an HTTP server: needs `Jobs`, `PgClient`, `Blobs`, `Sealing`, `Signing` and `Draining`. JSON bodies hold at
 * most 1 MiB; uploads have a limit of their own.
 */
export const layer = HttpRouter.serve(Routes, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide([
    Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1)),
    // Ids in paths may be any text: one that is too long is simply not found, by the code of its kind.
    Layer.succeed(HttpRouter.RouterConfig, { maxParamLength: 8192, caseSensitive: true })
  ])
)
