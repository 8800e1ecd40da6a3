import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeToolSessions } from "../../src/tools/ToolSessions.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const header = "mcp-session-id"

/** Holds sessions as the framework does: each `initialize` begins one, which stays until it is deleted. */
const makeFramework = Effect.gen(function*() {
  const live = new Set<string>()
  let begun = 0
  const sql = yield* PgClient.PgClient
  const router = yield* HttpRouter.make
  yield* router.add("POST", "/mcp", (request) =>
    Effect.gen(function*() {
      const { method } = (yield* request.json) as { readonly method: string }
      if (method !== "initialize") return HttpServerResponse.jsonUnsafe({ held: live.has(request.headers[header]!) })
      // Requests that asked the database before this one go on meanwhile.
      yield* sql`SELECT 1`
      const session = `own-${++begun}`
      live.add(session)
      yield* HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.succeed(HttpServerResponse.setHeader(response, header, session))
      )
      return HttpServerResponse.jsonUnsafe({})
    }).pipe(Effect.orDie))
  yield* router.add("DELETE", "/mcp", (request) =>
    Effect.sync(() => {
      live.delete(request.headers[header]!)
      return HttpServerResponse.empty({ status: 204 })
    }))
  return { router, live, begun: () => begun }
})

const makeReplica = Effect.gen(function*() {
  const framework = yield* makeFramework
  const answer = yield* makeToolSessions(framework.router)
  const send = Effect.fnUntraced(function*(tenant_id: string, method: string, session?: string) {
    const request = HttpServerRequest.fromWeb(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", ...(session === undefined ? {} : { [header]: session }) },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} })
      })
    )
    let sent = HttpServerResponse.empty()
    yield* HttpEffect.toHandled(answer(request, tenant_id as never), (_, response) =>
      Effect.sync(() => {
        sent = response
      })).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request))
    return { status: sent.status, session: sent.headers[header] }
  })
  return { ...framework, send }
})

layer(Server.layer, { excludeTestServices: true })("sessions that a process holds of the framework's", (it) => {
  const arrange = Effect.gen(function*() {
    const { tenant } = yield* TestServer
    const { tenant_id } = yield* tenant("held")
    const here = yield* makeReplica
    const { session } = yield* here.send(tenant_id, "initialize")
    return { tenant_id, here, session: session! }
  })

  it.effect("of 20 requests at once that find one not held, one begins it: none stays beside it", () =>
    Effect.gen(function*() {
      const { session, tenant_id } = yield* arrange
      const there = yield* makeReplica
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => there.send(tenant_id, "tools/list", session)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.strictEqual(there.begun(), 1)
      assert.strictEqual(there.live.size, 1)
    }))

  it.effect("one that goes because its tenant has 200 is ended with the framework too", () =>
    Effect.gen(function*() {
      const { here, session, tenant_id } = yield* arrange
      const sql = yield* PgClient.PgClient
      yield* sql`INSERT INTO footnote.tool_sessions (id, tenant_id, initialize, seen_at)
        SELECT ${tenant_id} || n, ${tenant_id}, '{}', now() + interval '1 second' FROM generate_series(1, 199) n`
      const { session: next } = yield* here.send(tenant_id, "initialize")
      assert.deepStrictEqual([here.begun(), [...here.live]], [2, ["own-2"]])
      assert.strictEqual((yield* here.send(tenant_id, "tools/list", session)).status, 404)
      assert.strictEqual((yield* here.send(tenant_id, "tools/list", next)).status, 200)
      assert.strictEqual(here.begun(), 2)
    }))
})
