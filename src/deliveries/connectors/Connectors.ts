import { Context, Effect, Layer } from "effect"
import { Egress } from "../../egress/Egress.ts"
import type { DestinationTarget } from "../model/DestinationConfig.ts"
import type { AttemptState, DeliveryPayload, Health, Outcome } from "./content/Connector.ts"
import { makeNotion } from "./Notion.ts"
import { makeSheets } from "./Sheets.ts"
import { makeSlack } from "./Slack.ts"
import { makeSnowflake } from "./Snowflake.ts"
import { vendorAddresses } from "./VendorAddresses.ts"
import { makeWebhook } from "./Webhook.ts"

/** How long after an attempt in doubt a vendor can be believed when it says that nothing has arrived. */
export const SettleSeconds = Context.Reference<{ readonly notion: number; readonly slack: number }>(
  "footnote/deliveries/connectors/Connectors/SettleSeconds",
  { defaultValue: () => ({ notion: 10, slack: 2 }) }
)

/** The five kinds of destinations behind one interface, over one guarded way out. Neither function fails. */
export class Connectors extends Context.Service<Connectors, {
  /** One attempt at handing a payload over. */
  readonly deliver: (
    target: DestinationTarget,
    payload: DeliveryPayload,
    attempt: AttemptState
  ) => Effect.Effect<Outcome>
  /** Whether the destination can be reached and written to; writes nothing, except that a webhook is sent a test event. */
  readonly check: (target: DestinationTarget) => Effect.Effect<Health>
}>()("footnote/deliveries/connectors/Connectors") {
  static readonly layerNoDeps = Layer.effect(
    Connectors,
    Effect.gen(function*() {
      const egress = yield* Egress
      const addresses = yield* vendorAddresses
      const settle = yield* SettleSeconds
      const connectors = {
        webhook: makeWebhook(egress),
        slack: makeSlack({ egress, addresses, settle_seconds: settle.slack }),
        notion: makeNotion({ egress, addresses, settle_seconds: settle.notion }),
        sheets: makeSheets(egress, addresses),
        snowflake: makeSnowflake(egress, addresses)
      }
      return Connectors.of({
        deliver: (target, payload, attempt) => {
          switch (target.type) {
            case "webhook":
              return connectors.webhook.deliver(target, payload, attempt)
            case "slack":
              return connectors.slack.deliver(target, payload, attempt)
            case "notion":
              return connectors.notion.deliver(target, payload, attempt)
            case "sheets":
              return connectors.sheets.deliver(target, payload, attempt)
            case "snowflake":
              return connectors.snowflake.deliver(target, payload, attempt)
          }
        },
        check: (target) => {
          switch (target.type) {
            case "webhook":
              return connectors.webhook.check(target)
            case "slack":
              return connectors.slack.check(target)
            case "notion":
              return connectors.notion.check(target)
            case "sheets":
              return connectors.sheets.check(target)
            case "snowflake":
              return connectors.snowflake.check(target)
          }
        }
      })
    })
  )

  static readonly layer = Connectors.layerNoDeps.pipe(Layer.provide(Egress.layer))
}
