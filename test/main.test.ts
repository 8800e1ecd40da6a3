import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../src/cli/LocalService.ts"
import { EmbeddedPostgres, type EmbeddedPostgresError } from "../src/database/EmbeddedPostgres.ts"
import * as TestDatabase from "./support/TestDatabase.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const ended = (child: ChildProcess) =>
  Effect.callback<number | string>((resume) => {
    const done = () => resume(Effect.succeed(child.exitCode ?? child.signalCode ?? "?"))
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once("exit", done)
  })

/** The API as a process of its own; `ready` succeeds when it says so, or when it has ended. */
const api = Effect.fn("api")(function*(env: Readonly<Record<string, string>>) {
  const port = yield* freePort
  let output = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [fileURLToPath(new URL("../src/main.ts", import.meta.url))], {
        env: { PORT: String(port), ...env },
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
    ),
    (child) => Effect.andThen(Effect.sync(() => void child.kill("SIGKILL")), ended(child))
  )
  child.stdout!.on("data", (chunk) => output += chunk)
  child.stderr!.on("data", (chunk) => output += chunk)
  const ready = Effect.race(
    Effect.callback<void>((resume) => void child.once("message", () => resume(Effect.void))),
    Effect.asVoid(ended(child))
  )
  return {
    child,
    ready,
    output: () => output,
    base_url: `http://127.0.0.1:${port}`,
    stop: Effect.andThen(Effect.sync(() => void child.kill("SIGTERM")), ended(child))
  }
})

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

const firstKey = (output: string) => [...output.matchAll(/fnk_[0-9A-Za-z]{38}/gu)].map(([key]) => key)

live("prints its first key once, and SIGTERM ends it with 0", () =>
  Effect.gen(function*() {
    const env = {
      DATABASE_URL: Redacted.value(yield* Effect.promise(TestDatabase.create)),
      FOOTNOTE_DATA: yield* folder
    }
    const first = yield* api(env)
    yield* first.ready
    const keys = firstKey(first.output())
    assert.strictEqual(keys.length, 1, first.output())
    assert.strictEqual((yield* get(`${first.base_url}/v1/jobs`, keys[0]!)).status, 200)
    assert.strictEqual(yield* first.stop, 0)
    const second = yield* api(env)
    yield* second.ready
    assert.deepStrictEqual(firstKey(second.output()), [])
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
    const key = firstKey(process.output())[0]!
    const job = (path: string) => `${process.base_url}/v1/jobs${path}`
    const submit = HttpClientRequest.post(job("")).pipe(
      HttpClientRequest.bodyJsonUnsafe({ source_uri: "https://example.com/talk.mp4" })
    )
    const { id } = (yield* Effect.orDie((yield* call(submit, key)).json)) as { id: string }

    const waiting = yield* Effect.forkChild(get(job(`/${id}?wait=60`), key))
    const events = yield* call(HttpClientRequest.get(job(`/${id}/events`)), key)
    const begun = yield* Deferred.make<void>()
    const following = yield* events.stream.pipe(
      Stream.tap(() => Deferred.succeed(begun, undefined)),
      Stream.decodeText,
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
      "FOOTNOTE_MODEL_HUB"
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
      const { url } = Context.get(
        yield* Layer.buildWithScope(EmbeddedPostgres.layer({ dataDir, ephemeral: true }), scope).pipe(
          Effect.provide(NodeServices.layer)
        ),
        EmbeddedPostgres
      )
      const process = yield* api({ DATABASE_URL: Redacted.value(url), FOOTNOTE_DATA: yield* folder })
      yield* process.ready
      const key = firstKey(process.output())[0]!
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
