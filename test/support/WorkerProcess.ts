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
  /** Unix milliseconds by the worker's clock. */
  readonly at: number
}

type Message = Record<string, unknown>

/** What each process has said and nobody has taken yet. It may speak before anybody waits for its words. */
const inboxes = new WeakMap<ChildProcess, Array<Message>>()

const inboxOf = (child: ChildProcess): Array<Message> => {
  const known = inboxes.get(child)
  if (known !== undefined) return known
  const inbox: Array<Message> = []
  inboxes.set(child, inbox)
  child.on("message", (said) => inbox.push(said as Message))
  return inbox
}

const spawn = (url: Redacted.Redacted, options: NoopWorkerOptions): ChildProcess => {
  const child = fork(entry, [JSON.stringify(options)], {
    execArgv: [],
    env: { ...process.env, DATABASE_URL: Redacted.value(url) },
    stdio: ["ignore", 2, 2, "ipc"]
  })
  inboxOf(child)
  return child
}

/** A worker process that is taking tasks; killed with the scope if it still lives. */
export const start = (url: Redacted.Redacted, options: NoopWorkerOptions = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(url, options)),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(Effect.tap((child) => message(child, (said) => "ready" in said)))

/** The first message of the process that fits and that nobody has taken, be it said before or still to come; dies where the process ends without it. */
export const message = <A extends object = Message>(
  child: ChildProcess,
  fits: (message: Message) => boolean
): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    const inbox = inboxOf(child)
    const stop = () => {
      child.off("message", take)
      child.off("exit", onExit)
    }
    const take = () => {
      const at = inbox.findIndex(fits)
      if (at === -1) return
      stop()
      resume(Effect.succeed(inbox.splice(at, 1)[0] as A))
    }
    const onExit = (code: number | null, signal: string | null) => {
      stop()
      resume(Effect.die(new Error(`The worker process ended: ${signal ?? code}`)))
    }
    child.on("message", take).once("exit", onExit)
    take()
    return Effect.sync(stop)
  })

/** When the process has started each task of a stage, of those that nobody has taken as a message: Unix milliseconds, in order. */
export const startsOf = (child: ChildProcess, stage: string): ReadonlyArray<number> =>
  inboxOf(child).flatMap(({ started }) => {
    const task = started as Started | undefined
    return task?.stage === stage ? [task.at] : []
  })

export const exited = (child: ChildProcess): Effect.Effect<number | null> =>
  Effect.callback<number | null>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.succeed(child.exitCode))
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })
