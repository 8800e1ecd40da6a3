import { Effect } from "effect"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { readyStacks } from "../../src/model-stacks/ReadyStacks.ts"

/**
 * Why a stack's files cannot be used, as a failure of a task that says what a caller can do: which stacks are ready. What the operator runs
 * for it is in the log, since no caller can run it.
 */
export const stackAway = (store: ModelStore["Service"], stack: string) =>
  Effect.fnUntraced(function*({ message }: { readonly message: string }) {
    yield* Effect.logWarning(message)
    // A lock file that cannot be read is why none of them can be told.
    const usable = yield* Effect.orElseSucceed(readyStacks(store, stack), () => "Its operator can tell why.")
    return yield* new StageFailure({
      code: "MODEL_UNAVAILABLE",
      message: `The model stack ${stack} is not ready on this deployment. ${usable}`,
      retryable: false
    })
  })
