import { Cause, Deferred, Effect, Fiber, FiberMap, Latch, PubSub, Queue, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { availableParallelism, hostname } from "node:os"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"
import { saysDatabaseAway } from "../../src/database/DatabaseAway.ts"
import type { ProblemCode } from "../../src/deployment/Problem.ts"
import type { JobId } from "../../src/identity/Id.ts"
import { type HeldTask, type SettledTask, type TaskProgress, Tasks } from "../../src/jobs/engine/Tasks.ts"
import { type ServiceFault, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { tolerated } from "../../src/observability/Tolerated.ts"
import { continueTrace, untraced } from "../../src/observability/Trace.ts"
import { machineName } from "../../src/processes/Machine.ts"
import type { Pool } from "../../src/processes/Pools.ts"
import { Signals } from "../../src/queue/Signals.ts"
import { makeFaultRest } from "./FaultRest.ts"
import { makeSettle, untilWritten } from "./Settlement.ts"
import type { TaskAnswer } from "./Stage.ts"
import { countPause, measured } from "./TaskMetrics.ts"
import { makeAllowance, type UntilIdle } from "./UntilIdle.ts"

export type Progress = (processed_seconds: number, total_seconds: number) => Effect.Effect<void>

/** One pool of this process: `slots` tasks at a time, each run by `handle`. */
export interface WorkerPool {
  readonly pool: Pool
  readonly slots: number
  readonly handle: (task: HeldTask, progress: Progress) => Effect.Effect<TaskAnswer, StageFailure>
  /** What this process lacks on its machine, in words: shown where the service's health is asked for. */
  readonly warnings?: ReadonlyArray<string>
}

export interface WorkerOptions {
  readonly pools: ReadonlyArray<WorkerPool>
  /** Running tasks get this long at the end, then they are given back. Default 10. */
  readonly drain_seconds?: number
  /** Ends by itself: once nothing waits in its pools and all that it took is done, or so many tasks are. Default: never. */
  readonly until_idle?: UntilIdle | undefined
  /** How long a lane whose machine is without its blobs takes no task before it tries one, at most. Default 10. */
  readonly longest_rest_seconds?: number
  /** How this process differs from its deployment though it works: told by `/readyz`. */
  readonly problems?: ReadonlyArray<ProblemCode>
  /** Run once when tasks are being taken. */
  readonly onReady?: Effect.Effect<void>
}

/** Settlements of one moment go into one transaction. */
const settleBatch = 256

const work = Effect.fnUntraced(function*(options: WorkerOptions) {
  const sql = yield* SqlClient.SqlClient
  const tasks = yield* Tasks
  const signals = yield* Signals
  const registered = yield* register(options.pools, options.problems ?? [])
  const worker = registered.no

  // What watchers have not been told yet: at most one write per job and third of a second, however much happens.
  let watched = new Set<JobId>()
  let progress = new Map<string, TaskProgress>()
  const reporting = tolerated("Telling watchers how far tasks are", "they are told with the next change")
  const report = Effect.suspend(() => {
    if (watched.size === 0) return Effect.void
    const jobs = watched
    const entries = progress
    watched = new Set<JobId>()
    progress = new Map()
    return tasks.report(jobs, [...entries.values()]).pipe(
      Effect.map((busy) => {
        for (const job_id of busy) watched.add(job_id)
        for (const [id, entry] of entries) {
          if (busy.has(entry.task.job_id) && !progress.has(id)) progress.set(id, entry)
        }
      }),
      reporting
    )
  })
  yield* Effect.forkScoped(Effect.repeat(report, Schedule.spaced("333 millis")))

  const lanes = yield* Effect.forEach(options.pools, (pool) =>
    Effect.map(FiberMap.make<string>(), (fibers) => ({
      ...pool,
      fibers,
      held: new Map<string, HeldTask>(),
      done: Queue.unbounded<SettledTask>().pipe(Effect.runSync),
      rest: makeFaultRest((options.longest_rest_seconds ?? 10) * 1000),
      bell: Latch.makeUnsafe(false)
    })))
  type Lane = (typeof lanes)[number]

  const ring = (awake: (lane: Lane) => boolean = () => true) =>
    Effect.sync(() => {
      for (const lane of lanes) if (awake(lane)) lane.bell.openUnsafe()
    })
  const interruptTasks = (match: (task: HeldTask) => boolean) =>
    Effect.forEach(
      lanes,
      (lane) =>
        Effect.forEach([...lane.held.values()].filter(match), (task) => FiberMap.remove(lane.fibers, task.id), {
          concurrency: "unbounded",
          discard: true
        }),
      { discard: true }
    )

  const identifying = tolerated(
    "Holding the lock by which this worker is known to live",
    "taken again in 250 ms; while it is missing for two seconds, others run its tasks",
    { worker: String(worker) }
  )
  const identified = yield* Effect.forkScoped(
    identity(sql, registered).pipe(identifying, Effect.repeat(Schedule.spaced("250 millis")))
  )
  const heard = yield* signals.subscribe
  const onSignal = Effect.flatMap(PubSub.take(heard), (signal) => {
    switch (signal.kind) {
      case "tasks":
        return ring((lane) => signal.pools.includes(lane.pool))
      case "stop":
        return Effect.forkScoped(interruptTasks((task) => task.job_id === signal.job_id))
      case "reconnected":
        return ring()
      case "changed":
        return Effect.void
    }
  })
  yield* Effect.forkScoped(Effect.forever(onSignal))

  /**
   * This worker lives: what it lost, to a cancellation or to the end of a lease that it could not renew, costs no attempt. Nobody
   * waits for its end here: one that does not stop would keep the others' leases from being renewed.
   */
  const leave = Effect.fnUntraced(function*(lane: Lane, lost: ReadonlyArray<HeldTask>) {
    if (lost.length === 0) return
    yield* Effect.logWarning(
      "Tasks are no longer this worker's: their jobs ended, or their leases did; others run them"
    ).pipe(
      Effect.annotateLogs({
        task_ids: lost.map(({ id }) => id).join(","),
        job_ids: lost.map(({ job_id }) => job_id).join(",")
      })
    )
    yield* tasks.forgive(lost)
    for (const task of lost) {
      // Held anew by a later attempt, it is this worker's again; the earlier attempt was interrupted by that.
      if (lane.held.get(task.id) !== task) continue
      lane.held.delete(task.id)
      yield* Effect.forkScoped(FiberMap.remove(lane.fibers, task.id), { startImmediately: true })
    }
  })

  let draining = false
  const finished = yield* Deferred.make<void>()
  const allowance = makeAllowance(options.until_idle, sql, lanes.map(({ pool }) => pool))
  const atWork = () => allowance.isAsking() || lanes.some((lane) => lane.held.size > 0)
  const end = Effect.asVoid(Deferred.succeed(finished, undefined))
  const runLane = Effect.fnUntraced(function*(lane: Lane) {
    const settle = makeSettle(tasks, lane.pool, (settled) =>
      Effect.suspend(() => {
        for (const { task } of settled) {
          // A settlement that comes late may find the task held anew, by a later attempt.
          if (lane.held.get(task.id) === task) lane.held.delete(task.id)
          if (task.stage !== "deliver") watched.add(task.job_id)
        }
        return ring((other) => other === lane || options.until_idle !== undefined)
      }))
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.takeBetween(lane.done, 1, settleBatch), settle)))

    // A task missing from the answer was cancelled, expired or taken over. One that was taken while the question was under
    // way is not in it either, and is asked about the next time.
    const beat = Effect.suspend(() => {
      const held = [...lane.held.values()]
      return held.length === 0 ?
        Effect.void :
        Effect.flatMap(
          tasks.touch(lane.pool, held),
          // One that has ended is off the queue as soon as its settlement commits, which this process learns a moment later.
          (ours) =>
            leave(
              lane,
              held.filter((task) =>
                !ours.has(task.id) && lane.held.get(task.id) === task && FiberMap.hasUnsafe(lane.fibers, task.id)
              )
            )
        )
    }).pipe(
      tolerated("Renewing the leases of tasks", "tried again in 2 s; others run them once the leases end", {
        pool: lane.pool
      })
    )
    // Five times in a lease. Every second, the renewals of 64 workers took 38 of the 164 ms that a task of 30 s took of PostgreSQL.
    yield* Effect.forkScoped(Effect.repeat(beat, Schedule.spaced("2 seconds")))

    const start = (task: HeldTask) =>
      Effect.suspend(() => {
        lane.held.set(task.id, task)
        if (task.stage !== "deliver") watched.add(task.job_id)
        let settling = false
        const tell: Progress = (processed_seconds, total_seconds) =>
          Effect.sync(() => {
            progress.set(task.id, { task, processed_seconds, total_seconds })
            watched.add(task.job_id)
          })
        const run = lane.handle(task, tell).pipe(
          measured(task),
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.failCause(cause).pipe(
              Effect.catchDefect((defect) => brokenDown(defect))
            )
          ),
          Effect.matchEffect({
            onSuccess: (answer) => {
              if ("retry_at" in answer) return untilWritten(task, tasks.reschedule(task, answer.retry_at))
              settling = true
              lane.rest.succeeded()
              return Queue.offer(lane.done, { task, output: answer.output })
            },
            onFailure: (failure) => {
              if (failure.fault === undefined) return untilWritten(task, tasks.fail(task, failure))
              lane.rest.met(failure.fault)
              return untilWritten(task, pausing(tasks, task, failure, failure.fault))
            }
          }),
          Effect.ensuring(Effect.suspend(() => {
            // The same task may be held anew, by a later attempt.
            if (!settling && lane.held.get(task.id) === task) lane.held.delete(task.id)
            return ring((other) => other === lane)
          })),
          Effect.annotateLogs({ job_id: task.job_id, stage: task.stage, request_id: task.request_id }),
          Effect.annotateSpans({
            "footnote.job_id": task.job_id,
            "footnote.request_id": task.request_id,
            "footnote.attempt": task.attempt
          }),
          continueTrace(task.traceparent)
        )
        return FiberMap.run(lane.fibers, task.id, Effect.interruptible(run))
      })

    // Never cut between the claim and the start: what is claimed is either held or given back.
    const take = (free: number) =>
      Effect.uninterruptible(Effect.gen(function*() {
        const claimed = yield* tasks.claim(lane.pool, free, worker)
        if (draining) yield* tasks.giveBack(claimed)
        else yield* Effect.forEach(claimed, start, { discard: true })
        return claimed.length
      }))
    // Whoever found nothing looks before it claims: of 64 that one task wakes, 63 then send one statement and not seven, under
    // a lock that lets one claim at a time.
    let foundNothing = false
    const takeIfAny = (free: number) =>
      Effect.flatMap(
        foundNothing ? tasks.isWaiting(lane.pool) : Effect.succeed(true),
        (any) => any ? take(free) : Effect.succeed(0)
      )
    // A slot is free once its handler has returned, though its settlement may still wait for the next batch.
    const pump = Effect.gen(function*() {
      const free = lane.rest.room(lane.slots - (yield* FiberMap.size(lane.fibers)), lane.held.size)
      const may = draining ? 0 : allowance.ask(free)
      lane.bell.closeUnsafe()
      if (may === 0) {
        if (!draining && allowance.isSpent() && !atWork()) yield* end
        return yield* Effect.timeoutOption(lane.bell.await, "1 second")
      }
      const taken = yield* Effect.onError(takeIfAny(may), () => Effect.sync(() => allowance.taken(may, 0)))
      allowance.taken(may, taken)
      foundNothing = taken === 0
      if (taken > 0) return
      if (!atWork() && (yield* allowance.isIdle) && !atWork()) yield* end
      return yield* Effect.timeoutOption(lane.bell.await, "1 second")
    })
    const claiming = tolerated("Claiming tasks", "tried again in 200 ms", { pool: lane.pool })
    const pumpOrRest = Effect.onError(pump, () => Effect.sleep("200 millis")).pipe(claiming)
    yield* Effect.forkScoped(Effect.forever(pumpOrRest))
  })
  yield* Effect.forEach(lanes, runLane, { discard: true })

  // The last finalizer added is the first to run: everything above still works while it drains.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      draining = true
      const empty = Effect.sync(() => lanes.every((lane) => lane.held.size === 0))
      yield* empty.pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (done) => done }),
        Effect.timeoutOption(`${options.drain_seconds ?? 10} seconds`)
      )
      const left = lanes.flatMap((lane) => Array.from(lane.held.values()))
      // Given back first: another worker has them while this one still ends a decoder, which may take 10 s. What this one
      // would still say of them is fenced by the attempt.
      for (const lane of lanes) lane.held.clear()
      yield* tasks.giveBack(left).pipe(
        tolerated("Giving back unfinished tasks", "others run them once this worker's lock is gone", {
          task_ids: left.map(({ id }) => id).join(",")
        })
      )
      yield* Effect.forEach(lanes, (lane) => FiberMap.clear(lane.fibers), { concurrency: "unbounded", discard: true })
      // Its heart ends first: a beat after the row is gone would write it again.
      yield* Fiber.interrupt(identified).pipe(
        Effect.andThen(sql`DELETE FROM footnote.workers WHERE no = ${worker}`),
        tolerated("Signing this worker off", "the janitor forgets it within a minute", { worker: String(worker) })
      )
    })
  )
  yield* options.onReady ?? Effect.void
  return yield* Deferred.await(finished)
}, Effect.scoped)

