import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { CliError } from "effect/cli"
import { Sealing } from "../crypto/Sealing.ts"
import { Database } from "../database/Database.ts"
import { layerPrivateFiles } from "../processes/FileModes.ts"
import { runKeys } from "./KeysCommand.ts"

const Services = Layer.mergeAll(
  Sealing.layer,
  Database.layer({ maxConnections: 2, applicationName: "footnote keys" })
).pipe(Layer.provide(layerPrivateFiles))

// A failure is a sentence and exit code 1, not a trace; what was wrong with the words has been said with the help.
runKeys(process.argv.slice(2), Services).pipe(
  Effect.catchIf(
    (error) => !CliError.isCliError(error),
    ({ message }) => Effect.andThen(Console.error(message), Effect.sync(() => void (process.exitCode = 1)))
  ),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
