import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { Destinations } from "../destinations/Destinations.ts"

export const DestinationsHandlers = HttpApiBuilder.group(
  Api,
  "destinations",
  Effect.fn(function*(handlers) {
    const destinations = yield* Destinations
    return handlers.handleAll({
      create: ({ payload }) => destinations.create(payload),
      list: ({ query }) => destinations.list(query),
      get: ({ params }) => destinations.get(params.id),
      update: ({ params, payload }) => destinations.update(params.id, payload),
      remove: ({ params }) => destinations.remove(params.id),
      rotate: ({ params, payload }) =>
        destinations.rotateSigningSecret(params.id, payload ?? { keep_old_for_seconds: 0 }),
      test: ({ params }) => destinations.test(params.id)
    })
  })
)
