import { Effect } from "effect"
import type { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { ModelRun, ModelUse } from "../../src/jobs/model/Provenance.ts"
import type { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { stackAway } from "./StackAway.ts"

/**
 * The models that a task ran on a stack, each with the files that it was loaded from. A model of no stack, such as rules
 * or one behind an address, has none. Fails with `MODEL_UNAVAILABLE` where a file has vanished since.
 */
export const usesOn = (
  store: ModelStore["Service"],
  stack: string,
  runs: ReadonlyArray<ModelRun>
): Effect.Effect<ReadonlyArray<ModelUse>, StageFailure> =>
  Effect.forEach(runs, (run) =>
    Effect.map(store.pins(stack, run.role, run.name), (pins): ModelUse => ({
      ...run,
      files: pins.map(({ name, revision, sha256 }) => ({ name, revision, digest: { sha256 } }))
    }))).pipe(
      Effect.catch(stackAway(store, stack))
    )
