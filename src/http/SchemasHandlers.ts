import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { textsOfParts } from "../schemas/JsonText.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { taggedJson } from "./EntityTag.ts"
import { writtenJson } from "./WrittenJson.ts"

export const SchemasHandlers = HttpApiBuilder.group(
  Api,
  "schemas",
  Effect.fn(function*(handlers) {
    const schemas = yield* Schemas
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ payload, request }) {
        const written = textsOfParts(yield* Effect.orDie(request.text)).get("json_schema")
        const registered = yield* schemas.create(payload, written)
        return HttpServerResponse.text(
          writtenJson(registered, written === undefined ? {} : { json_schema: written }),
          { status: 201, contentType: "application/json" }
        )
      }),
      infer: ({ payload }) => schemas.infer(payload),
      list: ({ query }) => schemas.list(query),
      get: Effect.fnUntraced(function*({ params }) {
        const { schema, written } = yield* schemas.read(params.id)
        return yield* taggedJson(writtenJson(schema, { json_schema: written }))
      }),
      remove: ({ params }) => schemas.remove(params.id)
    })
  })
)
