import { Config, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { configInvalid } from "../../observability/Configuration.ts"
import { list, setting } from "../../observability/Setting.ts"

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol) && url.origin === text
}

/** `CORS_ALLOWED_ORIGINS`: sites whose pages may call the REST API from a browser, with commas. None by default. */
export const corsAllowedOrigins: Config.Config<ReadonlySet<string>> = setting("CORS_ALLOWED_ORIGINS", list, {
  otherwise: "",
  meaning:
    "sites whose pages may call the REST API from a browser, as origins (`https://app.example.com`); keys come in a header, "
    + "cookies never count"
}).pipe(
  Config.map((text) => text.split(",").map((origin) => origin.trim()).filter((origin) => origin !== "")),
  Config.mapEffect((origins) =>
    origins.every(isOrigin)
      ? Effect.succeed(new Set(origins))
      : Effect.fail(configInvalid("CORS_ALLOWED_ORIGINS must be origins with commas, such as https://app.example.com"))
  )
)

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE"

/** What the REST API and the tus protocol read. */
const requestHeaders = [
  "accept",
  "authorization",
  "content-disposition",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "if-range",
  "last-event-id",
  "range",
  "tus-resumable",
  "upload-checksum",
  "upload-length",
  "upload-metadata",
  "upload-offset",
  "x-http-method-override",
  "x-request-id",
  "x-service-model-stack"
].join(", ")

/** What a page may read of an answer besides its body (Fetch standard, "CORS-safelisted response-header name"). */
const answerHeaders = [
  "accept-ranges",
  "content-disposition",
  "content-range",
  "etag",
  "idempotent-replayed",
  "location",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "retry-after",
  "tus-resumable",
  "upload-expires",
  "upload-length",
  "upload-offset",
  "www-authenticate",
  "x-frame-origin",
  "x-frame-timestamp",
  "x-request-id"
].join(", ")

/** An answer to a question before the request, kept by the browser for ten minutes. */
const preflight = (origin: string) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": requestHeaders,
      "access-control-max-age": "600",
      vary: "origin"
    }
  })

const shared = (response: HttpServerResponse.HttpServerResponse, origin: string) => {
  const { vary } = response.headers
  return HttpServerResponse.setHeaders(response, {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": answerHeaders,
    "cross-origin-resource-policy": "cross-origin",
    vary: vary === undefined ? "origin" : `${vary}, origin`
  })
}

/**
 * Lets pages of the named origins call the REST API (CORS, Fetch standard): by a key in a header alone, since no answer ever
 * allows credentials of the browser. Pages of any other origin get what they always got, and their browser keeps it from them.
 */
export const crossOrigin =
  (allowed: ReadonlySet<string>) => <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function*() {
      const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
      const { origin } = headers
      if (origin === undefined || !allowed.has(origin) || !/^\/v1(\/|$|\?)/u.test(url)) return yield* app
      // Without what it asks for it is the tus client's own question.
      if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) return preflight(origin)
      return shared(yield* app, origin)
    })
