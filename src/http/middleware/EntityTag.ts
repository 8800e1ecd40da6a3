import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

const strong = (tag: string): string => tag.startsWith("W/") ? tag.slice(2) : tag

/**
 * The tag by which a caller has what has this strong one already (`If-None-Match`, whose comparison is weak: RFC 9110, 13.1.2);
 * undefined where it has not. Whoever was sent it in gzip has it under the weak tag, and is answered by that.
 */
export const knownTag = (header: string | undefined, etag: string): string | undefined => {
  const known = (header ?? "").split(",").map((tag) => tag.trim())
  return known.includes(etag) || known.includes("*") ? etag : known.find((tag) => strong(tag) === etag)
}

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
  const again = knownTag(request.headers["if-none-match"], etag)
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
