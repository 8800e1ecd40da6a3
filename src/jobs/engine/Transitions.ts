import { Cause, Context, Effect, Layer, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { type BrokenRow, idsOf, readableRowsOf, rowsOf } from "../../database/Rows.ts"
import { JobId, TenantId } from "../../identity/Id.ts"
import { predicateOf } from "../../manifests/Predicate.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { Pool } from "../../processes/Pools.ts"
import { Queue } from "../../queue/Queue.ts"
import { Signals } from "../../queue/Signals.ts"
import { Charges } from "../../usage/ledger/Charges.ts"
import { type JobError, JobStatus, StageNameSchema } from "../model/Job.ts"
import { StoredSpec } from "../model/JobSpec.ts"
import { followers, outcome, type Outputs, pipeline, readByOf, stageNames } from "../model/Pipeline.ts"
import type { StageName } from "../model/StageIo.ts"
import { BatchEnds } from "./BatchEnds.ts"
import { EngineOptions } from "./EngineOptions.ts"
import { FairRelease } from "./FairRelease.ts"
import { JobEvents } from "./JobEvents.ts"
import { JobHooks } from "./JobHooks.ts"

const OutputRow = Schema.Struct({
  stage: StageNameSchema,
  output: Schema.Unknown
})
const EarlierRow = Schema.Struct({
  earlier: Schema.Boolean
})
const OpenRow = Schema.Struct({
  name: StageNameSchema,
  needs: Schema.Finite
})
const TaskRow = Schema.Struct({
  id: Schema.String,
  pool: Pool
})

/** A job whose row this transaction has locked. */
export const LockedJob = Schema.Struct({
  id: JobId,
  status: JobStatus,
  tenant_id: TenantId,
  weight: Schema.Finite,
  spec: StoredSpec
})
export type LockedJob = typeof LockedJob.Type

const isBare = Schema.is(Schema.Struct({ ...LockedJob.fields, spec: Schema.Unknown }))
/** In the place of a spec that cannot be read. */
const nothingKnown: LockedJob["spec"] = {
  source_uri: "",
  json_schema: true,
  schema_id: null,
  hints: {},
  on_missing: "fill",
  model_stack: "unknown"
}
const unreadable: JobError = { code: "INTERNAL", message: "The row of the job cannot be read.", stage: null }

export type Ending =
  | { readonly status: "succeeded" | "cancelled" }
  | { readonly status: "failed"; readonly error: JobError }

/**
 * The moves of a job and its stages. Every move is made inside the caller's transaction, together with the queue's rows,
 * and only while the job is not terminal: of two that try, one wins. Locks are taken in one order everywhere: tenant, job
 * (by id), queue, task, stage, fair share, batch.
 */
export class Transitions extends Context.Service<Transitions, {
  readonly lock: (job_ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LockedJob>, SqlError>
  /** Gives an admitted job its stages and queues the first task. */
  readonly open: (job: LockedJob) => Effect.Effect<void, SqlError>
  /** Queues tasks `[from, to)` of an open stage. */
  readonly releaseMore: (job: LockedJob, stage: StageName, from: number, to: number) => Effect.Effect<void, SqlError>
  /** A stage has become done: opens or skips what waited for it, and ends the job after the last one. */
  readonly advance: (job: LockedJob, stage: StageName) => Effect.Effect<boolean, SqlError>
  /** Makes the job terminal; false where it already was. */
  readonly finish: (job: LockedJob, ending: Ending) => Effect.Effect<boolean, SqlError>
}>()("footnote/jobs/engine/Transitions") {
  static readonly layer = Layer.effect(Transitions, Effect.suspend(() => make))
}

const finished = Metric.counter("footnote_jobs_finished_total", {
  description: "Jobs that this process has brought to their end, by status.",
  incremental: true
})

/** A job that does not succeed ends also where nothing can be made of what its stages have said, and then tells nothing of it. */
const outcomeOf = (job: LockedJob, outputs: Outputs, { status }: Ending) =>
  Effect.catchDefect(
    Effect.sync(() => outcome(outputs, job.spec.extracted_from)),
    (defect) =>
      status === "succeeded" ? Effect.die(defect) : Effect.failCause(Cause.die(defect)).pipe(
        tolerated("Reading what the stages of a job have said", "it ends without that", { job_id: job.id }),
        Effect.andThen(Effect.sync(() => outcome({})))
      )
  )

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const signals = yield* Signals
  const events = yield* JobEvents
  const { release } = yield* FairRelease
  const hooks = yield* JobHooks
  const batchEnds = yield* BatchEnds
  const charges = yield* Charges
  const { window } = yield* EngineOptions

  const lock = (job_ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<LockedJob>, SqlError> =>
    job_ids.length === 0 ? Effect.succeed([]) : readableRowsOf(LockedJob)(
      sql`
      SELECT j.id, j.status, j.tenant_id, t.weight, j.spec
      FROM footnote.jobs j JOIN footnote.tenants t ON t.id = j.tenant_id
      WHERE j.id IN ${sql.in([...new Set(job_ids)])} ORDER BY j.id FOR NO KEY UPDATE OF j`.unprepared
    ).pipe(
      Effect.tap(({ broken }) => Effect.forEach(broken, endBroken, { discard: true })),
      Effect.map(({ rows }) => rows)
    )

  /** Ends a job whose spec cannot be read: nothing that its tasks could do is known any more. */
  const endBroken = Effect.fnUntraced(function*({ error, row }: BrokenRow) {
    const { id: job_id, tenant_id } = idsOf(row)
    yield* Effect.logError("A job cannot be read; it fails", Cause.fail(error)).pipe(
      Effect.annotateLogs({ job_id, tenant_id })
    )
    if (!isBare(row)) return
    yield* finish({ ...row, spec: nothingKnown }, { status: "failed", error: unreadable })
  })

  const outputsOf = (job_id: JobId, stages: ReadonlyArray<StageName>) =>
    stages.length === 0 ? Effect.succeed<Outputs>({}) : rowsOf(OutputRow)(
      sql`
      SELECT stage, output FROM footnote.tasks
      WHERE job_id = ${job_id} AND done AND stage IN ${sql.in(stages)} ORDER BY stage, idx`.unprepared
    ).pipe(
      Effect.map((rows) => {
        const outputs: Partial<Record<StageName, Array<unknown>>> = {}
        for (const { output, stage } of rows) (outputs[stage] ??= []).push(output)
        // Handlers' outputs were checked against the stage's schema before they were settled.
        return outputs as Outputs
      })
    )

  const planOf = (job: LockedJob, stage: StageName) =>
    Effect.map(outputsOf(job.id, pipeline[stage].reads), (outputs) => pipeline[stage].plan(job.spec, outputs))

  /**
   * The stage's pool; `media` for a fetch while all media workers are of an earlier version, which knew no pool `fetch`: an
   * update begins with the API processes.
   */
  const poolOf = Effect.fnUntraced(function*(stage: StageName) {
    if (stage !== "fetch") return pipeline[stage].pool
    const [served] = yield* rowsOf(EarlierRow)(
      sql`
      SELECT count(*) > 0 AND NOT coalesce(bool_or(pools ? 'fetch'), false) AS earlier FROM footnote.workers
      WHERE seen_at > now() - interval '30 seconds' AND pools ?| ARRAY['fetch', 'media']`.unprepared
    )
    return served!.earlier ? "media" : pipeline.fetch.pool
  })

  const releaseInputs = Effect.fnUntraced(
    function*(job: LockedJob, stage: StageName, from: number, inputs: ReadonlyArray<unknown>) {
      const { timeout_seconds } = pipeline[stage]
      return yield* release({ job, stage, pool: yield* poolOf(stage), timeout_seconds, from, inputs })
    }
  )

  const open = Effect.fnUntraced(function*(job: LockedJob) {
    const rows = stageNames.map((name) => ({ name, needs: pipeline[name].needs.length }))
    yield* sql`INSERT INTO footnote.stages (job_id, name, status, needs)
      SELECT ${job.id}, x.name, 'waiting', x.needs
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(name text, needs smallint)`.unprepared
    for (const { name, needs } of rows) if (needs === 0) yield* openStage(job, name)
  })

  const openStage: (job: LockedJob, stage: StageName) => Effect.Effect<boolean, SqlError> = Effect.fnUntraced(
    function*(job, stage) {
      const inputs = yield* planOf(job, stage)
      if (inputs.length === 0) {
        yield* sql`UPDATE footnote.stages SET status = 'skipped', finished_at = now()
          WHERE job_id = ${job.id} AND name = ${stage}`.unprepared
        return yield* advance(job, stage)
      }
      const first = inputs.slice(0, window)
      yield* sql`UPDATE footnote.stages SET total = ${inputs.length}, released = ${first.length}
        WHERE job_id = ${job.id} AND name = ${stage}`.unprepared
      yield* releaseInputs(job, stage, 0, first)
      return false
    }
  )

  const advance: (job: LockedJob, stage: StageName) => Effect.Effect<boolean, SqlError> = Effect.fnUntraced(
    function*(job, stage) {
      if (stage === "probe") {
        const { source } = outcome(yield* outputsOf(job.id, ["probe"]), job.spec.extracted_from)
        yield* sql`UPDATE footnote.jobs SET source = ${JSON.stringify(source)}::json WHERE id = ${job.id}`.unprepared
      }
      const next = followers(stage)
      if (next.length === 0) return yield* finish(job, { status: "succeeded" })
      const stages = yield* rowsOf(OpenRow)(
        sql`
        UPDATE footnote.stages SET needs = needs - 1
        WHERE job_id = ${job.id} AND name IN ${sql.in(next)} AND status = 'waiting' RETURNING name, needs`.unprepared
      )
      const ready = next.filter((name) => stages.some((stage) => stage.name === name && stage.needs === 0))
      let finished = false
      for (const name of ready) finished = (yield* openStage(job, name)) || finished
      return finished
    }
  )

  /** Everything still open of a job that ends early, in the queue and in our rows; whoever holds a task is told at once. */
  const abandonOpenWork = Effect.fnUntraced(function*(job_id: JobId, status: "failed" | "cancelled") {
    const open = yield* rowsOf(TaskRow)(
      sql`
      SELECT id, pool FROM footnote.tasks WHERE job_id = ${job_id} AND NOT done`.unprepared
    )
    for (const [pool, tasks] of Map.groupBy(open, (task) => task.pool)) {
      yield* queue.cancel(pool, tasks.map((task) => task.id))
    }
    // Nobody will take them: in line, their tags would stand for the pool's head for the days that rows are kept.
    yield* sql`UPDATE footnote.tasks SET worker = NULL, delayed = true WHERE job_id = ${job_id} AND NOT done`.unprepared
    yield* sql`UPDATE footnote.stages SET status = ${status}, finished_at = now()
      WHERE job_id = ${job_id} AND status IN ('waiting', 'running')`.unprepared
    yield* signals.stop(job_id)
  })

  const finish = Effect.fnUntraced(function*(job: LockedJob, ending: Ending) {
    const outputs = yield* outputsOf(job.id, stageNames)
    const { artifacts, counts, provenance, result_confidence, usage, warnings } = yield* outcomeOf(job, outputs, ending)
    const error = ending.status === "failed" ? JSON.stringify(ending.error) : null
    // Also what attempts spent that did not settle.
    const spent = yield* charges.total(job.id)
    // Its moment is taken while the lock is held: an export that then gets the lock sees every job that has ended before.
    yield* sql`SELECT pg_advisory_xact_lock_shared(${advisoryLocks.jobEnds}, hashtext(${job.tenant_id}))`
    const moved = yield* sql`
      UPDATE footnote.jobs SET status = ${ending.status}, finished_at = clock_timestamp(), error = ${error}::json,
        warnings = ${JSON.stringify(warnings)}::json, result_confidence = ${result_confidence},
        counts = ${counts === null ? null : JSON.stringify(counts)}::json,
        audio_seconds = ${usage.audio_seconds}, frames_sampled = ${usage.frames_sampled},
        frames_kept = ${usage.frames_kept}, model_seconds = ${usage.model_seconds},
        video_seconds = ${usage.video_seconds}, tokens = ${spent.tokens}, cost = ${spent.cost},
        provenance = ${JSON.stringify(provenance)}::json,
        read_by = ${
      ending.status === "succeeded" ? JSON.stringify(readByOf(outputs, job.spec.extracted_from)) : null
    }::json
      WHERE id = ${job.id} AND status IN ('queued', 'running') RETURNING id`.unprepared
    if (moved.length === 0) return false
    if (ending.status === "succeeded") {
      const rows = Object.entries(artifacts).map(([kind, { key, sha256, size_bytes }]) => ({
        kind,
        key,
        size_bytes,
        sha256
      }))
      yield* sql`INSERT INTO footnote.artifacts (job_id, kind, key, size_bytes, sha256)
        SELECT ${job.id}, x.kind, x.key, x.size_bytes, x.sha256
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(kind text, key text, size_bytes bigint, sha256 text)`
        .unprepared
      const predicate = predicateOf(job.spec, outputs, warnings)
      if (predicate !== undefined) {
        yield* sql`INSERT INTO footnote.manifests (job_id, predicate)
          VALUES (${job.id}, ${JSON.stringify(predicate)}::json)`.unprepared
      }
    } else yield* abandonOpenWork(job.id, ending.status)
    yield* hooks.ended(job, ending.status)
    yield* batchEnds.jobEnded(job)
    yield* events.append([job.id], "status")
    yield* sql.afterCommit(Metric.update(Metric.withAttributes(finished, { status: ending.status }), 1))
    return true
  })

  return Transitions.of({
    lock,
    open,
    releaseMore: (job, stage, from, to) =>
      Effect.flatMap(planOf(job, stage), (inputs) => releaseInputs(job, stage, from, inputs.slice(from, to))),
    advance,
    finish
  })
})
