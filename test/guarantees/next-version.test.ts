import { NodeHttpClient } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { api, folder, printedKeys } from "../support/ApiProcess.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

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
