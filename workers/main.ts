import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Config, Effect, Layer, Runtime } from "effect"
import { Database } from "../src/database/Database.ts"
import * as Engine from "../src/jobs/Engine.ts"
import { layerMetricsServer } from "../src/observability/MetricsServer.ts"
import { layerTelemetry } from "../src/observability/Telemetry.ts"
import { type Pool, pools } from "../src/queue/Pools.ts"
import { layerBlobStore } from "../src/storage/BlobStore.ts"
import { openLane } from "./Lanes.ts"
import { runWorker } from "./Worker.ts"

/** The pools named on the command line, all of them where none is named. Whoever decodes fetches too. */
const named = (words: ReadonlyArray<string>): ReadonlyArray<Pool> => {
  const unknown = words.filter((word) => !pools.includes(word as Pool))
  if (unknown.length > 0) {
    process.stderr.write(`Unknown pool ${unknown.join(", ")}. Pools: ${pools.join(", ")}.\n`)
    process.exit(2)
  }
  const served = words.includes("media") ? ["fetch", ...words] : words
  return words.length === 0 ? pools : pools.filter((pool) => served.includes(pool))
}

// Before anything is opened: a misspelt pool must not wait for a database.
const served = named(process.argv.slice(2))

/** Whoever started this process can wait for `{ ready: true }`; alone it says so in its log. */
const announce = (served: ReadonlyArray<Pool>) =>
  Effect.sync(() => process.send?.({ ready: true, pools: served })).pipe(
    Effect.andThen(Effect.logInfo(`Worker ready: ${served.join(", ")}`))
  )

/** Started by another process of ours, it ends with it, also when that one was killed. */
const untilParentIsGone = Effect.callback<void>((resume) => {
  if (process.send !== undefined) process.once("disconnect", () => resume(Effect.void))
})

/** `node workers/main.ts [pool …]`: takes tasks of these pools until told to stop; needs the database and the blobs. */
const main = Effect.gen(function*() {
  const lanes = yield* Effect.forEach(served, (pool) => openLane(pool, served))
  const drain_seconds = yield* Config.Int("DRAIN_SECONDS").pipe(Config.withDefault(10))
  return yield* runWorker({ pools: lanes, drain_seconds, onReady: announce(served) })
}).pipe(Effect.scoped, Effect.raceFirst(untilParentIsGone))

// Two sessions are pinned (identity, LISTEN), a third while this process is the janitor.
const Services = Engine.layerWorker.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Database.layer({ maxConnections: 10, applicationName: "footnote worker" }), layerBlobStore)
  ),
  Layer.provideMerge(NodeServices.layer)
)

const Process = Layer.merge(Services, layerMetricsServer).pipe(Layer.provideMerge(layerTelemetry("footnote-worker")))

NodeRuntime.runMain(Effect.provide(main, Process), {
  // Being told to stop is not a failure.
  teardown: (exit, onExit) => Runtime.defaultTeardown(exit, (code) => onExit(code === 130 ? 0 : code))
})
