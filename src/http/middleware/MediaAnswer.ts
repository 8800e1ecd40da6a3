import { Effect, type Scope, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type RateLimited, ServiceUnavailable } from "../../errors/RequestErrors.ts"
import type { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { blobStream } from "../../media/BlobStream.ts"
import { rangeOf } from "../../media/ByteRange.ts"
import { inlineAs } from "../../media/MediaType.ts"
import { RangeNotSatisfiable } from "../../media/RangeNotSatisfiable.ts"
import { type Made, Renditions } from "../../media/Renditions.ts"
import { SourceErased, SourceMedia, typeOf } from "../../media/SourceMedia.ts"
import type { BlobRef } from "../../storage/BlobRef.ts"
import { type BlobError, Blobs } from "../../storage/Blobs.ts"
import { Draining } from "../../web/server/Draining.ts"
import { knownTag } from "./EntityTag.ts"

interface Shown {
  readonly blob: BlobRef
  readonly content_type: string
  readonly disposition: string
}

/** Takes one of the tenant's places for what stays open, and gives what ends it before its time. */
type Held = Effect.Effect<Effect.Effect<unknown>, RateLimited, CurrentTenant | Scope.Scope>

/**
 * Bytes of strangers are shown and never run: opened by themselves they have an origin of their own, without script, and can
 * load nothing but themselves.
 */
const policy = "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; sandbox"

/**
 * A blob as RFC 9110 has it for players: whole or one range of it, with a strong entity tag, `If-None-Match` and `If-Range`. Only
 * what sends bytes is `held`: that takes a place and gives what ends the stream. A blob that is gone fails with `BlobError`.
 */
const mediaAnswer = Effect.fnUntraced(function*(
  blobs: Blobs["Service"],
  { blob, content_type, disposition }: Shown,
  held: Held
) {
  const { headers: asked, method } = yield* HttpServerRequest.HttpServerRequest
  const size = blob.size_bytes
  const etag = `"${blob.sha256.slice(0, 32)}-media"`
  const headers = {
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": disposition,
    "content-security-policy": policy
  }
  if (knownTag(asked["if-none-match"], etag) !== undefined) return HttpServerResponse.empty({ status: 304, headers })
  // A range is for GET alone, and only of the bytes that the caller has begun with.
  const ranged = method === "GET" && (asked["if-range"] === undefined || asked["if-range"] === etag)
  const range = ranged ? rangeOf(asked["range"], size) : undefined
  if (range === "unsatisfiable") {
    return yield* new RangeNotSatisfiable({ headers: { "content-range": `bytes */${size}`, "accept-ranges": "bytes" } })
  }
  if (method === "HEAD") {
    return HttpServerResponse.stream(Stream.empty, { contentType: content_type, contentLength: size, headers })
  }
  const { from, to } = range ?? { from: 0, to: size }
  const bytes = yield* blobStream(blobs, blob.key, { from, to })
  const ended = Effect.andThen(yield* held, Effect.die(new Error("Media is cut off")))
  return HttpServerResponse.stream(Stream.interruptWhen(bytes, ended), {
    status: range === undefined ? 200 : 206,
    contentType: content_type,
    contentLength: to - from,
    headers: range === undefined ? headers : { ...headers, "content-range": `bytes ${from}-${to - 1}/${size}` }
  })
})

const lost = (what: string, error: BlobError) =>
  error.missing
    ? Effect.annotateLogs(Effect.logError(what, error), { blob: error.message })
    : Effect.die(error)

/** The answers with the media of a job of the current tenant. */
export const makeMediaAnswers = Effect.gen(function*() {
  const blobs = yield* Blobs
  const sources = yield* SourceMedia
  const renditions = yield* Renditions
  const draining = yield* Draining

  /** A stream is cut off where the process ends: its player asks for the rest. */
  const untilDraining = (held: Held): Held => Effect.map(held, (over) => Effect.raceFirst(over, draining.begun))

  /** What was made of a source; where its bytes are lost it is made anew when it is asked for again. */
  const made = (made: Made, disposition: string, held: Held) =>
    mediaAnswer(blobs, { ...made, disposition }, untilDraining(held)).pipe(
      Effect.catchTag(
        "BlobError",
        (error) =>
          lost("The blob of a rendition is lost; it is made anew when it is asked for again", error).pipe(
            Effect.andThen(renditions.lost(made.blob)),
            Effect.andThen(
              new ServiceUnavailable({ message: "It is made anew; ask again.", headers: { "retry-after": "3" } })
            )
          )
      )
    )

  return {
    made,
    source: Effect.fn("Media.source")(function*(id: string, held: Held) {
      const source = yield* sources.find(id)
      const { blob, source_name } = source
      const shown = { blob, content_type: typeOf(source), disposition: inlineAs(source_name, id) }
      return yield* mediaAnswer(blobs, shown, untilDraining(held)).pipe(
        Effect.catchTag(
          "BlobError",
          (error) =>
            Effect.andThen(
              lost("The blob of a job's source is lost; whoever asks for it is told that it is erased", error),
              new SourceErased()
            )
        )
      )
    }),
    preview: Effect.fn("Media.preview")(function*(id: string, held: Held) {
      const { source_name } = yield* sources.find(id)
      const name = `${(source_name ?? id).replace(/\.[A-Za-z0-9]{1,8}$/u, "")}.mp4`
      return yield* made(yield* renditions.playPreview(id), inlineAs(name, id), held)
    })
  }
})
