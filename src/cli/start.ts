import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Config, Context, Effect, Layer, Option, Redacted } from "effect"
import { resolve } from "node:path"
import { EmbeddedPostgres } from "../database/EmbeddedPostgres.ts"
import { endWithParent } from "../processes/EndWithParent.ts"
import { keepFilesPrivate } from "../processes/FileModes.ts"
import { listenPort } from "../processes/ServiceAddress.ts"
import { teardownOf } from "../processes/Teardown.ts"
import { freePort, startLocalService } from "./LocalService.ts"

endWithParent()

/** `npm start`: the whole service on this machine until it is told to stop. */
const main = Effect.gen(function*() {
  yield* keepFilesPrivate
  const data_dir = resolve(yield* Config.String("FOOTNOTE_DATA").pipe(Config.withDefault(".footnote")))
  const outside = yield* Config.option(Config.Redacted("DATABASE_URL"))
  const wished = yield* listenPort
  // Every process is told the same port, so that links in deliveries lead to the API.
  const port = wished === 0 ? yield* freePort : wished
  const database = Option.isSome(outside)
    ? {
      url: outside.value,
      owner_url: Option.getOrUndefined(yield* Config.option(Config.Redacted("DATABASE_OWNER_URL")))
    }
    : Context.get(
      yield* Layer.build(EmbeddedPostgres.layer({ dataDir: `${data_dir}/postgres` })),
      EmbeddedPostgres
    )
  yield* startLocalService({
    data_dir,
    database_url: Redacted.value(database.url),
    database_owner_url: database.owner_url && Redacted.value(database.owner_url),
    port,
    // Decoding and models never wait for each other's process, and what opens strangers' files has no key that deliveries need.
    worker_groups: [["media"], ["speech"], ["vision"], ["extraction"], ["delivery"]],
    log_file: undefined
  })
  return yield* Effect.never
})

/** One line: whatever went wrong has been told above it. */
const refuse = ({ message }: { readonly message: string }) =>
  Effect.sync(() => {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  })

NodeRuntime.runMain(
  Effect.scoped(main).pipe(
    Effect.catchTags({ ChildFailed: refuse, EmbeddedPostgresError: refuse }),
    Effect.provide(NodeServices.layer)
  ),
  { teardown: teardownOf() }
)
