import { eventName, webhookEvents } from "../../deliveries/model/WebhookEvent.ts"

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] }
})

const parameters = [
  header(
    "webhook-id",
    "The event's id, the same on every attempt: what has been seen once can be dropped.",
    "evt_01kaj3fj2k4m6n8p0q2r4s6t8w"
  ),
  header("webhook-timestamp", "When this attempt was made, in Unix seconds.", "1793524272"),
  header(
    "webhook-signature",
    "Signatures by HMAC-SHA256 over `id.timestamp.body`, each led by `v1,` and separated by a space; any of them is enough.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  )
]

const responses = {
  "2XX": { description: "Taken. The body of the answer is not read." },
  "410": { description: "The receiver is no more: nothing is sent again, and a destination becomes `broken`." },
  "4XX": { description: "Not taken: sent again by the schedule, as after no answer within 15 s." },
  "5XX": { description: "Not taken: sent again by the schedule, no sooner than `Retry-After` says." }
}

/** The tag that webhooks stand under. */
export const webhooksTag = {
  name: "Webhooks",
  description:
    "What is sent to a job's `webhook_url` and to destinations of type `webhook`, signed by Standard Webhooks 1.0."
}

/** The `webhooks` of the document: one operation of the receiver's for each kind of event. */
export const webhooksDocument = Object.fromEntries(
  Object.entries(webhookEvents).map(([kind, { when }]) => [kind, {
    post: {
      operationId: `on${eventName(kind)}`,
      summary: when,
      description: `${when}: a signed event of type \`${kind}\`.`,
      tags: [webhooksTag.name],
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: { $ref: `#/components/schemas/${eventName(kind)}Event` } }
        }
      },
      responses
    }
  }])
)
