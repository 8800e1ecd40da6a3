import { Effect } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { InvalidRequest } from "../../errors/RequestErrors.ts"
import { TusVersionUnsupported, type Upload } from "../../sources/Upload.ts"
import { checksumAlgorithms, parseUploadChecksum, type UploadChecksum } from "../../sources/UploadChecksum.ts"

/** The resumable upload protocol 1.0 (tus.io): what its headers say, read and written. */
const version = "1.0.0"

export const bodyType = "application/offset+octet-stream"

const invalid = (header: string, message: string) =>
  new InvalidRequest({ details: [{ path: header.toLowerCase(), message }] })

/**
 * Whether a request speaks tus: then every answer to it says so, an error too. Fails with `TUS_VERSION_UNSUPPORTED` for
 * another version of the protocol.
 */
export const speaksTus = Effect.gen(function*() {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const asked = headers["tus-resumable"]
  if (asked === undefined) return false
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "tus-resumable", version))
  )
  if (asked === version) return true
  return yield* new TusVersionUnsupported({ headers: { "tus-version": version } })
})

/**
 * Carries out a POST to an upload as what `X-HTTP-Method-Override` says, `PATCH` or `DELETE`, for clients behind something that
 * lets neither through: tus has a server take it for the request's method, before anything is decided by that.
 */
export const methodOverridden = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, method, url } = request
    const asked = headers["x-http-method-override"]?.trim().toUpperCase()
    if (
      (asked !== "PATCH" && asked !== "DELETE") || method !== "POST" || headers["tus-resumable"] === undefined
      || !/^\/v1\/uploads\/[^/?]+\/?(\?|$)/u.test(url)
    ) return yield* app
    // `modify` knows no method; all else is the request's own.
    const overridden: HttpServerRequest.HttpServerRequest = Object.create(request, { method: { value: asked } })
    return yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, overridden)
  })

/** For a route that only tus has. */
export const requireTus = Effect.flatMap(
  speaksTus,
  (speaks) => speaks ? Effect.void : Effect.fail(new TusVersionUnsupported({ headers: { "tus-version": version } }))
)

/** A length or an offset. */
export const wholeNumber = Effect.fnUntraced(function*(header: "Upload-Length" | "Upload-Offset") {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const text = headers[header.toLowerCase()] ?? ""
  const number = /^\d{1,16}$/u.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : yield* invalid(header, "Is required: a whole number of bytes")
})

const pair = /^[!-+\--~]+( [A-Za-z0-9+/]*={0,2})?$/u

/** `Upload-Metadata`: names with values in base64, each name once. */
export const uploadMetadata = Effect.gen(function*() {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const text = headers["upload-metadata"]?.trim() ?? ""
  if (text === "") return undefined
  // Cut by a pattern with spaces around the comma, 15,500 spaces held the event loop for 0.1 s.
  const pairs = text.split(",").map((one) => one.trim())
  const names = new Set(pairs.map((one) => one.split(" ", 1)[0]))
  return text.length <= 4096 && names.size === pairs.length && pairs.every((one) => pair.test(one))
    ? text
    : yield* invalid("Upload-Metadata", "Must hold at most 4096 characters: name base64, name base64, each name once")
})

export const uploadChecksum = Effect.gen(function*() {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const text = headers["upload-checksum"]
  if (text === undefined) return undefined
  const checksum: UploadChecksum | undefined = parseUploadChecksum(text)
  return checksum ?? (yield* invalid("Upload-Checksum", `Must be ${checksumAlgorithms.join(", ")} and a base64 digest`))
})

/** What a sender has to know to go on. */
export const progressHeaders = ({ expires_at, received_bytes, size_bytes }: Upload): Record<string, string> => ({
  "upload-offset": String(received_bytes),
  "upload-length": String(size_bytes),
  // RFC 9110, 5.6.7: what `toUTCString` writes.
  "upload-expires": new Date(expires_at).toUTCString()
})

export const capabilities = (max_bytes: number): Record<string, string> => ({
  "tus-resumable": version,
  "tus-version": version,
  "tus-extension": "creation,creation-with-upload,termination,checksum,expiration",
  "tus-max-size": String(max_bytes),
  "tus-checksum-algorithm": checksumAlgorithms.join(",")
})
