import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Pool } from "../../src/processes/Pools.ts"

/** When a worker ends by itself: once nothing waits in its pools and all that it took is done, or so many tasks are. */
export interface UntilIdle {
  /** Takes so many tasks at most, of all its pools together. */
  readonly max_tasks?: number | undefined
}

/**
 * Counts what a worker may still take and asks whether it is needed. Without `options` it may take without end and is never
 * idle. A task that waits for a moment, such as a retry, keeps nobody: whoever starts workers by `footnote.pool_backlog` sees it
 * once its moment has come.
 */
export const makeAllowance = (options: UntilIdle | undefined, sql: SqlClient, pools: ReadonlyArray<Pool>) => {
  let left = options?.max_tasks ?? Infinity
  let asked = 0
  const isIdle: Effect.Effect<boolean, SqlError> = options === undefined
    ? Effect.succeed(false)
    : Effect.map(
      sql<{ readonly waiting: number }>`
        SELECT sum(waiting)::int AS waiting FROM footnote.pool_backlog WHERE pool IN ${sql.in(pools)}`.unprepared,
      ([row]) => row!.waiting === 0
    )
  return {
    /** So many of the wanted tasks may be claimed now; `taken` says how many there were. */
    ask: (wanted: number): number => {
      const granted = Math.max(0, Math.min(wanted, left))
      left -= granted
      asked += granted
      return granted
    },
    taken: (granted: number, taken: number): void => {
      asked -= granted
      left += granted - taken
    },
    /** Some claim is under way: nobody knows yet whether it brings anything. */
    isAsking: (): boolean => asked > 0,
    /** Nothing more may be taken. */
    isSpent: (): boolean => left === 0 && asked === 0,
    isIdle
  }
}
