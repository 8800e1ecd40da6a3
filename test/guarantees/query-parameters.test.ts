import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const routes: Array<{ readonly method: "GET" | "POST" | "PATCH" | "DELETE"; readonly path: string }> = []
HttpApi.reflect((Api as HttpApi.Constraint) as HttpApi.Top, {
  onGroup() {},
  onEndpoint({ endpoint }) {
    const { method } = endpoint
    if (method === "GET" || method === "POST" || method === "PATCH" || method === "DELETE") {
      routes.push({ method, path: endpoint.path.replaceAll(/:\w+/gu, "x") })
    }
  }
})

layer(Server.layer, { excludeTestServices: true })("a query parameter that a route does not have", (it) => {
  it.effect("is refused with INVALID_REQUEST and its name on every route", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      assert.isAbove(routes.length, 30)
      for (const { method, path } of routes) {
        const headers = path === "/v1/uploads/x" && method === "PATCH"
          ? { "content-type": "application/offset+octet-stream" }
          : {}
        const answer = yield* send(method, `${path}?veiw=canonical`, {
          key,
          headers,
          ...(method === "GET" || method === "DELETE" ? {} : { body: "{}" })
        })
        assert.strictEqual(answer.status, 400, `${method} ${path}: ${answer.text}`)
        assert.strictEqual(answer.json.error.code, "INVALID_REQUEST")
        assert.deepStrictEqual(answer.json.error.details.map((detail: { path: string }) => detail.path), ["veiw"])
      }
    }))

  it.effect("is refused by the pages beside the API too", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (const path of ["/", "/openapi.json", "/docs", "/favicon.ico", "/metrics", "/healthz", "/readyz"]) {
        const answer = yield* send("GET", `${path}?foo=1`)
        assert.strictEqual(answer.status, 400, path)
        assert.deepStrictEqual(answer.json.error.details, [
          { path: "foo", message: "This route has no query parameters" }
        ])
      }
    }))

  it.effect("passes where others put their own behind an address, as RFC 6749, 3.1 and RFC 9728, 3.1 ask for it", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const others = [
        ["/app/", 200],
        ["/.well-known/oauth-authorization-server", 200],
        ["/.well-known/oauth-protected-resource/mcp", 200],
        ["/oauth/jwks", 200],
        ["/mcp", 401],
        ["/s/none", 404],
        ["/m/none", 404]
      ] as const
      for (const [path, status] of others) {
        assert.strictEqual((yield* send("GET", `${path}?utm_source=mail`)).status, status, path)
      }
    }))

  it.effect("is told with those that there are", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json } = yield* send("GET", "/v1/jobs/x/graph?veiw=canonical", { key })
      assert.strictEqual(
        json.error.message,
        "The request does not fit the API: veiw: Is not a parameter of this route, which has view, format, speakers."
      )
      assert.strictEqual((yield* send("GET", "/v1/jobs?metadata[a]=b&metadata[c]=d", { key })).status, 200)
    }))

  it.effect("is not looked at before the key", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      assert.strictEqual((yield* send("GET", "/v1/jobs?foo=1")).status, 401)
    }))
})
