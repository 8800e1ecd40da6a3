import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { KeyWatch } from "../api-keys/KeyWatch.ts"
import { Sessions } from "../api-keys/Sessions.ts"
import { Api } from "../api/Api.ts"
import { Connectors } from "../deliveries/connectors/Connectors.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { DeliveryRequests } from "../deliveries/DeliveryRequests.ts"
import { DestinationHealth } from "../deliveries/destinations/DestinationHealth.ts"
import { Destinations } from "../deliveries/destinations/Destinations.ts"
import { ExpandedJobs } from "../exports/ExpandedJobs.ts"
import { Exports } from "../exports/Exports.ts"
import { JobArchive } from "../exports/JobArchive.ts"
import { KeyedRequests } from "../idempotency/KeyedRequests.ts"
import { Batches } from "../jobs/Batches.ts"
import { EngineGauges } from "../jobs/engine/EngineGauges.ts"
import { Erasure } from "../jobs/retention/Erasure.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { Renditions } from "../media/Renditions.ts"
import { SourceMedia } from "../media/SourceMedia.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import * as OAuth from "../oauth/OAuth.ts"
import { FailedAuth } from "../rate-limits/FailedAuth.ts"
import { OpenStreams } from "../rate-limits/OpenStreams.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { Manifests } from "../results/Manifests.ts"
import { Reports } from "../results/report/Reports.ts"
import { GoldRecords } from "../reviews/GoldRecords.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { Speakers } from "../reviews/Speakers.ts"
import { SchemaChecks } from "../schemas/SchemaChecks.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { UploadLookupLayer, Uploads } from "../sources/Uploads.ts"
import { TenantSettings } from "../tenants/TenantSettings.ts"
import * as ToolServer from "../tools/ToolServer.ts"
import { Estimates } from "../usage/reports/Estimates.ts"
import { Limits } from "../usage/reports/Limits.ts"
import { UsageReports } from "../usage/reports/UsageReports.ts"
import { requestLimits } from "../web/json/RequestLimits.ts"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { enveloped } from "../web/server/RequestErrors.ts"
import { makeLogged } from "../web/server/RequestLog.ts"
import { routedByPath } from "../web/server/RequestTarget.ts"
import { makeRouteTable } from "../web/server/RouteTable.ts"
import { appPaths, layerAppPage } from "./app/AppPage.ts"
import { layerDocsPage } from "./docs/DocsPage.ts"
import { layerOpenApiPage } from "./docs/OpenApiPage.ts"
import { ApiKeysHandlers } from "./handlers/ApiKeysHandlers.ts"
import { ArtifactsHandlers } from "./handlers/ArtifactsHandlers.ts"
import { BatchesHandlers } from "./handlers/BatchesHandlers.ts"
import { DeliveriesHandlers } from "./handlers/DeliveriesHandlers.ts"
import { DestinationsHandlers } from "./handlers/DestinationsHandlers.ts"
import { ExportsHandlers } from "./handlers/ExportsHandlers.ts"
import { alive, HealthHandlers } from "./handlers/HealthHandlers.ts"
import { JobsHandlers } from "./handlers/JobsHandlers.ts"
import { MediaHandlers } from "./handlers/MediaHandlers.ts"
import { layerMetricsPage } from "./handlers/MetricsPage.ts"
import { ReviewsHandlers } from "./handlers/ReviewsHandlers.ts"
import { SchemasHandlers } from "./handlers/SchemasHandlers.ts"
import { SessionHandlers } from "./handlers/SessionHandlers.ts"
import { SettingsHandlers } from "./handlers/SettingsHandlers.ts"
import { SigningKeysHandlers } from "./handlers/SigningKeysHandlers.ts"
import { UploadsHandlers } from "./handlers/UploadsHandlers.ts"
import { UsageHandlers } from "./handlers/UsageHandlers.ts"
import { AuthorizationLayer, SessionRequiredLayer } from "./middleware/AuthorizationLayer.ts"
import { compressed } from "./middleware/Compression.ts"
import { corsAllowedOrigins, crossOrigin } from "./middleware/CrossOrigin.ts"
import { readable } from "./middleware/ErrorPage.ts"
import { RateLimitingLayer } from "./middleware/RateLimitingLayer.ts"
import { ParameterCheckLayer, RequestDecodingLayer, TextCheckLayer } from "./middleware/RequestChecksLayer.ts"
import { methodOverridden } from "./middleware/Tus.ts"
import { layerMediaLink } from "./results/MediaLinkPage.ts"
import { isLinkToResult, layerResultPage } from "./results/ResultPage.ts"

const pages = {
  front: "/",
  openapi: "/openapi.json",
  docs: "/docs",
  icon: "/favicon.ico",
  metrics: "/metrics",
  result: "/s/:token",
  media: "/m/:token"
} as const

