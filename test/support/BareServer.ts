import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import * as Postmaster from "../../src/database/Postmaster.ts"

/**
 * A private PostgreSQL as initdb leaves it, which lets its user in as any login and so as the superuser: for tests about
 * roles, and as earlier versions of the service ran it. It goes with this process; `stop` shuts it down before that.
 */
export const startBareServer = async (dataDir: string) => {
  mkdirSync(dirname(dataDir), { recursive: true })
  const server = await Postmaster.locate(dataDir, true)
  await Postmaster.initialise(server)
  const pid = Postmaster.start(server)
  const endGuard = Postmaster.guard(server, pid)
  const superuser = Redacted.make(
    `postgres:///postgres?host=${encodeURIComponent(server.socketDir)}&user=${Postmaster.superuser}`
  )
  await Effect.runPromise(
    Effect.flatMap(PgClient.PgClient, (sql) => sql`SELECT 1`).pipe(
      Effect.provide(PgClient.layer({ url: superuser, maxConnections: 1 })),
      Effect.retry(Schedule.spaced("25 millis"))
    )
  )
  return {
    superuser,
    /** The same server's address for another login and database. */
    as: (login: string, database: string) =>
      Redacted.make(
        Redacted.value(superuser).replace("///postgres?", `///${database}?`).replace(/user=\w+/u, `user=${login}`)
      ),
    stop: async () => {
      endGuard()
      await Postmaster.stop(pid)
    },
    remove: () => Postmaster.remove(server)
  }
}
