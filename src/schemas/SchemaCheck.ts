import { Effect } from "effect"
import os from "node:os"
import { Worker } from "node:worker_threads"
import { SchemaInvalid } from "./ExtractionSchema.ts"
import { schemaLimits, sizeProblem } from "./json-schema/JsonSchemaLint.ts"
import type { SchemaProblem } from "./json-schema/SchemaProblem.ts"
import type { Edited } from "./json-schema/ValueEdits.ts"
import type { SchemaWarning } from "./RegisterSchema.ts"
import type { CheckedInThread, CheckPriority, EditsInThread } from "./SchemaCheckWorker.ts"

/** What is told first is told with its place, since a message is often shown alone. */
const placed = ({ message, path }: SchemaProblem) => path === "" ? message : `${path}: ${message}`

const invalid = (problems: ReadonlyArray<SchemaProblem>): SchemaInvalid =>
  new SchemaInvalid({
    message: `The schema cannot be used: ${placed(problems[0]!)}`,
    details: problems.map(({ path, message, reason }) => ({ path, message: `${reason}: ${message}` }))
  })

const tooComplex = invalid([{
  path: "",
  message: "Checking it takes too long or too much memory.",
  reason: "too_complex"
}])

/** Checks that run at once. Each thread may take 192 MB and a core. */
export const checkThreads = Math.max(2, Math.min(4, os.availableParallelism()))

/** Checks that run at once, beside these, for tenants that have had much of the processor just now. */
export const dearCheckThreads = 1

/**
 * Starting a thread and loading the validators costs 10 times the check itself, so each is kept for the next: one that is
 * busy with a tenant's check all the time leaves another's the one that is started already.
 */
const makeThreads = (priority: CheckPriority, most: number) => {
  const idle: Array<Worker> = []
  let live = 0
  const open = (ready: (worker: Worker) => void): Worker => {
    const worker = new Worker(new URL("./SchemaCheckWorker.ts", import.meta.url), {
      workerData: priority,
      resourceLimits: { maxOldGenerationSizeMb: 192, stackSizeMb: 4 }
    })
    live++
    // "ready": its modules are loaded, so that the limit measures the schema alone.
    worker.once("message", () => ready(worker))
    worker.once("exit", () => {
      live--
      const at = idle.indexOf(worker)
      if (at !== -1) idle.splice(at, 1)
    })
    return worker
  }
  const keep = (worker: Worker) => {
    idle.push(worker)
    worker.unref()
  }
  /** A second one once there is a first: while that is busy the next tenant would wait half a second for its start. */
  const keepSpare = () => {
    if (live >= Math.min(2, most)) return
    const spare = open(keep)
    spare.on("error", () => {})
    spare.unref()
  }
  const start = Effect.callback<Worker>((resume) => {
    const worker = open((ready) => resume(Effect.succeed(ready)))
    worker.on("error", (cause) => resume(Effect.die(cause)))
    return Effect.promise(() => worker.terminate())
  })
  return Effect.acquireRelease(
    Effect.suspend(() => {
      const kept = idle.pop()
      if (kept === undefined) return start
      kept.ref()
      return Effect.succeed(kept)
    }),
    (worker) => {
      if (!answered.delete(worker) || idle.length >= most) return Effect.promise(() => worker.terminate())
      keep(worker)
      keepSpare()
      return Effect.void
    }
  )
}
const answered = new WeakSet<Worker>()
const threads: Readonly<Record<CheckPriority, ReturnType<typeof makeThreads>>> = {
  schema_check: makeThreads("schema_check", checkThreads),
  dear_schema_check: makeThreads("dear_schema_check", dearCheckThreads)
}

