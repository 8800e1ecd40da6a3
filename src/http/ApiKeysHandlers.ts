import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { Api } from "../api/Api.ts"

export const ApiKeysHandlers = HttpApiBuilder.group(
  Api,
  "api_keys",
  Effect.fn(function*(handlers) {
    const keys = yield* ApiKeys
    return handlers.handleAll({
      create: ({ payload }) => keys.create(payload),
      list: ({ query }) => keys.list(query),
      revoke: ({ params }) => keys.revoke(params.id)
    })
  })
)
