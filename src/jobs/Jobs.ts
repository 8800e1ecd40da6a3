import { Context, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Sealing } from "../crypto/Sealing.ts"
import { dieOnSqlError, tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { retryTransient } from "../database/Transient.ts"
import { isId, type TenantId } from "../identity/Id.ts"
import { Signals } from "../queue/Signals.ts"
import { normaliseDialect } from "../schemas/json-schema/JsonSchemaDialect.ts"
import type { BlobRef } from "../storage/BlobRef.ts"
import { Admission } from "./engine/Admission.ts"
import type { IdempotencyKey } from "./engine/IdempotencyKeys.ts"
import { Intake, type IntakeRefusal, type NewJob } from "./engine/Intake.ts"
import { Transitions } from "./engine/Transitions.ts"
import { type JobPage, type JobText, makeJobTexts } from "./JobTexts.ts"
import { makeJobWatch } from "./JobWatch.ts"
import {
  isTerminal,
  JobAlreadyTerminal,
  type JobEvent,
  JobNotFound,
  type JobNotSucceeded,
  jobNotSucceeded,
  type JobRecord,
  JobStatus
} from "./model/Job.ts"
import { jobConditions, type JobFilter, type JobOrder } from "./model/JobFilter.ts"
import { jobColumns, JobRow, openRecord } from "./model/JobRow.ts"

export interface Created {
  readonly job: JobRecord
  readonly webhook_secret: Uint8Array | null
  /** The key had been used for this body before: nothing was created. */
  readonly replayed: boolean
}

export type ArtifactKind =
  | "source"
  | "subjects"
  | "images"
  | "transcript"
  | "frames"
  | "vision"
  | "graph"
  | "graph_compact"
  | "evidence"
  | "result"

/**
 * The tenant's jobs. An unknown id, a malformed one, a deleted job's and another tenant's are the same `JOB_NOT_FOUND`. A
 * database that cannot be reached is a defect holding the `SqlError`.
 */
export class Jobs extends Context.Service<Jobs, {
  /**
   * Creates a job, or gives the one that the key made within 24 hours, in one transaction with admission: `queued` and
   * charged to the tenant's concurrency from here on. Fails with `JOB_NOT_FOUND` where the job that it extracts from has been
   * erased meanwhile, and only there.
   */
  readonly create: (
    job: NewJob,
    idempotency?: IdempotencyKey
  ) => Effect.Effect<Created, IntakeRefusal | JobNotFound>
  /** What `create` would fail with because the tenant has as many jobs as it may; undefined where it has not. */
  readonly fullness: Intake["Service"]["fullness"]
  readonly get: (tenant_id: TenantId, id: string) => Effect.Effect<JobRecord, JobNotFound>
  /**
   * In the order asked for, newest first by default; `after` is the last id of the page before, and one that has no place in the
   * order gives nothing. One more than `limit` is never read into the answer.
   */
  readonly list: (
    tenant_id: TenantId,
    page: { readonly limit: number; readonly after?: string | undefined; readonly sort?: JobOrder | undefined },
    filter?: JobFilter
  ) => Effect.Effect<{ readonly jobs: ReadonlyArray<JobRecord>; readonly more: boolean }>
  /** The record of `get` as JSON text, for whoever hands it on as it is. */
  readonly text: (tenant_id: TenantId, id: string) => Effect.Effect<JobText, JobNotFound>
  /** As `list`, of such texts. */
  readonly texts: (
    tenant_id: TenantId,
    page: { readonly limit: number; readonly before?: string | undefined },
    filter?: JobFilter
  ) => Effect.Effect<JobPage>
  /** `cancelled` at once; the slot is free in the same transaction and running work stops within 2 s. */
  readonly cancel: (tenant_id: TenantId, id: string) => Effect.Effect<JobRecord, JobNotFound | JobAlreadyTerminal>
  /** The job, as soon as it is terminal or the seconds are over. */
  readonly waitUntilTerminal: (
    tenant_id: TenantId,
    id: string,
    seconds: number
  ) => Effect.Effect<JobRecord, JobNotFound>
  /** Every event after `after` (0 = from the beginning), then new ones as they happen; ends with the terminal one. */
  readonly events: (tenant_id: TenantId, id: string, after: number) => Stream.Stream<JobEvent, JobNotFound>
  /** The schema that the job runs with, as JSON texts: as it was sent, and the copy that judges and fills. */
  readonly schema: (
    tenant_id: TenantId,
    id: string
  ) => Effect.Effect<
    { readonly schema_id: string | null; readonly written: string; readonly normalised: string },
    JobNotFound
  >
  /** Where an artifact of a succeeded job lies; none where the job has no such thing, such as images of a sound file. */
  readonly artifact: (
    tenant_id: TenantId,
    id: string,
    kind: ArtifactKind
  ) => Effect.Effect<BlobRef | undefined, JobNotFound | JobNotSucceeded>
}>()("footnote/jobs/Jobs") {
  static readonly layer = Layer.effect(Jobs, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { inTenant, sql: tenantSql } = yield* TenantSql
  const watch = yield* makeJobWatch(yield* TenantSql, yield* Signals)
  const transitions = yield* Transitions
  const admission = yield* Admission
  const intake = yield* Intake
  const sealing = yield* Sealing
  const toRecord = openRecord(sealing)
  const { text, texts } = makeJobTexts(yield* TenantSql, sealing)

  const find = Effect.fnUntraced(function*(tenant_id: TenantId, id: string) {
    const rows = isId("job", id)
      ? yield* tenantRowsOf(JobRow)(
        inTenant(tenant_id)(tenantSql`SELECT ${tenantSql.literal(jobColumns)} FROM footnote.jobs
        WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)
      )
      : []
    const row = rows[0]
    return row ?? (yield* new JobNotFound())
  })

  const get = (tenant_id: TenantId, id: string) => Effect.flatMap(find(tenant_id, id), toRecord)

  return Jobs.of({
    fullness: intake.fullness,
    create: Effect.fn("Jobs.create")(function*(job, idempotency) {
      const { job_id, replayed } = yield* intake.take(job, idempotency)
      const row = yield* Effect.orDie(find(job.tenant_id, job_id))
      return { job: yield* toRecord(row), webhook_secret: row.webhook_secret, replayed }
    }),
    get: Effect.fn("Jobs.get")(get),
    list: Effect.fn("Jobs.list")(function*(tenant_id, { after, limit, sort = "created_at" }, filter = {}) {
      const byEnd = sort === "finished_at"
      // Ids sort by creation, so the id alone is the place in the list, also while jobs are added; the row of an erased job stays.
      const from = after === undefined
        ? []
        : byEnd
        ? [
          sql`(finished_at, id) > (SELECT finished_at, id FROM footnote.jobs WHERE id = ${after} AND tenant_id = ${tenant_id})`
        ]
        : [sql`id < ${after}`]
      const found = yield* tenantRowsOf(JobRow)(
        inTenant(tenant_id)(
          tenantSql`SELECT ${tenantSql.literal(jobColumns)} FROM footnote.jobs WHERE ${
            sql.and([
              ...jobConditions(sql, tenant_id, filter),
              ...(byEnd ? [sql`finished_at IS NOT NULL`] : []),
              ...from
            ])
          } ORDER BY ${sql.literal(byEnd ? "finished_at, id" : "id DESC")} LIMIT ${limit + 1}`
        )
      )
      return { jobs: yield* Effect.forEach(found.slice(0, limit), toRecord), more: found.length > limit }
    }),
    text,
    texts: (tenant_id, page, filter = {}) => texts(tenant_id, page, filter),
    cancel: Effect.fn("Jobs.cancel")(function*(tenant_id, id) {
      // It is the tenant's: from here on the engine acts.
      yield* find(tenant_id, id)
      const cancelled = yield* retryTransient(sql.withTransaction(Effect.gen(function*() {
        const [job] = yield* transitions.lock([id])
        if (job === undefined) return yield* new JobNotFound()
        if (job.status === "succeeded" || job.status === "failed") return yield* new JobAlreadyTerminal()
        return yield* transitions.finish(job, { status: "cancelled" })
      }))).pipe(dieOnSqlError)
      if (cancelled) yield* admission.slotFreed
      return yield* get(tenant_id, id)
    }),
    waitUntilTerminal: Effect.fn("Jobs.waitUntilTerminal")(function*(tenant_id, id, seconds) {
      const job = yield* get(tenant_id, id)
      if (isTerminal(job.status)) return job
      yield* Effect.timeoutOption(watch.ended(tenant_id, id), seconds * 1000)
      return yield* get(tenant_id, id)
    }),
    events: (tenant_id, id, after) =>
      Stream.unwrap(Effect.map(find(tenant_id, id), () => watch.events(tenant_id, id, after))),
    schema: Effect.fn("Jobs.schema")(function*(tenant_id, id) {
      const [row] = isId("job", id)
        ? yield* tenantRowsOf(SchemaRow)(
          inTenant(tenant_id)(tenantSql`
          SELECT spec->>'schema_id' AS schema_id, coalesce(schema_text, spec->'json_schema')::text AS written,
            (spec->'normalised_schema')::text AS normalised
          FROM footnote.jobs WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)
        )
        : []
      if (row === undefined) return yield* new JobNotFound()
      const { normalised, schema_id, written } = row
      // Jobs of an earlier version have no copy; it is a pure function of the original.
      return { schema_id, written, normalised: normalised ?? JSON.stringify(normaliseDialect(JSON.parse(written))) }
    }),
    artifact: Effect.fn("Jobs.artifact")(function*(tenant_id, id, kind) {
      const [row] = isId("job", id)
        ? yield* tenantRowsOf(ArtifactRow)(
          inTenant(tenant_id)(tenantSql`
          SELECT j.status, a.key, a.size_bytes::text AS size, a.sha256
          FROM footnote.jobs j LEFT JOIN footnote.artifacts a ON a.job_id = j.id AND a.kind = ${kind}
          WHERE j.id = ${id} AND j.tenant_id = ${tenant_id} AND j.deleted_at IS NULL`)
        )
        : []
      if (row === undefined) return yield* new JobNotFound()
      const { key, sha256, size, status } = row
      if (status !== "succeeded") {
        return yield* jobNotSucceeded(status)
      }
      return key === null ? undefined : { key, size_bytes: Number(size), sha256: sha256! }
    })
  })
})

const SchemaRow = Schema.Struct({
  schema_id: Schema.NullOr(Schema.String),
  written: Schema.String,
  normalised: Schema.NullOr(Schema.String)
})
type SchemaRow = typeof SchemaRow.Type

const ArtifactRow = Schema.Struct({
  status: JobStatus,
  key: Schema.NullOr(Schema.String),
  size: Schema.NullOr(Schema.String),
  sha256: Schema.NullOr(Schema.String)
})
type ArtifactRow = typeof ArtifactRow.Type
