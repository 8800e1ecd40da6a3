import { Effect, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { sinceBoot } from "../processes/SinceBoot.ts"
import type { Bucket, TokenBuckets } from "./TokenBuckets.ts"

/** Where a caller stands after a request, in the terms of the `RateLimit-*` headers. */
export interface Standing {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Until the whole limit is there again. */
  readonly reset_seconds: number
  /** Until one more request may be made; 0 where it may be made now. */
  readonly retry_after_seconds: number
}

interface Lease {
  readonly gate: Semaphore.Semaphore
  bucket: Bucket
  tokens: number
  /** Milliseconds; tokens that are not spent by then are lost, which the bucket makes good by filling up. */
  until: number
  left: number
  blockedUntil: number
}

/** A lease holds at most a fiftieth of its bucket: what an idle process keeps from the others. */
const shareOfBucket = 50
const longestLease = 50
const leaseMillis = 1000

/** Leases of callers not seen for longest are dropped beyond this. */
const mostLeases = 10_000

/** Milliseconds until there are so many. */
const waitFor = (tokens: number, left: number, { capacity, window_seconds }: Bucket): number =>
  Math.max(1, ((tokens - left) * window_seconds * 1000) / capacity)

/**
 * Spends from shared buckets with one statement per lease instead of one per request. What is leased was taken out of the
 * bucket before, so all processes together never spend more than it held, filled up for one second longer than it was
 * looked at. While a bucket is empty its callers are refused without asking the database.
 */
export const makeBucketLeases = (buckets: TokenBuckets["Service"]) => {
  const leases = new Map<string, Lease>()

  const leaseOf = (bucket: Bucket): Lease => {
    const { key } = bucket
    const known = leases.get(key)
    const lease = known
      ?? { gate: Semaphore.makeUnsafe(1), bucket, tokens: 0, until: 0, left: 0, blockedUntil: 0 }
    lease.bucket = bucket
    // Put back at the end: a map gives its oldest entry first.
    if (known !== undefined) leases.delete(key)
    leases.set(key, lease)
    if (leases.size > mostLeases) leases.delete(leases.keys().next().value!)
    return lease
  }

  const standing = (lease: Lease, { capacity, window_seconds }: Bucket, retryMillis: number): Standing => {
    const remaining = Math.max(0, Math.floor(lease.left + lease.tokens))
    return {
      allowed: retryMillis === 0,
      limit: capacity,
      remaining,
      reset_seconds: Math.ceil(((capacity - remaining) / capacity) * window_seconds),
      retry_after_seconds: retryMillis === 0 ? 0 : Math.max(1, Math.ceil(retryMillis / 1000))
    }
  }

  const spendOwn = (lease: Lease, bucket: Bucket, count: number, now: number): Standing | undefined => {
    if (now < lease.blockedUntil) return standing(lease, bucket, lease.blockedUntil - now)
    if (now >= lease.until || lease.tokens < count) return undefined
    lease.tokens -= count
    return standing(lease, bucket, 0)
  }

  const block = (lease: Lease, bucket: Bucket, now: number): void => {
    if (lease.left < 1) lease.blockedUntil = now + waitFor(1, lease.left, bucket)
  }

  const renew = Effect.fnUntraced(function*(lease: Lease, bucket: Bucket, count: number, now: number) {
    const { capacity } = bucket
    const held = now < lease.until ? lease.tokens : 0
    const needed = count - held
    const usual = Math.min(longestLease, Math.max(1, Math.floor(capacity / shareOfBucket)))
    const { granted, left } = yield* buckets.take(bucket, needed, Math.max(needed, usual))
    lease.left = left
    lease.tokens = held + granted
    lease.until = now + leaseMillis
    if (granted === 0) {
      if (held === 0) block(lease, bucket, now)
      return standing(lease, bucket, waitFor(needed, left, bucket))
    }
    lease.tokens -= count
    return standing(lease, bucket, 0)
  })

  const spendShared = (lease: Lease, bucket: Bucket, cost: number): Effect.Effect<Standing, SqlError> =>
    lease.gate.withPermits(1)(Effect.flatMap(sinceBoot, (now) => {
      // Whoever came before may have renewed it.
      const own = spendOwn(lease, bucket, cost, now)
      return own === undefined ? renew(lease, bucket, cost, now) : Effect.succeed(own)
    }))

  return {
    /** Spends `count` tokens at once, or none and says when there will be so many; more than all count as all. */
    spend: (bucket: Bucket, count: number = 1): Effect.Effect<Standing, SqlError> =>
      Effect.flatMap(sinceBoot, (now) => {
        const lease = leaseOf(bucket)
        const cost = Math.min(count, bucket.capacity)
        const own = spendOwn(lease, bucket, cost, now)
        return own === undefined ? spendShared(lease, bucket, cost) : Effect.succeed(own)
      }),
    /** Takes `count` tokens, the leased ones first, and of the others also such as are not there yet: nobody passes before. */
    charge: Effect.fnUntraced(function*(bucket: Bucket, count: number): Effect.fn.Return<void, SqlError> {
      const lease = leaseOf(bucket)
      yield* lease.gate.withPermits(1)(Effect.gen(function*() {
        const now = yield* sinceBoot
        const own = now < lease.until ? Math.min(lease.tokens, count) : 0
        lease.tokens -= own
        if (count <= own) return
        lease.tokens = 0
        lease.left = yield* buckets.owe(bucket, count - own)
        block(lease, bucket, now)
      }))
    }),
    /** What this process knows without asking: refused as it stands, or undefined. */
    refused: (key: string): Effect.Effect<Standing | undefined> =>
      Effect.map(sinceBoot, (now) => {
        const lease = leases.get(key)
        return lease !== undefined && now < lease.blockedUntil
          ? standing(lease, lease.bucket, lease.blockedUntil - now)
          : undefined
      })
  }
}
