import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { DeliveryRequests } from "../deliveries/DeliveryRequests.ts"

const dateOf = (instant: string) => new Date(instant)

export const DeliveriesHandlers = HttpApiBuilder.group(
  Api,
  "deliveries",
  Effect.fn(function*(handlers) {
    const deliveries = yield* Deliveries
    const requests = yield* DeliveryRequests
    return handlers.handleAll({
      list: ({ query: { cursor, limit, ...filter } }) => deliveries.list({ limit, cursor }, filter),
      get: ({ params }) => deliveries.get(params.id),
      retry: ({ params }) => requests.retry(params.id),
      deliver: Effect.fnUntraced(function*({ params, payload }) {
        const delivery = yield* requests.deliver(params.id, payload.destination_id)
        return HttpServerResponse.jsonUnsafe(delivery, {
          status: 201,
          headers: { location: `/v1/deliveries/${delivery.id}` }
        })
      }),
      recover: ({ params, payload }) =>
        Effect.map(requests.recover(params.id, dateOf(payload.since)), (count) => ({ count }))
    })
  })
)
