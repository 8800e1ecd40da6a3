import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { Database } from "../../src/database/Database.ts"
import type { RateLimited } from "../../src/errors/RequestErrors.ts"
import { newId } from "../../src/identity/Id.ts"
import { RateLimitOptions } from "../../src/rate-limits/RateLimitOptions.ts"
import { rateLimitHeaders, RateLimits } from "../../src/rate-limits/RateLimits.ts"
import { TokenBuckets } from "../../src/rate-limits/TokenBuckets.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const limits: RateLimitOptions = { reads: 600, writes: 5, uploads: 0, processor_ms: 6000, failed_auth: 3 }

/** What an API process has: connections, leases and knowledge of its own. */
const process = (url: Parameters<typeof Database.layerUrl>[0]) =>
  Effect.map(
    Layer.build(RateLimits.layer.pipe(
      Layer.provide(Layer.succeed(RateLimitOptions, limits)),
      Layer.provideMerge(Database.layerUrl(url, { maxConnections: 4 })),
      Layer.provide(NodeServices.layer),
      Layer.fresh
    )),
    (context) => ({ limits: Context.get(context, RateLimits), sql: Context.get(context, PgClient.PgClient) })
  )

const processes = Effect.fnUntraced(function*(count: number) {
  const url = yield* Effect.promise(TestDatabase.create)
  const all = yield* Effect.forEach(Array.from({ length: count }), () => process(url))
  const { sql } = all[0]!
  const tenant_id = yield* newId("ten")
  yield* sql`INSERT INTO footnote.tenants (id, name) VALUES (${tenant_id}, 'test')`
  return { limiters: all.map(({ limits }) => limits), sql, tenant_id, url }
})

/** How many of `calls` are let through when all processes are asked at once. */
const letThrough = Effect.fnUntraced(function*(
  limiters: ReadonlyArray<RateLimits["Service"]>,
  calls: number,
  ask: (limiter: RateLimits["Service"]) => Effect.Effect<unknown, RateLimited>
) {
  const exits = yield* Effect.forEach(
    Array.from({ length: calls }, (_, at) => limiters[at % limiters.length]!),
    (limiter) => Effect.exit(ask(limiter)),
    { concurrency: 32 }
  )
  return exits.filter((exit) => exit._tag === "Success").length
})

it.effect("three processes together let through the limit once, and what has grown since", () =>
  Effect.gen(function*() {
    const { limiters, tenant_id } = yield* processes(3)
    const reads = (limiter: RateLimits["Service"]) => limiter.take(tenant_id, "reads")
    // 600 a minute in leases of 12: what a process holds and does not need is missing from the others, never added.
    const first = yield* letThrough(limiters, 3000, reads)
    assert.isAtMost(first, 600)
    assert.isAtLeast(first, 600 - 2 * 12)
    yield* TestClock.adjust("6 seconds")
    const second = yield* letThrough(limiters, 3000, reads)
    assert.isAtMost(second, 60)
    assert.isAtLeast(second, 60 - 2 * 12)
    yield* TestClock.adjust("1 hour")
    assert.isAtMost(yield* letThrough(limiters, 3000, reads), 600)
  }).pipe(Effect.scoped))

it.effect("small limits are exact over all processes, and count classes and tenants apart", () =>
  Effect.gen(function*() {
    const { limiters, sql, tenant_id } = yield* processes(2)
    assert.strictEqual(yield* letThrough(limiters, 40, (limiter) => limiter.take(tenant_id, "writes")), 5)
    assert.strictEqual(yield* letThrough(limiters, 40, (limiter) => limiter.take(tenant_id, "uploads")), 40)
    assert.strictEqual(yield* letThrough(limiters, 10, (limiter) => limiter.take(tenant_id, "reads")), 10)
    const other = yield* newId("ten")
    yield* sql`INSERT INTO footnote.tenants (id, name, writes_per_minute) VALUES (${other}, 'other', 7)`
    assert.strictEqual(yield* letThrough(limiters, 40, (limiter) => limiter.take(other, "writes")), 7)
    assert.deepStrictEqual(yield* limiters[0]!.limitsOf(other), { reads: 600, writes: 7, uploads: 0 })
    // A changed limit is seen within 10 s.
    yield* sql`UPDATE footnote.tenants SET writes_per_minute = 0 WHERE id = ${other}`
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* letThrough(limiters, 40, (limiter) => limiter.take(other, "writes")), 40)
  }).pipe(Effect.scoped))

