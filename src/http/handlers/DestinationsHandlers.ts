import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Destinations } from "../../destinations/Destinations.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const DestinationsHandlers = HttpApiBuilder.group(
  Api,
  "destinations",
  Effect.fn(function*(handlers) {
    const destinations = yield* Destinations
    const { once } = yield* KeyedRequests
    const alive = (id: string) => Effect.isSuccess(destinations.get(id))
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        const created = yield* once({
          operation: "createDestination",
          key: headers["idempotency-key"],
          asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
          idOf: ({ id }) => id,
          alive
        }, destinations.create(payload))
        return keyedAnswer(created, { location: `/v1/destinations/${created.answer.id}` })
      }),
      list: ({ query }) => destinations.list(query),
      get: ({ params }) => destinations.get(params.id),
      update: ({ params, payload }) => destinations.update(params.id, payload),
      remove: ({ params }) => destinations.remove(params.id),
      rotate: Effect.fnUntraced(function*({ headers, params: { id }, payload }) {
        const asked = payload ?? { keep_old_for_seconds: 0 }
        const rotated = yield* once({
          operation: "rotateSigningSecret",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id, ...asked }),
          idOf: () => id,
          alive
        }, destinations.rotateSigningSecret(id, asked))
        return keyedAnswer(rotated, { status: 200 })
      }),
      test: ({ params }) => destinations.test(params.id)
    })
  })
)