/**
 * Takes tasks of its pools and runs them until interrupted, or idle where that is asked for; then takes no more, lets running
 * ones end, and gives back what is left. Holds one advisory lock and one LISTEN session, however many pools it has: the lock
 * goes with the process, however that dies, and its tasks restart elsewhere. A task that is no longer this worker's is
 * interrupted.
 */
export const runWorker = (options: WorkerOptions) => untraced(work(options))

/** Says what keeps the task and what happens next, and puts it off. */
const pausing = (tasks: Tasks["Service"], task: HeldTask, failure: StageFailure, fault: ServiceFault) =>
  Effect.flatMap(tasks.pause(task, failure), (paused) =>
    paused
      ? Effect.andThen(
        countPause(task.stage, fault),
        Effect.logWarning(`${failure.message} The task is paused and tried again within 30 s; no attempt is used up`)
          .pipe(
            Effect.annotateLogs({ task_id: task.id, fault })
          )
      )
      : Effect.logError(`${failure.message} The task has been paused for too long; the attempt counts`).pipe(
        Effect.annotateLogs({ task_id: task.id, fault })
      ))

/** A database that is away took the stage with it; anything else that is thrown is a defect of ours. */
const brokenDown = (defect: unknown) => {
  const failure = { code: "INTERNAL", message: "The stage broke down.", retryable: true } as const
  return saysDatabaseAway(defect)
    ? Effect.fail(new StageFailure({ ...failure, message: "The database is away.", fault: "database" }))
    : Effect.andThen(
      Effect.logError(
        "A stage failed by a defect of this program; its attempt counts and is tried again while any is left",
        defect
      ),
      new StageFailure(failure)
    )
}

