import { Clock, DateTime, Effect } from "effect"
import type { Egress } from "../../egress/Egress.ts"
import { newId } from "../../identity/Id.ts"
import { webhookHeaders } from "../signing/WebhookSignature.ts"
import type { Connector, TargetOf } from "./content/Connector.ts"
import * as Outcomes from "./DeliveryOutcome.ts"

interface Event {
  readonly id: string
  readonly body: string
  readonly request_id: string | null
}

/**
 * Standard Webhooks 1.0: a signed POST whose `webhook-id` stays the same however often it is sent. Any 2xx takes it, 410 ends
 * the destination, everything else is tried again; a redirect is not followed. Where the connection breaks after the
 * receiver has taken it, it comes again under the same id.
 */
export const makeWebhook = (egress: Egress["Service"]): Connector<"webhook"> => {
  const post = Effect.fnUntraced(function*({ config, secrets }: TargetOf<"webhook">, event: Event) {
    const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return yield* egress.send({
      method: "POST",
      url: config.url,
      headers: {
        ...config.headers,
        ...(event.request_id === null ? {} : { "x-request-id": event.request_id }),
        "content-type": "application/json",
        ...webhookHeaders({ id: event.id, timestamp, body: event.body, secrets })
      },
      body: event.body
    })
  })

  return {
    deliver: (target, { body, event_id, request_id }) => {
      if (body === null) return Effect.die(new Error(`The webhook of ${event_id} has no body`))
      return post(target, { id: event_id, body, request_id }).pipe(
        Effect.map((answer) => {
          if (answer.status_code >= 200 && answer.status_code < 300) return Outcomes.delivered(answer)
          if (answer.status_code === 410) return Outcomes.gone(answer)
          return Outcomes.retryable(`answered ${answer.status_code}`, answer)
        }),
        Effect.catch((error) => Effect.succeed(Outcomes.ofEgressError(error)))
      )
    },
    check: Effect.fnUntraced(
      function*(target) {
        const id = yield* newId("evt")
        const created_at = DateTime.formatIso(yield* DateTime.now)
        const body = JSON.stringify({ id, type: "destination.test", created_at, data: {} })
        const answer = yield* post(target, { id, body, request_id: null })
        if (answer.status_code >= 200 && answer.status_code < 300) return Outcomes.healthy(answer)
        const { message, status } = Outcomes.unhealthyStatus(answer)
        return Outcomes.unhealthy(status, answer.status_code === 410, answer, message)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyEgressError(error)))
    )
  }
}
