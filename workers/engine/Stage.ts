import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { JobId, TenantId } from "../../src/identity/Id.ts"
import type { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { JobSpec } from "../../src/jobs/model/JobSpec.ts"
import type { RenderInput, RenderOutput } from "../../src/jobs/model/Rendition.ts"
import type { StageInput, StageName, StageOutput } from "../../src/jobs/model/StageIo.ts"

/** Tokens that models behind an address read and wrote, and their price. */
export interface Spent {
  readonly tokens: number
  readonly cost: number
}

/** One task of one stage, as its handler sees it. */
export interface StageTask<S extends StageName> {
  readonly job_id: JobId
  readonly tenant_id: TenantId
  readonly stage: S
  readonly index: number
  /** Counts from 0. Only blob keys may depend on it. */
  readonly attempt: number
  readonly spec: JobSpec
  readonly input: StageInput<S>
  /** Where this attempt may write: `jobs/<job>/<stage>/<index>/<attempt>`. Only what the settled output refers to counts. */
  readonly blobPrefix: string
  /** Tells how far the task is, in media seconds. Cheap; coalesced before it reaches the database. */
  readonly progress: (processed_seconds: number, total_seconds: number) => Effect.Effect<void>
  /** Books what this attempt has spent so far on models behind an address; without a database there is no book. */
  readonly charge?: ((spent: Spent) => Effect.Effect<void, SqlError>) | undefined
}

/** What came of a task: its output, or for a delivery the moment of the next attempt. */
export type TaskAnswer = { readonly output: unknown } | { readonly retry_at: Date }

/** Does one task: gives its output, fails with a code of the closed list, and stops its processes when interrupted. */
export type StageHandler<S extends StageName, R = never> = (
  task: StageTask<S>
) => Effect.Effect<StageOutput<S>, StageFailure, R>

/** The handlers that one worker process runs. */
export type StageHandlers = { readonly [S in StageName]?: StageHandler<S> }

/** Something to look at that is to be made of a finished job's source. */
interface RenderTask {
  readonly job_id: JobId
  readonly tenant_id: TenantId
  readonly input: RenderInput
  readonly progress: StageTask<StageName>["progress"]
}

/** Makes it and says where it lies. It may be made again where its worker died, under the same key. */
export type RenderHandler = (task: RenderTask) => Effect.Effect<RenderOutput, StageFailure>

/** One attempt of one delivery: what to send is in the tables, what came of it is written there by the handler. */
interface DeliveryTask {
  readonly delivery_id: string
  /** Of the delivery's task; an older one than the delivery's does nothing. */
  readonly turn: number
  readonly job_id: JobId
  readonly tenant_id: TenantId
  /** Counts crashes of workers at this attempt, not attempts at the receiver. */
  readonly attempt: number
}

/**
 * Makes an attempt. `retry_at` asks for another one at that moment, which is no failure; null ends the delivery. It may
 * fail where its own books cannot be kept: then the same attempt comes again, so the receiver must see a stable event id.
 */
export type DeliveryHandler<R = never> = (
  task: DeliveryTask
) => Effect.Effect<{ readonly retry_at: Date | null }, StageFailure, R>
