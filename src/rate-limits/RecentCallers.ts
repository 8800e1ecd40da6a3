import { Effect } from "effect"
import type { RateLimited } from "../errors/RequestErrors.ts"
import type { TenantId } from "../identity/Id.ts"
import { sinceBoot } from "../processes/SinceBoot.ts"
import type { RequestClass } from "./RateLimitOptions.ts"
import type { RateLimits } from "./RateLimits.ts"

/** A key that was revoked is told so after that, and not that its tenant asks too often. */
const recentMillis = 1000
const mostKnown = 10_000

interface Caller {
  readonly tenant_id: TenantId
  readonly until: number
}

/**
 * Whose key was shown within the last second, by the secret's fingerprint: never enough to let anybody in, but to refuse without a look at the database
 * who goes on asking over a limit. An unknown secret, and one whose tenant is within its limits, is looked up as ever.
 */
export const makeRecentCallers = (limits: Pick<RateLimits["Service"], "refused">) => {
  const callers = new Map<string, Caller>()

  return {
    remember: (fingerprint: string, tenant_id: TenantId): Effect.Effect<void> =>
      Effect.map(sinceBoot, (now) => {
        // Put at the end: a map gives its oldest entry first.
        callers.delete(fingerprint)
        if (callers.size >= mostKnown) callers.delete(callers.keys().next().value!)
        callers.set(fingerprint, { tenant_id, until: now + recentMillis })
      }),
    /** The refusal of a request that would be refused anyhow, and of whom. */
    refused: (
      fingerprint: string,
      counted_as: RequestClass
    ): Effect.Effect<{ readonly tenant_id: TenantId; readonly refusal: RateLimited } | undefined> =>
      Effect.flatMap(sinceBoot, (now) => {
        const caller = callers.get(fingerprint)
        if (caller === undefined || now >= caller.until) return Effect.succeed(undefined)
        const { tenant_id } = caller
        return Effect.map(limits.refused(tenant_id, counted_as), (refusal) => refusal && { tenant_id, refusal })
      })
  }
}
