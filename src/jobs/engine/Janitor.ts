import { type Cause, Context, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { Database } from "../../database/Database.ts"
import { idsOf, readableRowsOf, rowsOf } from "../../database/Rows.ts"
import { retryTransient, transactionApart } from "../../database/Transient.ts"
import { JobId } from "../../identity/Id.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { untraced } from "../../observability/Trace.ts"
import { Pool } from "../../processes/Pools.ts"
import { Boss } from "../../queue/Boss.ts"
import { Queue } from "../../queue/Queue.ts"
import { Signals } from "../../queue/Signals.ts"
import type { StageName } from "../model/StageIo.ts"
import { Admission } from "./Admission.ts"
import { BatchEnds } from "./BatchEnds.ts"
import { EngineOptions } from "./EngineOptions.ts"
import { type DeliveryInput, JobHooks } from "./JobHooks.ts"
import { RenderTasks } from "./RenderTasks.ts"
import { type LockedJob, Transitions } from "./Transitions.ts"

const LateRow = Schema.Struct({
  id: Schema.String
})

const GoneRow = Schema.Struct({
  gone: Schema.Finite
})

const HeldRow = Schema.Struct({
  id: Schema.String,
  pool: Pool,
  attempt: Schema.Finite
})

const Orphan = Schema.Struct({ ...HeldRow.fields, worker: Schema.Finite })

const Dead = Schema.Struct({
  id: Schema.String,
  job_id: JobId,
  stage: Schema.String,
  index: Schema.Finite,
  input: Schema.Unknown
})
type Dead = typeof Dead.Type

/**
 * Everything that has to happen without anyone asking: tasks of dead workers restart, dead tasks end their jobs, waiting
 * jobs are admitted or time out, old rows go. Runs in every process that holds this layer, but one at a time: the others
 * wait for its lock and take over within two seconds of its death.
 */
export class Janitor extends Context.Service<Janitor, {
  /** Restarts tasks whose worker's lock was missing in two calls in a row; answers how many. */
  readonly reap: Effect.Effect<number, SqlError>
  /**
   * Tasks whose lease ended while their worker lived wait again for all to see; answers how many. The queue ends leases by itself and
   * knows nothing of who holds what here: such a task would count as held for as long as its worker lives.
   */
  readonly recover: Effect.Effect<number, SqlError>
  /** Fails jobs with `TASK_LOST` whose task died with its worker on the last attempt. */
  readonly bury: Effect.Effect<number, SqlError>
  /** Fails jobs with `QUEUE_TIMEOUT` that no worker began in time. */
  readonly expire: Effect.Effect<number, SqlError>
  /** Removes what is past its time, and closes batches whose request died. What fails of it is logged and left for the next call. */
  readonly sweep: Effect.Effect<void>
}>()("footnote/jobs/engine/Janitor") {
  static readonly layer = Layer.effect(Janitor, Effect.suspend(() => make))

  /** The loop, for the life of the scope. */
  static readonly layerRunning = Layer.effectDiscard(Effect.suspend(() => run)).pipe(Layer.provideMerge(Janitor.layer))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const signals = yield* Signals
  const transitions = yield* Transitions
  const admission = yield* Admission
  const hooks = yield* JobHooks
  const renders = yield* RenderTasks
  const batchEnds = yield* BatchEnds
  const { queue_timeout_seconds, restart_grace_seconds, retention_seconds } = yield* EngineOptions

  const transaction = <A, E>(work: Effect.Effect<A, E>) => retryTransient(sql.withTransaction(work))

  let suspects = new Set<number>()
  const reap = transaction(Effect.gen(function*() {
    // Right after a start of PostgreSQL nobody has its lock yet.
    const { broken, rows: orphans } = yield* readableRowsOf(Orphan)(
      sql`
      SELECT t.id, t.pool, t.attempt, t.worker FROM footnote.tasks t
      WHERE t.worker IS NOT NULL AND pg_postmaster_start_time() < now() - make_interval(secs => ${restart_grace_seconds})
        AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.classid = ${advisoryLocks.worker} AND l.objid = t.worker::oid)
      ORDER BY t.id LIMIT 2000`.unprepared
    )
    for (const { error, row } of broken) yield* Effect.fail(error).pipe(skipping(idsOf(row)))
    const dead = orphans.filter((task) => suspects.has(task.worker))
    suspects = new Set(orphans.map((task) => task.worker))
    for (const [pool, tasks] of Map.groupBy(dead, (task) => task.pool)) {
      yield* queue.restart(pool, tasks)
      yield* sql`UPDATE footnote.tasks SET worker = NULL WHERE id IN ${sql.in(tasks.map((task) => task.id))}`.unprepared
      yield* signals.tasks(pool)
    }
    return dead.length
  }))

  const recover = transaction(Effect.gen(function*() {
    const { broken, rows } = yield* readableRowsOf(HeldRow)(
      sql`SELECT id, pool, attempt FROM footnote.tasks WHERE worker IS NOT NULL`.unprepared
    )
    for (const { error, row } of broken) yield* Effect.fail(error).pipe(skippingLost(idsOf(row)))
    let recovered = 0
    for (const [pool, held] of Map.groupBy(rows, (task) => task.pool)) {
      const lost = yield* queue.lost(pool, held)
      if (lost.length === 0) continue
      // Whoever took it meanwhile did so with the next attempt. A row that is locked is being taken or settled.
      const moved = yield* sql`UPDATE footnote.tasks SET worker = NULL WHERE id IN (
          SELECT t.id FROM footnote.tasks t JOIN jsonb_to_recordset(${
        JSON.stringify(lost)
      }::jsonb) x(id uuid, attempt int)
            ON t.id = x.id AND t.attempt = x.attempt AND t.worker IS NOT NULL FOR NO KEY UPDATE OF t SKIP LOCKED)
        RETURNING id`.unprepared
      recovered += moved.length
      if (moved.length > 0) yield* signals.tasks(pool)
    }
    return recovered
  }))

  /** Ends the job, or the delivery, of a task that nobody will try again. */
  const endDead = Effect.fnUntraced(function*(job: LockedJob, { id, index, input, stage }: Dead) {
    if (stage === "deliver") {
      yield* hooks.unfinished(job, input as DeliveryInput, "the worker died on every try")
    } else if (stage === "render") {
      yield* renders.failed({ job_id: job.id, index, input }, "The worker died on every attempt.")
    } else {
      const message = "The worker died on every attempt at this task."
      const error = { code: "TASK_LOST" as const, message, stage: stage as StageName }
      yield* transitions.finish(job, { status: "failed", error })
    }
    yield* sql`UPDATE footnote.tasks SET done = true, worker = NULL WHERE id = ${id}`.unprepared
  })

  const bury = transactionApart(sql, (apart) =>
    Effect.gen(function*() {
      const ids = yield* queue.takeDead
      if (ids.length === 0) return 0
      const tasks = yield* rowsOf(Dead)(
        sql`
        SELECT id, job_id, stage, idx AS index, input FROM footnote.tasks WHERE id IN ${sql.in(ids)} AND NOT done`
          .unprepared
      )
      const jobs = yield* transitions.lock(tasks.map((task) => task.job_id))
      for (const task of tasks) {
        const job = jobs.find((job) => job.id === task.job_id)
        // It could not be read, and has ended by that.
        if (job === undefined) continue
        const ids = { task_id: task.id, job_id: task.job_id, stage: task.stage }
        yield* apart(
          endDead(job, task),
          (cause) => Effect.andThen(stuck("Ending the job of a dead task", ids, cause), queue.deadAgain(task.id))
        )
      }
      return tasks.length
    })).pipe(Effect.tap((buried) => buried > 0 ? admission.slotFreed : Effect.void))

  const expire = transactionApart(sql, (apart) =>
    Effect.gen(function*() {
      const late = yield* rowsOf(LateRow)(
        sql`
        SELECT id FROM footnote.jobs WHERE status = 'queued'
          AND created_at < now() - make_interval(secs => ${queue_timeout_seconds}) ORDER BY id LIMIT 100`.unprepared
      )
      const jobs = yield* transitions.lock(late.map((job) => job.id))
      for (const job of jobs) {
        if (job.status !== "queued") continue
        const message = `No worker began the job within ${queue_timeout_seconds} s.`
        yield* apart(
          Effect.asVoid(
            transitions.finish(job, { status: "failed", error: { code: "QUEUE_TIMEOUT", message, stage: null } })
          ),
          (cause) => stuck("Ending a job that waited for too long", { job_id: job.id }, cause)
        )
      }
      return jobs.length
    })).pipe(Effect.tap((expired) => expired > 0 ? admission.slotFreed : Effect.void))

  // As many as are gone well within the 30 s of a statement, however many a time without the janitor has left: some 2 kB each.
  const progressAtOnce = 10_000
  const someProgress = Effect.map(
    rowsOf(GoneRow)(
      sql`
      WITH gone AS (DELETE FROM footnote.job_events WHERE (job_id, seq) IN (
          SELECT e.job_id, e.seq FROM footnote.job_events e JOIN footnote.jobs j ON j.id = e.job_id
          WHERE e.type = 'progress' AND j.finished_at < now() - interval '1 hour' LIMIT ${progressAtOnce}) RETURNING job_id)
      SELECT count(*)::int AS gone FROM gone`.unprepared
    ),
    ([row]) => row!.gone
  )

  // Each by itself: in one transaction the longest took back what all the others had removed, minute after minute.
  const sweep = Effect.all([
    remove(
      "Forgetting idempotency keys past their time",
      sql`DELETE FROM footnote.idempotency_keys WHERE created_at < now() - interval '25 hours'`.unprepared
    ),
    remove(
      "Forgetting workers that are gone",
      sql`DELETE FROM footnote.workers WHERE seen_at < now() - interval '1 minute'`.unprepared
    ),
    // Three a second while a job runs, and of no use to anyone who comes later.
    remove(
      "Removing the progress of jobs that are over",
      Effect.repeat(someProgress, { while: (gone) => gone === progressAtOnce })
    ),
    // What was open when its job ended early is never done.
    remove(
      "Removing tasks past their time",
      sql`DELETE FROM footnote.tasks t USING footnote.jobs j
        WHERE t.job_id = j.id AND (t.done OR t.stage NOT IN ('deliver', 'render')) AND j.finished_at < now() - make_interval(secs => ${retention_seconds})
          AND NOT EXISTS (SELECT FROM footnote.deliveries d WHERE d.job_id = j.id AND d.finished_at IS NULL)`.unprepared
    ),
    remove("Removing exports past their time", sql`DELETE FROM footnote.exports WHERE expires_at < now()`.unprepared),
    remove(
      "Ending sessions past their time",
      sql`DELETE FROM footnote.sessions s USING footnote.api_keys k
        WHERE k.id = s.key_id AND (s.expires_at < now() OR k.revoked_at IS NOT NULL)`.unprepared
    ),
    remove(
      "Forgetting endpoints that nobody uses",
      sql`DELETE FROM footnote.endpoints WHERE used_at < now() - interval '7 days'`.unprepared
    ),
    remove(
      "Forgetting paces that nobody keeps to",
      sql`DELETE FROM footnote.paces WHERE arrival < now() - interval '1 day'`.unprepared
    ),
    // Priorities are 32-bit: an idle pool starts counting from zero again long before that is used up. Nobody takes what its job's end left open.
    remove(
      "Setting the shares of idle pools back",
      sql`DELETE FROM footnote.fair_shares f WHERE NOT EXISTS (
          SELECT FROM footnote.tasks t JOIN footnote.jobs j ON j.id = t.job_id
          WHERE t.pool = f.pool AND NOT t.done AND (j.finished_at IS NULL OR t.stage IN ('deliver', 'render')))
        AND (SELECT max(finish) FROM footnote.fair_shares g WHERE g.pool = f.pool) > 1e8`.unprepared
    ),
    remove("Closing batches whose request died", batchEnds.closeAbandoned)
  ], { discard: true })

  return Janitor.of({ reap, recover, bury, expire, sweep })
})

