import { NodeHttpClient } from "@effect/platform-node"
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { type Headers, HttpBody, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { type AddressPolicy, addressPolicyConfig, forbiddenUrl, makeAddressPolicy } from "./AddressPolicy.ts"
import { EgressError, egressErrorFrom } from "./EgressError.ts"
import { parseRetryAfter } from "./RetryAfter.ts"
import { makeGuardedAgent, type Resolver } from "./SsrfGuard.ts"

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
  /** By names in lower case. */
  readonly headers: Headers.Headers
  /** Null where it was too long, cut off or too slow: the status stands all the same. */
  readonly text: string | null
  /** `Retry-After` in seconds. */
  readonly retry_after: number | undefined
}

const defaultBytes = 16 * 1024
const defaultSeconds = 15

/** Effect's client sets the last two aside for each request, whose own deadline takes their place. */
const deadlines = { connect_ms: 5000, headers_ms: 90_000, body_ms: 90_000 }

/** What the operator's configuration names is no caller's word: it may lie anywhere. */
const everywhere = makeAddressPolicy({ allow_private: "0.0.0.0/0,::/0" })

const readText = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse, most: number) {
  const chunks: Array<Uint8Array> = []
  let length = 0
  yield* Stream.runForEachArray(response.stream, (read) => {
    chunks.push(...read)
    length += read.reduce((sum, chunk) => sum + chunk.length, 0)
    return length > most ? Effect.fail("too long" as const) : Effect.void
  })
  return Buffer.concat(chunks).toString("utf8")
}, Effect.orElseSucceed(() => null))

/**
 * Requests to places that the policy allows or, for `operator`, to any place that the operator's configuration names; for
 * the scope. The same of both: see `Egress`.
 */
export const makeEgress = Effect.fnUntraced(function*(allowed: AddressPolicy | "operator", resolve?: Resolver) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => makeGuardedAgent(allowed === "operator" ? everywhere : allowed, deadlines, resolve)),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const forbidden = (url: URL) => allowed === "operator" ? undefined : forbiddenUrl(url, allowed)
  const client = (yield* NodeHttpClient.makeUndici.pipe(Effect.provideService(NodeHttpClient.Dispatcher, agent))).pipe(
    // The connection is closed with the scope, whatever of the answer is still to come.
    HttpClient.withScope,
    // The client's own span would hold the URL, which can be a secret, and would tell strangers the ids of our traces.
    HttpClient.transformResponse(Effect.provideService(HttpClient.TracerDisabledWhen, () => true))
  )

  return Egress.of({
    send: Effect.fn("Egress.send")(function*(options) {
      const { body, headers, method, most_bytes = defaultBytes, seconds = defaultSeconds } = options
      const url = URL.parse(options.url)
      const why = url === null ? "not a URL" : forbidden(url)
      if (url === null || why !== undefined) {
        return yield* new EgressError({ reason: "blocked", message: why ?? "not a URL", sent: false })
      }
      yield* Effect.annotateCurrentSpan("http.request.method", method)
      const started = yield* Clock.currentTimeMillis
      // As text: of a `URL` the client takes the query apart and writes it anew, in other bytes. Headers come after the
      // body, which would take away what it does not say itself.
      const request = HttpClientRequest.make(method)(url.href, body === undefined ? {} : { body: HttpBody.raw(body) })
        .pipe(HttpClientRequest.setHeaders({ "user-agent": "Footnote/0.1", ...headers }))
      const response = yield* client.execute(request).pipe(
        Effect.mapError(({ cause }) => egressErrorFrom(cause)),
        Effect.timeoutOrElse({
          duration: `${seconds} seconds`,
          orElse: () =>
            Effect.fail(new EgressError({ reason: "timeout", message: `no answer within ${seconds} s`, sent: true }))
        })
      )
      yield* Effect.annotateCurrentSpan("http.response.status_code", response.status)
      const now = yield* Clock.currentTimeMillis
      const text = yield* readText(response, most_bytes).pipe(Effect.timeoutOrElse({
        duration: Math.max(1, seconds * 1000 - (now - started)),
        orElse: () => Effect.succeed(null)
      }))
      return {
        status_code: response.status,
        headers: response.headers,
        text,
        retry_after: parseRetryAfter(response.headers["retry-after"], now)
      }
    }, Effect.scoped)
  })
})

/**
 * The one way out to places that tenants and clients name: no address outside of the policy is reached, no redirect is
 * followed, no request takes longer than it may, no more of an answer is read than is of use, and neither URL nor headers
 * come into a span, a log or an error. An interrupted request closes its connection.
 */
export class Egress extends Context.Service<Egress, {
  /** Fails with `EgressError` where not even a status came. */
  readonly send: (request: EgressRequest) => Effect.Effect<Answer, EgressError>
}>()("footnote/egress/Egress") {
  /** With `resolve` names are looked up by it instead of the system. */
  static readonly layerWith = (resolve?: Resolver) =>
    Layer.effect(Egress, Effect.flatMap(addressPolicyConfig, (policy) => makeEgress(policy, resolve)))

  static readonly layer = Egress.layerWith()
}
