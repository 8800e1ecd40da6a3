import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { Context, Effect, Layer, Redacted, type Schema } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { freePort, startLocalService } from "../../src/cli/LocalService.ts"
import { type JobView, ServiceClient } from "../../src/cli/ServiceClient.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import type { Pool } from "../../src/processes/Pools.ts"

const everything: ReadonlyArray<ReadonlyArray<Pool>> = [["media", "speech", "vision", "extraction"], ["delivery"]]

/** A folder that is gone with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/**
 * A whole service in real processes on a database and a data folder of its own; both are gone with the scope, but for a folder
 * that is given (`data_dir`), which is left as a service leaves it.
 */
export const deployment = Effect.fn("deployment")(function*(options: {
  readonly worker_groups?: ReadonlyArray<ReadonlyArray<Pool>>
  readonly env?: Readonly<Record<string, string>>
  readonly data_dir?: string
}) {
  const folder = options.data_dir ?? (yield* temporaryFolder)
  const ephemeral = options.data_dir === undefined
  const postgres = Context.get(
    yield* Layer.build(EmbeddedPostgres.layer({ dataDir: join(folder, "postgres"), ephemeral })),
    EmbeddedPostgres
  )
  const api_key = options.env?.["FOOTNOTE_API_KEY"] ?? mintSecret()
  const { base_url } = yield* startLocalService({
    data_dir: folder,
    database_url: Redacted.value(postgres.url),
    database_owner_url: Redacted.value(postgres.owner_url),
    port: yield* freePort,
    worker_groups: options.worker_groups ?? everything,
    log_file: join(folder, "service.log"),
    env: { FOOTNOTE_API_KEY: api_key, LOG_FORMAT: "json", ...options.env }
  })
  const client = Context.get(
    yield* Layer.build(
      ServiceClient.layer({ base_url, api_key }).pipe(
        Layer.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici))
      )
    ),
    ServiceClient
  )
  return {
    base_url,
    api_key,
    folder,
    client,
    service_url: Redacted.value(postgres.url),
    /** By the owner of the tables, who sees and may do everything. */
    database_url: Redacted.value(postgres.owner_url)
  }
})

/** Holds on the server's side until the job is terminal. */
export const finished = (client: ServiceClient["Service"], id: string): Effect.Effect<JobView> =>
  client.json(`/v1/jobs/${id}?wait=60`).pipe(
    Effect.andThen(client.job(id)),
    Effect.orDie,
    Effect.repeat({ until: (job) => ["succeeded", "failed", "cancelled"].includes(job.status) })
  )

/** Uploads a local file and submits it. */
export const submit = Effect.fn("submit")(function*(
  client: ServiceClient["Service"],
  file: string,
  body: Record<string, unknown>
) {
  const source_uri = yield* client.upload(file)
  // Most tests ask what is found and cited, not whether it is sure enough to be given unasked.
  return yield* client.createJob({ source_uri, precision: "balanced", ...body })
}, (effect) => Effect.orDie(effect))

const artifactRoutes = [
  "transcript",
  "frames?include_raw=true",
  "vision",
  "graph?view=canonical",
  "graph?view=compact",
  "evidence"
] as const

/** Every artifact and the result, without the id of the job that they belong to. */
export const artifactsOf = Effect.fn("artifactsOf")(function*(client: ServiceClient["Service"], job: JobView) {
  const all: Record<string, string> = {}
  for (const route of artifactRoutes) {
    const { job_id: _, ...artifact } = (yield* client.json(`/v1/jobs/${job.id}/${route}`)) as Record<
      string,
      Schema.Json
    >
    all[route] = JSON.stringify(artifact)
  }
  all["result"] = JSON.stringify((job.record as Record<string, Schema.Json>)["result"])
  return all
}, (effect) => Effect.orDie(effect))
