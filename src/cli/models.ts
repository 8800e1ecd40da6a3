import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { CliError } from "effect/cli"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import { layerPrivateFiles } from "../processes/FileModes.ts"
import { runModels } from "./ModelsCommand.ts"

// A failure is a sentence and exit code 1, not a trace; what was wrong with the words has been said with the help.
runModels(process.argv.slice(2)).pipe(
  Effect.provide(Layer.provide(ModelStore.layer, layerPrivateFiles)),
  Effect.catchIf(
    (error) => !CliError.isCliError(error),
    ({ message }) => Effect.andThen(Console.error(message), Effect.sync(() => void (process.exitCode = 1)))
  ),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
