import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Migrator } from "effect/sql"
import * as MigratorFileSystem from "effect/sql/MigratorFileSystem"
import { fileURLToPath } from "node:url"
import { api, folder, printedKeys } from "../support/ApiProcess.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const directory = fileURLToPath(new URL("../../migrations", import.meta.url))

interface Column {
  readonly place: string
  readonly type: string
  readonly required: boolean
}

const columns = Effect.map(
  PgClient.PgClient.use((sql) =>
    sql<Column>`
    SELECT table_name || '.' || column_name AS place, data_type AS type,
      is_nullable = 'NO' AND column_default IS NULL AND is_generated = 'NEVER' AS required
    FROM information_schema.columns WHERE table_schema = 'footnote'`
  ),
  (rows) => new Map(rows.map((row) => [row.place, row]))
)

const tableOf = ({ place }: Column) => place.slice(0, place.indexOf("."))

it.live("each migration only expands: what processes of the version before read and write is there and means the same", () =>
  Effect.gen(function*() {
    const url = yield* Effect.promise(TestDatabase.createEmpty)
    const found: Array<string> = []
    yield* Effect.gen(function*() {
      const all = yield* MigratorFileSystem.fromFileSystem(directory)
      let before = new Map<string, Column>()
      for (const [at, [id]] of all.entries()) {
        yield* Migrator.make({})({ loader: Effect.succeed(all.slice(0, at + 1)), table: "footnote_migrations" })
        const after = yield* columns
        const tables = new Set([...before.values()].map(tableOf))
        for (const [place, column] of before) {
          const now = after.get(place)
          if (now === undefined) found.push(`${id} drops or renames ${place}`)
          else if (now.type !== column.type) found.push(`${id} makes ${place} ${now.type}`)
          else if (now.required && !column.required) found.push(`${id} requires ${place}`)
        }
        for (const [place, column] of after) {
          if (!before.has(place) && tables.has(tableOf(column)) && column.required) {
            found.push(`${id} adds ${place}, which older inserts do not fill`)
          }
        }
        before = after
      }
    }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 2 })))
    assert.deepStrictEqual(found, [])
  }).pipe(Effect.provide(NodeServices.layer)))

/** What a next version might do to the tables while this one runs. */
const nextVersion = [
  "ALTER TABLE footnote.jobs ADD COLUMN of_the_next_version text",
  "ALTER TABLE footnote.tenants ADD COLUMN of_the_next_version int NOT NULL DEFAULT 7",
  "CREATE TABLE footnote.of_the_next_version (job_id text REFERENCES footnote.jobs ON DELETE CASCADE, at timestamptz)",
  "CREATE INDEX jobs_of_the_next_version ON footnote.jobs (of_the_next_version)",
  "INSERT INTO footnote_migrations (migration_id, name) VALUES (9999, 'of_the_next_version')"
]

it.live("a process goes on while a next version migrates under it, and another of its own version still starts", () =>
  Effect.gen(function*() {
    const client = yield* HttpClient.HttpClient
    const url = yield* Effect.promise(TestDatabase.create)
    const env = { DATABASE_URL: Redacted.value(url), FOOTNOTE_DATA: yield* folder }
    const first = yield* api(env)
    yield* first.ready
    const key = printedKeys(first.output())[0]!
    const call = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.orDie(client.execute(HttpClientRequest.bearerToken(request, key)))
    const works = Effect.fnUntraced(function*(base_url: string) {
      const made = yield* call(
        HttpClientRequest.post(`${base_url}/v1/jobs`).pipe(
          HttpClientRequest.bodyJsonUnsafe({ source_uri: "https://example.com/a.mp4" })
        )
      )
      assert.strictEqual(made.status, 201)
      const { id } = (yield* Effect.orDie(made.json)) as { readonly id: string }
      for (const path of [`/v1/jobs/${id}`, "/v1/jobs", "/v1/schemas", "/v1/api-keys"]) {
        assert.strictEqual((yield* call(HttpClientRequest.get(`${base_url}${path}`))).status, 200, path)
      }
      const cancelled = yield* call(HttpClientRequest.post(`${base_url}/v1/jobs/${id}/cancel`))
      assert.strictEqual(cancelled.status, 200)
      const ready = yield* call(HttpClientRequest.get(`${base_url}/readyz`))
      assert.include(yield* Effect.orDie(ready.text), `"migrations":"ok"`)
    })
    yield* works(first.base_url)
    for (const statement of nextVersion) {
      yield* Effect.promise(() => TestDatabase.execute(TestDatabase.asOwner(url), statement))
    }
    yield* works(first.base_url)
    const second = yield* api(env)
    yield* second.ready
    yield* works(second.base_url)
    for (const { stop } of [first, second]) assert.strictEqual(yield* stop, 0)
  }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici)))
