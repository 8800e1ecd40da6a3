import { Effect, type Schema, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../../api/Api.ts"
import { InvalidRequest, UnsupportedMediaType } from "../../errors/RequestErrors.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { type Upload, UploadChecksumMismatch } from "../../sources/Upload.ts"
import type { UploadChecksum } from "../../sources/UploadChecksum.ts"
import { metadataOf } from "../../sources/UploadName.ts"
import { Uploads } from "../../sources/Uploads.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"
import * as Tus from "../middleware/Tus.ts"

const taken = /^(video|audio)\/[\w.+-]+$|^application\/octet-stream$/u

const contentType = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""

const contentLength = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const length = headers["content-length"]
  return length === undefined ? undefined : Number(length)
}

const created = (upload: Upload, replayed = false) =>
  HttpServerResponse.setHeaders(
    keyedAnswer({ answer: upload, replayed }, { location: `/v1/uploads/${upload.id}` }),
    Tus.progressHeaders(upload)
  )

/**
 * A body and its SHA-256: of the bytes as somebody reads them, else of the bytes as they come now. Fails at its end where its
 * sender's checksum is of other bytes.
 */
const hashedBody = (
  { stream }: HttpServerRequest.HttpServerRequest,
  max_bytes: number,
  checksum: UploadChecksum | undefined
) => {
  const hash = createHash("sha256")
  const check = checksum?.hash()
  let [length, read] = [0, false]
  // A body that breaks off has nobody left to answer.
  const body = Stream.orDie(stream).pipe(
    Stream.tap((chunk) =>
      Effect.sync(() => {
        length += chunk.length
        hash.update(chunk)
        check?.update(chunk)
      })
    ),
    Stream.onEnd(Effect.suspend(() => {
      read = true
      return checksum === undefined || check?.digest().equals(checksum.digest) === true
        ? Effect.void
        : new UploadChecksumMismatch()
    }))
  )
  const rest = Stream.runDrain(Stream.takeWhile(body, () => length <= max_bytes))
  const sha256 = Effect.suspend(() => read ? Effect.void : rest).pipe(
    Effect.map((): Schema.Json => ({ sha256: hash.digest("hex") }))
  )
  return { body, sha256 }
}

const wrongType = (message: string) => new UnsupportedMediaType({ message })

export const UploadsHandlers = HttpApiBuilder.group(
  Api,
  "uploads",
  Effect.fn(function*(handlers) {
    const uploads = yield* Uploads
    const { once } = yield* KeyedRequests

    const keyed = <E, R>(key: string | undefined, asked: Effect.Effect<Schema.Json, E, R>) => ({
      operation: "createUpload",
      key,
      asked,
      idOf: ({ id }: Upload) => id,
      alive: (id: string) => Effect.isSuccess(uploads.get(id))
    })
    /** An upload that has been begun before is told as far as it has come. */
    const again = (id: string) => Effect.map(Effect.orDie(uploads.get(id)), ({ upload }) => created(upload, true))

    /** The body of a tus request at its offset. */
    const append = Effect.fnUntraced(function*(id: string, offset: number) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (contentType(request) !== Tus.bodyType) return yield* wrongType(`Send the bytes as ${Tus.bodyType}.`)
      return yield* uploads.append(id, {
        offset,
        body: request.stream,
        declared_bytes: contentLength(request),
        checksum: yield* Tus.uploadChecksum
      })
    })

    const begin = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const length = yield* Tus.wholeNumber("Upload-Length")
      if (length === 0) {
        return yield* new InvalidRequest({ details: [{ path: "upload-length", message: "The file is empty" }] })
      }
      const metadata = yield* Tus.uploadMetadata
      const withBody = contentType(request) === Tus.bodyType
      if (withBody) yield* Tus.uploadChecksum
      const asked = Effect.succeed({ length, metadata: metadata ?? null })
      const { answer, replayed } = yield* once(
        keyed(request.headers["idempotency-key"], asked),
        uploads.begin(length, metadata)
      )
      if (replayed) return yield* again(answer.id)
      const upload = withBody
        ? yield* Effect.catchTag(append(answer.id, 0), "UPLOAD_NOT_FOUND", Effect.die)
        : answer
      return created(upload)
    })

    /** The whole file in one request. */
    const receive = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!taken.test(contentType(request))) {
        return yield* wrongType(
          "Send the file with Content-Type video/*, audio/* or application/octet-stream, or begin an upload in the tus protocol."
        )
      }
      const metadata = (yield* Tus.uploadMetadata) ?? metadataOf(request.headers["content-disposition"])
      const { body, sha256 } = hashedBody(request, uploads.max_bytes, yield* Tus.uploadChecksum)
      const { answer, replayed } = yield* once(
        keyed(request.headers["idempotency-key"], sha256),
        uploads.receive(body, contentLength(request), metadata)
      )
      return replayed ? yield* again(answer.id) : created(answer)
    })

    return handlers
      // Raw, because the contract's decoder knows no wildcard media types and reads no body piece by piece.
      .handleRaw("create", () => Effect.flatMap(Tus.speaksTus, (speaks) => speaks ? begin : receive))
      .handleRaw(
        "append",
        Effect.fnUntraced(function*({ params }) {
          yield* Tus.requireTus
          const upload = yield* append(params.id, yield* Tus.wholeNumber("Upload-Offset"))
          return HttpServerResponse.empty({ status: 204, headers: Tus.progressHeaders(upload) })
        })
      )
      .handleAll({
        list: ({ query }) => uploads.list(query),
        capabilities: () =>
          Effect.succeed(HttpServerResponse.empty({ status: 204, headers: Tus.capabilities(uploads.max_bytes) })),
        // Answers HEAD as well: for tus, where to go on.
        get: Effect.fnUntraced(function*({ params }) {
          const { method } = yield* HttpServerRequest.HttpServerRequest
          const resumes = (yield* Tus.speaksTus) && method === "HEAD"
          const { metadata, upload } = yield* (resumes ? uploads.resume(params.id) : uploads.get(params.id))
          return HttpServerResponse.jsonUnsafe(upload, {
            headers: {
              ...Tus.progressHeaders(upload),
              ...(metadata === null ? {} : { "upload-metadata": metadata })
            }
          })
        }),
        remove: Effect.fnUntraced(function*({ params }) {
          const speaks = yield* Tus.speaksTus
          const deleted = yield* uploads.remove(params.id)
          return speaks ? HttpServerResponse.empty({ status: 204 }) : deleted
        })
      })
  })
)
