import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { Schemas } from "../schemas/Schemas.ts"

export const SchemasHandlers = HttpApiBuilder.group(
  Api,
  "schemas",
  Effect.fn(function*(handlers) {
    const schemas = yield* Schemas
    return handlers.handleAll({
      create: ({ payload }) => schemas.create(payload),
      infer: ({ payload }) => schemas.infer(payload),
      list: ({ query }) => schemas.list(query),
      get: ({ params }) => schemas.get(params.id),
      remove: ({ params }) => schemas.remove(params.id)
    })
  })
)
