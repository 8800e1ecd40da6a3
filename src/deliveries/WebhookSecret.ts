import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import type { Sealing } from "../crypto/Sealing.ts"

/** A secret for Standard Webhooks 1.0: 32 random bytes, `whsec_` and their base64. */
export const makeWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

const purpose = (tenant_id: string) => `jobs.webhook_secret of ${tenant_id}`

/** How a job's secret lies in the database: it opens for the same tenant only. */
export const sealWebhookSecret = (sealing: Sealing["Service"], tenant_id: string, secret: string): Uint8Array =>
  sealing.seal(secret, purpose(tenant_id))

/** Bytes that this deployment did not seal for this tenant are a defect. */
export const openWebhookSecret = (sealing: Sealing["Service"], tenant_id: string, sealed: Uint8Array) =>
  Effect.orDie(sealing.open(sealed, purpose(tenant_id)))
