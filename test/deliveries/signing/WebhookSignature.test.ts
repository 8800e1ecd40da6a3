import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { makeWebhookSecret } from "../../../src/deliveries/signing/WebhookSecret.ts"
import { webhookHeaders } from "../../../src/deliveries/signing/WebhookSignature.ts"

const id = fc.stringMatching(/^evt_[0-9a-z]{1,30}$/u)

describe("webhookHeaders", () => {
  it("are byte for byte what the reference library signs, for any id and any text", () => {
    fc.assert(
      fc.property(id, fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 4e9 }), (id, body, timestamp) => {
        const secret = makeWebhookSecret()
        const headers = webhookHeaders({ id, timestamp, body, secrets: [secret] })
        assert.strictEqual(headers["webhook-signature"], new Webhook(secret).sign(id, new Date(timestamp * 1000), body))
        assert.deepInclude(headers, { "webhook-id": id, "webhook-timestamp": String(timestamp) })
      })
    )
  })

  it("are accepted with either of two secrets while one takes the place of the other", () => {
    const secrets = [makeWebhookSecret(), makeWebhookSecret()]
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = webhookHeaders({ id: "evt_1", timestamp, body: "{}", secrets })
    for (const secret of secrets) assert.deepStrictEqual(new Webhook(secret).verify("{}", headers), {})
    assert.throws(() => new Webhook(makeWebhookSecret()).verify("{}", headers))
  })
})
