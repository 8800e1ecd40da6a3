import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

interface Route {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  /** Prefix of the id in the path, by the collection that it is in. */
  readonly prefix: string
}

const prefixes: Readonly<Record<string, string>> = {
  "jobs": "job",
  "uploads": "upl",
  "schemas": "sch",
  "api-keys": "key"
}

const routes: Array<Route> = []
HttpApi.reflect(Api as unknown as HttpApi.Top, {
  onGroup() {},
  onEndpoint({ endpoint }) {
    const collection = /^\/v1\/([^/]+)\/:id/u.exec(endpoint.path)?.[1]
    if (collection === undefined) return
    routes.push({ method: endpoint.method as Route["method"], path: endpoint.path, prefix: prefixes[collection] ?? "" })
  }
})

const fill = (path: string, id: string) => path.replace(":id", id).replace(":frame_id", "frm_000001")

layer(Server.layer, { excludeTestServices: true })("tenant isolation", (it) => {
  /** One of everything, owned by somebody else. */
  const belongings = Effect.gen(function*() {
    const { send, tenant } = yield* TestServer
    const { key, key_id } = yield* tenant("owner")
    const source_uri = "https://example.com/talk.mp4"
    const running = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
    const cancelled = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
    yield* send("POST", `/v1/jobs/${cancelled.json.id}/cancel`, { key })
    const upload = yield* send("POST", "/v1/uploads", { key, body: "x", headers: { "content-type": "video/mp4" } })
    const schema = yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema: { type: "object" } } })
    return { job: [running.json.id, cancelled.json.id], upl: [upload.json.id], sch: [schema.json.id], key: [key_id] }
  })

  it.effect("covers every route that takes an id", () =>
    Effect.sync(() => {
      assert.isAbove(routes.length, 15)
      for (const { path, prefix } of routes) assert.notStrictEqual(prefix, "", path)
    }))

  for (const { method, path, prefix } of routes) {
    it.effect(`${method} ${path} answers another tenant's id as it answers an unknown or malformed one`, () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const others = (yield* belongings)[prefix as "job"]
        const { key } = yield* tenant("asker")
        const call = { key, headers: { "x-request-id": "same" } }
        const unknown = yield* send(method, fill(path, `${prefix}_01kaj3e5h8z9q0w1x2y3z4a5b6`), call)
        assert.strictEqual(unknown.status, 404)
        assert.match(unknown.json.error.code, /_NOT_FOUND$/u)
        const malformed = ["nonsense", `${prefix}_`, "%00", "%F0%9F%8E%AC", "x".repeat(3000), `${prefix}_1%27--`]
        for (const id of [...others, ...malformed]) {
          const answer = yield* send(method, fill(path, id), call)
          assert.strictEqual(answer.status, unknown.status, id)
          assert.strictEqual(answer.text, unknown.text, id)
          assert.deepStrictEqual(
            Object.keys(answer.headers).toSorted(),
            Object.keys(unknown.headers).toSorted(),
            id
          )
        }
      }))
  }

  it.effect("lists show nothing of another tenant, whatever cursor is sent", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const theirs = yield* belongings
      const { key } = yield* tenant("asker")
      const cursor = Buffer.from("job_7zzzzzzzzzzzzzzzzzzzzzzzzz").toString("base64url")
      for (const path of ["/v1/jobs", "/v1/schemas", "/v1/api-keys"]) {
        for (const query of ["?limit=100", `?limit=100&cursor=${cursor}`]) {
          const answer = yield* send("GET", `${path}${query}`, { key })
          assert.strictEqual(answer.status, 200)
          for (const id of Object.values(theirs).flat()) assert.notInclude(answer.text, id)
        }
      }
    }))
})
