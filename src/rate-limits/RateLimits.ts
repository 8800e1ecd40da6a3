import { Context, Effect, Layer, Metric, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { RateLimited } from "../errors/RequestErrors.ts"
import { makeLeases, sinceBoot, type Standing } from "./Leases.ts"
import { RateLimitOptions, type RequestClass } from "./RateLimitOptions.ts"
import { type Bucket, longestWindowSeconds, TokenBuckets } from "./TokenBuckets.ts"

/** A tenant's own limits; null is the deployment's, 0 is none. */
type OwnLimits = { readonly [K in RequestClass]: number | null }

const refusals = Metric.counter("footnote_rate_limited_total", {
  description: "Requests refused with RATE_LIMITED, by what they were counted as.",
  incremental: true
})

/** How long a change of a tenant's limits takes to be seen by every process. */
const limitsMillis = 10_000
const mostTenants = 10_000

/**
 * How often callers may ask, counted in PostgreSQL for all API processes together: a limit is never multiplied by their
 * number. While the database is away it fails with the `SqlError` as a defect, as everything else does: 503.
 */
export class RateLimits extends Context.Service<RateLimits, {
  /** Counts `count` requests of a tenant. Undefined where there is no limit. */
  readonly take: (
    tenant_id: string,
    counted_as: RequestClass,
    count?: number
  ) => Effect.Effect<Standing | undefined, RateLimited>
  /** Takes up to `count` requests off a tenant's limit for what one of them has cost; refuses nobody. */
  readonly charge: (tenant_id: string, counted_as: RequestClass, count: number) => Effect.Effect<void>
  /** Counts one against a limit of the caller's own, such as `sign-in:<address>`; 0 per minute is no limit. */
  readonly takeFrom: (key: string, per_minute: number) => Effect.Effect<Standing | undefined, RateLimited>
  /** Whether this process knows already that `takeFrom` would refuse. Asks nobody and counts nothing. */
  readonly check: (key: string, per_minute: number) => Effect.Effect<void, RateLimited>
  /** What holds for a tenant, in requests per minute; 0 is no limit. */
  readonly limitsOf: (tenant_id: string) => Effect.Effect<{ readonly [K in RequestClass]: number }>
}>()("footnote/rate-limits/RateLimits") {
  static readonly layer = Layer.effect(RateLimits, Effect.suspend(() => make)).pipe(Layer.provide(TokenBuckets.layer))
}

const bucketOf = (key: string, capacity: number): Bucket => ({ key, capacity, window_seconds: longestWindowSeconds })

/** The headers of draft-ietf-httpapi-ratelimit-headers-06, the last revision with the three fields that clients know. */
export const rateLimitHeaders = ({ limit, remaining, reset_seconds }: Standing): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset_seconds),
  "ratelimit-policy": `${limit};w=${longestWindowSeconds}`
})

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const buckets = yield* TokenBuckets
  const defaults = yield* RateLimitOptions
  const leases = makeLeases(buckets)

  const known = new Map<string, { readonly own: OwnLimits; readonly until: number }>()
  const ownLimits = Effect.fnUntraced(function*(tenant_id: string) {
    const now = yield* sinceBoot
    const seen = known.get(tenant_id)
    if (seen !== undefined && now < seen.until) return seen.own
    const [own] = yield* sql<OwnLimits>`
      SELECT reads_per_minute AS reads, writes_per_minute AS writes, uploads_per_minute AS uploads
      FROM footnote.tenants WHERE id = ${tenant_id}`
    const limits = own ?? { reads: null, writes: null, uploads: null }
    if (known.size >= mostTenants) known.clear()
    known.set(tenant_id, { own: limits, until: now + limitsMillis })
    return limits
  })

  const admitted = Effect.fnUntraced(function*(standing: Standing, counted_as: string) {
    if (standing.allowed) return standing
    yield* Metric.update(Metric.withAttributes(refusals, { counted_as }), 1)
    return yield* new RateLimited({
      message: `Too many requests; retry in ${standing.retry_after_seconds} s.`,
      headers: { ...rateLimitHeaders(standing), "retry-after": String(standing.retry_after_seconds) }
    })
  })

  yield* Effect.forkScoped(buckets.sweep.pipe(Effect.ignoreCause, Effect.repeat(Schedule.spaced("10 minutes"))))

  return RateLimits.of({
    take: Effect.fnUntraced(function*(tenant_id, counted_as, count = 1) {
      const per_minute = (yield* Effect.orDie(ownLimits(tenant_id)))[counted_as] ?? defaults[counted_as]
      if (per_minute === 0 || count <= 0) return undefined
      const standing = yield* Effect.orDie(leases.spend(bucketOf(`${counted_as}:${tenant_id}`, per_minute), count))
      return yield* admitted(standing, counted_as)
    }),
    charge: Effect.fnUntraced(function*(tenant_id, counted_as, count) {
      const per_minute = (yield* ownLimits(tenant_id))[counted_as] ?? defaults[counted_as]
      if (per_minute > 0) yield* leases.charge(bucketOf(`${counted_as}:${tenant_id}`, per_minute), count)
    }, Effect.orDie),
    takeFrom: Effect.fnUntraced(function*(key, per_minute) {
      if (per_minute === 0) return undefined
      const standing = yield* Effect.orDie(leases.spend(bucketOf(key, per_minute)))
      return yield* admitted(standing, key.split(":", 1)[0]!)
    }),
    check: Effect.fnUntraced(function*(key, per_minute) {
      const standing = per_minute === 0 ? undefined : yield* leases.refused(bucketOf(key, per_minute))
      if (standing !== undefined) yield* admitted(standing, key.split(":", 1)[0]!)
    }),
    limitsOf: Effect.fnUntraced(function*(tenant_id) {
      const own = yield* Effect.orDie(ownLimits(tenant_id))
      return {
        reads: own.reads ?? defaults.reads,
        writes: own.writes ?? defaults.writes,
        uploads: own.uploads ?? defaults.uploads
      }
    })
  })
})
