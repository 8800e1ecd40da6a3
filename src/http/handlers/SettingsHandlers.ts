import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { TenantSettings } from "../../tenants/TenantSettings.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const SettingsHandlers = HttpApiBuilder.group(
  Api,
  "settings",
  Effect.fn(function*(handlers) {
    const settings = yield* TenantSettings
    const { once } = yield* KeyedRequests
    return handlers.handleAll({
      get: () => settings.get,
      update: ({ payload }) => settings.update(payload),
      rotate: Effect.fnUntraced(function*({ headers, payload }) {
        const asked = payload ?? { keep_old_for_seconds: 0 }
        const rotated = yield* once({
          operation: "rotateWebhookSecret",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ ...asked }),
          idOf: () => "settings",
          alive: () => Effect.succeed(true)
        }, settings.rotateWebhookSecret(asked))
        return keyedAnswer(rotated, { status: 200 })
      })
    })
  })
)
