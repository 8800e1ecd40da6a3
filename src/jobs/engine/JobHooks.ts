import { Context, type Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { JobId, TenantId } from "../../identity/Id.ts"

/** A job that has come to its end. Tenant and weight decide its place in line. */
export const EndedJob = Schema.Struct({
  id: JobId,
  tenant_id: TenantId,
  weight: Schema.Finite
})
export type EndedJob = typeof EndedJob.Type

/** What a delivery task is told. One of an older turn than the delivery's does nothing. */
export interface DeliveryInput {
  readonly delivery_id: string
  readonly turn?: number
}

/**
 * What the engine tells of, each in the transaction in which it happens: whoever listens commits with it or not at all, and
 * its failure undoes the move. The engine declares it and knows no listener; deliveries listen (`DeliveryQueue.layerHooks`).
 */
export class JobHooks extends Context.Service<JobHooks, {
  /** A job has become terminal. */
  readonly ended: (job: EndedJob, status: "succeeded" | "failed" | "cancelled") => Effect.Effect<void, SqlError>
  /** A batch has been completed by this job, its last. */
  readonly batchCompleted: (job: EndedJob, batch_id: string) => Effect.Effect<void, SqlError>
  /** A delivery task asks to come again: now, or at a later moment. */
  readonly again: (job: EndedJob, input: DeliveryInput, at?: Date) => Effect.Effect<void, SqlError>
  /** A delivery task could not be brought to an end, however often it was begun. */
  readonly unfinished: (job: EndedJob, input: DeliveryInput, why: string) => Effect.Effect<void, SqlError>
  /** Once a second by one process: releases deliveries that nothing holds back any more; answers how many. */
  readonly releaseReady: Effect.Effect<number, SqlError>
}>()("footnote/jobs/engine/JobHooks") {}