/** One part of the sweep; its name is the label of its failures. */
const remove = (work: string, statement: Effect.Effect<unknown, SqlError>) =>
  retryTransient(statement).pipe(tolerated(work, "tried again in a minute"))

const inASecond = "tried again in 1 s"

/** A task that cannot be read holds up no other. */
const skipping = (ids: Readonly<Record<string, string>>) =>
  tolerated("Reading a task of a dead worker", "left out, the others restart", ids)

const skippingLost = (ids: Readonly<Record<string, string>>) =>
  tolerated("Reading a task that a worker holds", "left out, the others are looked at", ids)

/** A row that cannot be written holds up no other, and is told of with its id. */
const stuck = (work: string, ids: Readonly<Record<string, string>>, cause: Cause.Cause<SqlError>) =>
  Effect.failCause(cause).pipe(tolerated(work, "tried again, the others go on", ids))

const run = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { bury, expire, reap, recover, sweep } = yield* Janitor
  const { spareRestarted } = yield* Queue
  const { admit } = yield* Admission
  const { releaseReady } = yield* JobHooks
  const { url } = yield* Database

  const everySecond = Effect.all([
    reap.pipe(tolerated("Restarting the tasks of dead workers", inASecond)),
    recover.pipe(tolerated("Putting tasks in line again whose leases ended", inASecond)),
    bury.pipe(tolerated("Ending the jobs of dead tasks", inASecond)),
    expire.pipe(tolerated("Ending jobs that waited for too long", inASecond)),
    admit.pipe(tolerated("Admitting jobs that wait", inASecond))
  ], { discard: true })

  // The lock lives with its session: lost with the process or the connection, and then someone else's.
  const term = Effect.scoped(Effect.gen(function*() {
    const session = yield* sql.reserve
    const [got] = yield* session.executeValues(`SELECT pg_try_advisory_lock(${advisoryLocks.janitor}, 0)`, [])
    if (got?.[0] !== true) return
    yield* Effect.addFinalizer(() =>
      Effect.ignore(session.executeRaw(`SELECT pg_advisory_unlock(${advisoryLocks.janitor}, 0)`, []))
    )
    // Before leases are looked at: a restart of PostgreSQL ends this term, so each of its starts is seen by a new one.
    yield* spareRestarted.pipe(tolerated("Sparing tasks that a restart of PostgreSQL cut off", "they lose an attempt"))
    yield* Layer.build(Boss.layerSupervisor(url))
    // On its own: however many endpoints wait, the tasks of dead workers do not.
    const releasing = releaseReady.pipe(tolerated("Releasing deliveries that may begin", inASecond))
    yield* Effect.forkScoped(Effect.repeat(releasing, Schedule.spaced("1 second")))
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 minute")))
    return yield* Effect.forever(
      Effect.andThen(session.executeRaw("SELECT 1", []), Effect.delay(everySecond, "1 second"))
    )
  }))
  yield* Effect.forkScoped(
    untraced(
      Effect.forever(Effect.delay(term.pipe(tolerated("A term as the janitor", "another begins in 2 s")), "2 seconds"))
    )
  )
})
