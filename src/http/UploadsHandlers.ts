import { Effect, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { UnsupportedMediaType } from "../errors/RequestErrors.ts"
import { Uploads } from "../sources/Uploads.ts"

const taken = /^(video|audio)\/[\w.+-]+$|^application\/octet-stream$/u

export const UploadsHandlers = HttpApiBuilder.group(
  Api,
  "uploads",
  Effect.fn(function*(handlers) {
    const uploads = yield* Uploads
    return handlers
      // Raw, because the contract's decoder knows no wildcard media types.
      .handleRaw(
        "create",
        Effect.fnUntraced(function*() {
          const request = yield* HttpServerRequest.HttpServerRequest
          const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
          if (!taken.test(type)) {
            return yield* new UnsupportedMediaType({
              message: "Send the file with Content-Type video/*, audio/* or application/octet-stream."
            })
          }
          const length = request.headers["content-length"]
          // A body that breaks off has nobody left to answer.
          return yield* uploads.receive(
            Stream.orDie(request.stream),
            length === undefined ? undefined : Number(length)
          )
        })
      )
      .handleAll({
        get: ({ params }) => uploads.get(params.id),
        remove: ({ params }) => uploads.remove(params.id)
      })
  })
)
