import { Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Nobody who asks can mend a failure of the database: it becomes a defect holding the `SqlError`; other failures stay. */
export const dieOnSqlError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  effect.pipe(
    Effect.catch((error) => isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError>))
  )
