import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { deployment } from "../../support/Deployment.ts"
import { receiver } from "../../support/Receiver.ts"

it.live("a worker process tells the receiver of a job's end, and the delivery is on record", () =>
  Effect.gen(function*() {
    const inbox = yield* receiver({ status: 200 })
    const { client } = yield* deployment({
      worker_groups: [["delivery"]],
      env: { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" }
    })
    const created = yield* client.createJob({ source_uri: "https://example.com/talk.mp4", webhook_url: inbox.url })
    yield* client.cancel(created.id)
    yield* inbox.first
    const { webhook_signing_secret: secret } = created.record as { webhook_signing_secret: string }
    const { body, headers } = inbox.received[0]!
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as any
    assert.deepInclude(event, { type: "job.cancelled" })
    assert.deepInclude(event.data.job, { id: created.id, status: "cancelled" })
    const [delivery] = yield* Effect.repeat(
      Effect.map(client.json(`/v1/jobs/${created.id}/deliveries`), (page: any) => page.data),
      { until: ([delivery]) => delivery.finished_at !== null }
    )
    assert.deepInclude(delivery, { status: "succeeded", event_id: event.id })
  }))
