import { Context, Effect, Fiber, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DeliveryInput } from "../../src/jobs/engine/JobHooks.ts"
import type { HeldTask } from "../../src/jobs/engine/Tasks.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { pipeline } from "../../src/jobs/model/Pipeline.ts"
import { RenderInput, renderSeconds } from "../../src/jobs/model/Rendition.ts"
import { type StageInput, StageIo, type StageName } from "../../src/jobs/model/StageIo.ts"
import { idsOf } from "./Settlement.ts"
import type { DeliveryHandler, RenderHandler, Spent, StageHandler, StageHandlers, TaskAnswer } from "./Stage.ts"
import type { Progress } from "./Worker.ts"

/**
 * Runs a task by its stage's handler: input and output are held to the stage's schemas, and a task that takes longer than
 * its stage may fails with `STAGE_TIMEOUT`. An output that does not fit is our bug, `INTERNAL`, and not tried again.
 */
export const runStage = (handlers: StageHandlers, charge?: Charge) => (task: HeldTask, progress: Progress) =>
  task.stage === "deliver" || task.stage === "render" || handlers[task.stage] === undefined
    ? broken(`This worker has no handler for ${task.stage}.`)
    : runOne(task.stage, handlers[task.stage] as StageHandler<StageName>, task, progress, charge)

/** Books what a task has spent so far. */
export type Charge = (task: HeldTask, spent: Spent) => Effect.Effect<void, SqlError>

/** A decoder or a model's process is killed within a second or two; beyond this it is one that even the kernel does not end. */
export const StopSeconds = Context.Reference<number>("footnote/workers/engine/StageRunner/StopSeconds", {
  defaultValue: () => 10
})

/** Every connector bounds its requests and their number; this is for one that should not. */
const deliverySeconds = 600

/**
 * Interrupts work, and waits for its end for so long and no longer. Where it does not end, its slot is free all the same: the
 * worker's other tasks would go down with the process, and what this one still does is fenced by the attempt.
 */
const stop = Effect.fnUntraced(function*(work: Fiber.Fiber<unknown, unknown>, task: HeldTask) {
  const seconds = yield* StopSeconds
  const stopped = yield* Effect.timeoutOption(Fiber.interrupt(work), `${seconds} seconds`)
  if (Option.isSome(stopped)) return
  const told =
    `A task has not stopped within ${seconds} s; its slot is another's, what it still does counts for nothing`
  yield* Effect.annotateLogs(Effect.logError(told), idsOf(task))
})

/**
 * Ends work whose time is over with a failure, also where the work does not stop: a process that hangs in the kernel must not
 * hold a slot and a lease for ever. Interrupted by others, it has stopped first, or had as long to.
 */
const within = <A, E, R>(work: Effect.Effect<A, E, R>, seconds: number, task: HeldTask, late: StageFailure) =>
  Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
    const fiber = yield* Effect.forkDetach(restore(work))
    const timed = Fiber.join(fiber).pipe(
      Effect.timeoutOrElse({
        duration: `${seconds} seconds`,
        orElse: () => Effect.andThen(stop(fiber, task), late)
      })
    )
    return yield* restore(timed).pipe(
      Effect.onInterrupt(() => stop(fiber, task))
    )
  }))

const runOne = Effect.fnUntraced(function*<S extends StageName>(
  stage: S,
  handler: StageHandler<S>,
  task: HeldTask,
  progress: Progress,
  charge: Charge | undefined
): Effect.fn.Return<TaskAnswer, StageFailure> {
  const io: { readonly input: Schema.Codec<unknown>; readonly output: Schema.Codec<unknown> } = StageIo[stage] as never
  const input = yield* Schema.decodeUnknownEffect(io.input)(task.input).pipe(
    Effect.catchTag("SchemaError", (error) => broken(`The input of ${stage} does not fit: ${error.message}`))
  )
  const { timeout_seconds } = pipeline[stage]
  const work = handler({
    job_id: task.job_id,
    tenant_id: task.tenant_id,
    stage,
    index: task.index,
    attempt: task.attempt,
    spec: task.spec,
    input: input as StageInput<S>,
    blobPrefix: `jobs/${task.job_id}/${stage}/${task.index}/${task.attempt}`,
    progress,
    charge: charge === undefined ? undefined : (spent) => charge(task, spent)
  })
  const late = new StageFailure({
    code: "STAGE_TIMEOUT",
    message: `${stage} took longer than ${timeout_seconds} s.`,
    retryable: false
  })
  const output = yield* within(work, timeout_seconds, task, late).pipe(
    Effect.withSpan(`stage.${stage}`, { attributes: { "task.index": task.index } })
  )
  const encoded = yield* Schema.encodeUnknownEffect(io.output)(output).pipe(
    Effect.catchTag("SchemaError", (error) => broken(`The output of ${stage} does not fit: ${error.message}`))
  )
  return { output: encoded }
})

/**
 * Runs a delivery task; its `retry_at` becomes a task of its own. One that takes longer than ten minutes fails with `STAGE_TIMEOUT`
 * and comes again.
 */
export const runDelivery = (handler: DeliveryHandler) => (task: HeldTask): Effect.Effect<TaskAnswer, StageFailure> => {
  const { attempt, job_id, tenant_id } = task
  const { delivery_id, turn = 0 } = task.input as DeliveryInput
  const late = new StageFailure({
    code: "STAGE_TIMEOUT",
    message: `The delivery took longer than ${deliverySeconds} s.`,
    retryable: true
  })
  return within(handler({ delivery_id, turn, job_id, tenant_id, attempt }), deliverySeconds, task, late).pipe(
    Effect.map(({ retry_at }) => retry_at === null ? { output: null } : { retry_at }),
    Effect.withSpan("deliver", { attributes: { "delivery.id": delivery_id } })
  )
}

/** Runs a task that makes something to look at; one that takes longer than such a thing may fails with `STAGE_TIMEOUT`. */
export const runRender =
  (handler: RenderHandler) => (task: HeldTask, progress: Progress): Effect.Effect<TaskAnswer, StageFailure> => {
    const { job_id, tenant_id } = task
    return Effect.gen(function*() {
      const input = yield* Schema.decodeUnknownEffect(RenderInput)(task.input).pipe(
        Effect.catchTag("SchemaError", (error) => broken(`The input of render does not fit: ${error.message}`))
      )
      const seconds = renderSeconds[input.kind]
      const late = new StageFailure({
        code: "STAGE_TIMEOUT",
        message: `It took longer than ${seconds} s.`,
        retryable: false
      })
      const output = yield* within(handler({ job_id, tenant_id, input, progress }), seconds, task, late)
      return { output }
    }).pipe(Effect.withSpan("render"))
  }

const broken = (message: string) => Effect.fail(new StageFailure({ code: "INTERNAL", message, retryable: false }))
