import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { rowsOf, tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { retryTransient } from "../database/Transient.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, JobId, TenantId } from "../identity/Id.ts"
import { JobNotFound, type JobNotSucceeded, jobNotSucceeded, JobStatus } from "../jobs/model/Job.ts"
import { ReviewNotFound } from "../reviews/model/Review.ts"
import { Deliveries } from "./Deliveries.ts"
import { type BackfilledDestination, backfillLimits } from "./model/Backfill.ts"
import type { Delivery, DeliveryNotFound, RecoveredDeliveries } from "./model/Delivery.ts"
import { DestinationNotFound, DestinationType, DestinationTypeUnsupported } from "./model/Destination.ts"
import { DeliveryQueue } from "./queue/DeliveryQueue.ts"

const TypeRow = Schema.Struct({
  type: DestinationType
})
const StatusRow = Schema.Struct({
  status: JobStatus
})
const RevisionRow = Schema.Struct({
  revision: Schema.NullOr(Schema.Finite)
})

const DeliveringJob = Schema.Struct({
  id: JobId,
  tenant_id: TenantId,
  weight: Schema.Finite
})

/** Recovered in one transaction each: a longer one would hold up the workers that record their attempts. */
const batch = 1000

/**
 * Deliveries that somebody asks for. The row and its place in the queue are made in one transaction, so that what was
 * answered is delivered even if this process dies at once. To a paused or broken destination it waits like any other.
 */
export class DeliveryRequests extends Context.Service<DeliveryRequests, {
  /**
   * Delivers the result of a succeeded job, to a destination of any type: its own, or `reviewed` as its last review left it at
   * this moment, whatever is reviewed afterwards. Fails with `REVIEW_NOT_FOUND` where there is none.
   */
  readonly deliver: (
    job_id: string,
    destination_id: string,
    reviewed: boolean
  ) => Effect.Effect<Delivery, JobNotFound | JobNotSucceeded | DestinationNotFound | ReviewNotFound, CurrentTenant>
  /** The same for a webhook alone. */
  readonly deliverToWebhook: (
    job_id: string,
    destination_id: string,
    reviewed: boolean
  ) => Effect.Effect<
    Delivery,
    JobNotFound | JobNotSucceeded | DestinationNotFound | ReviewNotFound | DestinationTypeUnsupported,
    CurrentTenant
  >
  /**
   * Begins its attempts again, under the same event id: at once for one that waits, from the start for one that has ended,
   * however it did. One that is being attempted stays as it is. Its destination must still be there, and its job unless it tells of a batch.
   */
  readonly retry: (
    id: string
  ) => Effect.Effect<Delivery, DeliveryNotFound | JobNotFound | DestinationNotFound, CurrentTenant>
  /** `retry` for every delivery to this destination that has failed since then; answers how many there were. */
  readonly recover: (
    destination_id: string,
    since: Date
  ) => Effect.Effect<RecoveredDeliveries, DestinationNotFound, CurrentTenant>
  /**
   * Queues deliveries of finished jobs that the destination has not been sent, oldest first, up to a bound; sent again it goes on
   * where it stopped. A destination that is paused or broken gets them when it is active again.
   */
  readonly backfill: (
    destination_id: string,
    finished: { readonly after: Date | null; readonly before: Date | null }
  ) => Effect.Effect<BackfilledDestination, DestinationNotFound, CurrentTenant>
}>()("footnote/deliveries/DeliveryRequests") {
  static readonly layer = Layer.effect(DeliveryRequests, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const { inTenant, sql: tenantSql } = yield* TenantSql
  const deliveries = yield* Deliveries
  const deliveryQueue = yield* DeliveryQueue

  const findDestination = Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = isId("dst", id)
      ? yield* tenantRowsOf(TypeRow)(
        inTenant(tenant_id)(tenantSql`
        SELECT type FROM footnote.destinations
        WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)
      )
      : []
    return row ?? (yield* new DestinationNotFound())
  })

  const checkSucceeded = Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = isId("job", id)
      ? yield* tenantRowsOf(StatusRow)(
        inTenant(tenant_id)(tenantSql`
        SELECT status FROM footnote.jobs WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)
      )
      : []
    if (row === undefined) return yield* new JobNotFound()
    if (row.status !== "succeeded") {
      return yield* jobNotSucceeded(row.status)
    }
  })

  /** Both stay as they are to the end of the transaction: a delete comes before it or finds the delivery. */
  const holdDestination = Effect.fnUntraced(function*(id: string) {
    const rows = yield* sql`SELECT FROM footnote.destinations WHERE id = ${id} AND deleted_at IS NULL FOR SHARE`
    if (rows.length === 0) return yield* new DestinationNotFound()
  })
  const holdJob = Effect.fnUntraced(function*(id: string, event_type = "job.succeeded") {
    const [job] = yield* rowsOf(DeliveringJob)(sql`
      SELECT j.id, j.tenant_id, t.weight FROM footnote.jobs j JOIN footnote.tenants t ON t.id = j.tenant_id
      WHERE j.id = ${id} AND (j.deleted_at IS NULL OR ${event_type} = 'batch.completed') FOR SHARE OF j`)
    return job ?? (yield* new JobNotFound())
  })

  const transaction = <A, E>(work: Effect.Effect<A, E>) =>
    retryTransient(sql.withTransaction(work)).pipe(Effect.catchTag("SqlError", Effect.die))

  const lastRevision = Effect.fnUntraced(function*(job_id: string) {
    const [last] = yield* rowsOf(RevisionRow)(sql`
      SELECT max(revision) AS revision FROM footnote.reviews WHERE job_id = ${job_id}`)
    return last?.revision ?? (yield* new ReviewNotFound({ message: "The job has not been reviewed." }))
  })

  const request = Effect.fnUntraced(function*(job_id: string, destination_id: string, reviewed: boolean) {
    const { id } = yield* transaction(remembered(
      sql,
      Effect.gen(function*() {
        yield* holdDestination(destination_id)
        const job = yield* holdJob(job_id)
        const revision = reviewed ? yield* lastRevision(job_id) : null
        return { id: yield* deliveryQueue.request(job, destination_id, revision) }
      })
    ))
    return yield* Effect.orDie(deliveries.get(id))
  })

  const recoverSome = (destination_id: string, between: readonly [Date, Date]) =>
    transaction(Effect.andThen(
      holdDestination(destination_id),
      deliveryQueue.againSince(destination_id, between, batch)
    ))

  return DeliveryRequests.of({
    deliver: Effect.fn("DeliveryRequests.deliver")(function*(job_id, destination_id, reviewed) {
      yield* checkSucceeded(job_id)
      yield* findDestination(destination_id)
      return yield* request(job_id, destination_id, reviewed)
    }),

    deliverToWebhook: Effect.fn("DeliveryRequests.deliverToWebhook")(function*(job_id, destination_id, reviewed) {
      yield* checkSucceeded(job_id)
      const { type } = yield* findDestination(destination_id)
      if (type !== "webhook") return yield* new DestinationTypeUnsupported()
      return yield* request(job_id, destination_id, reviewed)
    }),

    retry: Effect.fn("DeliveryRequests.retry")(function*(id) {
      const { destination_id, event_type, job_id } = yield* deliveries.get(id)
      yield* transaction(remembered(
        sql,
        Effect.gen(function*() {
          if (destination_id !== null) yield* holdDestination(destination_id)
          const job = yield* holdJob(job_id, event_type)
          const idle = yield* sql`SELECT FROM footnote.deliveries
            WHERE id = ${id} AND status <> 'delivering' FOR NO KEY UPDATE`
          if (idle.length > 0) yield* deliveryQueue.again(job, id)
          return { id }
        })
      ))
      return yield* deliveries.get(id)
    }),

    backfill: Effect.fn("DeliveryRequests.backfill")(function*(id, { after, before }) {
      const { tenant_id } = yield* CurrentTenant
      yield* findDestination(id)
      const some = transaction(Effect.andThen(
        holdDestination(id),
        deliveryQueue.backfill({ id, tenant_id }, [after, before], batch)
      ))
      let count = 0
      let last = batch
      while (last === batch && count < backfillLimits.jobs) count += last = yield* some
      return yield* transaction(remembered(sql, Effect.succeed({ count, more: last === batch })))
    }),

    recover: Effect.fn("DeliveryRequests.recover")(function*(destination_id, since) {
      yield* findDestination(destination_id)
      // What fails anew while this goes on is none of these.
      const until = DateTime.toDateUtc(yield* DateTime.now)
      let count = 0
      for (let some = batch; some === batch; count += some) some = yield* recoverSome(destination_id, [since, until])
      return yield* transaction(remembered(sql, Effect.succeed({ count })))
    })
  })
})
