import { Effect, Option, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { ModelStore } from "../../model-stacks/ModelStore.ts"
import { Estimates } from "../../usage/reports/Estimates.ts"
import { Limits } from "../../usage/reports/Limits.ts"
import { UsageReports } from "../../usage/reports/UsageReports.ts"
import { requestLimits } from "../../web/json/RequestLimits.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const UsageHandlers = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fn(function*(handlers) {
    const reports = yield* UsageReports
    const limits = yield* Limits
    const estimates = yield* Estimates
    const store = yield* ModelStore
    const { told } = yield* KeyedRequests
    return handlers.handleAll({
      usage: ({ query }) => reports.read(query.period),
      limits: () => limits.read(requestLimits),
      modelStacks: Effect.fnUntraced(function*() {
        // None where no stack is ready, as a job that names none would be told.
        const taken = yield* Effect.option(store.choose(undefined))
        const states = yield* Effect.orDie(Effect.forEach(store.stacks.toReversed(), store.inspect))
        return {
          data: states.map(({ ready, stack: { id } }) => ({
            id,
            ready,
            is_default: Option.exists(taken, (stack) => stack.id === id)
          }))
        }
      }),
      estimate: Effect.fnUntraced(function*({ headers, payload, request }) {
        const estimated = yield* told({
          operation: "estimateJob",
          key: headers["idempotency-key"],
          asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
          idOf: () => "",
          alive: () => Effect.succeed(true)
        }, estimates.estimate(payload))
        return keyedAnswer(estimated, { status: 200 })
      })
    })
  })
)
