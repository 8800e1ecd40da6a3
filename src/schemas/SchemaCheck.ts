import { Effect, Semaphore } from "effect"
import { Worker } from "node:worker_threads"
import { SchemaInvalid } from "./ExtractionSchema.ts"
import { schemaLimits, sizeProblem } from "./JsonSchemaLint.ts"
import type { SchemaWarning } from "./RegisterSchema.ts"
import type { CheckedInThread } from "./SchemaCheckWorker.ts"
import type { SchemaProblem } from "./SchemaProblem.ts"

const invalid = (problems: ReadonlyArray<SchemaProblem>): SchemaInvalid =>
  new SchemaInvalid({
    message: `The schema cannot be used: ${problems[0]!.message}`,
    details: problems.map(({ path, message, reason }) => ({ path, message: `${reason}: ${message}` }))
  })

const tooComplex = invalid([{
  path: "",
  message: "Checking it takes too long or too much memory.",
  reason: "too_complex"
}])

/** Starting a thread and loading the validators costs 10 times the check itself, so one thread is kept for the next. */
let idle: Worker | undefined
const answered = new WeakSet<Worker>()

/** Each thread may take 192 MB, so that many requests at once wait for each other. */
const turns = Semaphore.makeUnsafe(4)

const start = Effect.callback<Worker>((resume) => {
  const worker = new Worker(new URL("./SchemaCheckWorker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 192, stackSizeMb: 4 }
  })
  // "ready": its modules are loaded, so that the limit measures the schema alone.
  worker.once("message", () => resume(Effect.succeed(worker)))
  worker.on("error", (cause) => resume(Effect.die(cause)))
  worker.once("exit", () => {
    if (idle === worker) idle = undefined
  })
  return Effect.promise(() => worker.terminate())
})

const borrow = Effect.acquireRelease(
  Effect.suspend(() => {
    const kept = idle
    idle = undefined
    if (kept === undefined) return start
    kept.ref()
    return Effect.succeed(kept)
  }),
  (worker) => {
    if (!answered.delete(worker) || idle !== undefined) return Effect.promise(() => worker.terminate())
    idle = worker
    worker.unref()
    return Effect.void
  }
)

const ask = (worker: Worker, text: string): Effect.Effect<CheckedInThread, SchemaInvalid> =>
  Effect.callback((resume) => {
    const died = () => resume(Effect.fail(tooComplex))
    worker.once("error", died)
    worker.once("message", (answer: CheckedInThread) => {
      worker.off("error", died)
      answered.add(worker)
      resume(Effect.succeed(answer))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    worker.postMessage(text)
  })

/** A schema that a result can be given for. */
export interface CheckedSchema {
  readonly warnings: ReadonlyArray<SchemaWarning>
  /** JSON text of the 2020-12 copy that judges and fills (`normaliseDialect`). */
  readonly normalised: string
}

/**
 * Runs `checkSchema` in a thread of its own and kills it after 2 s, so that no schema can hold up the process that was
 * handed it. Gives the warnings and the normalised copy; fails with `SCHEMA_INVALID` and at most ten details otherwise.
 */
export const checkSchemaSafely: (schema: unknown) => Effect.Effect<CheckedSchema, SchemaInvalid> = Effect.fn(
  "checkSchemaSafely"
)(
  function*(schema: unknown) {
    const size = sizeProblem(schema)
    if (size !== undefined) return yield* invalid([size])
    const worker = yield* borrow
    const { checked, normalised } = yield* Effect.timeoutOrElse(ask(worker, JSON.stringify(schema)), {
      duration: "2 seconds",
      orElse: () => Effect.fail(tooComplex)
    })
    if (!checked.ok) return yield* invalid(checked.problems)
    // Dynamic references are unfolded in the copy: it may be larger than what was sent.
    if (Buffer.byteLength(normalised) > schemaLimits.normalised_bytes) return yield* tooComplex
    return { warnings: checked.warnings, normalised }
  },
  Effect.scoped,
  turns.withPermits(1)
)
