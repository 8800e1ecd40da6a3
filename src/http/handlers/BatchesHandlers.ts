import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Batches } from "../../jobs/Batches.ts"

export const BatchesHandlers = HttpApiBuilder.group(
  Api,
  "batches",
  Effect.fn(function*(handlers) {
    const batches = yield* Batches
    return handlers.handleAll({
      list: ({ query }) => batches.list(query),
      get: ({ params }) => batches.get(params.id)
    })
  })
)
