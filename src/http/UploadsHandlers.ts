import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { InvalidRequest, UnsupportedMediaType } from "../errors/RequestErrors.ts"
import type { Upload } from "../sources/Upload.ts"
import { Uploads } from "../sources/Uploads.ts"
import * as Tus from "./Tus.ts"

const taken = /^(video|audio)\/[\w.+-]+$|^application\/octet-stream$/u

const contentType = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""

const contentLength = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const length = headers["content-length"]
  return length === undefined ? undefined : Number(length)
}

const created = (upload: Upload) =>
  HttpServerResponse.jsonUnsafe(upload, {
    status: 201,
    headers: { location: `/v1/uploads/${upload.id}`, ...Tus.progressHeaders(upload) }
  })

const wrongType = (message: string) => new UnsupportedMediaType({ message })

export const UploadsHandlers = HttpApiBuilder.group(
  Api,
  "uploads",
  Effect.fn(function*(handlers) {
    const uploads = yield* Uploads

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
      const begun = yield* uploads.begin(length, metadata)
      const upload = withBody
        ? yield* Effect.catchTag(append(begun.id, 0), "UPLOAD_NOT_FOUND", Effect.die)
        : begun
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
      // A body that breaks off has nobody left to answer.
      return created(yield* uploads.receive(Stream.orDie(request.stream), contentLength(request)))
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
