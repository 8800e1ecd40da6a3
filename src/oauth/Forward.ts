import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage } from "node:http"
import type Provider from "oidc-provider"
import { RequestId } from "../errors/RequestId.ts"
import { securityHeaders } from "../http/SecurityHeaders.ts"

/**
 * The request as the provider may see it: from the public address, whatever `Host` and `X-Forwarded-*` it came with, since
 * all addresses that it answers are made from that; and without its own session, so that nobody stays signed in.
 */
const presented = (
  request: HttpServerRequest.HttpServerRequest,
  origin: string,
  url?: string
): IncomingMessage => {
  const message = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
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

/** Node's own request and response for the provider's helpers. */
export const rawOf = (request: HttpServerRequest.HttpServerRequest, origin: string) =>
  [presented(request, origin), NodeHttpServerRequest.toServerResponse(request)] as const

/**
 * Lets the provider answer on Node's own response, and waits until it has. The answer here tells but the status, for the
 * log: nothing is written twice.
 */
export const makeForward = (provider: Provider, origin: string) => {
  const handle = provider.callback()
  /** `url` is the path and query to present where they are other than those that were sent. */
  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, url?: string) {
    const response = NodeHttpServerRequest.toServerResponse(request)
    for (const [name, value] of Object.entries(securityHeaders(origin.startsWith("https:")))) {
      response.setHeader(name, value)
    }
    response.setHeader("x-request-id", yield* RequestId)
    return yield* Effect.callback<HttpServerResponse.HttpServerResponse>((resume) => {
      response.once("close", () => resume(Effect.succeed(HttpServerResponse.empty({ status: response.statusCode }))))
      void handle(presented(request, origin, url), response)
    })
  })
}
