import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { existsSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { derivedKeysOf } from "../crypto/PurposeKey.ts"
import type { Pool } from "../processes/Pools.ts"
import { environmentOf } from "../processes/ProcessEnvironment.ts"
import { ChildFailed, keepRunning } from "./ChildProcesses.ts"

const program = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export interface LocalServiceOptions {
  readonly data_dir: string
  readonly database_url: string
  /** The login that migrates, which the API alone is given. */
  readonly database_owner_url: string | undefined
  readonly port: number
  /** One worker process for each group of pools; `delivery` is a group of its own. */
  readonly worker_groups: ReadonlyArray<ReadonlyArray<Pool>>
  /** Where the processes write their logs: a file, or this terminal. */
  readonly log_file: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * The API and the workers on this machine, ready to take jobs when this succeeds and drained and gone when the scope
 * closes. A process that dies later is started again; one that cannot start fails with its name.
 */
export const startLocalService = Effect.fn("startLocalService")(function*(options: LocalServiceOptions) {
  return yield* start(options).pipe(
    Effect.mapError(({ message }) => new ChildFailed({ message: `${message}${lastWords(options.log_file)}` }))
  )
})

/** What the processes logged last, since their log is the only place that says why one could not start. */
const lastWords = (log_file: string | undefined): string => {
  if (log_file === undefined || !existsSync(log_file)) return ""
  const lines = readFileSync(log_file, "utf8").trimEnd().split("\n")
  return `\n${lines.slice(-12).join("\n")}`
}

const start = Effect.fnUntraced(function*(options: LocalServiceOptions) {
  const output = options.log_file === undefined ? "inherit" as const : openSync(options.log_file, "a", 0o600)
  const given = { ...process.env, ...options.env }
  const env = {
    // Whoever fetches or extracts is given the key of that purpose alone, which the deployment's is not known from.
    ...derivedKeysOf(given),
    ...given,
    DATABASE_URL: options.database_url,
    DATABASE_OWNER_URL: options.database_owner_url,
    FOOTNOTE_DATA: options.data_dir,
    PORT: String(options.port)
  }
  // The API migrates the database: a worker that came first would only wait for the same lock.
  yield* keepRunning({ name: "API", entry: program("src/main.ts"), args: [], env: environmentOf(["api"], env), output })
  const metrics_port = Number(given.METRICS_PORT ?? "")
  yield* Effect.forEach(options.worker_groups, (pools, at) =>
    keepRunning({
      name: `${pools.join(" and ")} worker`,
      entry: program("workers/main.ts"),
      args: pools,
      // One port shows one process: each worker has the next.
      env: environmentOf(pools, metrics_port > 0 ? { ...env, METRICS_PORT: String(metrics_port + at) } : env),
      output,
      // The database was there when the API began.
      outlasts: true
    }), { concurrency: "unbounded", discard: true })
  return { base_url: `http://127.0.0.1:${options.port}` }
})

/**
 * A port of the loopback interface that nobody listens on at this moment. It is one of those that no system hands out by
 * itself (Linux does from 32768, others from 49152), so no connection made before it is bound can take it.
 */
export const freePort: Effect.Effect<number> = Effect.callback<number, Error>((resume) => {
  const port = randomInt(20_000, 32_768)
  const server = createServer()
  server.once("error", (error) => resume(Effect.fail(error)))
  server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(port))))
}).pipe(Effect.retry({ times: 100 }), Effect.orDie)