it.effect("tells where a caller stands, and after how long one more request passes", () =>
  Effect.gen(function*() {
    const { limiters: [limiter], tenant_id } = yield* processes(1)
    const take = limiter!.take(tenant_id, "writes")
    assert.deepStrictEqual(rateLimitHeaders((yield* take)!), {
      "ratelimit-limit": "5",
      "ratelimit-remaining": "4",
      "ratelimit-reset": "12",
      "ratelimit-policy": "5;w=60"
    })
    yield* limiter!.take(tenant_id, "writes", 4)
    const refused = yield* Effect.flip(take)
    assert.strictEqual(refused._tag, "RATE_LIMITED")
    assert.include(refused.headers, { "retry-after": "12", "ratelimit-remaining": "0", "ratelimit-reset": "60" })
    yield* TestClock.adjust("11 seconds")
    assert.strictEqual((yield* Effect.flip(take)).headers?.["retry-after"], "1")
    yield* TestClock.adjust("1 second")
    yield* take
    yield* Effect.flip(take)
  }).pipe(Effect.scoped))

it.effect("takes a batch as a whole or not at all, and leaves what is there to smaller ones", () =>
  Effect.gen(function*() {
    const { limiters: [limiter], tenant_id } = yield* processes(1)
    yield* limiter!.take(tenant_id, "writes", 3)
    const refused = yield* Effect.flip(limiter!.take(tenant_id, "writes", 4))
    assert.strictEqual(refused.headers?.["retry-after"], "24")
    yield* limiter!.take(tenant_id, "writes", 2)
    yield* Effect.flip(limiter!.take(tenant_id, "writes"))
    // More than the whole limit counts as the whole limit: it passes when nothing else was asked.
    yield* TestClock.adjust("1 minute")
    yield* limiter!.take(tenant_id, "writes", 100)
    yield* Effect.flip(limiter!.take(tenant_id, "writes"))
  }).pipe(Effect.scoped))

it.effect("a lease that was not spent is no reserve for later", () =>
  Effect.gen(function*() {
    const { limiters: [first, second], tenant_id } = yield* processes(2)
    yield* first!.take(tenant_id, "reads")
    yield* letThrough([second!], 1000, (limiter) => limiter.take(tenant_id, "reads"))
    yield* TestClock.adjust("1 second")
    // Ten tokens have grown; the eleven that the first process holds are too old.
    assert.isAtMost(yield* letThrough([first!, second!], 100, (limiter) => limiter.take(tenant_id, "reads")), 10)
  }).pipe(Effect.scoped))

it.effect("asks the database once for a dozen requests, and not at all while refusing", () =>
  Effect.gen(function*() {
    const { limiters: [limiter], tenant_id, url } = yield* processes(1)
    const sql = Context.get(
      yield* Layer.build(PgClient.layer({ url: TestDatabase.asOwner(url), maxConnections: 1 })),
      PgClient.PgClient
    )
    yield* sql`CREATE TABLE footnote.takes (at int)`
    yield* sql.unsafe(`CREATE FUNCTION footnote.count_take() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO footnote.takes VALUES (1); RETURN NULL; END'`)
    yield* sql`CREATE TRIGGER count_take AFTER INSERT OR UPDATE ON footnote.rate_limits
      FOR EACH ROW EXECUTE FUNCTION footnote.count_take()`
    const takes = Effect.map(
      sql<{ count: number }>`SELECT count(*)::int AS count FROM footnote.takes`,
      (rows) => rows[0]!.count
    )
    yield* letThrough([limiter!], 600, (one) => one.take(tenant_id, "reads"))
    assert.strictEqual(yield* takes, 50)
    yield* letThrough([limiter!], 600, (one) => one.take(tenant_id, "reads"))
    assert.strictEqual(yield* takes, 51)
  }).pipe(Effect.scoped))

