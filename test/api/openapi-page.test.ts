import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("GET /openapi.json", (it) => {
  it.effect("200 with the committed document, but for the server: where this process really listens", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* TestServer
      const { json } = yield* send("GET", "/openapi.json")
      assert.deepStrictEqual(json.servers, [{ url: base_url }])
      const { servers, ...committed } = JSON.parse(openApiDocument())
      assert.lengthOf(servers, 1)
      assert.deepStrictEqual({ ...json, servers: undefined }, { ...committed, servers: undefined })
    }))

  it.effect("200 with the public address where there is one", () =>
    Effect.gen(function*() {
      const { send } = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: "https://footnote.test/api/" })
      assert.deepStrictEqual((yield* send("GET", "/openapi.json")).json.servers, [{ url: "https://footnote.test/api" }])
    }))

  it.effect("304 for whoever has it", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { headers } = yield* send("GET", "/openapi.json")
      const again = yield* send("GET", "/openapi.json", { headers: { "if-none-match": headers["etag"]! } })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.text, "")
    }))
})
