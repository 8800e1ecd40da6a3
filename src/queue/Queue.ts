import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { deadLetterQueue } from "../database/QueueSchema.ts"
import type { TenantId } from "../identity/Id.ts"
import type { Pool } from "../processes/Pools.ts"
import { stageRetries } from "../retries/RetryPolicy.ts"
import { Boss } from "./Boss.ts"

/** A held task: the attempt number fences every later word about it against a newer holder. */
export interface Claim {
  readonly id: string
  /** Counts from 0. */
  readonly attempt: number
}

export interface NewTask {
  readonly id: string
  /** Higher is served first. */
  readonly priority: number
  readonly tenant_id: TenantId
  /** The lease ends for good after so many seconds, whatever its holder says. */
  readonly expire_seconds: number
  readonly start_after?: Date | undefined
  readonly retry_delay_seconds?: number | undefined
}

/**
 * Who works on what: leases over PostgreSQL. Every method joins the surrounding transaction, so a task is enqueued,
 * settled or dropped together with the rows that say what it means. A claim that is no longer its holder's has no effect
 * and is missing from the answer.
 */
export class Queue extends Context.Service<Queue, {
  /** Adding an id that is known already adds nothing. */
  readonly add: (pool: Pool, tasks: ReadonlyArray<NewTask>) => Effect.Effect<void, SqlError>
  /** At most `count` ready tasks of other tenants than these, by priority, leased to the caller for 10 s from its last `touch`. */
  readonly claim: (
    pool: Pool,
    count: number,
    without: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Claim>, SqlError>
  /** Whether a task is ready that nobody holds: one statement, where a claim is seven. */
  readonly isWaiting: (pool: Pool) => Effect.Effect<boolean, SqlError>
  /** Renews leases; answers the ids that are still the caller's. */
  readonly touch: (pool: Pool, claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Renews leases that this transaction gave: they count from now on, and not from when it began. */
  readonly renewByClock: (pool: Pool, claims: ReadonlyArray<Claim>) => Effect.Effect<void, SqlError>
  /** Those of these claims that are nobody's any more, since their lease ended or they are over. */
  readonly lost: <C extends Claim>(pool: Pool, claims: ReadonlyArray<C>) => Effect.Effect<ReadonlyArray<C>, SqlError>
  /** Done; answers the ids for which this counted. */
  readonly complete: (pool: Pool, claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Try again after the backoff; false where the claim was lost. */
  readonly retry: (pool: Pool, claim: Claim, message: string) => Effect.Effect<boolean, SqlError>
  /** From when on a task may be claimed; null where it is over. */
  readonly startsAfter: (pool: Pool, id: string) => Effect.Effect<Date | null, SqlError>
  /** Whether one more attempt is left after this one. */
  readonly mayRetry: (pool: Pool, claim: Claim) => Effect.Effect<boolean, SqlError>
  /**
   * Try again later, and count no attempt: the fault was the service's own. `delay` says in how many seconds, by how often that
   * has been so. False where the claim was lost, or the task is older than `limit_seconds`: no pause is for ever.
   */
  readonly pause: (
    pool: Pool,
    claim: Claim,
    pause: {
      readonly message: string
      readonly limit_seconds: number
      readonly delay: (pauses: number) => number
    }
  ) => Effect.Effect<boolean, SqlError>
  /** As `restart`, and counts no attempt: the holder lives and could not keep it. */
  readonly release: (pool: Pool, claims: ReadonlyArray<Claim>) => Effect.Effect<void, SqlError>
  /** Counts no attempt for claims that were lost to the end of their lease, though their holder lived. */
  readonly forgive: (pool: Pool, claims: ReadonlyArray<Claim>) => Effect.Effect<void, SqlError>
  /**
   * Counts no attempt for what was begun before PostgreSQL's last start and is not over: what took the database down (a power cut, a
   * machine that was lost) took its holders too. At most ten times a task, so that one which takes machines down with it ends.
   */
  readonly spareRestarted: Effect.Effect<void, SqlError>
  /** Try again at once: the holder died, which is not the task's fault, though the attempt counts. */
  readonly restart: (pool: Pool, claims: ReadonlyArray<Claim>) => Effect.Effect<void, SqlError>
  /** Never again; false where the claim was lost. */
  readonly abandon: (pool: Pool, claim: Claim) => Effect.Effect<boolean, SqlError>
  /** Whatever their state, these are not needed any more. */
  readonly cancel: (pool: Pool, ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  /** Takes up to 50 tasks whose last attempt died with its worker. */
  readonly takeDead: Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Gives back what `takeDead` gave, to be taken again in a minute. */
  readonly deadAgain: (id: string) => Effect.Effect<void, SqlError>
}>()("footnote/queue/Queue") {
  static readonly layer = Layer.effect(
    Queue,
    Effect.gen(function*() {
      const { use } = yield* Boss
      const sql = yield* SqlClient.SqlClient

      const restart = (pool: Pool, claims: ReadonlyArray<Claim>) =>
        sql.withTransaction(use(async (boss, db) => {
          await boss.fail(pool, attempts(claims), { message: "The worker died" }, { db })
          // By the database's clock: that of this process may be an hour ahead.
          for (const { id } of claims) await boss.update(pool, undefined, { id, startAfter: 0, db })
        }))

      /** One attempt more for each of these that is not over and younger than so many seconds; answers how often that was done before. */
      const credit = (pool: Pool, claims: ReadonlyArray<Claim>, limit_seconds: number, held: boolean) =>
        sql<{ readonly pauses: number }>`
          UPDATE pgboss.job j SET retry_limit = j.retry_limit + 1
          FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) x(id uuid, attempt int)
          WHERE j.name = ${pool} AND j.id = x.id AND j.created_on > now() - make_interval(secs => ${limit_seconds})
            AND ${held ? sql`j.state = 'active' AND j.retry_count = x.attempt` : sql`j.state <= 'active'`}
          RETURNING j.retry_limit - ${stageRetries.attempts}::int AS pauses`.unprepared

      return Queue.of({
        add: (pool, tasks) =>
          use((boss, db) =>
            boss.insert(
              pool,
              tasks.map((task) => ({
                id: task.id,
                priority: task.priority,
                group: { id: task.tenant_id },
                expireInSeconds: task.expire_seconds,
                data: { id: task.id },
                ...(task.start_after === undefined ? {} : { startAfter: task.start_after }),
                ...(task.retry_delay_seconds === undefined
                  ? {}
                  : { retryDelay: task.retry_delay_seconds, retryBackoff: task.retry_delay_seconds > 0 })
              })),
              { db }
            )
          ),
        claim: (pool, count, without) =>
          use((boss, db) =>
            boss.fetch(pool, { batchSize: count, db, ...(without.length === 0 ? {} : { ignoreGroups: [...without] }) })
          ).pipe(
            Effect.map((jobs) => jobs.map((job) => ({ id: job.id, attempt: job.retryCount })))
          ),
        isWaiting: (pool) =>
          Effect.map(
            sql`SELECT FROM pgboss.job WHERE name = ${pool} AND state < 'active' AND start_after <= now() LIMIT 1`
              .unprepared,
            (rows) => rows.length > 0
          ),
        touch: (pool, claims) =>
          use((boss, db) => boss.touch(pool, attempts(claims), { db })).pipe(Effect.map(settled)),
        renewByClock: (pool, claims) =>
          Effect.asVoid(
            sql`UPDATE pgboss.job SET heartbeat_on = clock_timestamp()
              WHERE name = ${pool} AND ${sql.in("id", claims.map(({ id }) => id))}`.unprepared
          ),
        lost: (pool, claims) =>
          Effect.map(
            sql<{ readonly id: string }>`
              SELECT x.id FROM jsonb_to_recordset(${
              JSON.stringify(claims.map(({ attempt, id }) => ({ id, attempt })))
            }::jsonb) x(id uuid, attempt int) WHERE NOT EXISTS (SELECT FROM pgboss.job j
                WHERE j.name = ${pool} AND j.id = x.id AND j.state = 'active' AND j.retry_count = x.attempt)`
              .unprepared,
            (rows) => {
              const ids = new Set(rows.map(({ id }) => id))
              return claims.filter(({ id }) => ids.has(id))
            }
          ),
        complete: (pool, claims) =>
          use((boss, db) => boss.complete(pool, attempts(claims), null, { db })).pipe(Effect.map(settled)),
        retry: (pool, claim, message) =>
          use((boss, db) => boss.fail(pool, attempts([claim]), { message }, { db })).pipe(
            Effect.map(changedAny)
          ),
        startsAfter: (pool, id) =>
          Effect.map(
            sql<{ readonly start_after: Date }>`
              SELECT start_after FROM pgboss.job WHERE name = ${pool} AND id = ${id} AND state < 'active'`.unprepared,
            ([row]) => row?.start_after ?? null
          ),
        mayRetry: (pool, { attempt, id }) =>
          Effect.map(
            sql`SELECT FROM pgboss.job WHERE name = ${pool} AND id = ${id} AND ${attempt}::int < retry_limit`
              .unprepared,
            (rows) => rows.length > 0
          ),
        pause: (pool, claim, { delay, limit_seconds, message }) =>
          sql.withTransaction(Effect.gen(function*() {
            const [credited] = yield* credit(pool, [claim], limit_seconds, true)
            if (credited === undefined) return false
            yield* use(async (boss, db) => {
              await boss.fail(pool, attempts([claim]), { message }, { db })
              await boss.update(pool, undefined, { id: claim.id, startAfter: delay(credited.pauses), db })
            })
            return true
          })),
        release: (pool, claims) =>
          sql.withTransaction(Effect.andThen(credit(pool, claims, patienceSeconds, true), restart(pool, claims))),
        forgive: (pool, claims) => Effect.asVoid(credit(pool, claims, patienceSeconds, false)),
        spareRestarted: Effect.asVoid(
          sql`
          UPDATE pgboss.job SET retry_limit = retry_limit + 1
          WHERE name <> ${deadLetterQueue} AND state IN ('active', 'retry') AND started_on < pg_postmaster_start_time()
            AND retry_limit < ${stageRetries.attempts - 1 + stageRetries.spared}::int`.unprepared
        ),
        restart,
        abandon: (pool, claim) =>
          use((boss, db) => boss.cancel(pool, attempts([claim]), { db })).pipe(
            Effect.map(changedAny)
          ),
        cancel: (pool, ids) => ids.length === 0 ? Effect.void : use((boss, db) => boss.cancel(pool, [...ids], { db })),
        takeDead: sql.withTransaction(use(async (boss, db) => {
          const dead = await boss.fetch<{ readonly id: string }>(deadLetterQueue, { batchSize: 50, db })
          if (dead.length > 0) await boss.complete(deadLetterQueue, dead.map((job) => job.id), null, { db })
          return dead.map((job) => job.data.id)
        })),
        deadAgain: (id) =>
          Effect.asVoid(use((boss, db) => boss.insert(deadLetterQueue, [{ data: { id }, startAfter: 60 }], { db })))
      })
    })
  ).pipe(Layer.provide(Boss.layer))
}

/** A task this old has lost its attempts by something of its own, whoever says otherwise. */
const patienceSeconds = 24 * 3600

const attempts = (claims: ReadonlyArray<Claim>) => claims.map(({ attempt, id }) => ({ id, retryCount: attempt }))

/** The answer names what it changed, which the package's types leave out. */
const settled = (answer: object): ReadonlySet<string> =>
  new Set((answer as { readonly settled?: ReadonlyArray<string> }).settled ?? [])

const changedAny = (answer: object) => (answer as { readonly affected: number }).affected > 0
