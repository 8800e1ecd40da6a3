import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { parseArgs } from "node:util"
import { derivedKeysOf } from "../src/crypto/PurposeKey.ts"
import { Database } from "../src/database/Database.ts"
import { isDatabaseAway } from "../src/database/DatabaseAway.ts"
import * as DatabaseClock from "../src/database/DatabaseClock.ts"
import * as Engine from "../src/jobs/Engine.ts"
import { checkConfiguration } from "../src/observability/Configuration.ts"
import { layerMetricsServer } from "../src/observability/MetricsServer.ts"
import { layerTelemetry } from "../src/observability/Telemetry.ts"
import { layerPrivateFiles } from "../src/processes/FileModes.ts"
import { type Pool, pools } from "../src/processes/Pools.ts"
import { niceness, standBehind } from "../src/processes/Priority.ts"
import { keepEnvironment } from "../src/processes/ProcessEnvironment.ts"
import { refuse } from "../src/processes/Refuse.ts"
import { runProcess } from "../src/processes/RunProcess.ts"
import { teardownOf } from "../src/processes/Teardown.ts"
import { layerBlobStore } from "../src/storage/BlobStore.ts"
import { deploymentProblems } from "./DeploymentProblems.ts"
import { untilFit } from "./engine/Fitness.ts"
import type { UntilIdle } from "./engine/UntilIdle.ts"
import { runWorker } from "./engine/Worker.ts"
import { openLane } from "./Lanes.ts"
import { drainSeconds, workerConfiguration } from "./WorkerConfiguration.ts"

const refuseWords = (why: string): never => {
  process.stderr.write(`${why}\n`)
  return process.exit(2)
}

/** The pools named on the command line; whoever decodes fetches too. Deliveries have the encryption key; the others open what strangers send: never both. */
const named = (words: ReadonlyArray<string>): ReadonlyArray<Pool> => {
  const unknown = words.filter((word) => !pools.includes(word as Pool))
  if (unknown.length > 0) refuseWords(`Unknown pool ${unknown.join(", ")}. Pools: ${pools.join(", ")}.`)
  const served = pools.filter((pool) => words.includes(pool) || (pool === "fetch" && words.includes("media")))
  const others = pools.filter((pool) => pool !== "delivery")
  if (served.length === 0) {
    refuseWords(`Name the pools that this process serves: ${others.join(", ")}; or delivery, in a process of its own.`)
  }
  if (served.length > 1 && served.includes("delivery")) {
    refuseWords(
      "Deliveries need the encryption key, and no process that opens media has it. Start two workers: one for "
        + `${words.filter((word) => word !== "delivery").join(" ")}, one for delivery.`
    )
  }
  return served
}

const commandLine = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { "until-idle": { type: "boolean" }, "max-tasks": { type: "string" } }
    })
  } catch (error) {
    return refuseWords(`${(error as Error).message}\nOptions: --until-idle, and with it --max-tasks N.`)
  }
}

/** `--until-idle [--max-tasks N]`: claim, finish, exit with 0, for whatever starts a worker per piece of work. */
const untilIdle = (values: ReturnType<typeof commandLine>["values"]): UntilIdle | undefined => {
  const most = values["max-tasks"]
  if (values["until-idle"] !== true) {
    return most === undefined
      ? undefined
      : refuseWords("--max-tasks N needs --until-idle: a worker that stays has no end.")
  }
  if (most === undefined) return {}
  return /^[1-9]\d{0,8}$/u.test(most) ? { max_tasks: Number(most) } : refuseWords("--max-tasks must be 1 or more.")
}

// Before anything is opened: a misspelt pool must not wait for a database.
const { positionals, values } = commandLine()
const served = named(positionals)
const until_idle = untilIdle(values)
// Whoever starts all processes with one environment gives each what it may have.
for (const [name, key] of Object.entries(derivedKeysOf(process.env))) process.env[name] ??= key
keepEnvironment(served)
if (!served.includes("delivery")) standBehind(niceness.worker)

/** Whoever started this process can wait for `{ ready: true }`; alone it says so in its log. */
const announce = (served: ReadonlyArray<Pool>) =>
  Effect.sync(() => process.send?.({ ready: true, pools: served })).pipe(
    Effect.andThen(Effect.logInfo(`Worker ready: ${served.join(", ")}`))
  )

/** `node workers/main.ts POOL…`: takes tasks of these pools until told to stop, or idle; needs the database and the blobs. */
const main = Effect.gen(function*() {
  const problems = yield* untilFit(deploymentProblems(served))
  const lanes = yield* Effect.forEach(served, (pool) => openLane(pool, served))
  const drain_seconds = yield* drainSeconds
  return yield* runWorker({ pools: lanes, drain_seconds, until_idle, problems, onReady: announce(served) })
}).pipe(Effect.scoped)

// Two sessions are pinned (identity, LISTEN), a third while this process is the janitor.
const Services = Engine.layerWorker.pipe(
  Layer.provideMerge(DatabaseClock.layer),
  Layer.provideMerge(
    Layer.mergeAll(Database.layer({ maxConnections: 10, applicationName: "footnote worker" }), layerBlobStore)
  ),
  Layer.provideMerge(NodeServices.layer)
)

const Process = Layer.merge(Services, layerMetricsServer).pipe(
  Layer.provideMerge(layerPrivateFiles),
  Layer.provideMerge(layerTelemetry("footnote-worker")),
  Layer.provideMerge(Layer.effectDiscard(checkConfiguration(workerConfiguration(served))))
)

/** What an operator has to change is said in a sentence, without a trace. */
const refusals = {
  ConfigurationInvalid: refuse,
  DatabasePooled: refuse,
  DatabaseRoleMissing: refuse,
  DatabaseOutdated: refuse
}

runProcess(
  Effect.provide(main, Process).pipe(Effect.catchTags(refusals)),
  // Done until idle, a channel to the parent would keep the process.
  (exit, onExit) => teardownOf(isDatabaseAway)(exit, (code) => (onExit(code), process.exit(code)))
)
