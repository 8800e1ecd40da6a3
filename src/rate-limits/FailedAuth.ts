import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import type { RateLimited } from "../errors/RequestErrors.ts"
import { RateLimitOptions } from "./RateLimitOptions.ts"
import { RateLimits } from "./RateLimits.ts"

const mostKnown = 10_000

/**
 * Slows down whoever tries keys. Failures are counted per client address, for all API processes together. An address over
 * its limit is refused before its key is looked up, unless this process has seen that very key to be good: whoever shares an
 * address with the one who tries goes on working.
 */
export class FailedAuth extends Context.Service<FailedAuth, {
  /** Runs `authenticate`, any failure of which counts, and fails with `RATE_LIMITED` in its place over the limit. */
  readonly guard: <A, E, R>(
    address: string,
    secret: string,
    authenticate: Effect.Effect<A, E, R>
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
          if (failed_auth === 0 || secret === "") return yield* authenticate
          const key = `failed-auth:${address}`
          const fingerprint = createHash("sha256").update(secret).digest("base64")
          if (!good.has(fingerprint)) yield* limits.check(key, failed_auth)
          return yield* authenticate.pipe(
            Effect.tap(() => Effect.sync(() => good.has(fingerprint) || remember(fingerprint))),
            Effect.tapError(() => limits.takeFrom(key, failed_auth))
          )
        })
      })
    })
  )
}
