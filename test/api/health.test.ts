import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("operations", (it) => {
  it.effect("GET /healthz is 200 while the process is alive", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const answer = yield* send("GET", "/healthz")
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json, { status: "alive" })
      assert.strictEqual((yield* send("HEAD", "/healthz")).status, 200)
    }))

  it.effect("GET /readyz is 503 until a worker was seen lately and the schema is current", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const lonely = yield* send("GET", "/readyz")
      assert.strictEqual(lonely.status, 503)
      assert.deepStrictEqual(lonely.json.checks, {
        database: "ok",
        migrations: "ok",
        workers: "failing",
        deployment: "ok"
      })
      yield* sql("INSERT INTO footnote.workers (no, pools, host, pid) VALUES (999, '[\"media\"]', 'test', 1)")
      const ready = yield* send("GET", "/readyz")
      assert.strictEqual(ready.status, 200)
      assert.deepStrictEqual(ready.json.warnings, [])
      yield* sql("UPDATE footnote.workers SET seen_at = now() - interval '31 seconds' WHERE no = 999")
      assert.strictEqual((yield* send("GET", "/readyz")).json.checks.workers, "failing")
      yield* sql("UPDATE footnote_migrations SET migration_id = migration_id + 100 WHERE migration_id = 1")
      yield* sql("DELETE FROM footnote_migrations WHERE migration_id = 101")
      assert.strictEqual((yield* send("GET", "/readyz")).json.checks.migrations, "failing")
    }))

  it.effect("GET /readyz tells nobody what the workers' machines lack, and that keeps nothing from being ready", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      yield* sql(`INSERT INTO footnote.workers (no, pools, host, pid, warnings)
        VALUES (901, '["media"]', 'test', 1, '["A decoder can open local sockets."]')`)
      const { json, text } = yield* send("GET", "/readyz")
      assert.deepStrictEqual([json.checks.workers, json.warnings], ["ok", []])
      assert.notInclude(text, "decoder")
      yield* sql("UPDATE footnote.workers SET seen_at = now() - interval '31 seconds' WHERE no = 901")
    }))

  it.effect("GET /readyz says how workers differ from the deployment, and is ready where others work", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      yield* sql(`INSERT INTO footnote.workers (no, pools, host, pid, problems)
        VALUES (902, '["media"]', 'test', 1, '["clock"]'), (903, '[]', 'test', 1, '["blob_store", "clock"]')`)
      const { json } = yield* send("GET", "/readyz")
      assert.deepInclude(json.checks, { workers: "ok", deployment: "failing" })
      assert.lengthOf(json.warnings, 2)
      yield* sql("DELETE FROM footnote.workers WHERE no = 902")
      assert.deepInclude((yield* send("GET", "/readyz")).json.checks, { workers: "failing", deployment: "failing" })
      yield* sql("DELETE FROM footnote.workers WHERE no = 903")
    }))

  it.effect("GET /metrics counts requests by route pattern, never by id", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      yield* send("GET", "/v1/jobs/job_secret1", { key })
      const { headers, text } = yield* send("GET", "/metrics")
      assert.match(headers["content-type"] ?? "", /^text\/plain/u)
      assert.match(text, /footnote_http_requests_total\{[^}]*route="\/v1\/jobs\/:id"[^}]*status="404"[^}]*\} \d/u)
      assert.notInclude(text, "job_secret1")
    }))

  it.effect("GET /metrics names the route also of what is answered without waiting for anything", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (const path of ["/v1/exports", "/openapi.json", "/nowhere"]) yield* send("GET", path)
      const { text } = yield* send("GET", "/metrics")
      const counted = (route: string, status: number) =>
        assert.match(
          text,
          new RegExp(`footnote_http_requests_total\\{[^}]*route="${route}"[^}]*status="${status}"`, "u")
        )
      counted("/v1/exports", 401)
      counted("/openapi.json", 200)
      counted("unmatched", 404)
    }))
})
