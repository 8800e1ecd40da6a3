import { makeWebhookSecret } from "../../src/deliveries/signing/WebhookSecret.ts"
import { webhookHeaders } from "../../src/deliveries/signing/WebhookSignature.ts"

export const makeSecret = makeWebhookSecret

/** A webhook as the service signs it, by every secret, and the second at which it did. */
export const signedWebhook = (secrets: ReadonlyArray<string>) => {
  const now = 1_790_000_000
  const body = JSON.stringify({
    id: "evt_1",
    type: "job.succeeded",
    created_at: "2026-11-20T09:31:12.880Z",
    data: { job: { id: "job_1", status: "succeeded", result: { title: "Grüße" } } }
  })
  return { body, now, headers: webhookHeaders({ id: "evt_1", timestamp: now, body, secrets }) }
}

export const tampered = (body: string): string => body.replace("job_1", "job_2")
