import { NodeServices } from "@effect/platform-node"
import { Config, Effect, Layer, Schedule } from "effect"
import { HttpServer as EffectHttpServer } from "effect/http"
import { Sealing } from "./crypto/Sealing.ts"
import { Signing } from "./crypto/Signing.ts"
import { Database } from "./database/Database.ts"
import { isDatabaseAway } from "./database/DatabaseAway.ts"
import * as DatabaseClock from "./database/DatabaseClock.ts"
import { markDeployment } from "./deployment/MarkDeployment.ts"
import { apiConfiguration } from "./http/ApiConfiguration.ts"
import * as HttpServer from "./http/HttpServer.ts"
import * as Engine from "./jobs/Engine.ts"
import { Erasure } from "./jobs/retention/Erasure.ts"
import { OpenAddresses } from "./jobs/retention/OpenAddresses.ts"
import { OrphanedBlobs } from "./jobs/retention/OrphanedBlobs.ts"
import { Retention } from "./jobs/retention/Retention.ts"
import * as OldRenditions from "./media/OldRenditions.ts"
import { ModelStore } from "./model-stacks/ModelStore.ts"
import { checkConfiguration } from "./observability/Configuration.ts"
import { layerTelemetry } from "./observability/Telemetry.ts"
import { tolerated } from "./observability/Tolerated.ts"
import { endWithParent } from "./processes/EndWithParent.ts"
import { layerPrivateFiles } from "./processes/FileModes.ts"
import { withoutPretenuring } from "./processes/Pretenuring.ts"
import { keepEnvironment } from "./processes/ProcessEnvironment.ts"
import { refuse } from "./processes/Refuse.ts"
import { runProcess } from "./processes/RunProcess.ts"
import { listenHost, listenPort } from "./processes/ServiceAddress.ts"
import { teardownOf } from "./processes/Teardown.ts"
import { rateLimitConfig, RateLimitOptions } from "./rate-limits/RateLimitOptions.ts"
import { Uploads } from "./sources/Uploads.ts"
import { layerBlobStore } from "./storage/BlobStore.ts"
import { layerResealModels } from "./tenants/EarlierModels.ts"
import { layerBootstrap } from "./tenants/Tenants.ts"
import { Draining, layerDrainOnRelease } from "./web/server/Draining.ts"
import { drainNoticeSeconds, layerListening, Listener, portFree } from "./web/server/Listener.ts"

withoutPretenuring()
endWithParent()
keepEnvironment(["api"])

/** Before there is a database, a tenant or a key that would have to be asked for again. */
const CheckedConfiguration = Layer.effectDiscard(Effect.gen(function*() {
  yield* checkConfiguration(apiConfiguration)
  yield* portFree({ host: yield* listenHost, port: yield* listenPort })
}))

/** What has expired is gone within the hour; a failed round is made good by the next. */
const SweepUploads = Layer.effectDiscard(Effect.gen(function*() {
  const uploads = yield* Uploads
  yield* Effect.forkScoped(
    uploads.sweep.pipe(
      tolerated("The sweep of expired uploads", "tried again in an hour"),
      Effect.repeat(Schedule.spaced("1 hour"))
    )
  )
}))

const KeepRetention = Layer.mergeAll(
  Retention.layerRunning.pipe(Layer.provide(Erasure.layer)),
  OpenAddresses.layerRunning,
  layerResealModels,
  OrphanedBlobs.layerRunning,
  OldRenditions.layerRunning
)

/** Whoever started this process can wait for `{ ready: true }`; alone it says so in its log. */
const Listening = Layer.effectDiscard(Effect.gen(function*() {
  const { address } = yield* EffectHttpServer.HttpServer
  yield* Effect.logInfo(`Listening on ${EffectHttpServer.formatAddress(address)}`)
  process.send?.({ ready: true })
}))

/** Before anything is taken: the blob store is the deployment's, and workers can see whether they see what this process does. */
const Marks = Layer.effectDiscard(markDeployment).pipe(Layer.provide(ModelStore.layer))

const Drain = Layer.unwrap(Effect.gen(function*() {
  return layerDrainOnRelease(`${yield* drainNoticeSeconds} seconds`, yield* Listener)
}))

const Server = Layer.mergeAll(Drain, Listening, SweepUploads, KeepRetention).pipe(
  Layer.provideMerge(HttpServer.layer),
  Layer.provide(Uploads.layer),
  Layer.provide(layerListening(Config.all({ host: listenHost, port: listenPort }))),
  Layer.provide(Listener.layer()),
  Layer.provide(Layer.effect(RateLimitOptions, rateLimitConfig))
)

// Released in the reverse order: notice is given and long answers end, HTTP drains, then the engine and the database, then telemetry.
Server.pipe(
  Layer.provide(layerBootstrap),
  Layer.provide(Marks),
  Layer.provide([Draining.layer, Signing.layer, layerBlobStore, Engine.layerApi]),
  Layer.provide(Sealing.layer),
  Layer.provide(DatabaseClock.layer),
  Layer.provide(Database.layer({ applicationName: "footnote api" })),
  Layer.provide(NodeServices.layer),
  Layer.provide(layerTelemetry("footnote-api", { gathered: true })),
  Layer.provide(Layer.provideMerge(layerPrivateFiles, CheckedConfiguration)),
  Layer.launch,
  Effect.catchTags({
    PortTaken: refuse,
    ConfigurationInvalid: refuse,
    DatabasePooled: refuse,
    DatabaseRoleMissing: refuse,
    DatabaseOutdated: refuse,
    DeploymentDiffers: refuse
  }),
  (program) => runProcess(program, teardownOf(isDatabaseAway))
)
