import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { requestLimits } from "../api/RequestLimits.ts"
import { Estimates } from "../usage/Estimates.ts"
import { Limits } from "../usage/Limits.ts"
import { UsageReports } from "../usage/UsageReports.ts"

export const UsageHandlers = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fn(function*(handlers) {
    const reports = yield* UsageReports
    const limits = yield* Limits
    const estimates = yield* Estimates
    return handlers.handleAll({
      usage: ({ query }) => reports.read(query.period),
      limits: () => limits.read(requestLimits),
      estimate: ({ payload }) => estimates.estimate(payload)
    })
  })
)
