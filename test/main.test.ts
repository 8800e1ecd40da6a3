import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { join } from "node:path"
import { EmbeddedPostgres, type EmbeddedPostgresError } from "../src/database/EmbeddedPostgres.ts"
import { api, ended, folder, printedKeys } from "./support/ApiProcess.ts"
import * as TestDatabase from "./support/TestDatabase.ts"

const call = Effect.fnUntraced(
  function*(request: HttpClientRequest.HttpClientRequest, key: string) {
    const client = yield* HttpClient.HttpClient
    return yield* client.execute(HttpClientRequest.bearerToken(request, key))
  },
  Effect.orDie,
  Effect.provide(NodeHttpClient.layerUndici)
)

const get = (url: string, key: string) =>
  Effect.flatMap(
    call(HttpClientRequest.get(url), key),
    ({ headers, status, text }) => Effect.map(Effect.orDie(text), (text) => ({ status, headers, text }))
  )

const live = (
  title: string,
  test: () => Effect.Effect<void, EmbeddedPostgresError, HttpClient.HttpClient | Scope.Scope>
) => it.live(title, () => Effect.provide(test(), NodeHttpClient.layerUndici))

live("prints its first key once, and SIGTERM ends it with 0", () =>
  Effect.gen(function*() {
    const env = {
      DATABASE_URL: Redacted.value(yield* Effect.promise(TestDatabase.create)),
      FOOTNOTE_DATA: yield* folder
    }
    const first = yield* api(env)
    yield* first.ready
    const keys = printedKeys(first.output())
    assert.strictEqual(keys.length, 1, first.output())
    assert.strictEqual((yield* get(`${first.base_url}/v1/jobs`, keys[0]!)).status, 200)
    assert.strictEqual(yield* first.stop, 0)
    const second = yield* api(env)
    yield* second.ready
    assert.deepStrictEqual(printedKeys(second.output()), [])
    assert.strictEqual((yield* get(`${second.base_url}/v1/jobs`, keys[0]!)).status, 200)
    assert.strictEqual(yield* second.stop, 0)
  }))

live("SIGTERM answers who waits and ends who follows, instead of cutting them off", () =>
  Effect.gen(function*() {
    const process = yield* api({
      DATABASE_URL: Redacted.value(yield* Effect.promise(TestDatabase.create)),
      FOOTNOTE_DATA: yield* folder
    })
    yield* process.ready
    const key = printedKeys(process.output())[0]!
    const job = (path: string) => `${process.base_url}/v1/jobs${path}`
    const submit = HttpClientRequest.post(job("")).pipe(
      HttpClientRequest.bodyJsonUnsafe({ source_uri: "https://example.com/talk.mp4" })
    )
    const { id } = (yield* Effect.orDie((yield* call(submit, key)).json)) as { id: string }

    const waiting = yield* Effect.forkChild(get(job(`/${id}?wait=60`), key))
    const events = yield* call(HttpClientRequest.get(job(`/${id}/events`)), key)
    const begun = yield* Deferred.make<void>()
    const following = yield* events.stream.pipe(
      Stream.decodeText,
      Stream.tap((text) => text.includes("data:") ? Deferred.succeed(begun, undefined) : Effect.void),
      Stream.mkString,
      Effect.orDie,
      Effect.forkChild
    )
    yield* Deferred.await(begun)
    // The waiting request and the one that asks.
    yield* Effect.repeat(get(`${process.base_url}/metrics`, key), {
      until: ({ text }) => /^footnote_http_requests_active 2$/mu.test(text)
    })
    assert.strictEqual(yield* process.stop, 0)
    const waited = yield* Fiber.join(waiting)
    assert.strictEqual(waited.status, 200)
    assert.strictEqual(JSON.parse(waited.text).status, "queued")
    assert.include(yield* Fiber.join(following), `"status":"queued"`)
  }))

