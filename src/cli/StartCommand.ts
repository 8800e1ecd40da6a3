import { NodeServices } from "@effect/platform-node"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { resolve } from "node:path"
import { workerConfiguration } from "../../workers/WorkerConfiguration.ts"
import { databaseAddresses } from "../database/Database.ts"
import { EmbeddedPostgres } from "../database/EmbeddedPostgres.ts"
import { apiConfiguration } from "../http/ApiConfiguration.ts"
import { checkConfiguration } from "../observability/Configuration.ts"
import { dataFolder } from "../processes/DataFolder.ts"
import { keepFilesPrivate } from "../processes/FileModes.ts"
import { pools } from "../processes/Pools.ts"
import { refuse } from "../processes/Refuse.ts"
import { runProcess } from "../processes/RunProcess.ts"
import {
  baseOf,
  listenHost,
  listeningOrigins,
  listenPort,
  publicUrl,
  serviceAddress
} from "../processes/ServiceAddress.ts"
import { teardownOf } from "../processes/Teardown.ts"
import { portFree } from "../web/server/Listener.ts"
import { freePort, startLocalService } from "./LocalService.ts"

/** `npm start`: the whole service on this machine until it is told to stop. */
const main = Effect.gen(function*() {
  // What any process of the service would find wrong is told once, by all names, before anything starts.
  yield* checkConfiguration([
    ...apiConfiguration,
    // A port of the system's choice is no secret from deliveries here: it is chosen below, for all.
    ...workerConfiguration(pools).filter((config) => config !== serviceAddress)
  ])
  const host = yield* listenHost
  const wished = yield* listenPort
  yield* portFree({ host, port: wished })
  yield* keepFilesPrivate
  const data_dir = resolve(yield* dataFolder)
  const { owner_url, url: outside } = yield* databaseAddresses
  // Every process is told the same port, so that links in deliveries lead to the API.
  const port = wished === 0 ? yield* freePort : wished
  const database = Option.isSome(outside)
    ? {
      url: outside.value,
      owner_url: Option.getOrUndefined(owner_url)
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
  const shown = Option.match(yield* publicUrl, {
    onNone: () => listeningOrigins(host, port)[0],
    onSome: baseOf
  })
  process.stdout.write(`Footnote is at ${shown}/app/
  sign in with                    an API key; the first start prints one, once
  the API, and a form to try it   ${shown}/docs
  another key                     npm run tenants -- list; npm run tenants -- keys create TENANT
  what every setting is called    docs/configuration.md
`)
  return yield* Effect.never
})

runProcess(
  Effect.scoped(main).pipe(
    Effect.catchTags({
      ChildFailed: refuse,
      ConfigurationInvalid: refuse,
      EmbeddedPostgresError: refuse,
      PortTaken: refuse
    }),
    Effect.provide(NodeServices.layer)
  ),
  teardownOf()
)
