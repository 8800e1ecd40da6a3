import { Effect, Schema, Struct } from "effect"
import { page } from "../database/Page.ts"
import { DeliveryRequests } from "../deliveries/DeliveryRequests.ts"
import { Destinations } from "../deliveries/destinations/Destinations.ts"
import { Destination } from "../deliveries/model/Destination.ts"
import { everyPage } from "./EveryPage.ts"
import { byJob, reviewedField } from "./JobTools.ts"
import { nothing, reads, tool } from "./Tool.ts"

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
        "All places that results can be sent to: id, name, type and status. Only those of type webhook can be given to "
        + "deliver; any of them to extract.",
      hints: reads,
      input: nothing,
      output: page(Summary),
      run: () =>
        everyPage((cursor) => destinations.list({ limit: 100, cursor })).pipe(
          Effect.map((all) => ({ ...all, data: all.data.map(summarise) }))
        )
    }),
    tool("deliver", {
      title: "Deliver a result",
      description:
        "Send a succeeded job's result to a webhook destination, signed; what is not taken is sent up to ten times in about "
        + "three days. Returns at once with delivery_id; how it went is at GET /v1/deliveries/{delivery_id} of the REST API. "
        + "Calling twice sends it twice.",
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      input: DeliverInput,
      output: Schema.Struct({ delivery_id: Schema.String }),
      run: ({ destination_id, job_id, reviewed }) =>
        Effect.map(
          deliveries.deliverToWebhook(job_id, destination_id, reviewed),
          (delivery) => ({ delivery_id: delivery.id })
        )
    })
  ]
})
