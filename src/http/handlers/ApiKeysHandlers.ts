import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../../api-keys/ApiKeys.ts"
import { Api } from "../../api/Api.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const ApiKeysHandlers = HttpApiBuilder.group(
  Api,
  "api_keys",
  Effect.fn(function*(handlers) {
    const keys = yield* ApiKeys
    const { once } = yield* KeyedRequests
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        return keyedAnswer(
          yield* once({
            operation: "createApiKey",
            key: headers["idempotency-key"],
            asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
            idOf: ({ id }) => id,
            alive: keys.isActive
          }, keys.create(payload))
        )
      }),
      list: ({ query }) => keys.list(query),
      revoke: ({ params }) => keys.revoke(params.id)
    })
  })
)
