import { Clock, Effect } from "effect"
import { type Dispatcher, request } from "undici"
import { parseRetryAfter } from "../../src/deliveries/RetrySchedule.ts"
import { AddressBlocked } from "../../src/sources/GuardedAgent.ts"
import type { SourcePolicy } from "../../src/sources/SourcePolicy.ts"
import { forbiddenUrl } from "../../src/sources/SourceUri.ts"

/** What became of one attempt. `error` is null exactly when the receiver accepted it. */
export interface Attempt {
  readonly status_code: number | null
  readonly error: string | null
  readonly duration_ms: number
  /** No further attempt can help: the receiver is gone (410) or may not be reached. */
  readonly final: boolean
  readonly retry_after: number | undefined
}

type Answer = Omit<Attempt, "duration_ms">

const failed = (error: string, final = false): Answer => ({ status_code: null, error, final, retry_after: undefined })

const isBlocked = (error: unknown): boolean =>
  error instanceof AddressBlocked || (error instanceof Error && error.cause !== undefined && isBlocked(error.cause))
  || (error instanceof AggregateError && error.errors.some(isBlocked))

/** The system's short code: a message could carry the URL with its secrets. */
const networkError = (error: unknown): Answer => {
  if (isBlocked(error)) return failed("the address is not a public one", true)
  return failed(
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no connection"
  )
}

const judge = (response: Dispatcher.ResponseData, nowMillis: number): Answer => {
  const { headers, statusCode: status_code } = response
  if (status_code >= 200 && status_code < 300) {
    return { status_code, error: null, final: true, retry_after: undefined }
  }
  const retryAfter = headers["retry-after"]
  return {
    status_code,
    error: status_code === 410 ? "the receiver is gone" : `answered ${status_code}`,
    final: status_code === 410,
    retry_after: parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, nowMillis)
  }
}

/**
 * Posts a signed event once: 15 s in all, no redirect followed, no address outside of the policy reached. Never fails:
 * whatever goes wrong is told in the attempt.
 */
export const postWebhook = Effect.fn("Webhook.post")(function*(options: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly agent: Dispatcher
  readonly policy: SourcePolicy
}) {
  const started = yield* Clock.currentTimeMillis
  const url = URL.parse(options.url)
  const forbidden = url === null ? "not a URL" : forbiddenUrl(url, options.policy)
  const answer = forbidden !== undefined
    ? failed(forbidden, true)
    : yield* Effect.tryPromise({
      try: async (signal) => {
        const response = await request(url!, {
          method: "POST",
          headers: { ...options.headers, "content-type": "application/json", "user-agent": "footnote/0.1" },
          body: options.body,
          dispatcher: options.agent,
          signal
        })
        // What the receiver says beyond its status is of no use, but a connection is freed by reading it.
        await response.body.dump({ limit: 16_384, signal })
        return response
      },
      catch: networkError
    }).pipe(
      Effect.flatMap((response) => Effect.map(Clock.currentTimeMillis, (now) => judge(response, now))),
      Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.succeed(failed("no answer within 15 s")) }),
      Effect.catch(Effect.succeed)
    )
  return { ...answer, duration_ms: (yield* Clock.currentTimeMillis) - started } satisfies Attempt
})
