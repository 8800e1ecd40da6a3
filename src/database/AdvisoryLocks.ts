import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/**
 * The first number of every advisory lock of the service, one for each use, so that no two uses wait for one another. Versions that run beside each
 * other agree by these numbers: one that is given out keeps its meaning.
 */
export const advisoryLocks = {
  /** Second number: the worker's own. Held for as long as it lives. */
  worker: 7100,
  admission: 7101,
  migrations: 7102,
  janitor: 7104,
  retention: 7105,
  /** Second number: the tenant. */
  tenantDeliveries: 7106,
  /** Second number: tenant and key. */
  idempotencyKey: 7107,
  /** Second number: the pool. */
  poolStandings: 7108,
  /** Second number: the tenant. */
  storageQuota: 7109,
  bootstrap: 7110,
  /** Second number: the destination. */
  backfill: 7111,
  /** Second number: which sweep. */
  orphanedBlobs: 7112,
  /** Second number: the machine. */
  machineStandings: 7113,
  /** Second number: the tenant. Shared by transactions that end a job, exclusive for one that needs to see all that have ended. */
  jobEnds: 7114
} as const

/**
 * Holds one of these locks until the caller's transaction ends. True where it had to wait for it: what `now()` tells in this
 * transaction is then older than the lock.
 */
export const waitForLock = Effect.fnUntraced(
  function*(sql: SqlClient, lock: number, second: Fragment): Effect.fn.Return<boolean, SqlError> {
    const [tried] = yield* sql<{ readonly got: boolean }>`
      SELECT pg_try_advisory_xact_lock(${lock}, ${second}) AS got`.unprepared
    if (tried!.got) return false
    yield* sql`SELECT pg_advisory_xact_lock(${lock}, ${second})`.unprepared
    return true
  }
)
