import assert from "node:assert/strict"
import { Webhook } from "standardwebhooks"
import { Webhook as Svix } from "svix"
import type { FakeVendor } from "./FakeHttp.ts"

interface WebhookReceived {
  readonly id: string
  readonly body: string
}

/**
 * A receiver that verifies every request with both `standardwebhooks` and `svix`. `secretOf` gives the secret that a path's
 * sender has; a request that either library refuses is a violation.
 */
export const fakeWebhook = (secretOf: (path: string) => string) => {
  const received: Array<WebhookReceived> = []
  const vendor: FakeVendor = {
    prefix: "/webhook",
    key: (call) => call.path,
    answer: (call) => {
      assert.equal(call.method, "POST")
      assert.equal(call.headers["content-type"], "application/json")
      const secret = secretOf(call.path)
      const headers = call.headers as Record<string, string>
      const event = new Webhook(secret).verify(call.body, headers) as { readonly id: string; readonly type: string }
      new Svix(secret).verify(call.body, headers)
      assert.equal(event.id, headers["webhook-id"])
      assert.match(event.type, /^(?:job|destination)\.[a-z]+$/u)
      return {
        commit: () => received.push({ id: event.id, body: call.body }),
        reply: { status: 204 }
      }
    },
    tooMany: { status: 429, text: "slow down" }
  }
  return { vendor, received }
}
