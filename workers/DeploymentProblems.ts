import { Effect } from "effect"
import { checkBlobStore } from "../src/deployment/BlobStoreMark.ts"
import { checkClock } from "../src/deployment/ClockSkew.ts"
import { checkEncryptionKey, checkSourceKey } from "../src/deployment/KeyMark.ts"
import { checkModelStacks } from "../src/deployment/ModelMark.ts"
import { ModelStore } from "../src/model-stacks/ModelStore.ts"
import type { Pool } from "../src/processes/Pools.ts"

const loading: ReadonlySet<Pool> = new Set(["speech", "vision", "extraction"])

/** What a worker of these pools sees otherwise than its deployment: only what it works with is looked at. */
export const deploymentProblems = Effect.fn("deploymentProblems")(function*(served: ReadonlyArray<Pool>) {
  const found = [
    yield* checkBlobStore(),
    yield* checkClock,
    served.includes("delivery") ? yield* checkEncryptionKey : undefined,
    served.includes("fetch") ? yield* checkSourceKey : undefined,
    served.some((pool) => loading.has(pool))
      ? yield* checkModelStacks.pipe(Effect.provide(ModelStore.layer))
      : undefined
  ]
  return found.filter((problem) => problem !== undefined)
})
