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
  const known = new Set((request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim()))
  // Whoever was sent it in gzip has it under the weak tag, and is answered by that.
  const weak = `W/${etag}`
  const again = known.has(etag) || known.has("*") ? etag : known.has(weak) ? weak : undefined
  const response = again === undefined ? respond() : HttpServerResponse.empty({ status: 304 })
  return HttpServerResponse.setHeaders(response, { etag: again ?? etag, "cache-control": "private, no-cache" })
})

/** The same for a JSON text that has no hash of its own. */
export const taggedJson = (text: string) =>
  tagged(
    createHash("sha256").update(text).digest("hex"),
    "json",
    () => HttpServerResponse.text(text, { contentType: "application/json" })
  )
