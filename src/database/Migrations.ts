import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted, Schema } from "effect"
import { Migrator } from "effect/sql"
import * as MigratorFileSystem from "effect/sql/MigratorFileSystem"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { advisoryLocks } from "./AdvisoryLocks.ts"
import { saysNo } from "./DatabaseAway.ts"
import { checkPooling } from "./DatabaseSession.ts"
import * as QueueSchema from "./QueueSchema.ts"
import { checkRoles, makeRoles, roles } from "./Roles.ts"
import { engineRights } from "./RowSecurity.ts"
import { isTransient } from "./Transient.ts"

const directory = fileURLToPath(new URL("../../migrations", import.meta.url))

/** How many migrations this version of the code has; a database with fewer is an older one. */
export const migrationCount: number = readdirSync(directory).filter((file) => /^\d{4}_\w+\.ts$/u.test(file)).length

/** The database is an older one and this login may not change it; `message` says who may. */
class DatabaseOutdated extends Schema.TaggedError<DatabaseOutdated>()("DatabaseOutdated", {
  message: Schema.String
}) {}

/**
 * Brings the database to this version: the roles, our tables from `migrations/` in order, each once, then the queue engine's.
 * Processes that start at the same moment wait for one another on an advisory lock; a failed migration leaves the
 * schema as the one before it did and fails with `MigrationError`. The tables belong to the login of `owner`. A database that is up to date
 * is only looked at, which any login may do that can take on the service's roles.
 */
export const migrate = Effect.fn("Migrations.migrate")(
  function*(url: Redacted.Redacted, owner: Redacted.Redacted = url) {
    yield* checkPooling(url)
    if (!(yield* Effect.provide(upToDate, session(url, roles.engine)))) {
      yield* Effect.provide(bringUpToDate(owner), session(owner))
    }
    yield* Effect.provide(checkRoles, session(url))
  }
)

const session = (url: Redacted.Redacted, role?: string) =>
  PgClient.layer({
    url,
    applicationName: "footnote migration",
    maxConnections: 2,
    keepAlive: "10 seconds",
    ...(role === undefined ? {} : { startupParameters: { role } })
  })

/**
 * False also where the role or the tables do not exist yet: then migrating tells. Fails where the server is away: asked in the
 * moment of a restart, it took a database that was up to date for an old one, told a login that owns nothing to have it migrated,
 * and a worker that only had to be started again ended the service.
 */
const upToDate = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const [found] = yield* sql<{ readonly migrations: number; readonly fingerprint: string | null }>`
    SELECT (SELECT count(*)::int FROM footnote_migrations) AS migrations,
      (SELECT fingerprint FROM footnote.queue_installation) AS fingerprint`
  return found!.migrations >= migrationCount && found!.fingerprint === QueueSchema.fingerprint
}).pipe(Effect.catchIf(saysNo, () => Effect.succeed(false)))

const bringUpToDate = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const sql = yield* PgClient.PgClient
  const lock = yield* sql.reserve
  yield* Effect.acquireRelease(
    lock.executeRaw(`SELECT pg_advisory_lock(${advisoryLocks.migrations}, 0)`, []),
    () => Effect.ignore(lock.executeRaw(`SELECT pg_advisory_unlock(${advisoryLocks.migrations}, 0)`, []))
  )
  yield* makeRoles
  yield* checkRoles
  yield* checkOwner
  const ran = yield* runEach
  // Default privileges are those of the login that made the tables before; these may be another's.
  if (ran > 0) yield* Effect.forEach(engineRights, (statement) => sql.unsafe(statement), { discard: true })
  const installed = yield* sql<{ fingerprint: string }>`SELECT fingerprint FROM footnote.queue_installation`
  if (installed[0]?.fingerprint !== QueueSchema.fingerprint) {
    yield* QueueSchema.install(url)
    yield* Effect.forEach(QueueSchema.grants(roles.engine), (statement) => sql.unsafe(statement), { discard: true })
    yield* sql.withTransaction(Effect.andThen(
      sql`DELETE FROM footnote.queue_installation`,
      sql`INSERT INTO footnote.queue_installation ${sql.insert({ fingerprint: QueueSchema.fingerprint })}`
    ))
  }
}, Effect.scoped)

/**
 * Each migration in a transaction of its own, and again where a deadlock ended it; answers with how many ran. In one transaction for
 * all of them the locks of the first were held while the last waited for its own, and the last release's submissions, which lock the
 * tenant before its jobs, met that in the other order: an upgrade under load from 0.1.0 ended with 40P01 three times of three.
 */
const runEach = Effect.gen(function*() {
  const files = yield* MigratorFileSystem.fromFileSystem(directory)
  let ran = 0
  for (const [at] of files.entries()) {
    const run = Migrator.make({})({ loader: Effect.succeed(files.slice(0, at + 1)), table: "footnote_migrations" })
    ran += (yield* Effect.retry(run, { while: endedByDeadlock, times: 10 })).length
  }
  return ran
})

const endedByDeadlock = (error: unknown) => error instanceof Migrator.MigrationError && isTransient(error.cause)

const checkOwner = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const [other] = yield* sql<{ readonly login: string; readonly owner: string }>`
    SELECT session_user::text AS login, relowner::regrole::text AS owner FROM pg_class
    WHERE oid = to_regclass('footnote_migrations') AND NOT pg_has_role(session_user, relowner, 'USAGE')`
  if (other === undefined) return
  return yield* new DatabaseOutdated({
    message: `The database needs migrations and its tables belong to ${other.owner}, not to ${other.login}. `
      + `Start one process with that login's address as DATABASE_OWNER_URL.`
  })
})
