import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

/**
 * Gives what never changes a strong entity tag (RFC 9110, 8.8.3) made of its hash and the view of it: whoever has it already
 * gets 304 and no body.
 */
export const tagged = Effect.fnUntraced(function*(
  sha256: string,
  view: string,
  respond: () => HttpServerResponse.HttpServerResponse
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const etag = `"${sha256.slice(0, 32)}-${view}"`
  const known = new Set(
    (request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//u, ""))
  )
  const response = known.has(etag) || known.has("*") ? HttpServerResponse.empty({ status: 304 }) : respond()
  return HttpServerResponse.setHeaders(response, { etag, "cache-control": "private, no-cache" })
})

/** The same for a JSON text that has no hash of its own. */
export const taggedJson = (text: string) =>
  tagged(
    createHash("sha256").update(text).digest("hex"),
    "json",
    () => HttpServerResponse.text(text, { contentType: "application/json" })
  )
