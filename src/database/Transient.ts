import { Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { transactionRetries } from "../retries/RetryPolicy.ts"

/** Failures that say nothing about the statement: PostgreSQL chose this transaction to break a deadlock or a conflict. */
const isTransient = (error: unknown): boolean =>
  isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** Runs a whole transaction again when PostgreSQL had to sacrifice it; at most 8 times, then it fails as it did. */
export const retryTransient = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(transaction, { times: transactionRetries.times, while: isTransient })
