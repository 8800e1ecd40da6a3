import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Console, Effect, Layer } from "effect"
import { CliError } from "effect/cli"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { Database } from "../database/Database.ts"
import { layerPrivateFiles } from "../processes/FileModes.ts"
import { TenantAccounts } from "../tenants/TenantAccounts.ts"
import { runTenants } from "./TenantsCommand.ts"

const fail = (message: string) => Effect.andThen(Console.error(message), Effect.sync(() => void (process.exitCode = 1)))

// A failure is a sentence and exit code 1, not a trace; what was wrong with the words has been said with the help.
runTenants(process.argv.slice(2)).pipe(
  Effect.provide(
    Layer.mergeAll(ApiKeys.layer, TenantAccounts.layer).pipe(
      Layer.provide(Database.layer({ applicationName: "footnote tenants", maxConnections: 2 })),
      Layer.provide(layerPrivateFiles)
    )
  ),
  Effect.catchIf((error) => !CliError.isCliError(error), ({ message }) => fail(message)),
  Effect.catchDefect((defect) => fail(Cause.pretty(Cause.die(defect)))),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
