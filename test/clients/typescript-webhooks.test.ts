import { assert, describe, it } from "@effect/vitest"
import { verifyWebhook, WebhookVerificationError } from "../../clients/typescript/src/index.ts"
import { makeSecret, signedWebhook, tampered } from "../support/SignedWebhook.ts"

const refused = (promise: Promise<unknown>) =>
  promise.then(() => assert.fail("it was taken"), (error) => assert.instanceOf(error, WebhookVerificationError))

describe("verifyWebhook of the TypeScript client", () => {
  it("takes what the service signs, and gives the typed event", async () => {
    const secret = makeSecret()
    const { body, headers, now } = signedWebhook([secret])
    const event = await verifyWebhook(body, headers, secret, { now })
    if (event.type !== "job.succeeded") return assert.fail(event.type)
    assert.strictEqual(event.data.job.id, "job_1")
    await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now })
  })

  it("takes either secret during a rotation, on either side", async () => {
    const [old, fresh] = [makeSecret(), makeSecret()]
    const { body, headers, now } = signedWebhook([old, fresh])
    for (const secret of [old, fresh, [makeSecret(), fresh]]) await verifyWebhook(body, headers, secret, { now })
  })

  it("refuses another secret, changed bytes, a missing header, and what is older or newer than its tolerance", async () => {
    const secret = makeSecret()
    const { body, headers, now } = signedWebhook([secret])
    await refused(verifyWebhook(body, headers, makeSecret(), { now }))
    await refused(verifyWebhook(body, headers, "whsec_", { now }))
    await refused(verifyWebhook(tampered(body), headers, secret, { now }))
    for (const name of Object.keys(headers)) {
      await refused(verifyWebhook(body, { ...headers, [name]: undefined }, secret, { now }))
    }
    await refused(verifyWebhook(body, { ...headers, "webhook-id": "evt_2" }, secret, { now }))
    await refused(verifyWebhook(body, headers, secret, { now: now + 301 }))
    await refused(verifyWebhook(body, headers, secret, { now: now - 301 }))
    await verifyWebhook(body, headers, secret, { now: now + 301, tolerance: 400 })
  })
})
