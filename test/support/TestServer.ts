import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Config, ConfigProvider, Context, Effect, FileSystem, Layer, Logger, Redacted, type Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpServer as EffectHttpServer } from "effect/http"
import { hashApiKey, mintSecret, visiblePrefix } from "../../src/api-keys/ApiKeySecret.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { Signing } from "../../src/crypto/Signing.ts"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"
import { Database } from "../../src/database/Database.ts"
import * as HttpServer from "../../src/http/HttpServer.ts"
import { newId, type TenantId } from "../../src/identity/Id.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import type { ArtifactKind } from "../../src/jobs/Jobs.ts"
import * as Blobs from "../../src/storage/Blobs.ts"
import type { Registrations } from "../../src/tools/ToolServer.ts"
import { Draining } from "../../src/web/server/Draining.ts"
import { layerListening, Listener } from "../../src/web/server/Listener.ts"
import { contractBreach } from "./ApiContract.ts"
import * as TestDatabase from "./TestDatabase.ts"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The body as JSON, or undefined where it is none. */
  readonly json: any
}

export interface Call {
  readonly key?: string
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestTenant {
  readonly tenant_id: TenantId
  readonly key_id: string
  readonly key: string
}

/** The REST API over HTTP, as any caller has it, and the few things that a test arranges behind its back. */
export class TestServer extends Context.Service<TestServer, {
  readonly base_url: string
  /** Dies where an answer in JSON does not fit the API document. */
  readonly send: (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS",
    path: string,
    call?: Call
  ) => Effect.Effect<Answer>
  readonly tenant: (name: string, limits?: { readonly max_active?: number }) => Effect.Effect<TestTenant>
  /** Changes the database under the service. */
  readonly sql: <Row = unknown>(statement: string) => Effect.Effect<ReadonlyArray<Row>>
  /** Makes a job `succeeded` with these artifacts, as the last stage would. */
  readonly succeed: (
    job_id: string,
    artifacts: { readonly [K in ArtifactKind]?: Schema.Json | Uint8Array }
  ) => Effect.Effect<void>
}>()("footnote/test/support/TestServer") {}

const bytesOf = (value: unknown) =>
  value instanceof Uint8Array ? value : new TextEncoder().encode(JSON.stringify(value))

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const { url } = yield* Database
  const blobs = yield* Blobs.Blobs
  const client = yield* HttpClient.HttpClient
  const { address } = yield* EffectHttpServer.HttpServer

  return TestServer.of({
    base_url: EffectHttpServer.formatAddress(address).replace("0.0.0.0", "127.0.0.1"),
    send: (method, path, { body, headers = {}, json, key } = {}) =>
      Effect.gen(function*() {
        const content = json === undefined ? body : JSON.stringify(json)
        let request = HttpClientRequest.make(method)(path).pipe(
          HttpClientRequest.setHeaders(key === undefined ? {} : { authorization: `Bearer ${key}` })
        )
        if (content !== undefined) {
          const type = headers["content-type"] ?? "application/json"
          request = typeof content === "string"
            ? HttpClientRequest.bodyText(request, content, type)
            : HttpClientRequest.bodyUint8Array(request, content, type)
        }
        const response = yield* client.execute(HttpClientRequest.setHeaders(request, headers))
        const text = yield* response.text
        const answered = parsed(text)
        if (response.headers["content-type"]?.startsWith("application/json") === true && answered !== undefined) {
          const breach = contractBreach(method, path, response.status, answered)
          if (breach !== undefined) return yield* Effect.die(new Error(breach))
        }
        return { status: response.status, headers: response.headers, text, json: answered }
      }).pipe(Effect.orDie),
    tenant: (name, { max_active = 100 } = {}) =>
      Effect.gen(function*() {
        const tenant_id = yield* newId("ten")
        const key_id = yield* newId("key")
        const key = mintSecret()
        yield* sql`INSERT INTO footnote.tenants (id, name, max_active) VALUES (${tenant_id}, ${name}, ${max_active})`
        yield* sql`INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
          VALUES (${key_id}, ${tenant_id}, 'first', ${visiblePrefix(key)}, ${hashApiKey(key)})`
        return { tenant_id, key_id, key }
      }).pipe(Effect.orDie),
    sql: <Row>(statement: string) =>
      Effect.promise(() => TestDatabase.execute<Row>(TestDatabase.asOwner(url), statement)),
    succeed: (job_id, artifacts) =>
      Effect.gen(function*() {
        for (const [kind, value] of Object.entries(artifacts)) {
          const { key, sha256, size_bytes } = yield* blobs.put(`jobs/${job_id}/extract/0/0/${kind}`, bytesOf(value))
          yield* sql`INSERT INTO footnote.artifacts ${sql.insert({ job_id, kind, key, sha256, size_bytes })}`
        }
        yield* sql`UPDATE footnote.jobs SET status = 'succeeded', admitted_at = coalesce(admitted_at, now()),
          started_at = now(), finished_at = now() WHERE id = ${job_id}`
      }).pipe(Effect.orDie)
  })
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const BlobsLayer = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return Blobs.layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-test-" }))
}))

