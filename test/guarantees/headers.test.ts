import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** What browsers have to be told with every answer, whatever it is. */
const everywhere = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

const routes: Array<{ readonly method: string; readonly path: string }> = []
HttpApi.reflect((Api as HttpApi.Constraint) as HttpApi.Top, {
  onGroup() {},
  onEndpoint({ endpoint }) {
    routes.push({ method: endpoint.method, path: endpoint.path.replaceAll(/:\w+/gu, "x") })
  }
})

layer(Server.layer, { excludeTestServices: true })("headers", (it) => {
  for (
    const { method, path } of [...routes, { method: "GET", path: "/metrics" }, { method: "GET", path: "/openapi.json" }]
  ) {
    it.effect(`${method} ${path} tells browsers what not to do, and names no server`, () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        for (const call of [{}, { key }]) {
          const { headers, status } = yield* send(method as "GET", path, call)
          assert.include(headers, everywhere, `${status}`)
          assert.include(["no-store", "private, no-cache"], headers["cache-control"])
          assert.match(headers["x-request-id"] ?? "", /^req_[0-9a-f-]{36}$/u)
          const said = ["server", "x-powered-by", "access-control-allow-origin", "strict-transport-security"]
          assert.deepStrictEqual(said.filter((name) => headers[name] !== undefined), [])
        }
      }))
  }

  it.effect("GET /docs may load what it carries itself and nothing from elsewhere, in no frame", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { headers } = yield* send("GET", "/docs")
      const { "content-security-policy": policy, ...rest } = everywhere
      assert.include(headers, rest)
      assert.notStrictEqual(headers["content-security-policy"], policy)
      assert.notMatch(headers["content-security-policy"] ?? "", /https?:|\*/u)
      assert.match(headers["content-security-policy"] ?? "", /frame-ancestors 'none'/u)
    }))

  it.effect("a preflight of another site is told nothing that would let it in", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const origin = { origin: "https://elsewhere.example" }
      for (const [method, path] of [["OPTIONS", "/v1/jobs"], ["GET", "/v1/jobs"], ["GET", "/openapi.json"]] as const) {
        const { headers } = yield* send(method, path, { headers: origin })
        assert.deepStrictEqual(Object.keys(headers).filter((name) => name.startsWith("access-control")), [])
      }
    }))
})

const publicOverHttps = ConfigProvider.layer(
  ConfigProvider.fromEnv({
    env: { ...process.env, FOOTNOTE_PUBLIC_URL: "https://footnote.example" } as Record<string, string>
  })
)

layer(Server.layer.pipe(Layer.provide(publicOverHttps)), { excludeTestServices: true })(
  "headers of a service that is public over https",
  (it) => {
    it.effect("every answer asks browsers to come back over https only", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        for (const path of ["/healthz", "/v1/jobs", "/docs", "/nowhere"]) {
          const { headers } = yield* send("GET", path)
          assert.strictEqual(headers["strict-transport-security"], "max-age=31536000", path)
        }
      }))
  }
)
