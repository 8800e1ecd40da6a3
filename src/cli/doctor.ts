import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { parseArgs } from "node:util"
import { looksOf } from "../../workers/DeploymentProblems.ts"
import { workerConfiguration } from "../../workers/WorkerConfiguration.ts"
import { derivedKeysOf } from "../crypto/PurposeKey.ts"
import { examine, print } from "../deployment/Doctor.ts"
import { apiConfiguration } from "../http/ApiConfiguration.ts"
import { type Pool, pools } from "../processes/Pools.ts"
import { keepEnvironment } from "../processes/ProcessEnvironment.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { "adopt-blob-store": { type: "boolean", default: false } }
})
const adopt = values["adopt-blob-store"]

const refuseWords = (why: string): never => {
  process.stderr.write(`${why}\n`)
  return process.exit(2)
}

/** The pools of the worker that is asked about, as `workers/main.ts` takes them: whoever decodes fetches too. */
const servedBy = (words: ReadonlyArray<string>): ReadonlyArray<Pool> => {
  const unknown = words.filter((word) => !pools.includes(word as Pool))
  if (unknown.length > 0) refuseWords(`Unknown pool ${unknown.join(", ")}. Pools: ${pools.join(", ")}.`)
  const served = pools.filter((pool) => words.includes(pool) || (pool === "fetch" && words.includes("media")))
  return served.length > 1 && served.includes("delivery")
    ? refuseWords("No worker serves delivery and another pool: ask about one process at a time.")
    : served
}

/** A worker sees what its table gives it, and derives what `workers/main.ts` derives. */
const ofWorker = (served: ReadonlyArray<Pool>) => {
  for (const [name, key] of Object.entries(derivedKeysOf(process.env))) process.env[name] ??= key
  keepEnvironment(served)
  return examine({ adopt, configuration: workerConfiguration(served), looks: looksOf(served) })
}

const served = servedBy(positionals)
const examined = served.length === 0 ? examine({ adopt, configuration: apiConfiguration }) : ofWorker(served)

// For a shell: 0 where all is well, 1 where something is to be mended.
examined.pipe(
  Effect.flatMap(print),
  Effect.map((well) => void (process.exitCode = well ? 0 : 1)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
