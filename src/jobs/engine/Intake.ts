import { Cache, Context, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Sealing } from "../../crypto/Sealing.ts"
import { dieOnSqlError, rowsOf } from "../../database/Rows.ts"
import { retryTransient } from "../../database/Transient.ts"
import { IdempotencyKeyConflict, IdempotencyKeyOrphaned } from "../../idempotency/IdempotencyKey.ts"
import { type JobId, newId, type TenantId } from "../../identity/Id.ts"
import { currentTraceparent } from "../../observability/Trace.ts"
import { CostQuota, type CostQuotaExceeded } from "../../usage/ledger/CostQuota.ts"
import { requireRoom, storageQuotaBytes, type StorageQuotaExceeded } from "../../usage/ledger/StorageQuota.ts"
import { ConcurrentJobsLimit, JobNotFound } from "../model/Job.ts"
import { sealAddresses } from "../model/JobAddresses.ts"
import type { JobSpec } from "../model/JobSpec.ts"
import { EngineOptions } from "./EngineOptions.ts"
import { type IdempotencyKey, IdempotencyKeys } from "./IdempotencyKeys.ts"
import { JobEvents } from "./JobEvents.ts"
import { nextSlotSeconds } from "./NextSlot.ts"
import { Transitions } from "./Transitions.ts"

/** A submission that has been checked: everything that the job will ever need to know. */
export interface NewJob {
  /** Where the submission had to know it beforehand. */
  readonly id?: JobId
  readonly tenant_id: TenantId
  readonly spec: JobSpec
  readonly destination_ids: ReadonlyArray<string>
  readonly webhook_url: string | null
  /** Opaque here; null exactly when there is no `webhook_url`. */
  readonly webhook_secret: Uint8Array | null
  readonly metadata: Readonly<Record<string, string>>
  readonly request_id: string | null
  /** The batch that it comes in, and its place there. */
  readonly batch?: BatchPlace | undefined
  /** The JSON text of the schema as its caller wrote it; null where that is a template's. */
  readonly schema_text?: string | null
}

export interface BatchPlace {
  readonly batch_id: string
  readonly item: number
}

/** Another request with the batch's key was first with the item. */
const JudgedMeanwhile = Symbol("footnote/jobs/engine/Intake/JudgedMeanwhile")

/** What `take` dies with where the place in the batch is taken; no failure, since only who judges batches can meet it. */
export const isJudgedMeanwhile = (defect: unknown): boolean => defect === JudgedMeanwhile

export type IntakeRefusal =
  | ConcurrentJobsLimit
  | CostQuotaExceeded
  | StorageQuotaExceeded
  | IdempotencyKeyConflict
  | IdempotencyKeyOrphaned

/** A job that the key made within 24 hours, or a new one. */
export interface Taken {
  readonly job_id: JobId
  readonly replayed: boolean
}

/**
 * The one door by which jobs come in. The idempotency key, the slot, what the quota holds back and the job's row are one
 * transaction: a crash leaves all of them or none, and a refusal leaves the key free. A database that cannot be reached is
 * a defect holding the `SqlError`.
 */
export class Intake extends Context.Service<Intake, {
  /** `JOB_NOT_FOUND` where the job that it extracts from has been erased meanwhile. */
  readonly take: (job: NewJob, idempotency?: IdempotencyKey) => Effect.Effect<Taken, IntakeRefusal | JobNotFound>
  /**
   * What `take` would fail with for the tenant's slots alone, by one statement and without its row's lock: whoever asks again and
   * again at its limit costs others little.
   */
  readonly fullness: (tenant_id: TenantId) => Effect.Effect<ConcurrentJobsLimit | undefined>
}>()("footnote/jobs/engine/Intake") {
  static readonly layer = Layer.effect(Intake, Effect.suspend(() => make)).pipe(
    Layer.provide([IdempotencyKeys.layer, CostQuota.layer])
  )
}

const mostEstimates = 10_000

