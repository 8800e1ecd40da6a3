import { Clock, Context, Data, Effect, Layer } from "effect"
import { type Dispatcher, request } from "undici"
import { parseRetryAfter } from "../deliveries/RetrySchedule.ts"
import { isAddressBlocked, makeGuardedAgent, type Resolver } from "../sources/GuardedAgent.ts"
import { sourcePolicyConfig } from "../sources/SourcePolicy.ts"
import { forbiddenUrl } from "../sources/SourceUri.ts"

export interface EgressRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** More of an answer than this is not read. Default 16 KiB. */
  readonly most_bytes?: number
  /** From the connection to the last byte. Default 15 s. */
  readonly seconds?: number
}

export interface Answer {
  readonly status_code: number
  /** Null where it was too long, cut off or too slow: the status stands all the same. */
  readonly text: string | null
  /** `Retry-After` in seconds. */
  readonly retry_after: number | undefined
}

/**
 * No answer came. `sent` tells whether any byte of the request can have left: only then can it have been carried out.
 */
export class Unanswered extends Data.TaggedError("Unanswered")<{
  readonly reason: "blocked" | "unreachable" | "tls_error" | "timeout" | "broken_off"
  readonly message: string
  readonly sent: boolean
}> {}

const defaultBytes = 16 * 1024
const defaultSeconds = 15

/** Of Node and undici, for what goes wrong before a connection stands. */
const beforeConnection =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_FAIL|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|UND_ERR_CONNECT_TIMEOUT)$/u
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(?:TLS|SSL)/u

/** The system's short code: a message could carry the URL with its secrets. */
const unanswered = (error: unknown): Unanswered => {
  if (isAddressBlocked(error)) {
    return new Unanswered({ reason: "blocked", message: "the address is not a public one", sent: false })
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
  const message = code ?? "no connection"
  if (code !== undefined && certificate.test(code)) return new Unanswered({ reason: "tls_error", message, sent: false })
  if (code !== undefined && beforeConnection.test(code)) {
    return new Unanswered({ reason: "unreachable", message, sent: false })
  }
  return new Unanswered({ reason: "broken_off", message, sent: true })
}

const readText = async (body: Dispatcher.ResponseData["body"], most: number): Promise<string | null> => {
  const chunks: Array<Buffer> = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += (chunk as Buffer).length
      if (length > most) {
        body.destroy()
        return null
      }
      chunks.push(chunk as Buffer)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString("utf8")
}

/**
 * The one way out to places that tenants name: no address outside of the policy is reached, no redirect is followed, no
 * request takes longer than it may, and no more of an answer is read than is of use.
 */
export class Egress extends Context.Service<Egress, {
  readonly send: (request: EgressRequest) => Effect.Effect<Answer, Unanswered>
}>()("footnote/connectors/Egress") {
  /** With `resolve` names are looked up by it instead of the system. */
  static readonly layerWith = (resolve?: Resolver) =>
    Layer.effect(
      Egress,
      Effect.gen(function*() {
        const policy = yield* sourcePolicyConfig
        // Each request has a limit of its own; these only have to be longer.
        const agent = yield* Effect.acquireRelease(
          Effect.sync(() =>
            makeGuardedAgent(policy, { connect_ms: 5000, headers_ms: 90_000, body_ms: 90_000 }, resolve)
          ),
          (agent) => Effect.promise(() => agent.destroy())
        )

        return Egress.of({
          send: Effect.fn("Egress.send")(function*(options) {
            const { body, headers, method, most_bytes = defaultBytes, seconds = defaultSeconds } = options
            const url = URL.parse(options.url)
            const forbidden = url === null ? "not a URL" : forbiddenUrl(url, policy)
            if (forbidden !== undefined) {
              return yield* new Unanswered({ reason: "blocked", message: forbidden, sent: false })
            }
            const started = yield* Clock.currentTimeMillis
            const response = yield* Effect.tryPromise({
              try: (signal) =>
                request(url!, {
                  method,
                  headers: { "user-agent": "Footnote/0.1", ...headers },
                  body: body ?? null,
                  dispatcher: agent,
                  signal
                }),
              catch: unanswered
            }).pipe(Effect.timeoutOrElse({
              duration: `${seconds} seconds`,
              orElse: () =>
                Effect.fail(new Unanswered({ reason: "timeout", message: `no answer within ${seconds} s`, sent: true }))
            }))
            const now = yield* Clock.currentTimeMillis
            const text = yield* Effect.callback<string | null>((resume) => {
              void readText(response.body, most_bytes).then((read) => resume(Effect.succeed(read)))
              return Effect.sync(() => void response.body.destroy())
            }).pipe(Effect.timeoutOrElse({
              duration: Math.max(1, seconds * 1000 - (now - started)),
              orElse: () => Effect.succeed(null)
            }))
            const retryAfter = response.headers["retry-after"]
            return {
              status_code: response.statusCode,
              text,
              retry_after: parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, now)
            }
          })
        })
      })
    )

  static readonly layer = Egress.layerWith()
}
