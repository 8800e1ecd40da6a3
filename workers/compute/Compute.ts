import { Context, type Effect } from "effect"
import type { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { ComputeCall } from "./ComputeCall.ts"

/**
 * Runs a function of the lane's child process and gives its answer. A native model call blocks its process's event
 * loop, so it never happens in the process that holds the leases. Interruption stops the work within 2 s: the child is
 * asked first and killed after 1 s. A crash of the child fails with `MODEL_UNAVAILABLE`, retryable, and the next call
 * starts a fresh one. A request or an answer that does not fit its schema fails with `INTERNAL`, not retryable, and names
 * the call.
 */
export class Compute extends Context.Service<Compute, {
  /**
   * `heard` is given what the function tells before its answer, also while it is being stopped, and which start of the call
   * tells it, from 0: one whose process was killed for a neighbour begins anew.
   */
  readonly call: <Input, Output, News>(
    call: ComputeCall<Input, Output, News>,
    input: Input,
    heard?: (news: News, start: number) => void
  ) => Effect.Effect<Output, StageFailure>
}>()("footnote/workers/compute/Compute") {}
