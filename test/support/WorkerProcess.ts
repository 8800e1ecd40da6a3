import { Effect, Redacted } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { NoopWorkerOptions } from "./noop-worker.ts"

const entry = fileURLToPath(new URL("noop-worker.ts", import.meta.url))

export interface Started {
  readonly id: string
  readonly job_id: string
  readonly stage: string
  readonly attempt: number
  readonly pid: number
}

const spawn = (url: Redacted.Redacted, options: NoopWorkerOptions): ChildProcess =>
  fork(entry, [JSON.stringify(options)], {
    execArgv: [],
    env: { ...process.env, DATABASE_URL: Redacted.value(url) },
    stdio: ["ignore", 2, 2, "ipc"]
  })

/** A worker process that is taking tasks; killed with the scope if it still lives. */
export const start = (url: Redacted.Redacted, options: NoopWorkerOptions = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(url, options)),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(Effect.tap((child) => message(child, (said) => "ready" in said)))

/** The next message of the process that fits. */
export const message = <A extends object = Record<string, unknown>>(
  child: ChildProcess,
  fits: (message: Record<string, unknown>) => boolean
): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    const stop = () => {
      child.off("message", onMessage)
      child.off("exit", onExit)
    }
    const onMessage = (said: unknown) => {
      if (!fits(said as Record<string, unknown>)) return
      stop()
      resume(Effect.succeed(said as A))
    }
    const onExit = (code: number | null, signal: string | null) => {
      stop()
      resume(Effect.die(new Error(`The worker process ended: ${signal ?? code}`)))
    }
    child.on("message", onMessage).once("exit", onExit)
    return Effect.sync(stop)
  })

export const exited = (child: ChildProcess): Effect.Effect<number | null> =>
  Effect.callback<number | null>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.succeed(child.exitCode))
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })
