import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const evidence = {
  spans: [],
  unfilled: Array.from({ length: 200 }, (_, index) => ({ pointer: `/items/${index}`, reason: "not found" }))
}

layer(Server.layer, { excludeTestServices: true })("compression", (it) => {
  it.effect("gives the same text in gzip to whoever accepts it, under a weak tag that is known again", () =>
    Effect.gen(function*() {
      const { send, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a" } })).json
      yield* succeed(id, { evidence })
      const read = (headers: Record<string, string>) => send("GET", `/v1/jobs/${id}/evidence`, { key, headers })
      const plain = yield* read({ "accept-encoding": "identity" })
      const packed = yield* read({ "accept-encoding": "br, gzip;q=0.8" })
      assert.isUndefined(plain.headers["content-encoding"])
      assert.strictEqual(packed.headers["content-encoding"], "gzip")
      assert.isBelow(Number(packed.headers["content-length"]), Number(plain.headers["content-length"]) / 5)
      assert.strictEqual(packed.text, plain.text)
      assert.strictEqual(packed.headers["etag"], `W/${plain.headers["etag"]}`)
      assert.include(plain.headers["vary"], "accept-encoding")
      for (const tag of [packed.headers["etag"]!, plain.headers["etag"]!]) {
        assert.strictEqual((yield* read({ "accept-encoding": "gzip", "if-none-match": tag })).status, 304)
      }
      assert.isUndefined((yield* read({ "accept-encoding": "gzip;q=0" })).headers["content-encoding"])
    }))

  it.effect("leaves small answers and images as they are", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const small = yield* send("GET", "/healthz", { headers: { "accept-encoding": "gzip" } })
      assert.isUndefined(small.headers["content-encoding"])
      const large = yield* send("GET", "/openapi.json", { headers: { "accept-encoding": "gzip" } })
      assert.strictEqual(large.headers["content-encoding"], "gzip")
    }))
})
