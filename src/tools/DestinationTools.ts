import { Effect, Schema, Struct } from "effect"
import { page } from "../database/Page.ts"
import { DeliveryRequests } from "../deliveries/DeliveryRequests.ts"
import { Destinations } from "../deliveries/destinations/Destinations.ts"
import { Destination } from "../deliveries/model/Destination.ts"
import { byJob, reviewedField } from "./JobTools.ts"
import { listInput, pageOrAll } from "./ListInput.ts"
import { deliveryLink } from "./ResourceLinks.ts"
import { reads, tool } from "./Tool.ts"

const { id, name, status, type } = Destination.fields
const Summary = Schema.Struct({ id, name, type, status })
/** Never the config, whatever else a destination has. */
const summarise = (destination: Destination) => Struct.pick(destination, ["id", "name", "type", "status"])

const DeliverInput = Schema.Struct({
  ...byJob.fields,
  destination_id: Schema.String.annotate({ description: "`dst_…` of a webhook, as list_destinations gives it." }),
  ...reviewedField
})

/** list_destinations and deliver. */
export const destinationTools = Effect.gen(function*() {
  const destinations = yield* Destinations
  const deliveries = yield* DeliveryRequests

  return [
    tool("list_destinations", {
      title: "List destinations",
      description:
        "The places that results can be sent to, newest first: id, name, type and status. Only those of type webhook can be "
        + "given to deliver; any of them to extract. With a limit, `next_cursor` is the `cursor` that goes on.",
      hints: reads,
      input: listInput("dst", "a destination takes about 50 tokens"),
      output: page(Summary),
      run: (asked) =>
        Effect.map(pageOrAll(asked, (page) => destinations.list(page)), ({ data, next_cursor }) => ({
          data: data.map(summarise),
          next_cursor
        }))
    }),
    tool("deliver", {
      title: "Deliver a result",
      description:
        "Send a succeeded job's result to a webhook destination, signed with the destination's secret (HMAC-SHA256, Standard "
        + "Webhooks). Returns at once with delivery_id. A receiver that does not take it is tried ten times in all, in about three "
        + "days, and then no more: how it went is in the resource footnote://deliveries/{delivery_id}, which is linked. Calling "
        + "twice sends it twice.",
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      input: DeliverInput,
      output: Schema.Struct({ delivery_id: Schema.String }),
      run: ({ destination_id, job_id, reviewed }) =>
        Effect.map(
          deliveries.deliverToWebhook(job_id, destination_id, reviewed),
          (delivery) => ({ delivery_id: delivery.id })
        ),
      links: ({ delivery_id }) => [deliveryLink(delivery_id)]
    })
  ]
})