/** A number by which this worker is known, and the row that tells of it: written anew wherever it is not there. */
const register = Effect.fnUntraced(function*(
  pools: ReadonlyArray<WorkerPool>,
  problems: ReadonlyArray<ProblemCode>
) {
  const sql = yield* SqlClient.SqlClient
  const [next] = yield* sql<{ readonly no: number }>`SELECT nextval('footnote.worker_no')::int AS no`
  const { no } = next!
  const values = [
    no,
    JSON.stringify(pools.map(({ pool }) => pool)),
    JSON.stringify(Object.fromEntries(pools.map(({ pool, slots }) => [pool, slots]))),
    JSON.stringify(pools.flatMap(({ warnings }) => warnings ?? [])),
    JSON.stringify(problems),
    hostname(),
    process.pid,
    machineName(),
    availableParallelism()
  ]
  // Of a worker that did not reach the database for 60 s the janitor has removed the row, and an UPDATE would find none for ever.
  const alive = (session: Connection) =>
    session.executeRaw(
      `INSERT INTO footnote.workers (no, pools, slots, warnings, problems, host, pid, machine, processors)
        VALUES ($1, $2::jsonb, $3::jsonb, $4::jsonb, $5::jsonb, $6, $7, $8, $9)
        ON CONFLICT (no) DO UPDATE SET seen_at = now()`,
      values
    )
  yield* Effect.scoped(Effect.flatMap(sql.reserve, alive))
  return { no, alive }
})

/** Holds the lock by which the janitor knows that this worker lives; taken again after a lost connection. */
const identity = (sql: SqlClient.SqlClient, { alive, no }: Effect.Success<ReturnType<typeof register>>) =>
  Effect.scoped(Effect.gen(function*() {
    const session = yield* sql.reserve
    yield* session.executeRaw(`SELECT pg_advisory_lock(${advisoryLocks.worker}, ${no})`, [])
    return yield* Effect.forever(Effect.andThen(alive(session), Effect.sleep("2 seconds")))
  }))
