import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"

const compress = promisify(gzip)

/** Below this a response fits one packet either way. */
const leastBytes = 1400
const compressible = /^(application\/(json|x-subrip)|text\/(plain|html|css|javascript|vtt))\b/u

const accepts = (header: string | undefined): boolean =>
  (header ?? "").split(",").some((coding) => {
    const [name, ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase())
    return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/u.test(parameter))
  })

const varyOf = (vary: string | undefined) => vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`

/**
 * Sends text in gzip to whoever accepts it. A strong entity tag becomes a weak one, because the bytes are others while what
 * they say is the same (RFC 9110, 8.8.3).
 */
export const compressed = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const response = yield* app
    const { body, headers } = response
    // What a 200 would have varied by (RFC 9110, 15.4.5), as far as a tag can tell: the weak one came with gzip.
    if (response.status === 304 && headers["etag"]?.startsWith("W/") === true) {
      return HttpServerResponse.setHeader(response, "vary", varyOf(headers["vary"]))
    }
    if (body._tag !== "Uint8Array" || body.body.length < leastBytes) return response
    if (!compressible.test(body.contentType) || headers["content-encoding"] !== undefined) return response
    const varying = HttpServerResponse.setHeader(response, "vary", varyOf(headers["vary"]))
    if (!accepts(request.headers["accept-encoding"])) return varying
    const bytes = yield* Effect.promise(() => compress(body.body))
    return HttpServerResponse.setHeaders(
      HttpServerResponse.setBody(varying, HttpServerResponse.uint8Array(bytes, { contentType: body.contentType }).body),
      {
        "content-encoding": "gzip",
        ...(headers["etag"]?.startsWith("\"") ? { etag: `W/${headers["etag"]}` } : {})
      }
    )
  })
