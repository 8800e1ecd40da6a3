import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { fromInstant } from "../../database/Instant.ts"
import { Deliveries } from "../../deliveries/Deliveries.ts"
import { DeliveryRequests } from "../../deliveries/DeliveryRequests.ts"
import { Destinations } from "../../deliveries/destinations/Destinations.ts"
import type { Delivery } from "../../deliveries/model/Delivery.ts"
import { type KeyedAnswer, KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

const momentOf = (instant: string | undefined) => instant === undefined ? null : fromInstant(instant)
const dateOf = (instant: string) => new Date(instant)

const idOf = ({ id }: { readonly id: string }) => id

export const DeliveriesHandlers = HttpApiBuilder.group(
  Api,
  "deliveries",
  Effect.fn(function*(handlers) {
    const deliveries = yield* Deliveries
    const requests = yield* DeliveryRequests
    const destinations = yield* Destinations
    const { once } = yield* KeyedRequests
    const alive = (id: string) => Effect.isSuccess(deliveries.get(id))
    const isDestination = (id: string) => Effect.isSuccess(destinations.get(id))

    /** A delivery that has been asked for before is told as it is now. */
    const asItIs = Effect.fnUntraced(function*({ answer, replayed }: KeyedAnswer<Delivery>) {
      return { answer: replayed ? yield* Effect.orDie(deliveries.get(answer.id)) : answer, replayed }
    })
    return handlers.handleAll({
      list: ({ query: { cursor, limit, ...filter } }) => deliveries.list({ limit, cursor }, filter),
      get: ({ params }) => deliveries.get(params.id),
      retry: Effect.fnUntraced(function*({ headers, params: { id } }) {
        const retried = yield* once({
          operation: "retryDelivery",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id }),
          idOf,
          alive
        }, requests.retry(id))
        return keyedAnswer(yield* asItIs(retried), { status: 200 })
      }),
      deliver: Effect.fnUntraced(function*({ headers, params: { id }, payload: { destination_id, reviewed } }) {
        const requested = yield* once({
          operation: "createDelivery",
          key: headers["idempotency-key"],
          // As it was before there were reviews: keys of the last day go on.
          asked: Effect.succeed({ id, destination_id, ...(reviewed ? { reviewed } : {}) }),
          idOf,
          alive
        }, requests.deliver(id, destination_id, reviewed))
        return keyedAnswer(yield* asItIs(requested), { location: `/v1/deliveries/${requested.answer.id}` })
      }),
      backfill: Effect.fnUntraced(function*({ headers, params: { id }, payload }) {
        const { finished_after, finished_before } = payload ?? {}
        const filled = yield* once({
          operation: "backfillDestination",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id, ...payload }),
          idOf: () => id,
          alive: isDestination
        }, requests.backfill(id, { after: momentOf(finished_after), before: momentOf(finished_before) }))
        return keyedAnswer(filled, { status: 200 })
      }),
      recover: Effect.fnUntraced(function*({ headers, params: { id }, payload: { since } }) {
        const recovered = yield* once({
          operation: "recoverDeliveries",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id, since }),
          idOf: () => id,
          alive: isDestination
        }, requests.recover(id, dateOf(since)))
        return keyedAnswer(recovered, { status: 200 })
      })
    })
  })
)
