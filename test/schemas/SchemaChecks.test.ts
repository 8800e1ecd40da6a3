import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimits } from "../../src/rate-limits/RateLimits.ts"
import { schemaCheckLimits, SchemaChecks } from "../../src/schemas/SchemaChecks.ts"
import { CurrentTenant } from "../../src/tenants/CurrentTenant.ts"

/** Runs into its limit: the patterns are few, and a sample of three nested arrays is a billion strings. */
const endless = Array.from({ length: 3 }).reduce<unknown>(
  (items) => ({ type: "array", minItems: 1000, items }),
  { type: "string", minLength: 10_000 }
)

const of = (tenant_id: string) => Effect.provideService(CurrentTenant, { tenant_id, key_id: null })

/** `SchemaChecks` with what it has charged to tenants. */
const scene = Effect.gen(function*() {
  const charged: Array<readonly [string, string, number]> = []
  const limits = Layer.mock(RateLimits, {
    charge: (tenant_id, counted_as, count) => Effect.sync(() => charged.push([tenant_id, counted_as, count]))
  })
  const { check } = yield* Effect.provide(SchemaChecks, SchemaChecks.layer.pipe(Layer.provide(limits)))
  return { charged, check }
})

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

  it.live("that run into their limit cost their tenant as much as many requests, and others nothing", () =>
    Effect.gen(function*() {
      const { charged, check } = yield* scene
      const error = yield* Effect.flip(check(endless)).pipe(of("b"))
      assert.match(error.details![0]!.message, /^too_complex: Checking it takes too long/u)
      yield* Effect.flip(check({ $ref: "#" })).pipe(of("b"))
      assert.deepStrictEqual(charged, [["b", "writes", schemaCheckLimits.dear_check_writes]])
    }))
})
