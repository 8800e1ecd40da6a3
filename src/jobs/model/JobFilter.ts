import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { TenantId } from "../../identity/Id.ts"
import type { JobStatus } from "./Job.ts"
import { plainSource } from "./JobAddresses.ts"

/**
 * Which of a tenant's jobs: what every part of it says. What is shown of a moment is its millisecond, so one that is "after" includes
 * itself, or whoever sends the last that they saw would miss what came later in it; one that is "before" does not.
 */
export interface JobFilter {
  readonly status?: ReadonlyArray<JobStatus> | undefined
  readonly batch_id?: string | undefined
  readonly schema_id?: string | undefined
  /** Compared as far as it is kept in plain text: without user, query and fragment. */
  readonly source_uri?: string | undefined
  readonly created_after?: Date | undefined
  readonly created_before?: Date | undefined
  readonly finished_after?: Date | undefined
  readonly finished_before?: Date | undefined
  /** Every pair has to be in the job's metadata. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** By creation, the newest first, or by their end, the first first: who asks for what has ended since goes on from there. */
export const jobOrders = ["created_at", "finished_at"] as const
export type JobOrder = (typeof jobOrders)[number]

/** The conditions on a row of `footnote.jobs` that is the tenant's, not erased, and passes the filter. */
export const jobConditions = (sql: SqlClient, tenant_id: TenantId, filter: JobFilter): Array<Fragment> => [
  sql`tenant_id = ${tenant_id}`,
  sql`deleted_at IS NULL`,
  ...(filter.status === undefined ? [] : [sql`status IN ${sql.in(filter.status)}`]),
  ...(filter.batch_id === undefined
    ? []
    : [sql`id IN (SELECT job_id FROM footnote.batch_items WHERE batch_id = ${filter.batch_id})`]),
  ...(filter.schema_id === undefined ? [] : [sql`spec->>'schema_id' = ${filter.schema_id}`]),
  ...(filter.source_uri === undefined ? [] : [sql`spec->>'source_uri' = ${plainSource(filter.source_uri)}`]),
  ...(filter.created_after === undefined ? [] : [sql`created_at >= ${filter.created_after}`]),
  ...(filter.created_before === undefined ? [] : [sql`created_at < ${filter.created_before}`]),
  ...(filter.finished_after === undefined ? [] : [sql`finished_at >= ${filter.finished_after}`]),
  ...(filter.finished_before === undefined ? [] : [sql`finished_at < ${filter.finished_before}`]),
  ...(filter.metadata === undefined ? [] : [sql`metadata @> ${JSON.stringify(filter.metadata)}::jsonb`])
]
