import { Schema } from "effect"
import { tenantRowsOf } from "../database/Rows.ts"
import type { TenantSql } from "../database/TenantSql.ts"
import type { TenantId } from "../identity/Id.ts"

const SecretRow = Schema.Struct({ webhook_secret: Schema.NullOr(Schema.Uint8Array) })

/** What a job's webhook is signed with, sealed: null where it has none; no row where the job is not the tenant's. */
export const sealedWebhookSecret = ({ inTenant, sql }: TenantSql["Service"]) => (tenant_id: TenantId, job_id: string) =>
  tenantRowsOf(SecretRow)(
    inTenant(tenant_id)(
      sql`SELECT webhook_secret FROM footnote.jobs WHERE id = ${job_id} AND tenant_id = ${tenant_id}`
    )
  )
