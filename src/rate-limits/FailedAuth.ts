import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import type { RateLimited } from "../errors/RequestErrors.ts"
import { RateLimitOptions } from "./RateLimitOptions.ts"
import { RateLimits } from "./RateLimits.ts"

const mostKnown = 10_000

/** By which a secret is known again without being kept; that of none is none. Computed once for each request: a hash is 3 µs. */
export const fingerprintOf = (secret: string): string => secret === "" ? "" : hash("sha256", secret, "base64")

/**
 * Slows down whoever tries keys. Failures are counted per client address, for all API processes together. Over its limit the
 * keys of an address are looked up `in turn` and the wrong ones refused with 429; one that this process has seen to be good is
 * looked up as ever. So whoever shares an address with the one who tries goes on working, be it that of a proxy of us all.
 */
export class FailedAuth extends Context.Service<FailedAuth, {
  /**
   * Runs `authenticate` for a secret of this fingerprint; any failure of it counts, and over the limit `RATE_LIMITED` stands in its
   * place.
   */
  readonly guard: <A, E, R>(
    address: string,
    fingerprint: string,
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
        if (good.has(fingerprint)) return
        if (good.size >= mostKnown) good.delete(good.values().next().value!)
        good.add(fingerprint)
      }

      return FailedAuth.of({
        guard: (address, fingerprint, authenticate) => {
          // Without a secret nothing is tried: clients ask like that to learn how to sign in.
          if (failed_auth === 0 || fingerprint === "") return authenticate("at once")
          const key = `failed-auth:${address}`
          const counted = Effect.tapError(authenticate("at once"), () => limits.takeFrom(key, failed_auth))
          if (good.has(fingerprint)) return counted
          return Effect.matchEffect(limits.check(key, failed_auth), {
            onSuccess: () => counted,
            onFailure: (over) => Effect.mapError(authenticate("in turn"), () => over)
          }).pipe(Effect.tap(() => Effect.sync(() => remember(fingerprint))))
        }
      })
    })
  )
}
