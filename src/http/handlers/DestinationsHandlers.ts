import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Destinations } from "../../deliveries/destinations/Destinations.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { processorCosts } from "../../rate-limits/ProcessorCosts.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const DestinationsHandlers = HttpApiBuilder.group(
  Api,
  "destinations",
  Effect.fn(function*(handlers) {
    const destinations = yield* Destinations
    const { once, told } = yield* KeyedRequests
    const limits = yield* RateLimits
    /** Where the tenant's time of the processor is used up, nothing is begun. */
    const costing = (milliseconds: number) =>
      Effect.flatMap(
        CurrentTenant,
        ({ tenant_id }) => Effect.asVoid(limits.take(tenant_id, "processor_ms", milliseconds))
      )
    const keyCost = (config: Readonly<Record<string, unknown>> | undefined) =>
      config !== undefined && "private_key" in config ? costing(processorCosts.destination_key) : Effect.void
    const alive = (id: string) => Effect.isSuccess(destinations.get(id))
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        const creating = Effect.andThen(keyCost(payload.config), destinations.create(payload))
        const created = yield* once({
          operation: "createDestination",
          key: headers["idempotency-key"],
          asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
          idOf: ({ id }) => id,
          alive
        }, creating)
        return keyedAnswer(created, { location: `/v1/destinations/${created.answer.id}` })
      }),
      list: ({ query }) => destinations.list(query),
      get: ({ params }) => destinations.get(params.id),
      update: ({ params, payload }) => Effect.andThen(keyCost(payload.config), destinations.update(params.id, payload)),
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
      test: Effect.fnUntraced(function*({ headers, params: { id } }) {
        const tested = yield* told({
          operation: "testDestination",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id }),
          idOf: () => id,
          alive
        }, Effect.andThen(costing(processorCosts.destination_test), destinations.test(id)))
        return keyedAnswer(tested, { status: 200 })
      })
    })
  })
)