/** Fails where the thread dies of it. */
const ask = <A>(worker: Worker, asked: string | EditsInThread): Effect.Effect<A, "died"> =>
  Effect.callback((resume) => {
    const died = () => resume(Effect.fail("died"))
    worker.once("error", died)
    worker.once("message", (answer: A) => {
      worker.off("error", died)
      answered.add(worker)
      resume(Effect.succeed(answer))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    worker.postMessage(asked)
  })

/** A schema that a result can be given for. */
export interface CheckedSchema {
  readonly warnings: ReadonlyArray<SchemaWarning>
  /** JSON text of the 2020-12 copy that judges and fills (`normaliseDialect`). */
  readonly normalised: string
}

const cpuSeconds = 2

/** Milliseconds of the processor that a thread has used since; all that it may use where it is not there to be asked. */
const usedBy = (worker: Worker, since: NodeJS.CpuUsage): Effect.Effect<number> =>
  Effect.promise(() => worker.cpuUsage(since)).pipe(
    Effect.map(({ system, user }) => (system + user) / 1000),
    Effect.catchDefect(() => Effect.succeed(cpuSeconds * 1000)),
    Effect.timeoutOrElse({ duration: "1 second", orElse: () => Effect.succeed(cpuSeconds * 1000) })
  )

/** Who pays for a check, and how far it stands behind. */
export interface CheckTerms {
  /** Told the milliseconds of the processor that it took, also of a check that was given up. */
  readonly spent?: (milliseconds: number) => Effect.Effect<void>
  readonly priority?: CheckPriority
}

/** A thread for one check, whose time is told of at the check's end, however it ends. */
const metered = ({ priority = "schema_check", spent }: CheckTerms) =>
  Effect.uninterruptible(Effect.gen(function*() {
    const worker = yield* threads[priority]
    const since = yield* Effect.promise(() => worker.cpuUsage())
    if (spent !== undefined) yield* Effect.addFinalizer(() => Effect.flatMap(usedBy(worker, since), spent))
    return { since, worker }
  }))

/**
 * Ends once the thread has used its time: the processor's, so that no schema is refused for what its neighbours do. Where the machine
 * has no time for anybody the request's deadline ends the wait with 503; a limit of 20 s here refused good schemas then.
 */
const usedUp = (worker: Worker, since: NodeJS.CpuUsage): Effect.Effect<void> =>
  Effect.gen(function*() {
    while (true) {
      yield* Effect.sleep("1 second")
      const { system, user } = yield* Effect.promise(() => worker.cpuUsage(since))
      if (user + system >= cpuSeconds * 1e6) return
    }
  }).pipe(
    // A thread that ended has been told of by `ask`.
    Effect.catchDefect(() => Effect.never)
  )

/** What a thread of its own answers within 2 s of the processor; `died` where it does not. */
const inThread = <A>(asked: string | EditsInThread, terms: CheckTerms) =>
  Effect.scoped(Effect.flatMap(
    metered(terms),
    ({ since, worker }) =>
      Effect.raceFirst(ask<A>(worker, asked), Effect.andThen(usedUp(worker, since), Effect.fail("died" as const)))
  ))

/**
 * Runs `checkSchema` in a thread of its own and kills it after 2 s of the processor, so that no schema can hold up the
 * process that was handed it. Gives the warnings and the normalised copy; fails with `SCHEMA_INVALID` and at most ten
 * details otherwise.
 */
export const checkSchemaSafely: (
  schema: unknown,
  terms?: CheckTerms
) => Effect.Effect<CheckedSchema, SchemaInvalid> = Effect.fn("checkSchemaSafely")(
  function*(schema: unknown, terms: CheckTerms = {}) {
    const size = sizeProblem(schema)
    if (size !== undefined) return yield* invalid([size])
    const { checked, normalised } = yield* Effect.mapError(
      inThread<CheckedInThread>(JSON.stringify(schema), terms),
      () => tooComplex
    )
    if (!checked.ok) return yield* invalid(checked.problems)
    // Dynamic references are unfolded in the copy: it may be larger than what was sent.
    if (Buffer.byteLength(normalised) > schemaLimits.normalised_bytes) {
      return yield* invalid([{ path: "", message: "Unfolded it takes too much memory.", reason: "too_complex" }])
    }
    return { warnings: checked.warnings, normalised }
  }
)

/** The same bounds for edits of a result: what takes longer to check than a schema may is refused as a whole. */
export const fitEditsSafely = (edits: EditsInThread, terms: CheckTerms): Effect.Effect<Edited> =>
  inThread<Edited>(edits, terms).pipe(
    Effect.catch(() =>
      Effect.succeed<Edited>({
        ok: false,
        edit: null,
        message: "Checking the result against the job's schema takes too long or too much memory"
      })
    )
  )
