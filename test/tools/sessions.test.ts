import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
type Sender = (typeof TestServer)["Service"]

const post = (server: Sender, key: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
  server.send("POST", "/mcp", { key, json, headers: { accept: "application/json, text/event-stream", ...headers } })

const initialize = (server: Sender, token: string, protocolVersion: string) =>
  post(server, token, {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }
  })

const list = (server: Sender, token: string, session: string, version: string) =>
  post(server, token, { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }, {
    "mcp-session-id": session,
    "mcp-protocol-version": version
  })

const end = (server: Sender, key: string, session: string) =>
  server.send("DELETE", "/mcp", { key, headers: { "mcp-session-id": session } })

const tokenFor = (server: Sender, key: string) =>
  Effect.promise(async () => (await signIn(server.base_url, key)).access_token)

layer(Server.layer, { excludeTestServices: true })("sessions of the tool server", (it) => {
  const versions = ["2025-11-25", "2025-06-18"] as const

  const arrange = Effect.fnUntraced(function*(version: string) {
    const server = yield* TestServer
    const { key, tenant_id } = yield* server.tenant("sessions")
    const token = yield* tokenFor(server, key)
    const begun = yield* initialize(server, token, version)
    assert.strictEqual(begun.json.result.protocolVersion, version)
    return { server, token, key, tenant_id, session: begun.headers["mcp-session-id"]! }
  })

  for (const version of versions) {
    it.effect(`a session of ${version} is begun, used and ended`, () =>
      Effect.gen(function*() {
        const { server, session, token } = yield* arrange(version)
        assert.match(session, /^[\x21-\x7e]{32,}$/u)
        assert.lengthOf((yield* list(server, token, session, version)).json.result.tools, 14)
        assert.strictEqual((yield* end(server, token, session)).status, 204)
        assert.strictEqual((yield* list(server, token, session, version)).status, 404)
        assert.strictEqual((yield* end(server, token, session)).status, 404)
      }))

    it.effect(`a call in a session of ${version} with arguments of null has none`, () =>
      Effect.gen(function*() {
        const { server, session, token } = yield* arrange(version)
        const params = { name: "list_destinations", arguments: null }
        const { text } = yield* post(server, token, { jsonrpc: "2.0", id: 2, method: "tools/call", params }, {
          "mcp-session-id": session,
          "mcp-protocol-version": version
        })
        assert.include(text, `"structuredContent":{"data":[],"next_cursor":null}`)
      }))

    it.effect(`a session of ${version} has no method of what is not declared, and takes no message that asks for nothing`, () =>
      Effect.gen(function*() {
        const { server, session, token } = yield* arrange(version)
        const ask = (json: object) =>
          post(server, token, { jsonrpc: "2.0", id: 7, ...json }, {
            "mcp-session-id": session,
            "mcp-protocol-version": version
          })
        const undeclared: ReadonlyArray<readonly [method: string, params: object]> = [
          ["logging/setLevel", { level: "info" }],
          ["completion/complete", { ref: { type: "ref/prompt", name: "a" }, argument: { name: "a", value: "b" } }],
          ["prompts/list", {}],
          ["prompts/get", { name: "a" }],
          ["resources/subscribe", { uri: "footnote://jobs/job_none/transcript" }],
          ["resources/unsubscribe", { uri: "footnote://jobs/job_none/transcript" }]
        ]
        for (const [method, params] of undeclared) {
          const { json, text } = yield* ask({ method, params })
          assert.deepInclude(json, { jsonrpc: "2.0", id: 7 }, method)
          assert.deepStrictEqual([json.error.code, Object.keys(json.error).length], [-32601, 2], text)
        }
        assert.strictEqual((yield* ask({ method: "resources/templates/list" })).status, 200)
        for (const json of [{}, { params: {} }, { method: 1 }, { method: null }]) {
          const { json: { error, id }, status } = yield* ask(json)
          assert.deepStrictEqual([status, id, error.code], [400, 7, -32600])
          assert.notProperty(error, "_tag")
        }
      }))

    it.effect(`a session of ${version} is over when nobody has used it for a day`, () =>
      Effect.gen(function*() {
        const { server, session, tenant_id, token } = yield* arrange(version)
        yield* server.sql(
          `UPDATE footnote.tool_sessions SET seen_at = now() - interval '23 hours' WHERE tenant_id = '${tenant_id}'`
        )
        // Used in time, it goes on for another day.
        assert.strictEqual((yield* list(server, token, session, version)).status, 200)
        const sql = yield* PgClient.PgClient
        const [row] = yield* sql<{ fresh: boolean }>`SELECT seen_at > now() - interval '1 minute' AS fresh
          FROM footnote.tool_sessions WHERE id = ${session}`
        assert.isTrue(row!.fresh)
        yield* server.sql(
          `UPDATE footnote.tool_sessions SET seen_at = now() - interval '25 hours' WHERE tenant_id = '${tenant_id}'`
        )
        assert.strictEqual((yield* list(server, token, session, version)).status, 404)
      }))

    it.effect(`a session of ${version} goes on at another replica, and is over there when it is ended here`, () =>
      Effect.gen(function*() {
        const { key, server, session, token } = yield* arrange(version)
        const other = yield* Server.replica()
        const there = yield* tokenFor(other, key)
        assert.lengthOf((yield* list(other, there, session, version)).json.result.tools, 14)
        assert.strictEqual((yield* list(server, token, session, version)).status, 200)
        yield* end(server, token, session)
        assert.strictEqual((yield* list(other, there, session, version)).status, 404)
      }))
  }

  it.effect("another tenant's session is answered as an unknown one", () =>
    Effect.gen(function*() {
      const { server, session } = yield* arrange("2025-11-25")
      const { key } = yield* server.tenant("thief")
      const token = yield* tokenFor(server, key)
      const headers = { "x-request-id": "same" }
      const ask = (id: string) =>
        post(server, token, { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }, {
          ...headers,
          "mcp-session-id": id,
          "mcp-protocol-version": "2025-11-25"
        })
      const theirs = yield* ask(session)
      const unknown = yield* ask("A".repeat(session.length))
      assert.strictEqual(theirs.status, 404)
      assert.deepStrictEqual({ ...theirs, headers: {} }, { ...unknown, headers: {} })
      assert.strictEqual((yield* end(server, token, session)).status, 404)
    }))

  it.effect("a tenant has at most 200 sessions: the one used longest ago goes", () =>
    Effect.gen(function*() {
      const { server, session, tenant_id, token } = yield* arrange("2025-11-25")
      yield* server.sql(`INSERT INTO footnote.tool_sessions (id, tenant_id, initialize, seen_at)
        SELECT 's' || n, '${tenant_id}', '{}', now() + interval '1 second' FROM generate_series(1, 199) n`)
      assert.strictEqual((yield* list(server, token, session, "2025-11-25")).status, 200)
      yield* initialize(server, token, "2025-11-25")
      const sql = yield* PgClient.PgClient
      const [count] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM footnote.tool_sessions
        WHERE tenant_id = ${tenant_id}`
      assert.strictEqual(count!.count, 200)
      assert.strictEqual((yield* list(server, token, session, "2025-11-25")).status, 404)
    }))

  it.effect("a session that begins with more than 16 KiB is none: 400 names what is too long", () =>
    Effect.gen(function*() {
      const { server, token } = yield* arrange("2025-11-25")
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "a".repeat(16_384), version: "1" }
      }
      const refused = yield* post(server, token, { jsonrpc: "2.0", id: 1, method: "initialize", params })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.json.error.data.details[0].path, "/params")
      assert.notProperty(refused.headers, "mcp-session-id")
    }))

  it.effect("the protocol of 2026-07-28 has none", () =>
    Effect.gen(function*() {
      const { server, token } = yield* arrange("2025-11-25")
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
      }
      const answer = yield* post(server, token, {
        jsonrpc: "2.0",
        id: 1,
        method: "server/discover",
        params: { _meta: meta }
      }, { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json.result.supportedVersions, ["2025-11-25", "2026-07-28", "2025-06-18"])
      assert.isUndefined(answer.headers["mcp-session-id"])
    }))
})
