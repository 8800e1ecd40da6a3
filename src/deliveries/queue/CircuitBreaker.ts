import { Schema } from "effect"

/**
 * Attempts under way at one moment, all workers together: a slow receiver or a busy tenant must not take every slot, nor may a tenant's
 * endpoints that fail (`failing`), or these and those that have never answered (`unproven`), take every slot of the tenant.
 */
export const mostInFlight = { endpoint: 4, tenant: 16, unproven: 12, failing: 8 } as const

/** The circuit breaker: after so many failures in a row an endpoint is left alone: 30 s at first, twice as long each time, 15 min at most. */
export const breaker = { failures: 5, first_seconds: 30, longest_seconds: 900 } as const

/** What is counted against an endpoint, by all workers together. `opened`: since the last success. */
export const EndpointCounts = Schema.Struct({
  failures: Schema.Finite,
  opened: Schema.Finite
})
export type EndpointCounts = typeof EndpointCounts.Type

export const unharmed: EndpointCounts = { failures: 0, opened: 0 }

/**
 * Trips the circuit breaker: the counts after one more failure, and for how many seconds nothing is sent: 0 where the breaker stays shut. While it is
 * half open, which is once that time is over, one attempt at a time goes through, and its failure opens it again.
 */
export const afterFailure = (
  { failures, opened }: EndpointCounts
): { readonly counts: EndpointCounts; readonly open_seconds: number } =>
  failures + 1 < breaker.failures
    ? { counts: { failures: failures + 1, opened }, open_seconds: 0 }
    : {
      counts: { failures: failures + 1, opened: opened + 1 },
      open_seconds: Math.min(breaker.first_seconds * 2 ** opened, breaker.longest_seconds)
    }
