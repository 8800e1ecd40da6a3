import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { RateLimited } from "../../src/errors/RequestErrors.ts"
import { CurrentTenant } from "../../src/identity/CurrentTenant.ts"
import { RateLimits } from "../../src/rate-limits/RateLimits.ts"
import { schemaCheckLimits, SchemaChecks } from "../../src/schemas/SchemaChecks.ts"

/** Runs into its limit: the patterns are few, and a sample of three nested arrays is a billion strings. */
const endless = Array.from({ length: 3 }).reduce<unknown>(
  (items) => ({ type: "array", minItems: 1000, items }),
  { type: "string", minLength: 10_000 }
)

const of = (name: string) => Effect.provideService(CurrentTenant, { tenant_id: `ten_${name}`, key_id: null })

/** `SchemaChecks` with a time of the processor for each tenant, and what it has charged to them. */
const sceneWith = (processor_ms: number) =>
  Effect.gen(function*() {
    const charged: Array<readonly [string, string, number]> = []
    const begun = yield* Deferred.make<void>()
    const left = new Map<string, number>()
    const spend = (tenant_id: string, count: number) =>
      left.set(tenant_id, (left.get(tenant_id) ?? processor_ms) - count)
    const limits = Layer.mock(RateLimits, {
      take: (tenant_id) =>
        Effect.suspend(() => {
          const present = spend(tenant_id, 1).get(tenant_id)!
          if (present < 0) return Effect.fail(new RateLimited({ message: "used up", headers: { "retry-after": "7" } }))
          // The second look is at the check's turn: it begins at once.
          if (processor_ms - present === 2) Deferred.doneUnsafe(begun, Effect.void)
          return Effect.succeed(undefined)
        }),
      charge: (tenant_id, counted_as, count) =>
        Effect.sync(() => {
          spend(tenant_id, count)
          charged.push([tenant_id, counted_as, count])
        })
    })
    const checks = yield* Effect.provide(SchemaChecks, SchemaChecks.layer.pipe(Layer.provide(limits)))
    return { begun, charged, check: checks.check, onThread: checks.charged }
  })
const scene = sceneWith(1_000_000)

/** Checks one schema for a tenant with so much left of its minute's time. */
const checkWith = (remaining: number) => {
  const standing = { allowed: true, limit: 6000, remaining, reset_seconds: 1, retry_after_seconds: 0 }
  const limits = Layer.mock(RateLimits, { take: () => Effect.succeed(standing), charge: () => Effect.void })
  return Effect.flatMap(SchemaChecks, ({ check }) => check({ type: "object" })).pipe(
    Effect.provide(SchemaChecks.layer.pipe(Layer.provide(limits))),
    of("a")
  )
}

/** How many of this process's threads stand behind what computes. */
const behind = (): number =>
  readdirSync("/proc/self/task").map((thread) => {
    const status = readFileSync(`/proc/self/task/${thread}/stat`, "utf8")
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[16])
  }).filter((nice) => nice === 15).length

/** Takes 30 ms of the processor. */
const busy = () => {
  const before = process.threadCpuUsage()
  for (;;) if (process.threadCpuUsage(before).user >= 30_000) return "done"
}

describe("checks of tenants' schemas", () => {
  it.live("of one tenant wait in a line of their own, beyond whose end it is told to come again, and another's go by", () =>
    Effect.gen(function*() {
      const { check } = yield* scene
      const ended: Array<string> = []
      const more = 5
      const flood = Effect.all(
        Array.from(
          { length: 1 + schemaCheckLimits.waiting + more },
          (_, at) =>
            Effect.result(
              check({ type: "object", title: `${at}` }).pipe(
                Effect.tap(() => Effect.sync(() => ended.push("b")))
              )
            )
        ),
        { concurrency: "unbounded" }
      ).pipe(of("b"))
      const own = check({ type: "object" }).pipe(Effect.tap(() => Effect.sync(() => ended.push("a"))), of("a"))
      const [results] = yield* Effect.all([flood, own], { concurrency: "unbounded" })
      const refused = results.flatMap((result) => result._tag === "Failure" ? [result.failure] : [])
      assert.deepStrictEqual(refused.map(({ _tag }) => _tag), Array.from({ length: more }, () => "RATE_LIMITED"))
      assert.deepStrictEqual(refused[0]!.headers, { "retry-after": "1" })
      assert.sameMembers(ended, ["a", ...Array.from({ length: 1 + schemaCheckLimits.waiting }, () => "b")])
    }))

  it.live("are charged like other work on the thread that answers, which does not begin where the time is used up", () =>
    Effect.gen(function*() {
      const { charged, onThread } = yield* sceneWith(2)
      assert.strictEqual(yield* onThread(busy).pipe(of("b")), "done")
      assert.deepStrictEqual(charged.map(([tenant_id, counted_as]) => [tenant_id, counted_as]), [[
        "ten_b",
        "processor_ms"
      ]])
      assert.isAtLeast(charged[0]![2], 29)
      assert.strictEqual(
        (yield* Effect.flip(onThread(() => assert.fail("was begun"))).pipe(of("b")))._tag,
        "RATE_LIMITED"
      )
      assert.strictEqual(yield* onThread(() => "free").pipe(of("a")), "free")
    }))

  it.live("cost their tenant the time of the processor that they took, and others nothing", () =>
    Effect.gen(function*() {
      const { charged, check } = yield* scene
      const error = yield* Effect.flip(check(endless)).pipe(of("b"))
      assert.match(error.details![0]!.message, /^too_complex: Checking it takes too long/u)
      yield* check({ type: "object" }).pipe(of("a"))
      assert.deepStrictEqual(charged.map(([tenant_id, counted_as]) => [tenant_id, counted_as]), [
        ["ten_b", "processor_ms"],
        ["ten_a", "processor_ms"]
      ])
      assert.isAtLeast(charged[0]![2], 1000)
      assert.isBelow(charged[1]![2], charged[0]![2])
    }))

  it.live("that are given up cost what they had taken by then", () =>
    Effect.gen(function*() {
      const { begun, charged, check } = yield* scene
      const fiber = yield* Effect.forkChild(check(endless).pipe(of("b")))
      yield* Deferred.await(begun)
      // The look's own fiber goes on first.
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.lengthOf(charged, 1)
    }))

  it.live("are refused once the time is used up, also those that wait behind the one that has used it", () =>
    Effect.gen(function*() {
      const { charged, check } = yield* sceneWith(500)
      const results = yield* Effect.all(
        Array.from({ length: 5 }, (_, at) => Effect.result(check(at === 0 ? endless : { type: "object" }))),
        { concurrency: "unbounded" }
      ).pipe(of("b"))
      const tags = results.map((result) => result._tag === "Failure" ? result.failure._tag : "checked")
      assert.deepStrictEqual(tags, ["SCHEMA_INVALID", ...Array.from({ length: 4 }, () => "RATE_LIMITED")])
      assert.lengthOf(charged, 1)
      yield* check({ type: "object" }).pipe(of("a"))
    }))

  it.live.skipIf(process.platform !== "linux")(
    "are looked at behind all else once their tenant has had a tenth of its minute's time, and not before",
    () =>
      Effect.gen(function*() {
        // Another file's may be there already.
        const before = behind()
        yield* checkWith(5400)
        assert.strictEqual(behind(), before)
        yield* checkWith(5399)
        assert.isAtLeast(behind(), 1)
      })
  )
})
