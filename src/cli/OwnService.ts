import { Context, Effect, FileSystem, Layer, Path, Redacted } from "effect"
import { mintSecret } from "../api-keys/ApiKeySecret.ts"
import { signingKeyPath } from "../crypto/Signing.ts"
import { EmbeddedPostgres } from "../database/EmbeddedPostgres.ts"
import { modelStoreConfig } from "../model-stacks/ModelStoreConfig.ts"
import { freePort, startLocalService } from "./LocalService.ts"
import { makeProgressBar } from "./output/ProgressBar.ts"
import { type JobView, ServiceClient } from "./ServiceClient.ts"

/**
 * Runs a caller of the API against a whole service of its own, in a folder that is gone when the scope closes. Fails with
 * what the service logged last where it cannot start.
 */
export const withOwnService = <A, E, R>(caller: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* Effect.orDie(fs.makeTempDirectoryScoped({ prefix: "footnote-" }))
    const postgres = Context.get(
      yield* Layer.build(EmbeddedPostgres.layer({ dataDir: path.join(folder, "postgres"), ephemeral: true })),
      EmbeddedPostgres
    )
    const api_key = mintSecret()
    const { base_url } = yield* startLocalService({
      data_dir: folder,
      database_url: Redacted.value(postgres.url),
      database_owner_url: Redacted.value(postgres.owner_url),
      port: yield* freePort,
      // One process for all pools: it only holds leases, the models and decoders are children of it. Nothing is delivered.
      worker_groups: [["media", "speech", "vision", "extraction"]],
      log_file: path.join(folder, "service.log"),
      // What was fetched once serves every run: only the job's own data lies in the folder that goes away.
      env: {
        FOOTNOTE_API_KEY: api_key,
        LOG_FORMAT: "json",
        FOOTNOTE_MODEL_DIR: (yield* modelStoreConfig).store,
        // A key that went with the folder could vouch for nothing afterwards.
        FOOTNOTE_SIGNING_KEY_FILE: path.resolve(yield* signingKeyPath)
      }
    })
    return yield* caller.pipe(Effect.provide(ServiceClient.layer({ base_url, api_key })))
  })

const terminal = new Set(["succeeded", "failed", "cancelled"])

/** Follows the job to its end and draws how far it is. The caller's Ctrl-C cancels it. */
export const followJob = Effect.fn("followJob")(function*(created: JobView) {
  const client = yield* ServiceClient
  const bar = makeProgressBar(process.stderr)
  let job = created
  while (!terminal.has(job.status)) {
    bar.draw({
      stage: job.progress.stage,
      fraction: job.progress.fraction,
      duration_seconds: job.source?.duration_seconds ?? null
    })
    yield* Effect.sleep("250 millis")
    job = yield* client.job(job.id)
  }
  bar.clear()
  return job
})
