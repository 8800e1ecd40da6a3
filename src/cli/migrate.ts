import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { isDatabaseAway } from "../database/DatabaseAway.ts"
import { migrationCount } from "../database/Migrations.ts"
import { refuse } from "../processes/Refuse.ts"
import { runProcess } from "../processes/RunProcess.ts"
import { teardownOf } from "../processes/Teardown.ts"

// Brings the database to this version and ends: for a deployment whose API has no owner's login. Exit codes as of a process's start.
Console.log(`The database has all ${migrationCount} migrations of this version.`).pipe(
  Effect.provide(
    Layer.provide(Database.layer({ maxConnections: 2, applicationName: "footnote migrate" }), NodeServices.layer)
  ),
  Effect.catchTags({ DatabasePooled: refuse, DatabaseRoleMissing: refuse, DatabaseOutdated: refuse }),
  (program) => runProcess(program, teardownOf(isDatabaseAway))
)
