import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { FailedAuth } from "../../src/rate-limits/FailedAuth.ts"
import { RateLimitOptions } from "../../src/rate-limits/RateLimitOptions.ts"
import { RateLimits } from "../../src/rate-limits/RateLimits.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const services = FailedAuth.layer.pipe(
  Layer.provideMerge(RateLimits.layer),
  Layer.provide(Layer.succeed(RateLimitOptions, { reads: 0, writes: 0, uploads: 0, processor_ms: 0, failed_auth: 3 })),
  Layer.provide(TestDatabase.layer)
)

/** A lookup that knows one key and counts how often it was asked. */
const lookup = () => {
  const state = { "at once": 0, "in turn": 0 }
  const authenticate = (secret: string) => (pace: keyof typeof state) =>
    Effect.suspend(() => {
      state[pace]++
      return secret === "good" ? Effect.succeed("tenant") : Effect.fail("unknown" as const)
    })
  return { state, authenticate }
}

it.effect("an address that tries keys is refused with wrong ones, looked up in turn, until the minute has filled up", () =>
  Effect.gen(function*() {
    const { guard } = yield* FailedAuth
    const { authenticate, state } = lookup()
    const attempt = (address: string, secret: string) => guard(address, secret, authenticate(secret))
    for (const secret of ["a", "b", "c"]) {
      assert.strictEqual(yield* Effect.flip(attempt("203.0.113.9", secret)), "unknown")
    }
    const fourth = yield* Effect.flip(attempt("203.0.113.9", "d"))
    assert.strictEqual((fourth as { _tag: string })._tag, "RATE_LIMITED")
    const asked = { ...state }
    for (let times = 0; times < 10_000; times++) {
      const refused = yield* Effect.flip(attempt("203.0.113.9", `e${times}`))
      assert.strictEqual((refused as { _tag: string })._tag, "RATE_LIMITED")
    }
    assert.deepStrictEqual(state, { "at once": asked["at once"], "in turn": asked["in turn"] + 10_000 })
    assert.strictEqual(yield* attempt("203.0.113.10", "good"), "tenant")
    yield* TestClock.adjust("20 seconds")
    assert.strictEqual(yield* Effect.flip(attempt("203.0.113.9", "f")), "unknown")
  }).pipe(Effect.provide(services)))

it.effect("a good key works although others at its address try wrong ones, and from then on as ever", () =>
  Effect.gen(function*() {
    const { guard } = yield* FailedAuth
    const { authenticate, state } = lookup()
    const attempt = (secret: string) => guard("203.0.113.9", secret, authenticate(secret))
    for (let times = 0; times < 60; times++) yield* Effect.flip(attempt(`bad${times}`))
    const { "in turn": before } = state
    for (let times = 0; times < 3; times++) assert.strictEqual(yield* attempt("good"), "tenant")
    assert.strictEqual(state["in turn"], before + 1)
  }).pipe(Effect.provide(services)))

it.effect("who shares the address and was known before goes on working, as long as the key is good", () =>
  Effect.gen(function*() {
    const { guard } = yield* FailedAuth
    const { authenticate } = lookup()
    const attempt = (secret: string) => guard("198.51.100.1", secret, authenticate(secret))
    assert.strictEqual(yield* attempt("good"), "tenant")
    for (let times = 0; times < 20; times++) yield* Effect.flip(attempt(`bad${times}`))
    assert.strictEqual(yield* attempt("good"), "tenant")
    const revoked = guard("198.51.100.1", "good", () => Effect.fail("revoked" as const))
    assert.notStrictEqual(yield* Effect.flip(revoked), undefined)
  }).pipe(Effect.provide(services)))

it.effect("asking without a key tries nothing and counts for nothing", () =>
  Effect.gen(function*() {
    const { guard } = yield* FailedAuth
    for (let times = 0; times < 50; times++) {
      assert.strictEqual(yield* Effect.flip(guard("192.0.2.1", "", () => Effect.fail("none" as const))), "none")
    }
  }).pipe(Effect.provide(services)))
