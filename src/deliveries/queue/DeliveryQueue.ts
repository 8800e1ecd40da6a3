import { Context, DateTime, Effect, Layer, Random, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { retryTransient } from "../../database/Transient.ts"
import { newId, type TenantId } from "../../identity/Id.ts"
import { FairRelease } from "../../jobs/engine/FairRelease.ts"
import { type DeliveryInput, EndedJob, JobHooks } from "../../jobs/engine/JobHooks.ts"
import { mostInFlight } from "./CircuitBreaker.ts"
import { countFinished, logGivenUp } from "./FinishedDeliveries.ts"
import { DeliverySchedule, nextDelay } from "./RetrySchedule.ts"
import { shareOut } from "./TenantShare.ts"
import { makeWaitingEndpoints } from "./WaitingEndpoints.ts"

const IndexRow = Schema.Struct({
  index: Schema.Finite
})
const ReleasedRow = Schema.Struct({ ...EndedJob.fields, delivery_id: Schema.String, turn: Schema.Int })
const IdRow = Schema.Struct({
  id: Schema.String
})
const WantedRow = Schema.Struct({
  destination_ids: Schema.Array(Schema.String)
})
const DestinationRow = Schema.Struct({
  destination_id: Schema.String
})
const TurnRow = Schema.Struct({
  turn: Schema.Finite
})
const BaseRow = Schema.Struct({
  schedule_base: Schema.Finite
})
const NumberRow = Schema.Struct({
  number: Schema.Finite
})

/** One attempt may take a minute and polls; the rest is for a slow name server and our own books. */
const attemptTimeoutSeconds = 120

/** Where the deliveries of a `webhook_url` go: the same address of the same tenant is one place. Rows of an earlier version have the address itself. */
const urlEndpoint = `coalesce(j.webhook_endpoint,
  'url_' || encode(sha256(convert_to(j.tenant_id || ' ' || j.webhook_url, 'UTF8')), 'hex'))`

/**
 * The transactional outbox: puts deliveries into the queue in the transaction that makes them due, so that each exists exactly once even if the
 * process dies at the commit. Every attempt is a task of its own: waiting for the next one uses up no retry of the queue.
 * A parked delivery has no task until it is released.
 */
export class DeliveryQueue extends Context.Service<DeliveryQueue, {
  /** A job has become terminal: its `webhook_url`, if any, is to be told, and its destinations that ask for this. */
  readonly enqueue: (
    job: EndedJob,
    status: "succeeded" | "failed" | "cancelled"
  ) => Effect.Effect<void, SqlError>
  /** A batch has been completed by this job, its last: the webhooks that its jobs name and that ask for it are told. */
  readonly batchCompleted: (job: EndedJob, batch_id: string) => Effect.Effect<void, SqlError>
  /** Another attempt by the same words, now or at a later moment. */
  readonly attempt: (job: EndedJob, input: DeliveryInput, at?: Date) => Effect.Effect<void, SqlError>
  /**
   * A delivery of a succeeded job that somebody asked for, of its own result or as a review left it; an event of its own.
   * Answers its id.
   */
  readonly request: (job: EndedJob, destination_id: string, revision: number | null) => Effect.Effect<string, SqlError>
  /** Begins the schedule of one that is not being attempted anew, under the same event id; a task that waits is void. */
  readonly again: (job: EndedJob, delivery_id: string) => Effect.Effect<void, SqlError>
  /**
   * `again` for the failed ones of a destination between two moments, at most so many: the first of them go, and each that
   * ends sends the next. Answers how many there were.
   */
  readonly againSince: (
    destination_id: string,
    between: readonly [Date, Date],
    most: number
  ) => Effect.Effect<number, SqlError>
  /**
   * Queues deliveries of the oldest succeeded jobs that finished between two moments and of which the destination has none but
   * failed or cancelled ones, at most so many: the first of them go, and each that ends sends the next. Answers how many.
   */
  readonly backfill: (
    destination: { readonly id: string; readonly tenant_id: TenantId },
    between: readonly [Date | null, Date | null],
    most: number
  ) => Effect.Effect<number, SqlError>
  /** Its task could not be brought to an end, however often it was begun: that counts as a failed attempt. */
  readonly unfinished: (job: EndedJob, input: DeliveryInput, why: string) => Effect.Effect<void, SqlError>
  /**
   * What a destination's deliveries waited for is over: what was counted against it and the rest that it asked for (`Retry-After`) are
   * forgotten, the first deliveries go, and each that ends sends the next.
   */
  readonly releaseHeld: (destination_id: string) => Effect.Effect<void, SqlError>
  /**
   * An attempt at this endpoint has ended: its place goes to the endpoint of the tenant that has the fewest under way and of these has
   * waited longest. Where none may begin, `releaseReady` gives it away later.
   */
  readonly handOn: (tenant_id: TenantId, endpoint: string) => Effect.Effect<void, SqlError>
  /** Releases, tenant by tenant, as many as there is room for where nothing stands in the way any more. */
  readonly releaseReady: Effect.Effect<number, SqlError>
  /** Everything to a deleted destination that has not begun. */
  readonly cancelAll: (destination_id: string) => Effect.Effect<void, SqlError>
}>()("footnote/deliveries/queue/DeliveryQueue") {
  static readonly layer = Layer.effect(DeliveryQueue, Effect.suspend(() => make))

  /** What the engine tells of leads to deliveries. */
  static readonly layerHooks = Layer.effect(
    JobHooks,
    Effect.map(
      DeliveryQueue,
      ({ attempt, batchCompleted, enqueue, releaseReady, unfinished }) =>
        JobHooks.of({ ended: enqueue, batchCompleted, again: attempt, unfinished, releaseReady })
    )
  )
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { release: releaseTasks } = yield* FairRelease
  const schedule = yield* DeliverySchedule

  const attempt = Effect.fnUntraced(function*(job: EndedJob, input: DeliveryInput, at?: Date) {
    // Never by what is there already: two that count at the same moment would make the same task.
    const [next] = yield* rowsOf(IndexRow)(
      sql`SELECT nextval('footnote.delivery_task_no')::int AS index`
        .unprepared
    )
    yield* releaseTasks({
      job,
      stage: "deliver",
      pool: "delivery",
      timeout_seconds: attemptTimeoutSeconds,
      from: next!.index,
      inputs: [input],
      start_after: at
    })
  })

  const release = Effect.fnUntraced(function*(endpoint: string, most: number) {
    const released = yield* rowsOf(ReleasedRow)(
      sql`
      WITH oldest AS (
        SELECT id FROM footnote.deliveries WHERE parked AND endpoint = ${endpoint}
        ORDER BY id LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
      UPDATE footnote.deliveries d SET parked = false, turn = d.turn + 1,
        next_attempt_at = least(d.next_attempt_at, now())
      FROM oldest, footnote.tenants t WHERE d.id = oldest.id AND t.id = d.tenant_id
      RETURNING d.id AS delivery_id, d.turn, d.job_id AS id, d.tenant_id, t.weight`.unprepared
    )
    for (const { delivery_id, turn, ...job } of released) yield* attempt(job, { delivery_id, turn })
    return released.length
  })

  const waitingEndpoints = makeWaitingEndpoints(sql)

  const releaseReady = Effect.gen(function*() {
    let count = 0
    for (const { under_way, waiting } of yield* waitingEndpoints.all) {
      for (const [endpoint, room] of shareOut(waiting, under_way, mostInFlight.tenant)) {
        count += yield* retryTransient(sql.withTransaction(release(endpoint, room)))
      }
    }
    return count
  })

  /**
   * Its owner asks for an attempt now: neither an open circuit breaker nor a `Retry-After` of up to a day holds it. What was counted stays,
   * so that one at a time goes through.
   */
  const tryNow = (endpoint: Statement.Fragment) =>
    sql`UPDATE footnote.endpoints SET open_until = NULL, blocked_until = NULL WHERE id = ${endpoint}`.unprepared

  return DeliveryQueue.of({
    attempt,
    releaseReady,

    handOn: Effect.fnUntraced(function*(tenant_id, endpoint) {
      const shared = yield* waitingEndpoints.around(tenant_id, endpoint)
      if (shared === undefined) return
      for (const [next, room] of shareOut(shared.waiting, shared.under_way, 1)) yield* release(next, room)
    }),

    enqueue: Effect.fnUntraced(function*(job, status) {
      const suffix = job.id.slice("job_".length)
      const event_id = `evt_${suffix}`
      const type = `job.${status}`
      const made = yield* rowsOf(IdRow)(
        sql`
        INSERT INTO footnote.deliveries (id, tenant_id, job_id, endpoint, event_id, event_type, next_attempt_at)
        SELECT ${`dlv_${suffix}`}, j.tenant_id, j.id, ${sql.literal(urlEndpoint)}, ${event_id}, ${type}, now()
        FROM footnote.jobs j WHERE j.id = ${job.id} AND j.webhook_secret IS NOT NULL
        ON CONFLICT DO NOTHING RETURNING id`.unprepared
      )
      const [wanted] = yield* rowsOf(WantedRow)(
        sql`
        SELECT destination_ids FROM footnote.jobs WHERE id = ${job.id}`.unprepared
      )
      const pairs = yield* Effect.forEach(
        wanted?.destination_ids ?? [],
        (destination_id) => Effect.map(newId("dlv"), (id) => ({ id, destination_id }))
      )
      const sent = pairs.length === 0 ? [] : yield* rowsOf(IdRow)(
        sql`
        INSERT INTO footnote.deliveries
          (id, tenant_id, job_id, destination_id, endpoint, event_id, event_type, next_attempt_at)
        SELECT x.id, ${job.tenant_id}, ${job.id}, d.id, d.id, ${event_id}, ${type}, now()
        FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) x(id text, destination_id text)
        JOIN footnote.destinations d ON d.id = x.destination_id AND d.tenant_id = ${job.tenant_id}
        WHERE d.deleted_at IS NULL AND d.events ? ${type} RETURNING id`.unprepared
      )
      yield* releaseTasks({
        job,
        stage: "deliver",
        pool: "delivery",
        timeout_seconds: attemptTimeoutSeconds,
        // A job ends once, and numbers of later tasks come from the sequence, which begins far above.
        from: 0,
        inputs: [...made, ...sent].map(({ id }): DeliveryInput => ({ delivery_id: id, turn: 0 }))
      })
    }),

    batchCompleted: Effect.fnUntraced(function*(job, batch_id) {
      const event_id = `evt_${batch_id.slice("bat_".length)}`
      const wanted = yield* rowsOf(DestinationRow)(
        sql`
        SELECT DISTINCT d.id AS destination_id
        FROM footnote.batch_items i JOIN footnote.jobs j ON j.id = i.job_id,
          jsonb_array_elements_text(j.destination_ids) named(id), footnote.destinations d
        WHERE i.batch_id = ${batch_id} AND d.id = named.id AND d.tenant_id = ${job.tenant_id} AND d.type = 'webhook'
          AND d.deleted_at IS NULL AND d.events ? 'batch.completed' ORDER BY 1`.unprepared
      )
      for (const { destination_id } of wanted) {
        const id = yield* newId("dlv")
        yield* sql`
          INSERT INTO footnote.deliveries
            (id, tenant_id, job_id, destination_id, endpoint, event_id, event_type, next_attempt_at)
          VALUES (${id}, ${job.tenant_id}, ${job.id}, ${destination_id}, ${destination_id}, ${event_id},
            'batch.completed', now())`.unprepared
        yield* attempt(job, { delivery_id: id, turn: 0 })
      }
    }),

    request: Effect.fnUntraced(function*(job, destination_id, revision) {
      const id = yield* newId("dlv")
      const event_id = yield* newId("evt")
      yield* sql`
        INSERT INTO footnote.deliveries
          (id, tenant_id, job_id, destination_id, endpoint, event_id, event_type, revision, next_attempt_at)
        VALUES (${id}, ${job.tenant_id}, ${job.id}, ${destination_id}, ${destination_id}, ${event_id},
          ${revision === null ? "job.succeeded" : "job.reviewed"}, ${revision}, now())`.unprepared
      yield* attempt(job, { delivery_id: id, turn: 0 })
      return id
    }),

    again: Effect.fnUntraced(function*(job, delivery_id) {
      yield* tryNow(sql`(SELECT endpoint FROM footnote.deliveries WHERE id = ${delivery_id})`)
      const [row] = yield* rowsOf(TurnRow)(
        sql`
        UPDATE footnote.deliveries d SET status = 'pending', parked = false, turn = d.turn + 1, next_attempt_at = now(),
          finished_at = NULL, schedule_base = (
            SELECT coalesce(max(number), 0) FROM footnote.delivery_attempts a WHERE a.delivery_id = d.id)
        WHERE id = ${delivery_id} AND status <> 'delivering' RETURNING turn`.unprepared
      )
      if (row !== undefined) yield* attempt(job, { delivery_id, turn: row.turn })
    }),

    againSince: Effect.fnUntraced(function*(destination_id, [since, until], most) {
      yield* tryNow(sql`${destination_id}`)
      const failed = yield* sql`
        WITH failed AS (
          SELECT d.id, (SELECT coalesce(max(number), 0) FROM footnote.delivery_attempts a WHERE a.delivery_id = d.id) AS made
          FROM footnote.deliveries d JOIN footnote.jobs j ON j.id = d.job_id
          WHERE d.destination_id = ${destination_id} AND d.status = 'failed'
            AND (j.deleted_at IS NULL OR d.event_type = 'batch.completed')
            AND d.finished_at BETWEEN ${since} AND ${until}
          ORDER BY d.id LIMIT ${most} FOR NO KEY UPDATE OF d)
        UPDATE footnote.deliveries d SET status = 'pending', parked = true, turn = d.turn + 1, next_attempt_at = now(),
          finished_at = NULL, schedule_base = failed.made
        FROM failed WHERE d.id = failed.id RETURNING d.id`.unprepared
      yield* release(destination_id, mostInFlight.endpoint)
      return failed.length
    }),

    backfill: Effect.fnUntraced(function*({ id: destination_id, tenant_id }, [after, before], most) {
      // Of two at one moment the second finds what the first has queued.
      yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.backfill}, hashtext(${destination_id}))`.unprepared
      const jobs = yield* rowsOf(IdRow)(
        sql`
        SELECT j.id FROM footnote.jobs j
        WHERE j.tenant_id = ${tenant_id} AND j.status = 'succeeded' AND j.deleted_at IS NULL
          AND j.finished_at >= coalesce(${after}::timestamptz, '-infinity')
          AND j.finished_at < coalesce(${before}::timestamptz, 'infinity')
          AND NOT EXISTS (SELECT FROM footnote.deliveries d WHERE d.job_id = j.id
            AND d.destination_id = ${destination_id} AND d.event_type IN ('job.succeeded', 'job.reviewed')
            AND d.status NOT IN ('failed', 'cancelled'))
        ORDER BY j.id LIMIT ${most}`.unprepared
      )
      const rows = yield* Effect.forEach(
        jobs,
        ({ id: job_id }) =>
          Effect.map(newId("dlv"), (id) => ({ id, job_id, event_id: `evt_${job_id.slice("job_".length)}` }))
      )
      yield* sql`
        INSERT INTO footnote.deliveries
          (id, tenant_id, job_id, destination_id, endpoint, event_id, event_type, parked, next_attempt_at)
        SELECT x.id, ${tenant_id}, x.job_id, ${destination_id}, ${destination_id}, x.event_id, 'job.succeeded', true, now()
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(id text, job_id text, event_id text)`.unprepared
      yield* release(destination_id, mostInFlight.endpoint)
      return rows.length
    }),

    unfinished: Effect.fnUntraced(function*(job, input, why) {
      const { delivery_id, turn = 0 } = input
      const [row] = yield* rowsOf(BaseRow)(
        sql`
        SELECT schedule_base FROM footnote.deliveries
        WHERE id = ${delivery_id} AND turn = ${turn} AND finished_at IS NULL FOR NO KEY UPDATE`.unprepared
      )
      if (row === undefined) return
      const [made] = yield* rowsOf(NumberRow)(
        sql`
        INSERT INTO footnote.delivery_attempts (delivery_id, number, status_code, error, duration_ms)
        SELECT ${delivery_id}, coalesce(max(number), 0) + 1, NULL, ${why}, 0
        FROM footnote.delivery_attempts WHERE delivery_id = ${delivery_id} RETURNING number`.unprepared
      )
      const delay = nextDelay(made!.number - row.schedule_base, yield* Random.next, undefined, schedule)
      if (delay === undefined) {
        yield* sql`UPDATE footnote.deliveries SET status = 'failed', next_attempt_at = NULL, finished_at = now()
          WHERE id = ${delivery_id}`.unprepared
        yield* sql.afterCommit(countFinished("failed"))
        yield* logGivenUp.pipe(Effect.annotateLogs({ delivery_id, job_id: job.id, number: made!.number, error: why }))
        return
      }
      const at = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { milliseconds: Math.round(delay * 1000) }))
      // An attempt under way when its worker died may have been carried out: what says so stays.
      yield* sql`UPDATE footnote.deliveries SET status = 'pending', next_attempt_at = ${at}
        WHERE id = ${delivery_id}`.unprepared
      yield* attempt(job, input, at)
    }),

    releaseHeld: (destination_id) =>
      Effect.andThen(
        // Its owner or a check has just said that it is well, or it is another one.
        sql`UPDATE footnote.endpoints SET failures = 0, opened = 0, open_until = NULL, blocked_until = NULL
          WHERE id = ${destination_id}`.unprepared,
        release(destination_id, mostInFlight.endpoint)
      ),

    cancelAll: (destination_id) =>
      Effect.asVoid(
        sql`
        UPDATE footnote.deliveries SET status = 'cancelled', parked = false, turn = turn + 1, next_attempt_at = NULL,
          finished_at = now()
        WHERE destination_id = ${destination_id} AND status = 'pending'`.unprepared
      )
  })
})
