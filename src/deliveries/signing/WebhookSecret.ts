import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import type { Sealing } from "../../crypto/Sealing.ts"
import type { TenantId } from "../../identity/Id.ts"

/** A secret for Standard Webhooks 1.0: 32 random bytes, `whsec_` and their base64. */
export const makeWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

const placeOf = (tenant_id: TenantId, job_id: string) => ({
  tenant_id,
  table: "jobs",
  row_id: job_id,
  field: "webhook_secret"
})

/** How a job's secret lies in the database: it opens for this job only. */
export const sealWebhookSecret = (
  sealing: Sealing["Service"],
  tenant_id: TenantId,
  job_id: string,
  secret: string
): Uint8Array => sealing.seal(secret, placeOf(tenant_id, job_id))

/** Bytes that this deployment did not seal for this job are a defect. */
export const openWebhookSecret = (
  sealing: Sealing["Service"],
  tenant_id: TenantId,
  job_id: string,
  sealed: Uint8Array
) => Effect.orDie(sealing.open(sealed, placeOf(tenant_id, job_id)))
