import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage } from "node:http"
import type Provider from "oidc-provider"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { RequestId } from "../errors/RequestId.ts"
import { bodyText, jsonText, requirePlain } from "../web/json/JsonBody.ts"
import { nulParameters, textProblems } from "../web/json/StorableText.ts"
import { parametersOf, splitTarget } from "../web/server/RequestTarget.ts"
import { securityHeaders } from "../web/server/SecurityHeaders.ts"

/** The same request with a body that has been read already. */
const withBody = (message: IncomingMessage, body: string): IncomingMessage => {
  const read = new IncomingMessage(message.socket)
  const { headers, httpVersion, httpVersionMajor, httpVersionMinor, method, url } = message
  const length = String(Buffer.byteLength(body))
  Object.assign(read, { httpVersion, httpVersionMajor, httpVersionMinor, method, url })
  read.headers = { ...headers, "content-length": length }
  delete read.headers["transfer-encoding"]
  // Otherwise its end would be taken for a connection that broke off, and the connection ended.
  read.complete = true
  read.push(body)
  read.push(null)
  return read
}

/**
 * The request as the provider may see it: from the public address, whatever `Host` and `X-Forwarded-*` it came with, since
 * all addresses that it answers are made from that; and without its own session, so that nobody stays signed in.
 */
const presented = (message: IncomingMessage, origin: string, url?: string): IncomingMessage => {
  const { host, protocol } = new URL(origin)
  const cookies = (message.headers.cookie ?? "").split(/; */u)
  Object.assign(message.headers, {
    host,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
    cookie: cookies.filter((cookie) => !/^footnote_oauth(\.|=)/u.test(cookie)).join("; ")
  })
  if (url !== undefined) message.url = url
  return message
}

const callers = new WeakMap<IncomingMessage, string>()

/** What the caller of a request under way is counted by. */
export const callerOf = (message: IncomingMessage): string | undefined => callers.get(message)

const rawRequest = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage

/** Node's own request and response for the provider's helpers. */
export const rawOf = (request: HttpServerRequest.HttpServerRequest, origin: string) =>
  [presented(rawRequest(request), origin), NodeHttpServerRequest.toServerResponse(request)] as const

/**
 * The body for the provider, which would wait for it for ever and take what two readers take differently: held to what every body is
 * held to here.
 */
const takenBody = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  yield* requirePlain(request)
  if ((request.headers["content-type"] ?? "").toLowerCase().includes("json")) {
    const text = yield* jsonText(request)
    const details = textProblems(text)
    return details.length === 0 ? text : yield* new InvalidRequest({ details })
  }
  const text = yield* bodyText(request)
  const details = nulParameters(new URLSearchParams(`?${text}`))
  return details.length === 0 ? text : yield* new InvalidRequest({ details })
})

interface Forwarding {
  /** The path and query to present where they are other than those that were sent. */
  readonly url?: string | undefined
  /** A longer body is refused. */
  readonly most_bytes?: number | undefined
  /** What the request is counted by. */
  readonly caller?: string
}

/**
 * Lets the provider answer on Node's own response, and waits until it has. The answer here tells but the status, for the
 * log: nothing is written twice. Fails where nothing is to be answered: what was sent is refused before the provider sees it.
 */
export const makeForward = (provider: Provider, origin: string) => {
  const handle = provider.callback()
  return Effect.fnUntraced(function*(
    request: HttpServerRequest.HttpServerRequest,
    { caller, most_bytes = Number.POSITIVE_INFINITY, url }: Forwarding = {}
  ) {
    const held = nulParameters(parametersOf(request.url))
    if (held.length > 0) return yield* new InvalidRequest({ details: held })
    if (splitTarget(request.url).path.includes("%00")) {
      return yield* new InvalidRequest({ details: [{ path: "", message: "The path holds a NUL character" }] })
    }
    const body = request.method === "POST" ? yield* takenBody(request) : undefined
    if (body !== undefined && Buffer.byteLength(body) > most_bytes) {
      return yield* new InvalidRequest({
        details: [{ path: "", message: `Must not be longer than ${most_bytes} bytes` }]
      })
    }
    const message = body === undefined ? rawRequest(request) : withBody(rawRequest(request), body)
    if (caller !== undefined) callers.set(message, caller)
    const response = NodeHttpServerRequest.toServerResponse(request)
    for (const [name, value] of Object.entries(securityHeaders(origin.startsWith("https:")))) {
      response.setHeader(name, value)
    }
    response.setHeader("x-request-id", yield* RequestId)
    return yield* Effect.callback<HttpServerResponse.HttpServerResponse>((resume) => {
      const told = () => resume(Effect.succeed(HttpServerResponse.empty({ status: response.statusCode })))
      // A caller who broke off while the rate limit was asked is told of no more: waiting for it would hold the process's end for 30 s.
      if (response.closed) return told()
      response.once("close", told)
      void handle(presented(message, origin, url), response)
    })
  })
}