it.effect("what was charged beyond a tenant's time of the processor is made up for before anything passes, by all processes", () =>
  Effect.gen(function*() {
    const { limiters: [first, second], tenant_id } = yield* processes(2)
    // 6,000 ms a minute: 100 grow in a second.
    yield* first!.take(tenant_id, "processor_ms", 5000)
    yield* first!.charge(tenant_id, "processor_ms", 3000.5)
    for (const limiter of [first!, second!]) {
      const refused = yield* Effect.flip(limiter.take(tenant_id, "processor_ms"))
      assert.deepStrictEqual(refused.headers, { "retry-after": "21" })
      assert.match(refused.message ?? "", /has cost 6000 ms of the processor in a minute; retry in 21 s/u)
    }
    assert.isDefined(yield* first!.refused(tenant_id, "processor_ms"))
    assert.isUndefined(yield* first!.refused(tenant_id, "writes"))
    yield* first!.take(tenant_id, "writes")
    yield* TestClock.adjust("20 seconds")
    yield* Effect.flip(second!.take(tenant_id, "processor_ms"))
    yield* TestClock.adjust("1 second")
    yield* second!.take(tenant_id, "processor_ms")
  }).pipe(Effect.scoped))

it.effect("nobody owes more than a minute's time, and a sweep forgives none of it", () =>
  Effect.gen(function*() {
    const { limiters: [limiter], sql, tenant_id } = yield* processes(1)
    yield* limiter!.charge(tenant_id, "processor_ms", 1_000_000)
    assert.strictEqual((yield* Effect.flip(limiter!.take(tenant_id, "processor_ms"))).headers?.["retry-after"], "61")
    yield* TestClock.adjust("1 minute")
    const buckets = yield* TokenBuckets.pipe(
      Effect.provide(TokenBuckets.layer.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))))
    )
    assert.strictEqual(yield* buckets.sweep, 0)
    yield* Effect.flip(limiter!.take(tenant_id, "processor_ms"))
    yield* TestClock.adjust("1 second")
    yield* limiter!.take(tenant_id, "processor_ms")
  }).pipe(Effect.scoped))

it.effect("whatever two processes take and charge, what passes was paid for by what a minute holds and what has grown", () =>
  Effect.gen(function*() {
    const { limiters, sql } = yield* processes(2)
    const step = fc.oneof(
      fc.record({ kind: fc.constant("take" as const), by: fc.nat(1), count: fc.integer({ min: 1, max: 3000 }) }),
      // Six of them owe no more than may be owed.
      fc.record({ kind: fc.constant("charge" as const), by: fc.nat(1), count: fc.integer({ min: 1, max: 1000 }) }),
      fc.record({ kind: fc.constant("wait" as const), by: fc.nat(1), count: fc.integer({ min: 1, max: 40 }) })
    )
    const play = Effect.fnUntraced(
      function*(steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer S> ? S : never>) {
        const tenant_id = yield* newId("ten")
        yield* sql`INSERT INTO footnote.tenants (id, name) VALUES (${tenant_id}, 'test')`
        let paid = 0
        let seconds = 0
        for (const { by, count, kind } of steps) {
          if (kind === "wait") {
            seconds += count
            yield* TestClock.adjust(`${count} seconds`)
          } else if (kind === "charge") {
            paid += count
            yield* limiters[by]!.charge(tenant_id, "processor_ms", count)
          } else if (Exit.isSuccess(yield* Effect.exit(limiters[by]!.take(tenant_id, "processor_ms", count)))) {
            paid += count
            assert.isAtMost(paid, 6000 + 100 * seconds)
          }
        }
        // Never for good: what was charged is paid for in time.
        yield* TestClock.adjust("2 minutes")
        yield* limiters[0]!.take(tenant_id, "processor_ms", 5900)
      }
    )
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) =>
          run(play(steps.filter(({ kind }, at) =>
            kind !== "charge" || steps.slice(0, at).filter((before) =>
                before.kind === "charge"
              ).length < 6
          )))),
        { numRuns: 50 }
      )
    )
  }).pipe(Effect.scoped))
