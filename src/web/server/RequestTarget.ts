import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"

/** The path of a request's target and its query, which is all behind the first `?` (RFC 3986, 3.4): another is part of a value. */
export const splitTarget = (url: string): { readonly path: string; readonly query: string } => {
  const at = url.indexOf("?")
  return at < 0 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/** The parameters of a request's target. */
export const parametersOf = (url: string): URLSearchParams =>
  // One "?" is taken off: of two the second is a name's.
  new URLSearchParams(`?${splitTarget(url).query}`)

/** Escapes what the router would take for the begin of a query, and which belongs to a path (RFC 3986, 3.3) or to no target. */
const escapedPath = (path: string): string => path.replaceAll(";", "%3B").replaceAll("#", "%23")

/** Lets the router see the same path and query as whatever else reads them by `splitTarget`. */
export const routedByPath = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { path } = splitTarget(request.url)
    const escaped = escapedPath(path)
    return escaped === path
      ? app
      : Effect.provideService(
        app,
        HttpServerRequest.HttpServerRequest,
        request.modify({ url: escaped + request.url.slice(path.length) })
      )
  })
