import { Effect } from "effect"
import { checkBlobStore } from "../src/deployment/BlobStoreMark.ts"
import { checkClock } from "../src/deployment/ClockSkew.ts"
import { checkEncryptionKey, checkSourceKey } from "../src/deployment/KeyMark.ts"
import { checkModelStacks } from "../src/deployment/ModelMark.ts"
import type { Look } from "../src/deployment/Problem.ts"
import { ModelStore } from "../src/model-stacks/ModelStore.ts"
import type { Pool } from "../src/processes/Pools.ts"

const modelFiles = checkModelStacks.pipe(Effect.provide(ModelStore.layer))

type Compared = typeof checkEncryptionKey | typeof checkSourceKey | typeof modelFiles

interface PoolLook extends Look<Effect.Error<Compared>, Effect.Services<Compared>> {
  readonly pools: ReadonlyArray<Pool>
}

/** What a worker of a pool compares with its deployment beside blob store and clock: only what it works with. */
const looks: ReadonlyArray<PoolLook> = [
  { what: "encryption key", pools: ["delivery"], look: checkEncryptionKey },
  { what: "source key", pools: ["fetch"], look: checkSourceKey },
  { what: "model files", pools: ["speech", "vision", "extraction"], look: modelFiles }
]

/** The looks of these pools by what they look at; `doctor` makes a finding of each. */
export const looksOf = (served: ReadonlyArray<Pool>) =>
  looks.filter(({ pools }) => pools.some((pool) => served.includes(pool)))

/** What a worker of these pools sees otherwise than its deployment. */
export const deploymentProblems = Effect.fn("deploymentProblems")(function*(served: ReadonlyArray<Pool>) {
  const found = [yield* checkBlobStore(), yield* checkClock]
  for (const { look } of looksOf(served)) found.push(yield* look)
  return found.filter((problem) => problem !== undefined)
})
