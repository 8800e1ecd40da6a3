import { type Cause, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { transactionRetries } from "../retries/RetryPolicy.ts"
import { isDatabaseAway } from "./DatabaseAway.ts"

/** Failures that say nothing about the statement: PostgreSQL chose this transaction to break a deadlock or a conflict. */
export const isTransient = (error: unknown): boolean =>
  isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** Runs a whole transaction again when PostgreSQL had to sacrifice it; at most 8 times, then it fails as it did. */
export const retryTransient = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(transaction, { times: transactionRetries.times, while: isTransient })

/** Work on one of many rows, and what is done instead where it fails for that row alone. */
export type Apart = (
  work: Effect.Effect<void, SqlError>,
  otherwise: (cause: Cause.Cause<SqlError>) => Effect.Effect<void, SqlError>
) => Effect.Effect<void, SqlError>

/** It says nothing about any row. */
const passes = (cause: Cause.Cause<unknown>): boolean =>
  isDatabaseAway(cause) || cause.reasons.some((reason) => reason._tag === "Fail" && isTransient(reason.error))

/**
 * A transaction over many rows, of which one that cannot be written holds up no other: they are written together, and where that
 * fails for a reason of theirs, once more with a savepoint for each. Fails as it did while the database is away.
 */
export const transactionApart = <A, R>(
  sql: SqlClient.SqlClient,
  run: (apart: Apart) => Effect.Effect<A, SqlError, R>
): Effect.Effect<A, SqlError, R> => {
  const transaction = (apart: Apart) => retryTransient(sql.withTransaction(run(apart)))
  return Effect.catchCause(
    transaction((work) => work),
    (cause) =>
      passes(cause) ?
        Effect.failCause(cause) :
        transaction((work, otherwise) =>
          Effect.catchCause(sql.withTransaction(work), (own) => passes(own) ? Effect.failCause(own) : otherwise(own))
        )
  )
}