live("names everything that is wrong with its configuration at once, and does not start", () =>
  Effect.gen(function*() {
    const process = yield* api({
      PORT: "eighty",
      LOG_LEVEL: "Loud",
      FOOTNOTE_API_KEY: "fnk_nonsense",
      FOOTNOTE_ENCRYPTION_KEY: "short",
      SOURCE_ALLOW_PRIVATE: "everything",
      UPLOAD_MAX_BYTES: "lots",
      SOURCE_S3_BUCKETS: "My Bucket",
      BLOB_S3_BUCKET: "My Bucket",
      FOOTNOTE_MODEL_HUB: "nowhere",
      FOOTNOTE_PUBLIC_URL: "example.com",
      TRUST_PROXY: "everyone",
      RATE_LIMIT_WRITES: "-1",
      FOOTNOTE_DATA: yield* folder
    })
    assert.strictEqual(yield* ended(process.child), 1)
    const names = [
      "PORT",
      "LOG_LEVEL",
      "FOOTNOTE_API_KEY",
      "FOOTNOTE_ENCRYPTION_KEY",
      "everything",
      "UPLOAD_MAX_BYTES",
      "SOURCE_S3_BUCKETS",
      "BLOB_S3_BUCKET",
      "FOOTNOTE_MODEL_HUB",
      "FOOTNOTE_PUBLIC_URL",
      "TRUST_PROXY",
      "RATE_LIMIT_WRITES"
    ]
    for (const name of names) assert.include(process.output(), name)
    assert.notInclude(process.output(), "fnk_nonsense")
  }))

live(
  "503 SERVICE_UNAVAILABLE with Retry-After while the database is away, and alive all the same",
  () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const dataDir = join(yield* folder, "postgres")
      const { owner_url, url } = Context.get(
        yield* Layer.buildWithScope(EmbeddedPostgres.layer({ dataDir, ephemeral: true }), scope).pipe(
          Effect.provide(NodeServices.layer)
        ),
        EmbeddedPostgres
      )
      const process = yield* api({
        DATABASE_URL: Redacted.value(url),
        DATABASE_OWNER_URL: Redacted.value(owner_url),
        FOOTNOTE_DATA: yield* folder
      })
      yield* process.ready
      const key = printedKeys(process.output())[0]!
      assert.strictEqual((yield* get(`${process.base_url}/v1/jobs`, key)).status, 200)
      yield* Scope.close(scope, Exit.void)
      const away = yield* get(`${process.base_url}/v1/jobs`, key)
      assert.strictEqual(away.status, 503, away.text)
      assert.strictEqual(JSON.parse(away.text).error.code, "SERVICE_UNAVAILABLE")
      assert.match(away.headers["retry-after"] ?? "", /^\d+$/u)
      assert.strictEqual((yield* get(`${process.base_url}/healthz`, key)).status, 200)
      const readiness = yield* get(`${process.base_url}/readyz`, key)
      assert.strictEqual(readiness.status, 503)
      assert.include(readiness.text, `"database":"failing"`)
    })
)

live(
  "two processes that start at the same moment on an empty database migrate it once and make one tenant",
  () =>
    Effect.gen(function*() {
      const url = yield* Effect.promise(TestDatabase.createEmpty)
      const env = { DATABASE_URL: Redacted.value(url), FOOTNOTE_DATA: yield* folder }
      const both = yield* Effect.all([api(env), api(env)])
      for (const { ready } of both) yield* ready
      const keys = both.flatMap(({ output }) => printedKeys(output()))
      assert.strictEqual(keys.length, 1, both.map(({ output }) => output()).join("\n"))
      for (const { base_url } of both) {
        assert.strictEqual((yield* get(`${base_url}/v1/jobs`, keys[0]!)).status, 200)
        assert.include((yield* get(`${base_url}/readyz`, keys[0]!)).text, `"migrations":"ok"`)
      }
      for (const { stop } of both) assert.strictEqual(yield* stop, 0)
    })
)

live("a rate limit holds over two processes: it is not theirs to give twice", () =>
  Effect.gen(function*() {
    const env = {
      DATABASE_URL: Redacted.value(yield* Effect.promise(TestDatabase.create)),
      FOOTNOTE_DATA: yield* folder,
      RATE_LIMIT_READS: "40"
    }
    const first = yield* api(env)
    yield* first.ready
    const key = printedKeys(first.output())[0]!
    const second = yield* api(env)
    yield* second.ready
    const started = process.hrtime.bigint()
    const urls = Array.from({ length: 120 }, (_, at) => [first, second][at % 2]!.base_url)
    const answers = yield* Effect.forEach(urls, (base_url) => get(`${base_url}/v1/jobs`, key), { concurrency: 8 })
    // What has grown while we were asking, and in the second for which a lease is good.
    const grown = Math.ceil(((Number(process.hrtime.bigint() - started) / 1e9 + 1) * 40) / 60)
    const passed = answers.filter(({ status }) => status === 200).length
    assert.isAtLeast(passed, 38)
    assert.isAtMost(passed, 40 + grown)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { headers, status } of refused) {
      assert.strictEqual(status, 429)
      assert.match(headers["retry-after"] ?? "", /^[1-9]$/u)
    }
  }))
