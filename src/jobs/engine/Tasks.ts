import { Cause, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { type BrokenRow, idsOf, readableRowsOf, rowsOf } from "../../database/Rows.ts"
import { retryTransient } from "../../database/Transient.ts"
import { JobId, TenantId } from "../../identity/Id.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import type { Pool } from "../../processes/Pools.ts"
import { claimable } from "../../queue/LastSlot.ts"
import { backlogged, withinShares } from "../../queue/ProcessorShares.ts"
import { type Claim, Queue } from "../../queue/Queue.ts"
import { Signals } from "../../queue/Signals.ts"
import { serviceFaultPauses } from "../../retries/RetryPolicy.ts"
import type { BlobRef } from "../../storage/BlobRef.ts"
import { StageNameSchema } from "../model/Job.ts"
import type { StageFailure } from "../model/JobFailure.ts"
import { StoredSpec } from "../model/JobSpec.ts"
import type { RenderOutput } from "../model/Rendition.ts"
import { Admission } from "./Admission.ts"
import { EngineOptions } from "./EngineOptions.ts"
import { FairRelease, TaskStage } from "./FairRelease.ts"
import { JobEvents } from "./JobEvents.ts"
import { type DeliveryInput, JobHooks } from "./JobHooks.ts"
import { computing, makeMachineStandings } from "./MachineStandings.ts"
import { standingOf } from "./PoolStandings.ts"
import { RenderTasks } from "./RenderTasks.ts"
import { type LockedJob, Transitions } from "./Transitions.ts"

const unreadable = { code: "INTERNAL" as const, message: "A row of the job cannot be read.", stage: null }

const JobIdRow = Schema.Struct({ id: JobId })

const HeldRow = Schema.Struct({
  id: Schema.String,
  /** Counts from 0. */
  attempt: Schema.Int,
  job_id: JobId,
  tenant_id: TenantId,
  /** Of the request that created the job: it is in the logs of everything that the job causes. */
  request_id: Schema.NullOr(Schema.String),
  /** The trace of that request, which spans of this task belong to. */
  traceparent: Schema.NullOr(Schema.String),
  stage: TaskStage,
  index: Schema.Int,
  spec: StoredSpec,
  input: Schema.Unknown
})

/** A task as its worker holds it. */
export interface HeldTask extends Schema.Schema.Type<typeof HeldRow> {
  readonly pool: Pool
  /** Its tenant has a long line on this machine while another has a short one: whatever computes it stands behind. */
  readonly backlogged?: boolean
}

export interface SettledTask {
  readonly task: HeldTask
  readonly output: unknown
}

export interface TaskProgress {
  readonly task: HeldTask
  readonly processed_seconds: number
  readonly total_seconds: number
}

/**
 * What a worker says about tasks: taken, done, failed, this far. Each is one transaction that moves the queue and the
 * job's rows together, and counts only while the claim is still the caller's: an output that comes too late changes
 * nothing.
 */
export class Tasks extends Context.Service<Tasks, {
  /** At most `count` tasks for this worker, and never a pool's last slot for one tenant. The first one of a job makes it `running`. */
  readonly claim: (pool: Pool, count: number, worker: number) => Effect.Effect<ReadonlyArray<HeldTask>, SqlError>
  /** Whether a task is ready that nobody holds: one statement, where a claim is seven. */
  readonly isWaiting: Queue["Service"]["isWaiting"]
  /** Renews the leases; answers the ids that are still held. */
  readonly touch: (pool: Pool, tasks: ReadonlyArray<HeldTask>) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Done: fans out what follows, ends jobs whose last task this was. */
  readonly settle: (pool: Pool, settled: ReadonlyArray<SettledTask>) => Effect.Effect<void, SqlError>
  /** Not done: tried again with backoff, or, where that cannot help or was the last attempt, the job fails. */
  readonly fail: (task: HeldTask, failure: StageFailure) => Effect.Effect<void, SqlError>
  /**
   * Not done for a fault of the service itself: tried again with backoff, without using up an attempt, for a day from the task's
   * release at most; after that as `fail`. False where it was that.
   */
  readonly pause: (task: HeldTask, failure: StageFailure) => Effect.Effect<boolean, SqlError>
  /** Lost to the end of their leases while their worker lived: that uses up no attempt. */
  readonly forgive: (tasks: ReadonlyArray<HeldTask>) => Effect.Effect<void, SqlError>
  /** A delivery attempt is over and another one is due at `at`. */
  readonly reschedule: (task: HeldTask, at: Date) => Effect.Effect<void, SqlError>
  /** Not begun or not finished through no fault of their own, such as a worker that ends: others may take them at once. */
  readonly giveBack: (tasks: ReadonlyArray<HeldTask>) => Effect.Effect<void, SqlError>
  /** Writes how far tasks are and tells who watches their jobs. Answers the jobs that were busy: try these again. */
  readonly report: (
    job_ids: ReadonlySet<JobId>,
    progress: ReadonlyArray<TaskProgress>
  ) => Effect.Effect<ReadonlySet<JobId>, SqlError>
}>()("footnote/jobs/engine/Tasks") {
  static readonly layer = Layer.effect(Tasks, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const transitions = yield* Transitions
  const { inOrder } = yield* FairRelease
  const events = yield* JobEvents
  const signals = yield* Signals
  const admission = yield* Admission
  const hooks = yield* JobHooks
  const renders = yield* RenderTasks
  const machine = makeMachineStandings(sql)
  const { pause_limit_seconds, retry_delay_seconds } = yield* EngineOptions

  const transaction = <A, E>(work: Effect.Effect<A, E>) => retryTransient(sql.withTransaction(work))

  /** The job's first task was taken. A job that is locked right now is being cancelled or settled, which see to it. */
  const markRunning = Effect.fnUntraced(function*(job_ids: ReadonlyArray<JobId>) {
    const moved = yield* rowsOf(JobIdRow)(
      sql`
      UPDATE footnote.jobs SET status = 'running', started_at = now() WHERE id IN (
        SELECT id FROM footnote.jobs WHERE id IN ${sql.in(job_ids)} AND status = 'queued'
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`.unprepared
    )
    yield* events.append(moved.map((job) => job.id), "status")
  })

  /**
   * Ends the job of a task that cannot be read, instead of holding up everybody else's claims. Where even that fails its
   * lease ends, and it is claimed again until its attempts are used up.
   */
  const refuse = (pool: Pool, { error, row }: BrokenRow, claims: ReadonlyArray<Claim>) => {
    const { id, job_id } = idsOf(row)
    const held = claims.filter((claim) => claim.id === id)
    return transaction(Effect.gen(function*() {
      yield* Effect.logError("A task cannot be read; its job fails", Cause.fail(error))
      const jobs = yield* transitions.lock([job_id ?? ""])
      for (const claim of held) yield* queue.abandon(pool, claim)
      const ends = jobs.map((job) => transitions.finish(job, { status: "failed", error: unreadable }))
      return (yield* Effect.all(ends)).includes(true)
    })).pipe(
      Effect.tap((finished) => finished ? admission.slotFreed : Effect.void),
      Effect.annotateLogs({ task_id: id, job_id }),
      tolerated("Ending the job of a task that cannot be read", "its lease ends, and it is claimed again", idsOf(row))
    )
  }

  /** Within what a tenant may have of the pool's slots, and of the processors of the worker's machine. */
  const claimableFor = Effect.fnUntraced(function*(pool: Pool, count: number, worker: number) {
    // Looked at before its turn: until a claim commits no other worker of the pool begins one. 32 on two processors waited 0.9 s for
    // each claim of seven statements.
    const looked = computing.includes(pool) ? yield* machine.look(worker) : []
    const inPool = yield* standingOf(sql, pool)
    const slots = claimable(count, inPool)
    const standing = yield* machine.standingOn(worker, looked)
    if (standing === undefined) return { ...slots, waited: inPool.waited, behind: new Set<string>() }
    const shares = withinShares(slots.count, standing)
    const without = [...new Set([...slots.without, ...shares.without])]
    return { count: shares.count, without, waited: inPool.waited || standing.waited, behind: backlogged(standing) }
  })

  const claim = Effect.fnUntraced(function*(pool: Pool, count: number, worker: number) {
    const may = yield* claimableFor(pool, count, worker)
    const claims = yield* queue.claim(pool, may.count, may.without)
    if (claims.length === 0) return []
    // Leases count from the transaction's beginning, and the turn to claim may come later: with 64 workers on two processors 28 s
    // later, when a lease of 10 s was over before anybody knew of it.
    if (may.waited) yield* queue.renewByClock(pool, claims)
    const { broken, rows } = yield* readableRowsOf(HeldRow)(
      sql`
      WITH taken AS (
        UPDATE footnote.tasks t SET worker = ${worker}, attempt = x.attempt, delayed = false
        FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) x(id uuid, attempt int), footnote.jobs j
        WHERE t.id = x.id AND j.id = t.job_id AND NOT t.done
        RETURNING t.id, t.attempt, t.job_id, j.tenant_id, j.request_id, j.traceparent, t.stage, t.idx AS index, j.spec, t.input),
      started AS (
        UPDATE footnote.stages s SET status = 'running', started_at = now() FROM (
          SELECT s.job_id, s.name FROM footnote.stages s JOIN taken ON taken.job_id = s.job_id AND taken.stage = s.name
          WHERE s.status = 'waiting' ORDER BY s.job_id, s.name FOR NO KEY UPDATE OF s SKIP LOCKED) waiting
        WHERE s.job_id = waiting.job_id AND s.name = waiting.name)
      SELECT * FROM taken`.unprepared
    )
    for (const one of broken) yield* refuse(pool, one, claims)
    const known = new Set([...rows.map((row) => row.id), ...broken.map(({ row }) => idsOf(row)["id"])])
    yield* queue.cancel(pool, claims.filter((claim) => !known.has(claim.id)).map((claim) => claim.id))
    const first = rows.filter(({ spec, stage }) => stage === "fetch" || spec.extracted_from !== undefined)
      .map((row) => row.job_id)
    if (first.length > 0) yield* markRunning(first)
    // RETURNING keeps no order; the queue's is by priority.
    const byId = new Map(rows.map((row) => [row.id, row]))
    return claims.flatMap(({ id }) => {
      const row = byId.get(id)
      return row === undefined ? [] : [{ ...row, pool, backlogged: may.behind.has(row.tenant_id) }]
    })
  })

  /** Counts finished tasks into their stages and takes the next ones out of each window. */
  const countDone = (settled: ReadonlyArray<SettledTask>) => {
    const rows = settled.map(({ output, task }) => ({ id: task.id, output: output ?? null }))
    return rowsOf(StageCount)(
      sql`
      WITH x AS (SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS x(id uuid, output json)),
      t AS (
        UPDATE footnote.tasks t SET done = true, worker = NULL, output = x.output
        FROM x WHERE t.id = x.id AND NOT t.done RETURNING t.job_id, t.stage),
      g AS (SELECT job_id, stage, count(*)::int AS n FROM t GROUP BY 1, 2),
      s AS (
        SELECT s.job_id, s.name, s.released AS was, g.n FROM footnote.stages s
        JOIN g ON g.job_id = s.job_id AND g.stage = s.name WHERE s.status = 'running')
      UPDATE footnote.stages u SET done = u.done + s.n, released = least(u.total, u.released + s.n),
        status = CASE WHEN u.done + s.n >= u.total THEN 'done' ELSE u.status END,
        finished_at = CASE WHEN u.done + s.n >= u.total THEN now() END
      FROM s WHERE u.job_id = s.job_id AND u.name = s.name
      RETURNING u.job_id, u.name AS stage, u.status = 'done' AS complete, u.released, s.was`.unprepared
    )
  }

  /** What the tenant's storage quota is counted from while a job is at work: the stages that write the most. */
  const countStored = Effect.fnUntraced(function*(settled: ReadonlyArray<SettledTask>) {
    const stored = settled.flatMap(({ output, task }) => {
      const bytes = storedBytes(task, output)
      return bytes === 0 ? [] : [{ id: task.job_id, bytes }]
    })
    for (const { bytes, id } of stored) {
      yield* sql`UPDATE footnote.jobs SET stored_bytes = stored_bytes + ${bytes} WHERE id = ${id}`.unprepared
    }
  })

  const settle = (pool: Pool, settled: ReadonlyArray<SettledTask>) =>
    transaction(inOrder(Effect.gen(function*() {
      const jobs = yield* transitions.lock(settled.map(({ task }) => task.job_id))
      const counted = yield* queue.complete(pool, settled.map(({ task }) => task))
      const mine = settled.filter(({ task }) => counted.has(task.id))
      if (mine.length === 0) return false
      const queued = jobs.filter((job) => job.status === "queued").map((job) => job.id)
      if (queued.length > 0) yield* markRunning(queued)
      const counts = yield* countDone(mine)
      for (const { output, task } of mine) {
        if (task.stage === "render") yield* renders.settled(task, output as RenderOutput)
      }
      yield* countStored(mine)
      const byId = new Map(jobs.map((job) => [job.id, job]))
      let finished = false
      const changed = new Set<JobId>()
      for (const { complete, job_id, released, stage, was } of counts) {
        const job = byId.get(job_id)!
        if (!complete) {
          yield* transitions.releaseMore(job, stage, was, released)
          continue
        }
        const ended = yield* transitions.advance(job, stage)
        if (ended) changed.delete(job_id)
        else changed.add(job_id)
        finished = ended || finished
      }
      yield* events.append([...changed], "stage")
      return finished
    }))).pipe(
      Effect.tap(() => wakeOthers(settled)),
      Effect.flatMap((finished) => finished ? admission.slotFreed : Effect.void)
    )

  /** A tenant that holds a task less in this pool may have one in another: it would else begin within a second. */
  const wakeOthers = (settled: ReadonlyArray<SettledTask>) =>
    Effect.forEach(
      new Set(settled.flatMap(({ task }) => machine.poolsWaitingFor(task.tenant_id))),
      signals.tasks,
      { discard: true }
    )

  /** Waits for a moment, which the queue has chosen, and only then for a worker. */
  const putOff = Effect.fnUntraced(function*({ id, pool }: HeldTask) {
    const due_at = yield* queue.startsAfter(pool, id)
    yield* sql`UPDATE footnote.tasks SET worker = NULL, delayed = true, due_at = ${due_at} WHERE id = ${id}`.unprepared
  })

  const fail = (task: HeldTask, failure: StageFailure) =>
    transaction(Effect.gen(function*() {
      const [job] = yield* transitions.lock([task.job_id])
      if (failure.retryable && (yield* queue.mayRetry(task.pool, task))) {
        if (!(yield* queue.retry(task.pool, task, failure.message))) return false
        yield* putOff(task)
        return false
      }
      if (!(yield* queue.abandon(task.pool, task)) || job === undefined) return false
      if (task.stage === "deliver") return yield* endDelivery(job, task, failure.message)
      const { code, message } = failure
      if (task.stage === "render") return yield* Effect.as(renders.failed(task, message), false)
      return yield* transitions.finish(job, { status: "failed", error: { code, message, stage: task.stage } })
    })).pipe(Effect.flatMap((finished) => finished ? admission.slotFreed : Effect.void))

  const pause = (task: HeldTask, failure: StageFailure) =>
    transaction(Effect.gen(function*() {
      yield* transitions.lock([task.job_id])
      const paused = yield* queue.pause(task.pool, task, {
        message: failure.message,
        limit_seconds: pause_limit_seconds,
        delay: (pauses) =>
          Math.min(serviceFaultPauses.longest_seconds, retry_delay_seconds * 2 ** Math.min(pauses - 1, 10))
      })
      if (paused) yield* putOff(task)
      return paused
    })).pipe(Effect.tap((paused) => paused ? Effect.void : fail(task, failure)))

  const forgive = (tasks: ReadonlyArray<HeldTask>) =>
    Effect.forEach(Map.groupBy(tasks, (task) => task.pool), ([pool, lost]) => queue.forgive(pool, lost), {
      discard: true
    })

  /** The handler itself keeps failing, not the receiver: the attempt is over, the job stays as it is. */
  const endDelivery = Effect.fnUntraced(function*(job: LockedJob, task: HeldTask, message: string) {
    yield* sql`UPDATE footnote.tasks SET done = true, worker = NULL WHERE id = ${task.id}`.unprepared
    yield* hooks.unfinished(job, task.input as DeliveryInput, message)
    return false
  })

  const reschedule = (task: HeldTask, at: Date) =>
    transaction(Effect.gen(function*() {
      const [job] = yield* transitions.lock([task.job_id])
      if (job === undefined || !(yield* queue.complete(task.pool, [task])).has(task.id)) return
      yield* sql`UPDATE footnote.tasks SET done = true, worker = NULL WHERE id = ${task.id}`.unprepared
      yield* hooks.again(job, task.input as DeliveryInput, at)
    }))

  const giveBack = (tasks: ReadonlyArray<HeldTask>) =>
    Effect.forEach(Map.groupBy(tasks, (task) => task.pool), ([pool, held]) =>
      transaction(Effect.gen(function*() {
        yield* queue.release(pool, held)
        yield* sql`UPDATE footnote.tasks t SET worker = NULL
          FROM jsonb_to_recordset(${JSON.stringify(held.map(({ attempt, id }) => ({ id, attempt })))}::jsonb)
            x(id uuid, attempt int) WHERE t.id = x.id AND t.attempt = x.attempt`.unprepared
        yield* signals.tasks(pool)
      })), { discard: true })

  const report = (job_ids: ReadonlySet<JobId>, progress: ReadonlyArray<TaskProgress>) =>
    transaction(Effect.gen(function*() {
      // A busy job is left for the next time: watching must never hold up the work.
      const free = yield* rowsOf(JobIdRow)(
        sql`
        SELECT id FROM footnote.jobs WHERE id IN ${sql.in([...job_ids])} AND status = 'running'
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`.unprepared
      )
      const locked = new Set(free.map((job) => job.id))
      // What is rendered belongs to a job that is over, which nobody locks for it.
      const told = progress.filter(({ task }) => locked.has(task.job_id) || task.stage === "render")
      for (const { task } of told) if (task.stage === "render") yield* signals.changed(task.job_id)
      const rows = told.map((entry) => ({
        id: entry.task.id,
        attempt: entry.task.attempt,
        processed: entry.processed_seconds,
        total: entry.total_seconds
      }))
      if (rows.length > 0) {
        yield* sql`UPDATE footnote.tasks t
          SET processed_seconds = greatest(t.processed_seconds, x.processed), total_seconds = x.total
          FROM jsonb_to_recordset(${
          JSON.stringify(rows)
        }::jsonb) x(id uuid, attempt int, processed float8, total float8)
          WHERE t.id = x.id AND t.attempt = x.attempt AND NOT t.done`.unprepared
      }
      yield* events.append([...locked], "progress")
      const over = yield* rowsOf(JobIdRow)(
        sql`SELECT id FROM footnote.jobs
        WHERE id IN ${sql.in([...job_ids])} AND status NOT IN ('queued', 'running')`.unprepared
      )
      const settled = new Set([...locked, ...over.map((job) => job.id)])
      return new Set([...job_ids].filter((id) => !settled.has(id)))
    }))

  return Tasks.of({
    claim: (pool, count, worker) => transaction(claim(pool, count, worker)),
    isWaiting: queue.isWaiting,
    touch: queue.touch,
    settle,
    fail,
    pause,
    forgive,
    reschedule,
    giveBack,
    report
  })
})

/** Bytes in the job's own folder that an output refers to: of an upload or an earlier job's source they are none. */
const storedBytes = ({ job_id, stage }: HeldTask, output: unknown): number => {
  const outputs = output as { readonly source?: BlobRef; readonly pcm?: BlobRef | null }
  const blob = stage === "fetch" ? outputs.source : stage === "audio" ? outputs.pcm : undefined
  return blob?.key.startsWith(`jobs/${job_id}/`) === true ? blob.size_bytes : 0
}

const StageCount = Schema.Struct({
  job_id: JobId,
  stage: StageNameSchema,
  complete: Schema.Boolean,
  released: Schema.Finite,
  was: Schema.Finite
})
