import { NodeHttpServer, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Config, Effect, Layer, Runtime, Schedule } from "effect"
import { HttpServer as EffectHttpServer } from "effect/http"
import { encryptionKey, Sealing } from "./crypto/Sealing.ts"
import { retiredSigningKeys, Signing, signingKey } from "./crypto/Signing.ts"
import { Database } from "./database/Database.ts"
import { Draining, layerBeginDrainingOnRelease } from "./http/Draining.ts"
import * as HttpServer from "./http/HttpServer.ts"
import { makeNodeServer } from "./http/NodeServer.ts"
import * as Engine from "./jobs/Engine.ts"
import { modelStoreConfig } from "./model-stacks/ModelStoreConfig.ts"
import { checkConfiguration } from "./observability/Configuration.ts"
import { layerTelemetry, logFormat, logLevel, otlpEndpoint } from "./observability/Telemetry.ts"
import { s3PolicyConfig } from "./sources/S3Policy.ts"
import { sourcePolicyConfig } from "./sources/SourcePolicy.ts"
import { uploadMaxBytes, Uploads } from "./sources/Uploads.ts"
import { blobStoreConfig, layerBlobStore } from "./storage/BlobStore.ts"
import { givenApiKey, layerBootstrap } from "./tenants/Tenants.ts"

const host = Config.String("HOST").pipe(Config.withDefault("127.0.0.1"))
const port = Config.Port("PORT").pipe(Config.withDefault(8080))
const dataFolder = Config.String("FOOTNOTE_DATA").pipe(Config.withDefault(".footnote"))

const CheckedConfiguration = Layer.effectDiscard(checkConfiguration([
  host,
  port,
  dataFolder,
  logFormat,
  logLevel,
  otlpEndpoint,
  encryptionKey,
  signingKey,
  retiredSigningKeys,
  givenApiKey,
  sourcePolicyConfig,
  s3PolicyConfig,
  blobStoreConfig,
  modelStoreConfig,
  uploadMaxBytes
]))

/** What has expired is gone within the hour; a failed round is made good by the next. */
const SweepUploads = Layer.effectDiscard(Effect.gen(function*() {
  const uploads = yield* Uploads
  yield* Effect.forkScoped(
    uploads.sweep.pipe(Effect.ignoreCause, Effect.repeat(Schedule.spaced("1 hour")))
  )
}))

/** Whoever started this process can wait for `{ ready: true }`; alone it says so in its log. */
const Listening = Layer.effectDiscard(Effect.gen(function*() {
  const { address } = yield* EffectHttpServer.HttpServer
  yield* Effect.logInfo(`Listening on ${EffectHttpServer.formatAddress(address)}`)
  process.send?.({ ready: true })
}))

/** Started by another process of ours, it ends with it, also when that one was killed. */
const untilParentIsGone = Effect.callback<void>((resume) => {
  if (process.send !== undefined) process.once("disconnect", () => resume(Effect.void))
})

const Server = Layer.mergeAll(layerBeginDrainingOnRelease, Listening, SweepUploads).pipe(
  Layer.provideMerge(HttpServer.layer),
  Layer.provide(Uploads.layer),
  Layer.provide(NodeHttpServer.layerConfig(makeNodeServer, {
    host,
    port,
    gracefulShutdownTimeout: Config.succeed("10 seconds")
  }))
)

// Released in the reverse order: long answers end, HTTP drains, then the engine and the database, then telemetry.
Server.pipe(
  Layer.provide(layerBootstrap),
  Layer.provide([Draining.layer, Sealing.layer, Signing.layer, layerBlobStore, Engine.layerApi]),
  Layer.provide(Database.layer({ applicationName: "footnote api" })),
  Layer.provide(NodeServices.layer),
  Layer.provide(layerTelemetry("footnote-api")),
  Layer.provide(CheckedConfiguration),
  Layer.launch,
  Effect.raceFirst(untilParentIsGone),
  NodeRuntime.runMain({
    // Being told to stop is not a failure.
    teardown: (exit, onExit) => Runtime.defaultTeardown(exit, (code) => onExit(code === 130 ? 0 : code))
  })
)
