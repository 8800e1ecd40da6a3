import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted, Schedule } from "effect"
import { openSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import type { Pool } from "../../src/processes/Pools.ts"
import type { NoopWorkerOptions } from "../../test/support/noop-worker.ts"
import { keep, type KeptProcess, openDatabase } from "../ServiceProcesses.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** A port of the loopback interface that nobody listens on at this moment. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

/**
 * A service in processes of its own, over a database that can be crashed: every process that ends is started again. Its
 * client repeats a request until it is answered, and its books are read by the database's owner.
 */
export const openService = async (
  more: Readonly<Record<string, string>> = {},
  /** The database's address as the service's processes have it. */
  through: (url: string) => Promise<string> = async (url) => url
) => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-chaos-"))
  const log = openSync(join(folder, "service.log"), "a")
  const database = await openDatabase(join(folder, "postgres"))
  const key = mintSecret()
  const port = await freePort()
  const env = {
    DATABASE_URL: await through(database.url),
    FOOTNOTE_DATA: join(folder, "data"),
    FOOTNOTE_API_KEY: key,
    PORT: String(port),
    LOG_FORMAT: "json",
    ...more
  }
  const api = keep("API", join(root, "src/main.ts"), [], env, log)
  await api.ready()
  const processes: Array<KeptProcess> = [api]
  const started = (process: KeptProcess) => {
    processes.push(process)
    return process
  }

  const books = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(database.url), maxConnections: 2 }))
  const query = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
    books.runPromise(Effect.flatMap(PgClient.PgClient, (sql) =>
      sql.unsafe<A>(text).pipe(Effect.retry({
        schedule: Schedule.spaced("100 millis"),
        while: ({ reason }) => reason._tag === "ConnectionError" || reason._tag === "UnknownError"
      }))))

  return {
    api,
    key,
    base_url: `http://127.0.0.1:${port}`,
    database,
    query,
    count: async (text: string): Promise<number> =>
      (await query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${text}`))[0]!.n,
    /** A worker of the real stages. */
    worker: (name: string, pools: ReadonlyArray<Pool>) =>
      started(keep(name, join(root, "workers/main.ts"), pools, env, log)),
    /** A worker whose stages do nothing for a while. */
    noopWorker: (name: string, options: NoopWorkerOptions) =>
      started(keep(name, join(root, "test/support/noop-worker.ts"), [JSON.stringify(options)], env, log)),
    /** Asks until there is an answer: a request that died may or may not have done its work. */
    call: async (
      path: string,
      init: RequestInit & { readonly headers?: Record<string, string> }
    ): Promise<{ readonly status: number; readonly json: any }> => {
      for (;;) {
        try {
          const response = await fetch(`http://127.0.0.1:${port}${path}`, {
            ...init,
            headers: { authorization: `Bearer ${key}`, ...init.headers },
            signal: AbortSignal.timeout(15_000)
          })
          // Read here: an answer that breaks off is none.
          const body = await response.text()
          if (response.status < 500 && response.status !== 429) {
            return { status: response.status, json: JSON.parse(body) }
          }
        } catch {
          // The API is being started again.
        }
        await delay(100)
      }
    },
    /** Stops everything. The log is kept where something was wrong. */
    close: async (bad: boolean) => {
      await Promise.all(processes.map((process) => process.stop()))
      await books.dispose()
      await database.stop()
      if (bad) {
        console.error(`Something is wrong. Log: ${join(folder, "service.log")}`)
        process.exitCode = 1
      } else await rm(folder, { recursive: true, force: true })
    }
  }
}
