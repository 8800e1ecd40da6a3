import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import { Migrator } from "effect/sql"
import * as MigratorFileSystem from "effect/sql/MigratorFileSystem"
import { fileURLToPath } from "node:url"
import * as QueueSchema from "../queue/QueueSchema.ts"

const directory = fileURLToPath(new URL("../../migrations", import.meta.url))
const lockClass = 7102

/**
 * Brings the database to this version: our tables from `migrations/` in order, each once, then the queue engine's.
 * Processes that start at the same moment wait for one another on an advisory lock; a failed migration leaves the
 * schema as it was and fails with `MigrationError`.
 */
export const migrate = Effect.fn("Migrations.migrate")(function*(url: Redacted.Redacted) {
  const sql = yield* PgClient.PgClient
  const lock = yield* sql.reserve
  yield* Effect.acquireRelease(
    lock.executeRaw(`SELECT pg_advisory_lock(${lockClass}, 0)`, []),
    () => Effect.ignore(lock.executeRaw(`SELECT pg_advisory_unlock(${lockClass}, 0)`, []))
  )
  const run = Migrator.make({})
  yield* run({ loader: MigratorFileSystem.fromFileSystem(directory), table: "footnote_migrations" })
  const installed = yield* sql<{ fingerprint: string }>`SELECT fingerprint FROM footnote.queue_installation`
  if (installed[0]?.fingerprint !== QueueSchema.fingerprint) {
    yield* QueueSchema.install(url)
    yield* sql.withTransaction(Effect.andThen(
      sql`DELETE FROM footnote.queue_installation`,
      sql`INSERT INTO footnote.queue_installation ${sql.insert({ fingerprint: QueueSchema.fingerprint })}`
    ))
  }
}, Effect.scoped)
