import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** A bucket holds at most `capacity` tokens and is filled evenly, from empty to full within `window_seconds`. */
export interface Bucket {
  readonly key: string
  readonly capacity: number
  readonly window_seconds: number
}

export interface Taken {
  /** Whole tokens: 0, or from what was needed to what was wanted. */
  readonly granted: number
  /** What is left for everyone, with the fraction that is growing. */
  readonly left: number
}

/**
 * Token buckets that all processes share, one row each. A bucket that nobody knows is full. All count by the
 * database's clock, and a row's time never goes back: of two that know it to a few milliseconds the later one fills the bucket.
 */
export class TokenBuckets extends Context.Service<TokenBuckets, {
  /** Takes up to `wanted` tokens, and none where fewer than `needed` are there. */
  readonly take: (bucket: Bucket, needed: number, wanted: number) => Effect.Effect<Taken, SqlError>
  /** Takes `count` tokens whether they are there or not, down to as many below none as a bucket holds; answers what is left. */
  readonly owe: (bucket: Bucket, count: number) => Effect.Effect<number, SqlError>
  /** Forgets buckets that are full again; answers how many. */
  readonly sweep: Effect.Effect<number, SqlError>
}>()("footnote/rate-limits/TokenBuckets") {
  static readonly layer = Layer.effect(
    TokenBuckets,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return TokenBuckets.of({
        take: Effect.fnUntraced(function*({ capacity, key, window_seconds }, needed, wanted) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const first = Math.min(wanted, capacity)
          const [row] = yield* sql<{ granted: number; tokens: number }>`
            INSERT INTO footnote.rate_limits AS bucket (key, tokens, granted, taken_at)
            VALUES (${key}, ${capacity - first}::float8, ${first}::int, ${now}::timestamptz)
            ON CONFLICT (key) DO UPDATE SET (tokens, granted, taken_at) = (
              SELECT present - spent, spent, greatest(bucket.taken_at, excluded.taken_at)
              FROM (SELECT least(${capacity}::float8, bucket.tokens + ${capacity / window_seconds}::float8
                * greatest(0, extract(epoch FROM excluded.taken_at - bucket.taken_at))) AS present) a,
                LATERAL (SELECT CASE WHEN present < ${needed}::int THEN 0 ELSE least(${wanted}::int, floor(present)) END::int
                  AS spent) b)
            RETURNING granted, tokens`
          return { granted: row!.granted, left: row!.tokens }
        }),
        owe: Effect.fnUntraced(function*({ capacity, key, window_seconds }, count) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const [row] = yield* sql<{ tokens: number }>`
            INSERT INTO footnote.rate_limits AS bucket (key, tokens, granted, taken_at)
            VALUES (${key}, ${Math.max(-capacity, capacity - count)}::float8, 0, ${now}::timestamptz)
            ON CONFLICT (key) DO UPDATE SET granted = 0, taken_at = greatest(bucket.taken_at, excluded.taken_at),
              tokens = greatest(${-capacity}::float8, least(${capacity}::float8, bucket.tokens
                + ${capacity / window_seconds}::float8
                * greatest(0, extract(epoch FROM excluded.taken_at - bucket.taken_at))) - ${count}::float8)
            RETURNING tokens`
          return row!.tokens
        }),
        // From all that can be owed to full it takes a bucket two windows, and none has a longer one.
        sweep: Effect.gen(function*() {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const gone = yield* sql`DELETE FROM footnote.rate_limits
            WHERE taken_at < ${now}::timestamptz - make_interval(secs => ${2 * longestWindowSeconds}) RETURNING key`
          return gone.length
        })
      })
    })
  )
}

export const longestWindowSeconds = 60
