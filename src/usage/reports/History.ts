import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Sealing } from "../../crypto/Sealing.ts"
import { rowsOf } from "../../database/Rows.ts"
import { JobId, type TenantId } from "../../identity/Id.ts"
import { openAddresses, plainSource } from "../../jobs/model/JobAddresses.ts"

/** What jobs on one stack took for each second of their source: medians, null where no job says. */
const Pace = Schema.Struct({
  jobs: Schema.Finite,
  work: Schema.NullOr(Schema.Finite),
  tokens: Schema.NullOr(Schema.Finite),
  cost: Schema.NullOr(Schema.Finite)
})
export type Pace = typeof Pace.Type

const TenantsPace = Schema.Struct({ ...Pace.fields, tenants: Schema.Finite })

/** A job that has been over the same source. */
const EarlierJob = Schema.Struct({
  model_stack: Schema.String,
  duration_seconds: Schema.Finite,
  work_seconds: Schema.NullOr(Schema.Finite),
  tokens: Schema.Finite,
  cost: Schema.Finite
})
export type EarlierJob = typeof EarlierJob.Type

/** With what tells whether it was the same source. */
const FoundJob = Schema.Struct({
  ...EarlierJob.fields,
  id: JobId,
  uri: Schema.String,
  source_sealed: Schema.NullOr(Schema.Uint8Array),
  sha256: Schema.String
})

/** Jobs that a pace is taken of, the latest first. */
const lastJobs = 50
/** How far back they are looked for. */
const lastEnded = 1000
/** Of fewer tenants the middle one would be told to a neighbour. */
const leastTenants = 3

/** Jobs that ended lately with success on a stack over a source of known length that they read themselves, each for a second of it. */
const endedOn = (sql: SqlClient, model_stack: string, whose: Fragment) =>
  sql`SELECT tenant_id, work / length AS work, tokens / length AS tokens, cost / length AS cost FROM (
      SELECT tenant_id, extract(epoch FROM finished_at - started_at)::float8 AS work, tokens, cost,
        (source->>'duration_seconds')::float8 AS length
      FROM (
        SELECT tenant_id, started_at, finished_at, source, tokens, cost, status, spec->>'model_stack' AS stack
        FROM footnote.jobs WHERE finished_at IS NOT NULL AND spec->'extracted_from' IS NULL ${whose} ORDER BY finished_at DESC LIMIT ${lastEnded}) ended
      WHERE status = 'succeeded' AND stack = ${model_stack} AND (source->>'duration_seconds')::float8 > 0
      LIMIT ${lastJobs}) last`

const medians = `percentile_cont(0.5) WITHIN GROUP (ORDER BY work) AS work,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY tokens) AS tokens, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS cost`

/** Of one tenant's jobs. */
export const paceOf = (sql: SqlClient, tenant_id: TenantId, model_stack: string): Effect.Effect<Pace, SqlError> =>
  rowsOf(Pace)(sql`SELECT count(*)::int AS jobs, ${sql.literal(medians)}
    FROM (${endedOn(sql, model_stack, sql`AND tenant_id = ${tenant_id}`)}) own`).pipe(Effect.map(([pace]) => pace!))

/**
 * Of the deployment's jobs: the median of the tenants' medians, each tenant counted once, so that no number of jobs makes
 * it one tenant's. Nothing is said of fewer than three tenants, because that would tell one what another's jobs take.
 */
export const paceOfTenants = (sql: SqlClient, model_stack: string): Effect.Effect<Pace, SqlError> =>
  rowsOf(TenantsPace)(sql`
    SELECT count(*)::int AS tenants, coalesce(sum(jobs), 0)::int AS jobs, ${sql.literal(medians)} FROM (
      SELECT count(*) AS jobs, ${sql.literal(medians)}
      FROM (${endedOn(sql, model_stack, sql``)}) every_job GROUP BY tenant_id) tenants`).pipe(
    Effect.map(([row]) => row!.tenants >= leastTenants ? row! : { jobs: 0, work: null, tokens: null, cost: null })
  )

/** So many jobs over one address but for its query are opened, the latest first. */
const lastOpened = 20

/** The tenant's latest succeeded job over the same address or the same bytes; one on this stack before any other. */
export const earlierJob = Effect.fnUntraced(function*(
  sql: SqlClient,
  sealing: Sealing["Service"],
  tenant_id: TenantId,
  source: { readonly source_uri: string; readonly sha256: string | null },
  model_stack: string
): Effect.fn.Return<EarlierJob | undefined, SqlError> {
  const plain = plainSource(source.source_uri)
  const jobs = yield* rowsOf(FoundJob)(sql`
    SELECT id, stack AS model_stack, (source->>'duration_seconds')::float8 AS duration_seconds,
      extract(epoch FROM finished_at - started_at)::float8 AS work_seconds, tokens, cost,
      uri, source_sealed, source->>'sha256' AS sha256
    FROM (
      SELECT id, started_at, finished_at, source, tokens, cost, status, spec->>'model_stack' AS stack,
        spec->>'source_uri' AS uri, source_sealed
      FROM footnote.jobs WHERE tenant_id = ${tenant_id} AND finished_at IS NOT NULL AND deleted_at IS NULL
        AND spec->'extracted_from' IS NULL
      ORDER BY finished_at DESC LIMIT ${lastEnded}) ended
    WHERE status = 'succeeded' AND source IS NOT NULL
      AND (uri IN (${plain}, ${source.source_uri}) OR source->>'sha256' = ${source.sha256 ?? ""})
    ORDER BY stack = ${model_stack} DESC, finished_at DESC LIMIT ${lastOpened}`)
  for (const { id, sha256, source_sealed, uri, ...job } of jobs) {
    const row = { id, tenant_id, spec: { source_uri: uri }, source_sealed, webhook_url: null, webhook_sealed: null }
    const same = sha256 === source.sha256 || (yield* openAddresses(sealing, row)).source_uri === source.source_uri
    if (same) return job
  }
  return undefined
})
