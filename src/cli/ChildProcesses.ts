import { Deferred, Effect, Schedule, Schema, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { TRY_AGAIN } from "../processes/Teardown.ts"
import { tiedCommand } from "../processes/TiedCommand.ts"

/** A process of the service could not be started or ended by itself; `message` says how. */
export class ChildFailed extends Schema.TaggedError<ChildFailed>()("ChildFailed", {
  message: Schema.String,
  /** What it needs was away (`away`), or it was killed: the same start may succeed a little later. */
  passes: Schema.optional(Schema.Literals(["away", "killed"]))
}) {}

/** So often a process may end for a reason that passes before it has once been ready. */
const MOST_EARLY_ENDS = 20

export interface ChildOptions {
  readonly name: string
  /** Absolute path of the program, run by this same Node. */
  readonly entry: string
  readonly args: ReadonlyArray<string>
  /** All that the process finds in its environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** File descriptor for both outputs, or `inherit`. */
  readonly output: number | "inherit"
  /**
   * Another process of the service has already found what this one needs, so that it is awaited for however long it is away. A
   * PostgreSQL that was killed while the disk was busy took 59 s to sync its files before it recovered, and the service gave up.
   */
  readonly outlasts?: boolean
}

/**
 * Runs a process of ours until the scope closes: SIGTERM and time to drain first, SIGKILL after 15 s. The kernel kills it
 * with this process, and where it cannot the process does so itself, so that nothing is left even after `kill -9`. Fails
 * when the process ends by itself; `ready` succeeds once it has said that it is.
 */
const run = (options: ChildOptions, ready: Deferred.Deferred<void, ChildFailed>) =>
  Effect.scoped(Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(Effect.sync(() => open(options)), stop)
    const context = yield* Effect.context<never>()
    child.on("message", (message) => {
      if (typeof message === "object" && "ready" in message) {
        Effect.runForkWith(context)(Deferred.succeed(ready, undefined))
      }
    })
    return yield* Effect.callback<never, ChildFailed>((resume) => {
      const onEnd = () =>
        resume(Effect.fail(
          new ChildFailed({
            message: `The ${options.name} process ended (${child.signalCode ?? `exit code ${child.exitCode}`}).`,
            passes: child.signalCode !== null ? "killed" : child.exitCode === TRY_AGAIN ? "away" : undefined
          })
        ))
      if (hasEnded(child)) return onEnd()
      child.once("exit", onEnd).once("error", onEnd)
    })
  }))

/**
 * Keeps a process running: one that ends by itself is logged and started again after half a second. Succeeds when it is
 * ready for the first time; fails if it ends before that by something that a restart does not cure, or twenty times by
 * something that passes, unless that is a want that it `outlasts`.
 */
export const keepRunning = (options: ChildOptions): Effect.Effect<void, ChildFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const ready = yield* Deferred.make<void, ChildFailed>()
    let early = 0
    yield* run(options, ready).pipe(
      Effect.tapError((error) =>
        error.passes !== undefined &&
          (options.outlasts === true && error.passes === "away" || ++early < MOST_EARLY_ENDS)
          ? Effect.void
          : Deferred.fail(ready, error)
      ),
      Effect.tapError((error) => Effect.logWarning(error.message)),
      Effect.retry(Schedule.spaced("500 millis")),
      Effect.forkScoped
    )
    yield* Deferred.await(ready)
  })

const open = (options: ChildOptions): ChildProcess => {
  const [file, args] = tiedCommand(process.execPath, [options.entry, ...options.args])
  return spawn(file, args, {
    env: { ...options.env },
    stdio: ["ignore", options.output, options.output, "ipc"]
  })
}

const hasEnded = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  }).pipe(
    Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.sync(() => child.kill("SIGKILL")) })
  )
