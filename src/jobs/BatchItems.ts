import { Effect, Option, Result, Schema } from "effect"
import { fieldErrors } from "../errors/FieldErrors.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { storedKey } from "../idempotency/IdempotencyKey.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"
import { textsOfParts } from "../schemas/JsonText.ts"
import type { Batches, JudgedItem } from "./Batches.ts"
import { type BatchPlace, isJudgedMeanwhile } from "./engine/Intake.ts"
import { BatchItem, type BatchSubmission, type RefusedItem } from "./model/Batch.ts"
import type { Submission, Submitted } from "./Submission.ts"

const decodeItem = Schema.decodeUnknownEffect(BatchItem, { errors: "all", onExcessProperty: "error" })

/**
 * The items of a batch, each judged once: of two requests under the batch's key at the same moment both come by every item, the
 * first verdict is kept, and both tell that one.
 */
export const makeBatchItems = (
  submit: (
    submission: Submission & { readonly item_key?: string | undefined }
  ) => Effect.Effect<Submitted, RefusedItem, CurrentTenant>,
  /** The job that an item has become, as it is now. */
  jobOf: (job_id: string) => Effect.Effect<Submitted, RefusedItem, CurrentTenant>,
  batches: Batches["Service"]
) => {
  const submitItem = Effect.fnUntraced(
    function*({ item, model_stack, written }: BatchSubmission, batch: BatchPlace, keyed: boolean) {
      const { idempotency_key, ...body } = yield* Effect.mapError(
        decodeItem(item),
        (error) => new InvalidRequest({ details: fieldErrors(error) })
      )
      // What is compared is what a request of its own would send: the key stands beside the body there.
      const { idempotency_key: _, ...raw } = item as Record<string, Schema.Json>
      return yield* submit({
        body,
        raw,
        model_stack,
        idempotency_key,
        batch,
        item_key: keyed ? storedKey("createJobs", `${batch.batch_id}/${batch.item}`) : undefined,
        schema_text: written === undefined ? undefined : textsOfParts(written).get("schema_inline")
      })
    }
  )

  const told = (
    { job_id, refusal }: JudgedItem
  ): Effect.Effect<Result.Result<Submitted, RefusedItem>, never, CurrentTenant> =>
    job_id !== null ? Effect.result(jobOf(job_id)) : Effect.succeed(Result.fail({
      status: refusal.status,
      envelope: Effect.succeed({ error: refusal.error })
    }))

  const judge = Effect.fnUntraced(function*(submission: BatchSubmission, place: BatchPlace, keyed: boolean) {
    const { batch_id, item } = place
    const made = yield* Effect.result(submitItem(submission, place, keyed)).pipe(
      Effect.asSome,
      Effect.catchDefect((defect) => isJudgedMeanwhile(defect) ? Effect.succeedNone : Effect.die(defect))
    )
    if (Option.isNone(made)) return yield* told(yield* batches.known(batch_id, item))
    const outcome = made.value
    if (Result.isFailure(outcome)) {
      const { status } = outcome.failure
      const { error } = yield* outcome.failure.envelope
      const kept = yield* batches.judge(batch_id, { item, job_id: null, refusal: { status, error } })
      return kept === undefined ? outcome : yield* told(kept)
    }
    // A job that is new has taken its place in the batch with its own row.
    if (!outcome.success.replayed) return outcome
    const kept = yield* batches.judge(batch_id, { item, job_id: outcome.success.job.id, refusal: null })
    return kept === undefined || kept.job_id === outcome.success.job.id ? outcome : yield* told(kept)
  })

  return { judge, told }
}
