import { createHmac } from "node:crypto"

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/u, ""), "base64")

/**
 * The headers by which a receiver knows that this body is ours and fresh (Standard Webhooks 1.0): HMAC-SHA256 over
 * `id.timestamp.body`, one signature for each secret, so that a receiver that holds any of them accepts it.
 */
export const webhookHeaders = (message: {
  readonly id: string
  /** Unix seconds of this attempt. */
  readonly timestamp: number
  readonly body: string
  readonly secrets: ReadonlyArray<string>
}) => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": message.secrets.map((secret) =>
    `v1,${
      createHmac("sha256", keyOf(secret)).update(`${message.id}.${message.timestamp}.${message.body}`).digest("base64")
    }`
  ).join(" ")
})
