import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Clock, Config, Effect, Layer, Random, Runtime } from "effect"
import { Database } from "../../src/database/Database.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { StageOutput } from "../../src/jobs/model/StageIo.ts"
import { type Pool, pools } from "../../src/processes/Pools.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { layerBlobStore } from "../../src/storage/BlobStore.ts"
import { fromStore } from "../../workers/engine/FromStore.ts"
import type { UntilIdle } from "../../workers/engine/UntilIdle.ts"
import { runWorker } from "../../workers/engine/Worker.ts"
import { noopOutput, noopWorker } from "./NoopStages.ts"

/** How the imagined work behaves. Times in milliseconds. */
export interface NoopWorkerOptions {
  readonly pools?: ReadonlyArray<Pool>
  readonly slots?: Partial<Record<Pool, number>>
  /** Each task takes a random time in between: what it last was told, be it here or by a message of its parent. */
  readonly at_least?: number
  readonly at_most?: number
  /** So many tasks take any part of that, so that slots which begin at one moment do not end at one. */
  readonly staggered?: number
  /** Share of tasks that fail retryably. */
  readonly fail_rate?: number
  /** Tasks of this stage never end. */
  readonly block?: string
  /** Blocked tasks do not end when told to either: the process ends when its parent does. */
  readonly lingers?: boolean
  /** Leave a result that can be read, in the blob store of `FOOTNOTE_DATA`. */
  readonly results?: boolean
  /** Ends by itself, as `--until-idle` says. */
  readonly until_idle?: UntilIdle
  /** How long it finishes what it holds after SIGTERM. Default 5. */
  readonly drain_seconds?: number
  /** Tell the parent of every task that starts. */
  readonly tell?: boolean
}

/** Bytes that are a result as well as evidence. */
const leaveResult = (job_id: string, index: number) =>
  Effect.flatMap(Blobs, (blobs) =>
    fromStore(blobs.put(
      `jobs/${job_id}/extract/${index}`,
      new TextEncoder().encode(JSON.stringify({ title: job_id, spans: [], unfilled: [] }))
    ))).pipe(
      Effect.provide(layerBlobStore.pipe(Layer.provide(NodeServices.layer))),
      Effect.catchIf((error) => error._tag !== "StageFailure", Effect.die)
    )

/** A worker process of its own whose stages do nothing: `node noop-worker.ts '{…}'` with `DATABASE_URL`. */
const main = Effect.gen(function*() {
  const options: NoopWorkerOptions = JSON.parse(process.argv[2] ?? "{}")
  const served = options.pools ?? pools
  const { fail_rate = 0 } = options
  let { at_least = 0, at_most = 0, staggered = 0 } = options
  process.on("message", (told: Required<Pick<NoopWorkerOptions, "at_least" | "at_most" | "staggered">>) => {
    at_least = told.at_least
    at_most = told.at_most
    staggered = told.staggered
  })
  const worker = noopWorker((task) =>
    Effect.gen(function*() {
      const { attempt, id, index, job_id, stage } = task
      if (options.tell === true) {
        process.send?.({
          started: { id, job_id, stage, attempt, pid: process.pid, at: yield* Clock.currentTimeMillis }
        })
      }
      if (stage === options.block) {
        return yield* Effect.onInterrupt(Effect.never, () =>
          Effect.andThen(
            Effect.sync(() => process.send?.({ stopped: { id, job_id } })),
            options.lingers === true ? Effect.never : Effect.void
          ))
      }
      if ((yield* Random.next) < fail_rate) {
        return yield* new StageFailure({ code: "SOURCE_UNREACHABLE", message: "Imagined.", retryable: true })
      }
      if (at_most > 0) {
        const least = staggered > 0 ? 0 : at_least
        staggered = Math.max(0, staggered - 1)
        yield* Effect.sleep(yield* Random.nextBetween(least, at_most))
      }
      if (options.results !== true || stage !== "extract") return undefined
      const left = yield* leaveResult(job_id, index)
      return { output: { ...noopOutput(task) as StageOutput<"extract">, result: left, evidence: left } }
    }), options.slots)
  return yield* runWorker({
    pools: worker.pools.filter(({ pool }) => served.includes(pool)),
    drain_seconds: options.drain_seconds ?? 5,
    until_idle: options.until_idle,
    onReady: Effect.sync(() => void process.send?.({ ready: true }))
  })
}).pipe(
  Effect.raceFirst(Effect.callback<void>((resume) => {
    process.once("disconnect", () => resume(Effect.void))
  }))
)

const Services = Layer.unwrap(
  Effect.map(
    Config.Redacted("DATABASE_URL"),
    (url) => Engine.layerWorker.pipe(Layer.provideMerge(Database.layerUrl(url, { maxConnections: 10 })))
  )
).pipe(
  Layer.provideMerge(NodeServices.layer)
)

NodeRuntime.runMain(Effect.provide(main, Services), {
  teardown: (exit) => Runtime.defaultTeardown(exit, (code) => process.exit(code === 130 ? 0 : code))
})
