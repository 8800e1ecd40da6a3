import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import type { RateLimited } from "../errors/RequestErrors.ts"
import { RateLimitOptions } from "./RateLimitOptions.ts"
import { RateLimits } from "./RateLimits.ts"

const mostKnown = 10_000

/**
 * Slows down whoever tries keys. Failures are counted per client address, for all API processes together. Over its limit the
 * keys of an address are looked up `in turn` and the wrong ones refused with 429; one that this process has seen to be good is
 * looked up as ever. So whoever shares an address with the one who tries goes on working, be it that of a proxy of us all.
 */
export class FailedAuth extends Context.Service<FailedAuth, {
  /** Runs `authenticate`, any failure of which counts, and fails with `RATE_LIMITED` in its place over the limit. */
  readonly guard: <A, E, R>(
    address: string,
    secret: string,
    authenticate: (pace: "at once" | "in turn") => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | RateLimited, R>
}>()("footnote/rate-limits/FailedAuth") {
  static readonly layer = Layer.effect(
    FailedAuth,
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const { failed_auth } = yield* RateLimitOptions
      const good = new Set<string>()
      const remember = (fingerprint: string) => {
        if (good.size >= mostKnown) good.delete(good.values().next().value!)
        good.add(fingerprint)
      }

      return FailedAuth.of({
        guard: Effect.fnUntraced(function*(address, secret, authenticate) {
          // Without a secret nothing is tried: clients ask like that to learn how to sign in.
          if (failed_auth === 0 || secret === "") return yield* authenticate("at once")
          const key = `failed-auth:${address}`
          const fingerprint = hash("sha256", secret, "base64")
          const looked = (pace: "at once" | "in turn") =>
            Effect.tap(authenticate(pace), () => Effect.sync(() => good.has(fingerprint) || remember(fingerprint)))
          const over = good.has(fingerprint) ? undefined : yield* limits.check(key, failed_auth).pipe(
            Effect.as(undefined),
            Effect.catch(Effect.succeed)
          )
          if (over !== undefined) return yield* Effect.mapError(looked("in turn"), () => over)
          return yield* Effect.tapError(looked("at once"), () => limits.takeFrom(key, failed_auth))
        })
      })
    })
  )
}
