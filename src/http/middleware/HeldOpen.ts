import { Effect, Option } from "effect"
import { KeyWatch } from "../../api-keys/KeyWatch.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { OpenRequest, OpenStreams } from "../../rate-limits/OpenStreams.ts"
import { Draining } from "../../web/server/Draining.ts"
import { unauthenticated } from "./AuthorizationLayer.ts"

/**
 * Answers that stay open: each takes one of its tenant's places until its scope closes, and ends with the key or the
 * session of its request and with the process.
 */
export const makeHeldOpen = Effect.gen(function*() {
  const jobs = yield* Jobs
  const draining = yield* Draining
  const openStreams = yield* OpenStreams
  const keyWatch = yield* KeyWatch

  /** `RATE_LIMITED` where all places are taken; gives what ends once the key is revoked or the session over. */
  const heldOpen = Effect.gen(function*() {
    const caller = yield* CurrentTenant
    const request = yield* Effect.serviceOption(OpenRequest)
    yield* Option.isSome(request) ? request.value.hold : openStreams.hold(caller.tenant_id)
    return yield* keyWatch.ended(caller)
  })

  return {
    heldOpen,
    /** The job once it is terminal, or as it is when the seconds are over or the process drains. */
    waited: (id: string, seconds: number) =>
      Effect.scoped(Effect.gen(function*() {
        const { tenant_id } = yield* CurrentTenant
        const now = jobs.get(tenant_id, id)
        if (seconds === 0) return yield* now
        const ended = yield* heldOpen
        return yield* Effect.raceAllFirst([
          jobs.waitUntilTerminal(tenant_id, id, seconds),
          Effect.andThen(draining.begun, now),
          Effect.andThen(ended, Effect.fail(unauthenticated))
        ])
      }))
  }
})