const FullRow = Schema.Struct({ max_active: Schema.Finite })

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const transitions = yield* Transitions
  const idempotencyKeys = yield* IdempotencyKeys
  const quota = yield* CostQuota
  const sealing = yield* Sealing
  const jobEvents = yield* JobEvents
  const { max_running } = yield* EngineOptions
  const storage_quota = yield* storageQuotaBytes

  /** Whether the deployment has a slot left: it reads as many entries as there are slots, however many jobs wait. */
  const hasSlot = Effect.map(
    sql`SELECT FROM footnote.jobs WHERE admitted_at IS NOT NULL AND finished_at IS NULL
      LIMIT 1 OFFSET ${max_running - 1}`.unprepared,
    (taken) => taken.length === 0
  )

  const insert = Effect.fnUntraced(function*(job: NewJob, idempotency: IdempotencyKey | undefined) {
    // The tenant's row is the one gate for its keys, limits and slots: 20 first uses of a key queue up here.
    const [limits] = yield* rowsOf(Limits)(sql`
      SELECT max_active, max_running, cost_quota FROM footnote.tenants
      WHERE id = ${job.tenant_id} FOR NO KEY UPDATE`)
    if (limits === undefined) return yield* Effect.die(new Error(`No tenant ${job.tenant_id}`))
    if (idempotency !== undefined) {
      const reservation = yield* idempotencyKeys.look(job.tenant_id, idempotency)
      if (reservation.kind !== "fresh") return reservation
    }
    const read = job.spec.extracted_from?.job_id
    if (read != null) {
      // Shared until this job's row is there: whoever erases that job afterwards sees that its bytes are still needed.
      const [there] = yield* sql`SELECT id FROM footnote.jobs
        WHERE id = ${read} AND tenant_id = ${job.tenant_id} AND deleted_at IS NULL FOR SHARE`
      if (there === undefined) return { kind: "erased" as const }
    }
    // A statement of its own: its snapshot is taken after the lock, so it counts what others have just committed.
    const [counts] = yield* rowsOf(Counts)(sql`
      SELECT count(*)::int AS active, count(admitted_at)::int AS admitted
      FROM footnote.jobs WHERE tenant_id = ${job.tenant_id} AND status IN ('queued', 'running')`)
    const { active, admitted } = counts!
    if (active >= limits.max_active) return { kind: "full" as const, max_active: limits.max_active }
    // A job keeps what it fetches and decodes, of a length that nobody knows yet: there must be some room at least.
    yield* requireRoom(sql, job.tenant_id, storage_quota, 1)
    const cost_reserved = yield* quota.reserve(job.tenant_id, limits.cost_quota, job.spec.model_stack)
    const admit = active === admitted && admitted < limits.max_running && (yield* hasSlot)
    const id = job.id ?? (yield* newId("job"))
    const owned = { id, tenant_id: job.tenant_id }
    const { source_uri, ...sealed } = sealAddresses(sealing, owned, job.spec.source_uri, job.webhook_url)
    const spec = { ...job.spec, source_uri }
    yield* sql`INSERT INTO footnote.jobs (id, tenant_id, spec, schema_text, destination_ids, addresses_sealed,
        source_sealed, webhook_sealed, webhook_endpoint, webhook_secret,
        metadata, request_id, traceparent, cost_reserved, admitted_at)
      VALUES (${id}, ${job.tenant_id}, ${JSON.stringify(spec)}::json, ${job.schema_text ?? null}::json,
        ${JSON.stringify(job.destination_ids)}::jsonb, true,
        ${sealed.source_sealed}, ${sealed.webhook_sealed}, ${sealed.webhook_endpoint}, ${job.webhook_secret},
        ${JSON.stringify(job.metadata)}::jsonb, ${job.request_id}, ${yield* currentTraceparent}, ${cost_reserved},
        ${admit ? sql.literal("now()") : null})`.unprepared
    if (job.batch !== undefined) {
      const placed = yield* sql`INSERT INTO footnote.batch_items ${
        sql.insert({ ...job.batch, tenant_id: job.tenant_id, job_id: id })
      } ON CONFLICT (batch_id, item) DO NOTHING RETURNING item`.unprepared
      // A refusal, which takes no slot and so does not wait for the tenant's row: what there is of the job goes with the transaction.
      if (placed.length === 0) return yield* Effect.die(JudgedMeanwhile)
    }
    if (idempotency !== undefined) yield* idempotencyKeys.reserve(job.tenant_id, idempotency, id)
    if (admit) {
      const [locked] = yield* transitions.lock([id])
      yield* transitions.open(locked!)
    }
    yield* jobEvents.append([id], "status")
    return { kind: "created" as const, job_id: id }
  })

  /** An estimate that takes longer than the refusal: whoever asks again within a second is told the same. */
  const retrySeconds = yield* Cache.makeWith<TenantId, number, SqlError>((tenant_id) =>
    nextSlotSeconds(tenant_id).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(JobEvents, jobEvents)
    ), { capacity: mostEstimates, timeToLive: (exit) => Exit.isSuccess(exit) ? "1 second" : 0 })

  /** Counted after the transaction, so that whoever is let in does not wait for it. */
  const limitReached = (tenant_id: TenantId, max_active: number) =>
    Effect.map(Cache.get(retrySeconds, tenant_id), (seconds) =>
      new ConcurrentJobsLimit({
        message: `The tenant's limit of ${max_active} concurrent jobs is reached; retry in ${seconds} s.`,
        headers: { "retry-after": String(seconds) }
      }))

  const fullness = Effect.fn("Intake.fullness")(function*(tenant_id: TenantId) {
    const [full] = yield* rowsOf(FullRow)(sql`
      SELECT max_active FROM footnote.tenants WHERE id = ${tenant_id} AND max_active <=
        (SELECT count(*) FROM footnote.jobs WHERE tenant_id = ${tenant_id} AND status IN ('queued', 'running'))`)
    return full && (yield* limitReached(tenant_id, full.max_active))
  }, dieOnSqlError)

  return Intake.of({
    fullness,
    take: Effect.fn("Intake.take")(
      function*(job, idempotency) {
        const made = yield* retryTransient(sql.withTransaction(insert(job, idempotency)))
        switch (made.kind) {
          case "conflict":
            return yield* new IdempotencyKeyConflict()
          case "orphaned":
            return yield* new IdempotencyKeyOrphaned()
          case "erased":
            return yield* new JobNotFound()
          case "full":
            return yield* yield* limitReached(job.tenant_id, made.max_active)
          default:
            return { job_id: made.job_id, replayed: made.kind === "replay" }
        }
      },
      dieOnSqlError
    )
  })
})

const Limits = Schema.Struct({
  max_active: Schema.Finite,
  max_running: Schema.Finite,
  cost_quota: Schema.NullOr(Schema.Finite)
})
const Counts = Schema.Struct({ active: Schema.Finite, admitted: Schema.Finite })
