import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { parseArgs } from "node:util"
import { examine, print } from "../deployment/Doctor.ts"
import { apiConfiguration } from "../http/ApiConfiguration.ts"

const { values } = parseArgs({ options: { "adopt-blob-store": { type: "boolean", default: false } } })

// For a shell: 0 where all is well, 1 where something is to be mended.
examine(apiConfiguration, values["adopt-blob-store"]).pipe(
  Effect.flatMap(print),
  Effect.map((well) => void (process.exitCode = well ? 0 : 1)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