/** A connection per request: the server ends without waiting for idle ones. */
const CallerLayer = Layer.fresh(FetchHttpClient.layer).pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit)({ keepalive: false }))
)

/** A server on a free port over whatever else there is. */
const layerListeningOnly = (registrations?: Registrations, listener = Listener.layer()) =>
  Layer.effect(TestServer, make).pipe(
    Layer.provideMerge(HttpServer.layerWith(registrations)),
    Layer.provideMerge(EffectHttpServer.layerTestClient.pipe(Layer.provide(CallerLayer))),
    Layer.provideMerge(layerListening(Config.succeed({ host: "127.0.0.1", port: 0 }))),
    Layer.provideMerge(listener)
  )

/** One more API process's worth of server over the same database and blobs, with variables of its own. */
export const replica = (env: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Layer.build(
      Layer.fresh(layerListeningOnly()).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))))
    ),
    (context) => Context.get(context, TestServer)
  )

/** A real server on a free port over a database of its own and these blobs. */
export const layerOver = <E, R>(
  blobs: Layer.Layer<Blobs.Blobs, E, R>,
  registrations?: Registrations,
  database: typeof TestDatabase.layer = TestDatabase.layer,
  listener = Listener.layer()
) =>
  layerListeningOnly(registrations, listener).pipe(
    Layer.provideMerge(Layer.mergeAll(
      Draining.layer,
      Signing.layerKey(Redacted.make(new Uint8Array(32).fill(9))),
      blobs,
      Engine.layerApi
    )),
    Layer.provideMerge(Sealing.layerKey(Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provideMerge(database),
    Layer.provideMerge(NodeServices.layer),
    // What a request got wrong is in its answer; the log would drown the report.
    Layer.provideMerge(Logger.layer([]))
  )

/** A real server on a free port over a database and a blob store of its own. */
export const layer = layerOver(BlobsLayer)

/** The same, whose janitor finds its place taken: nothing ends a lease, releases a delivery or admits a job but the test. */
export const layerWithoutJanitor = Layer.effectDiscard(Effect.gen(function*() {
  const session = yield* (yield* PgClient.PgClient).reserve
  yield* session.executeRaw(`SELECT pg_advisory_lock(${advisoryLocks.janitor}, 0)`, [])
})).pipe(Layer.provideMerge(layer))

/** The same with a listener of the test's. */
export const layerListenedBy = (listener: ReturnType<typeof Listener.layer>) =>
  layerOver(BlobsLayer, undefined, TestDatabase.layer, listener)

/** The same with more at its tool server than the service has. */
export const layerWith = (registrations: Registrations) => layerOver(BlobsLayer, registrations)

/** The same over a database that the test has altered. */
export const layerOn = (database: typeof TestDatabase.layer) => layerOver(BlobsLayer, undefined, database)
