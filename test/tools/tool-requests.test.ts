import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"
import { request } from "../support/ToolClient.ts"
import { signedInScene } from "../support/ToolScene.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("requests of the tool server", (it) => {
  const arrange = signedInScene("tools")

  it.effect("400 of JSON-RPC for several messages at once, told in its words", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      const { send } = yield* TestServer
      const headers = { accept: "application/json, text/event-stream" }
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
      const { json, status } = yield* send("POST", "/mcp", { key: token, json: [ping], headers })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(json.error, {
        code: -32600,
        message: "Expected one message: batches are not supported",
        data: json.error.data
      })
      assert.strictEqual(json.error.data.code, "INVALID_REQUEST")
    }))

  it.effect("a page of another site gets nowhere, with a token or without", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      const { status } = yield* request(token, "tools/list", {}, { origin: "https://evil.example" })
      assert.strictEqual(status, 403)
      const { base_url } = yield* TestServer
      assert.strictEqual((yield* request(token, "tools/list", {}, { origin: base_url })).status, 200)
    }))

  it.effect("a body over 1 MiB is 413", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      const { json, status } = yield* request(token, "tools/call", {
        name: "get_job",
        arguments: { job_id: "x".repeat(1 << 20) }
      })
      assert.strictEqual(status, 413)
      assert.strictEqual(json.error.code, "PAYLOAD_TOO_LARGE")
    }))
})
