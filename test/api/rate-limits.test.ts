import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { RateLimitOptions } from "../../src/rate-limits/RateLimitOptions.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const limits = Layer.succeed(RateLimitOptions, { reads: 4, writes: 2, uploads: 1, processor_ms: 100, failed_auth: 3 })

layer(Server.layer.pipe(Layer.provide(limits)), { excludeTestServices: true })("rate limits", (it) => {
  it.effect("every answer to a tenant tells where it stands, and the one over the limit when to come again", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const first = yield* send("GET", "/v1/jobs", { key })
      assert.include(first.headers, {
        "ratelimit-limit": "4",
        "ratelimit-remaining": "3",
        "ratelimit-policy": "4;w=60"
      })
      // Also where the answer is an error, and for a form of the request that is refused before it is read.
      const missing = yield* send("GET", "/v1/jobs/job_x", { key })
      assert.strictEqual(missing.status, 404)
      assert.strictEqual(missing.headers["ratelimit-remaining"], "2")
      yield* send("GET", "/v1/jobs?limit=0", { key })
      yield* send("HEAD", "/v1/jobs", { key })
      const over = yield* send("GET", "/v1/jobs", { key })
      assert.strictEqual(over.status, 429)
      assert.strictEqual(over.json.error.code, "RATE_LIMITED")
      assert.match(over.headers["retry-after"] ?? "", /^([1-9]|1[0-5])$/u)
      assert.include(over.headers, { "ratelimit-limit": "4", "ratelimit-remaining": "0" })
    }))

  it.effect("reads, writes and uploads are counted apart, and tenants too, whichever key they use", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const [{ key }, other] = [yield* tenant("a"), yield* tenant("b")]
      const write = (bearer: string) => send("POST", "/v1/schemas", { key: bearer, json: {} })
      const made = yield* send("POST", "/v1/api-keys", { key, json: { name: "second" } })
      assert.strictEqual(made.status, 201)
      assert.strictEqual((yield* write(made.json.secret)).status, 400)
      assert.strictEqual((yield* write(key)).status, 429)
      assert.strictEqual((yield* write(made.json.secret)).status, 429)
      assert.strictEqual((yield* send("GET", "/v1/jobs", { key })).status, 200)
      const upload = { key, body: new Uint8Array(3), headers: { "content-type": "video/mp4" } }
      assert.strictEqual((yield* send("POST", "/v1/uploads", upload)).status, 201)
      assert.strictEqual((yield* send("POST", "/v1/uploads", upload)).status, 429)
      assert.strictEqual((yield* write(other.key)).status, 400)
    }))

  it.effect("whoever tries keys is refused after a few, and who had a good one works on", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      assert.strictEqual((yield* send("GET", "/v1/jobs", { key })).status, 200)
      const codes = []
      for (let times = 0; times < 6; times++) {
        codes.push((yield* send("GET", "/v1/jobs", { key: `fnk_${times}` })).status)
      }
      assert.deepStrictEqual(codes, [401, 401, 401, 429, 429, 429])
      assert.strictEqual((yield* send("GET", "/v1/jobs", { key })).status, 200)
    }))

  it.effect("a good key that the process has not seen works beside sixty wrong ones from its address", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (let times = 0; times < 60; times++) yield* send("GET", "/v1/jobs", { key: mintSecret() })
      assert.strictEqual((yield* send("GET", "/v1/jobs", { key: mintSecret() })).status, 429)
      assert.strictEqual((yield* send("GET", "/v1/jobs", { key })).status, 200)
      assert.strictEqual((yield* send("GET", "/v1/jobs")).status, 401)
    }))

  it.effect("pages that belong to nobody have no limit", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (let times = 0; times < 20; times++) {
        const { headers, status } = yield* send("GET", "/healthz")
        assert.strictEqual(status, 200)
        assert.isUndefined(headers["ratelimit-limit"])
      }
    }))
})

const little = Layer.succeed(RateLimitOptions, { reads: 0, writes: 0, uploads: 0, processor_ms: 60, failed_auth: 0 })

layer(Server.layer.pipe(Layer.provide(little)), { excludeTestServices: true })("time of the processor", (it) => {
  it.effect("is one account for tests of destinations, their keys and checks of schemas, and each tenant has its own", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const [{ key }, other] = [yield* tenant("a"), yield* tenant("b")]
      const test = (bearer: string) => send("POST", "/v1/destinations/dst_none/test", { key: bearer })
      const register = (bearer: string) =>
        send("POST", "/v1/schemas", { key: bearer, json: { name: "x", json_schema: { type: "object" } } })
      assert.strictEqual((yield* test(key)).status, 404)
      const over = yield* test(key)
      assert.strictEqual(over.status, 429)
      assert.strictEqual(over.json.error.code, "RATE_LIMITED")
      assert.match(over.json.error.message, /has cost 60 ms of the processor in a minute; retry in \d+ s\.$/u)
      // 40 of 60 are spent, and one grows in a second.
      assert.match(over.headers["retry-after"] ?? "", /^(1\d|20)$/u)
      assert.isUndefined(over.headers["ratelimit-limit"])
      const [type, private_key] = ["sheets", "no key"]
      const config = {
        client_email: "a@b.iam.gserviceaccount.com",
        spreadsheet_id: "1AbCdEfGhIjK",
        sheet: "x",
        private_key
      }
      const create = () => send("POST", "/v1/destinations", { key, json: { name: "x", type, config } })
      assert.strictEqual((yield* create()).status, 422)
      while ((yield* create()).status !== 429);
      while ((yield* register(key)).status !== 429);
      assert.strictEqual((yield* send("GET", "/v1/schemas", { key })).status, 200)
      assert.strictEqual((yield* register(other.key)).status, 201)
    }))
})
