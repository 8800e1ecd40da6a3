import { Context, Effect, Layer, Metric, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { RateLimited } from "../errors/RequestErrors.ts"
import type { TenantId } from "../identity/Id.ts"
import { tolerated } from "../observability/Tolerated.ts"
import { sinceBoot } from "../processes/SinceBoot.ts"
import { makeBucketLeases, type Standing } from "./BucketLeases.ts"
import { RateLimitOptions, type RequestClass } from "./RateLimitOptions.ts"
import { type Bucket, longestWindowSeconds, TokenBuckets } from "./TokenBuckets.ts"

/** A tenant's own limits; null is the deployment's, 0 is none. */
type OwnLimits = { readonly [K in RequestClass]: number | null }

const refusals = Metric.counter("footnote_rate_limited_total", {
  description: "Requests refused with RATE_LIMITED, by what they were counted as.",
  incremental: true
})

/** What is counted of a tenant: its requests by class, and the processor's time that they cost. */
export type Counted = RequestClass | "processor_ms"

/** How long a change of a tenant's limits takes to be seen by every process. */
const limitsMillis = 10_000
const mostTenants = 10_000

/**
 * How often callers may ask, counted in PostgreSQL for all API processes together: a limit is never multiplied by their
 * number. While the database is away it fails with the `SqlError` as a defect, as everything else does: 503.
 */
export class RateLimits extends Context.Service<RateLimits, {
  /** Counts `count` requests of a tenant, or milliseconds. Undefined where there is no limit. */
  readonly take: (
    tenant_id: TenantId,
    counted_as: Counted,
    count?: number
  ) => Effect.Effect<Standing | undefined, RateLimited>
  /**
   * Takes what something has cost off a tenant's limit, also where no more is left: then nothing passes until that has grown
   * back, at most one more minute. Refuses nobody.
   */
  readonly charge: (tenant_id: TenantId, counted_as: Counted, count: number) => Effect.Effect<void>
  /** Whether this process knows already that `take` would refuse. Asks nobody and counts nothing. */
  readonly refused: (tenant_id: TenantId, counted_as: Counted) => Effect.Effect<RateLimited | undefined>
  /** Counts one against a limit of the caller's own, such as `sign-in:<address>`; 0 per minute is no limit. */
  readonly takeFrom: (key: string, per_minute: number) => Effect.Effect<Standing | undefined, RateLimited>
  /** Whether this process knows already that `takeFrom` would refuse. Asks nobody and counts nothing. */
  readonly check: (key: string, per_minute: number) => Effect.Effect<void, RateLimited>
  /** What holds for a tenant, in requests per minute; 0 is no limit. */
  readonly limitsOf: (tenant_id: TenantId) => Effect.Effect<{ readonly [K in RequestClass]: number }>
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
  const leases = makeBucketLeases(buckets)

  const known = new Map<string, { readonly own: OwnLimits; readonly until: number }>()
  const readLimits = Effect.fnUntraced(function*(tenant_id: TenantId, now: number) {
    const [own] = yield* sql<OwnLimits>`
      SELECT reads_per_minute AS reads, writes_per_minute AS writes, uploads_per_minute AS uploads
      FROM footnote.tenants WHERE id = ${tenant_id}`
    const limits = own ?? { reads: null, writes: null, uploads: null }
    if (known.size >= mostTenants) known.clear()
    known.set(tenant_id, { own: limits, until: now + limitsMillis })
    return limits
  })

  const ownLimits = (tenant_id: TenantId) =>
    Effect.flatMap(sinceBoot, (now) => {
      const seen = known.get(tenant_id)
      return seen !== undefined && now < seen.until ? Effect.succeed(seen.own) : readLimits(tenant_id, now)
    })

  const refusedAs = Effect.fnUntraced(function*(standing: Standing, counted_as: string) {
    yield* Metric.update(Metric.withAttributes(refusals, { counted_as }), 1)
    const seconds = standing.retry_after_seconds
    return counted_as === "processor_ms"
      // The headers tell of requests, of which there may be many left.
      ? new RateLimited({
        message:
          `What this tenant asked for has cost ${standing.limit} ms of the processor in a minute; retry in ${seconds} s.`,
        headers: { "retry-after": String(seconds) }
      })
      : new RateLimited({
        message: `Too many requests; retry in ${seconds} s.`,
        headers: { ...rateLimitHeaders(standing), "retry-after": String(seconds) }
      })
  })

  const admitted = (standing: Standing, counted_as: string): Effect.Effect<Standing, RateLimited> =>
    standing.allowed ? Effect.succeed(standing) : Effect.flatMap(refusedAs(standing, counted_as), Effect.fail)

  const bucketFor = (tenant_id: TenantId, counted_as: Counted, own: number | null): Bucket | undefined => {
    const per_minute = own ?? defaults[counted_as]
    return per_minute === 0 ? undefined : bucketOf(`${counted_as}:${tenant_id}`, per_minute)
  }

  /** Undefined where there is no limit. */
  const tenantBucket = (tenant_id: TenantId, counted_as: Counted): Effect.Effect<Bucket | undefined> =>
    counted_as === "processor_ms"
      ? Effect.succeed(bucketFor(tenant_id, counted_as, null))
      : Effect.map(Effect.orDie(ownLimits(tenant_id)), (own) => bucketFor(tenant_id, counted_as, own[counted_as]))

  yield* Effect.forkScoped(
    buckets.sweep.pipe(
      tolerated("The sweep of full token buckets", "tried again in 10 minutes"),
      Effect.repeat(Schedule.spaced("10 minutes"))
    )
  )

  return RateLimits.of({
    take: (tenant_id, counted_as, count = 1) =>
      Effect.flatMap(tenantBucket(tenant_id, counted_as), (bucket) =>
        bucket === undefined || count <= 0
          ? Effect.succeed(undefined)
          : Effect.flatMap(Effect.orDie(leases.spend(bucket, count)), (standing) => admitted(standing, counted_as))),
    charge: Effect.fnUntraced(function*(tenant_id, counted_as, count) {
      const bucket = yield* tenantBucket(tenant_id, counted_as)
      if (bucket !== undefined && count > 0) yield* Effect.orDie(leases.charge(bucket, count))
    }),
    refused: (tenant_id, counted_as) =>
      Effect.flatMap(
        leases.refused(`${counted_as}:${tenant_id}`),
        (standing) => standing === undefined ? Effect.succeed(undefined) : refusedAs(standing, counted_as)
      ),
    takeFrom: Effect.fnUntraced(function*(key, per_minute) {
      if (per_minute === 0) return undefined
      const standing = yield* Effect.orDie(leases.spend(bucketOf(key, per_minute)))
      return yield* admitted(standing, key.split(":", 1)[0]!)
    }),
    check: Effect.fnUntraced(function*(key, per_minute) {
      const standing = per_minute === 0 ? undefined : yield* leases.refused(key)
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
