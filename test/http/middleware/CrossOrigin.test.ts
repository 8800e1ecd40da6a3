import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { readFileSync } from "node:fs"
import { corsAllowedOrigins } from "../../../src/http/middleware/CrossOrigin.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const openapi = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"))
const documentedMethods = [
  ...new Set(Object.values<object>(openapi.paths).flatMap((path) => Object.keys(path)))
].filter((name) => /^(?:get|head|post|put|patch|delete)$/u.test(name)).map((name) => name.toUpperCase())
const app = "https://app.example.com"
const asks = { origin: app, "access-control-request-method": "POST", "access-control-request-headers": "authorization" }

const Deployment = Server.layer.pipe(
  Layer.provide(
    ConfigProvider.layer(ConfigProvider.fromUnknown({ CORS_ALLOWED_ORIGINS: `${app}, http://localhost:5173` }))
  )
)

layer(Deployment, { excludeTestServices: true })("CORS for the origins of CORS_ALLOWED_ORIGINS", (it) => {
  it.effect("a page of one may ask beforehand, and is told methods and headers, and nothing of credentials", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (const path of ["/v1/jobs", "/v1/uploads", "/v1/jobs/job_0/events"]) {
        const { headers, status, text } = yield* send("OPTIONS", path, { headers: asks })
        assert.strictEqual(status, 204, path)
        assert.strictEqual(text, "")
        assert.strictEqual(headers["access-control-allow-origin"], app)
        for (const name of ["authorization", "tus-resumable", "x-http-method-override"]) {
          assert.include(headers["access-control-allow-headers"], name)
        }
        const allowed = headers["access-control-allow-methods"]!.split(", ")
        assert.deepStrictEqual(documentedMethods.filter((method) => !allowed.includes(method)), [])
        assert.include(headers["vary"], "origin")
        assert.notProperty(headers, "access-control-allow-credentials")
      }
    }))

  it.effect("a page of one may read answers, refusals included", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const call of [{ key }, {}]) {
        const { headers } = yield* send("GET", "/v1/schemas", { ...call, headers: { origin: app } })
        assert.strictEqual(headers["access-control-allow-origin"], app)
        assert.include(headers["access-control-expose-headers"], "retry-after")
        assert.strictEqual(headers["cross-origin-resource-policy"], "cross-origin")
        assert.include(headers["vary"], "origin")
      }
    }))

  it.effect("a page of another origin, and one beside the REST API, gets no such header", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const others = ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"]
      for (const origin of others) {
        for (const method of ["OPTIONS", "GET"] as const) {
          const { headers } = yield* send(method, "/v1/jobs", { headers: { ...asks, origin } })
          assert.notProperty(headers, "access-control-allow-origin", origin)
          assert.strictEqual(headers["cross-origin-resource-policy"], "same-origin")
        }
      }
      for (const path of ["/mcp", "/oauth/token", "/docs", "/v1x"]) {
        const { headers } = yield* send("GET", path, { headers: { origin: app } })
        assert.notProperty(headers, "access-control-allow-origin", path)
      }
    }))

  it.effect("what is no origin keeps the API from starting, with the name of the setting", () =>
    Effect.gen(function*() {
      for (
        const wrong of [
          "*",
          "app.example.com",
          "https://app.example.com/",
          "https://a.example https://b.example",
          "null"
        ]
      ) {
        const read = corsAllowedOrigins.parse(ConfigProvider.fromUnknown({ CORS_ALLOWED_ORIGINS: wrong }))
        const exit = yield* Effect.exit(read)
        assert.isTrue(Exit.isFailure(exit), wrong)
        assert.include(String(exit), "CORS_ALLOWED_ORIGINS", wrong)
      }
    }))
})

layer(Server.layer, { excludeTestServices: true })("CORS by default", (it) => {
  it.effect("is off", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (const method of ["OPTIONS", "GET"] as const) {
        assert.notProperty((yield* send(method, "/v1/jobs", { headers: asks })).headers, "access-control-allow-origin")
      }
    }))
})
