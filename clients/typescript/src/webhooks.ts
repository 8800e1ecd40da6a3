import { WebhookVerificationError } from "./errors.ts"
import type { Webhooks } from "./generated/types.ts"

/** What the service sends to webhooks, by its `type`. Kinds may be added: answer 200 to one that you do not know. */
export type WebhookEvent = Webhooks["body"]

export interface VerifyOptions {
  /** Seconds that the clocks may differ, and that a delivery may be old; 300 where it is not given. */
  readonly tolerance?: number
  /** Unix seconds. */
  readonly now?: number
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const entries = headers instanceof Headers ? [...headers.entries()] : Object.entries(headers)
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
  } catch {
    return undefined
  }
}

const keyOf = (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/u, ""))
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError("The secret is not of the form whsec_…")
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

/**
 * The event of a webhook whose body and headers prove that the service sent it within the last five minutes (Standard Webhooks: any of
 * several signatures by any of several secrets will do, as during a rotation). Throws `WebhookVerificationError` otherwise. Give the
 * body as it came, byte for byte: parsed and written again it is another one.
 */
export const verifyWebhook = async (
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | ReadonlyArray<string>,
  { now = Date.now() / 1000, tolerance = 300 }: VerifyOptions = {}
): Promise<WebhookEvent> => {
  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature").split(" ").flatMap((one) => {
    const bytes = one.startsWith("v1,") ? bytesOf(one.slice(3)) : undefined
    return bytes === undefined ? [] : [bytes]
  })
  if (!/^\d{1,12}$/u.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance) {
    throw new WebhookVerificationError(`The timestamp ${timestamp} is not within ${tolerance} s of now`)
  }
  const encoder = new TextEncoder()
  const body = typeof payload === "string" ? encoder.encode(payload) : payload
  const head = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await keyOf(one)
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return JSON.parse(new TextDecoder().decode(body))
    }
  }
  throw new WebhookVerificationError("No signature fits the body and the secret")
}