const Rest = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    JobsHandlers,
    BatchesHandlers,
    ArtifactsHandlers,
    MediaHandlers,
    ReviewsHandlers,
    UploadsHandlers,
    SchemasHandlers,
    ApiKeysHandlers,
    DestinationsHandlers,
    DeliveriesHandlers,
    SessionHandlers,
    SettingsHandlers,
    ExportsHandlers,
    HealthHandlers,
    SigningKeysHandlers,
    UsageHandlers
  ]),
  Layer.provide([
    AuthorizationLayer,
    SessionRequiredLayer,
    RateLimitingLayer,
    TextCheckLayer,
    ParameterCheckLayer,
    RequestDecodingLayer
  ])
)

const routeTable = makeRouteTable(Api, [...Object.values(pages), ...appPaths])

const untraced: ReadonlySet<string> = new Set(["/healthz", "/readyz", pages.metrics])

/** One middleware for all routes and for none, so that the order of its parts is plain to see. */
const Pipeline = HttpRouter.middleware(
  Effect.gen(function*() {
    const logged = yield* makeLogged
    const shared = crossOrigin(yield* corsAllowedOrigins)
    return (app) =>
      logged(alive(compressed(shared(routedByPath(methodOverridden(readable(enveloped(routeTable)(app))))))))
  }),
  { global: true }
)

/** What jobs left and what people made of it. */
const Reviewed = GoldRecords.layer.pipe(Layer.provideMerge(Reviews.layer), Layer.provideMerge(Artifacts.layer))

const Services = Layer.mergeAll(
  ApiKeys.layer,
  Deliveries.layer,
  DeliveryRequests.layer.pipe(Layer.provide(Deliveries.layer)),
  Destinations.layer.pipe(Layer.provide(DestinationHealth.layer), Layer.provide(Connectors.layer)),
  Batches.layer,
  Erasure.layer,
  ExpandedJobs.layer.pipe(Layer.provide(Reviewed)),
  Exports.layer.pipe(Layer.provide([Reviewed, Schemas.layer])),
  JobArchive.layer.pipe(Layer.provide([Reviewed, Manifests.layer])),
  KeyedRequests.layer,
  Manifests.layer,
  SourceMedia.layer,
  Reports.layer.pipe(Layer.provide([Artifacts.layer, Manifests.layer])),
  Reviewed,
  Speakers.layer.pipe(Layer.provide(Reviewed)),
  Renditions.layer,
  Uploads.layer,
  Layer.mergeAll(Submissions.layer, Estimates.layer).pipe(
    Layer.provide([Schemas.layer, UploadLookupLayer, ModelStore.layer, KeyedRequests.layer, TenantSettings.layer])
  ),
  Schemas.layer,
  Sessions.layer,
  TenantSettings.layer,
  ModelStore.layer,
  Limits.layer,
  UsageReports.layer
).pipe(Layer.provide(SchemaChecks.layer))

const Streams = Layer.merge(OpenStreams.layer, KeyWatch.layer)

const makeRoutes = (registrations?: ToolServer.Registrations) =>
  Layer.mergeAll(
    Rest,
    layerAppPage,
    layerDocsPage(pages.docs),
    layerOpenApiPage(pages.openapi),
    ToolServer.layer(registrations).pipe(Layer.provide(OAuth.layer)),
    layerMetricsPage(pages.metrics).pipe(Layer.provide(EngineGauges.layer)),
    layerResultPage(pages.result),
    layerMediaLink(pages.media),
    Pipeline
  ).pipe(
    Layer.provide(PublicAddress.layer),
    Layer.provide(Services),
    Layer.provide(Streams),
    Layer.provide(FailedAuth.layer.pipe(Layer.provideMerge(RateLimits.layer)))
  )

/** The same with more registered at the tool server, for tests of the protocol itself. */
export const layerWith = (registrations?: ToolServer.Registrations) =>
  HttpRouter.serve(makeRoutes(registrations), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide([
      Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(requestLimits.json_body_bytes)),
      // Ids in paths may be any text: one that is too long is simply not found, by the code of its kind.
      Layer.succeed(HttpRouter.RouterConfig, { maxParamLength: 8192, caseSensitive: true }),
      // Asked every few seconds by machines, and part of nobody's work; and addresses that open what they name.
      Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => untraced.has(url) || isLinkToResult(url))
    ])
  )

/**
 * The whole REST API and the tool server on an HTTP server: needs `Jobs`, `PgClient`, `Blobs`, `Sealing`, `Signing` and
 * `Draining`. JSON bodies hold at most 1 MiB; uploads have a limit of their own.
 */
export const layer = layerWith()
