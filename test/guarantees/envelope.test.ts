import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ErrorCatalog } from "../../src/errors/ErrorCatalog.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
type Method = "GET" | "POST" | "PUT" | "DELETE"

layer(Server.layer, { excludeTestServices: true })("the error envelope", (it) => {
  const cases: ReadonlyArray<readonly [string, keyof typeof ErrorCatalog, Method, string, Server.Call]> = [
    ["a body that is no JSON", "INVALID_REQUEST", "POST", "/v1/jobs", { body: "{bad" }],
    ["an empty body", "INVALID_REQUEST", "POST", "/v1/jobs", { body: "" }],
    ["a body of another kind", "INVALID_REQUEST", "POST", "/v1/jobs", { json: [1] }],
    ["half a million brackets", "INVALID_REQUEST", "POST", "/v1/schemas", { body: "[".repeat(500_000) }],
    ["a number beyond all numbers", "INVALID_REQUEST", "POST", "/v1/schemas", {
      body: `{"name":"n","json_schema":{"maximum":1e400}}`
    }],
    ["a NUL in a member's name", "INVALID_REQUEST", "POST", "/v1/jobs", {
      json: { source_uri: "https://e.com/a", metadata: { "\u0000": "x" } }
    }],
    ["a NUL in JSON whose type is in capitals", "INVALID_REQUEST", "POST", "/v1/jobs", {
      body: `{"source_uri":"https://e.com/a","metadata":{"a":"\\u0000"}}`,
      headers: { "content-type": "Application/JSON" }
    }],
    ["a member twice in JSON whose type is in capitals", "INVALID_REQUEST", "POST", "/v1/schemas", {
      body: `{"name":"a","name":"b","json_schema":{}}`,
      headers: { "content-type": "application/JSON" }
    }],
    ["a NUL in a query", "INVALID_REQUEST", "GET", "/v1/jobs?metadata[a]=%00", {}],
    ["a NUL behind a second question mark", "INVALID_REQUEST", "GET", "/v1/jobs?schema_id=a?%00", {}],
    ["a limit that is too small", "INVALID_REQUEST", "GET", "/v1/jobs?limit=0", {}],
    ["a limit that is no number", "INVALID_REQUEST", "GET", "/v1/jobs?limit=ten", {}],
    ["a cursor that is none", "INVALID_REQUEST", "GET", "/v1/jobs?cursor=%21", {}],
    ["a content type that is not taken", "UNSUPPORTED_MEDIA_TYPE", "POST", "/v1/jobs", {
      body: "a,b",
      headers: { "content-type": "text/csv" }
    }],
    ["an upload that is no media", "UNSUPPORTED_MEDIA_TYPE", "POST", "/v1/uploads", {
      body: "a,b",
      headers: { "content-type": "text/csv" }
    }],
    ["a body over 1 MiB", "PAYLOAD_TOO_LARGE", "POST", "/v1/jobs", { body: " ".repeat(1024 * 1024 + 1) }],
    ["an unknown route", "ROUTE_NOT_FOUND", "GET", "/v1/nowhere", {}],
    ["a route in capitals", "ROUTE_NOT_FOUND", "GET", "/V1/jobs", {}],
    ["a broken %-escape", "ROUTE_NOT_FOUND", "GET", "/v1/jobs/%zz", {}],
    ["a wrong method", "METHOD_NOT_ALLOWED", "PUT", "/v1/jobs", { json: {} }],
    ["a wrong method below an id", "METHOD_NOT_ALLOWED", "DELETE", "/v1/jobs/job_1/cancel", {}],
    ["a wrong method on a page", "METHOD_NOT_ALLOWED", "POST", "/openapi.json", { json: {} }]
  ]

  for (const [title, code, method, path, call] of cases) {
    it.effect(`${ErrorCatalog[code].status} ${code} for ${title}`, () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const answer = yield* send(method, path, {
          ...call,
          key,
          headers: { "x-request-id": "my-own.id:1", ...call.headers }
        })
        assert.strictEqual(answer.status, ErrorCatalog[code].status)
        assert.match(answer.headers["content-type"] ?? "", /^application\/json/u)
        assert.strictEqual(answer.headers["x-request-id"], "my-own.id:1")
        const { details, ...error } = answer.json.error
        assert.deepStrictEqual(Object.keys(answer.json), ["error"])
        assert.deepStrictEqual(Object.keys(error), ["code", "message", "request_id"])
        assert.strictEqual(error.code, code)
        assert.strictEqual(error.request_id, "my-own.id:1")
        for (const detail of details ?? []) assert.deepStrictEqual(Object.keys(detail), ["path", "message"])
      }))
  }

  it.effect("405 lists what the route takes", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      assert.strictEqual((yield* send("PUT", "/v1/jobs")).headers["allow"], "GET, HEAD, OPTIONS, POST")
      assert.strictEqual((yield* send("POST", "/v1/jobs/job_1")).headers["allow"], "DELETE, GET, HEAD, OPTIONS")
      assert.strictEqual((yield* send("DELETE", "/metrics")).headers["allow"], "GET, HEAD, OPTIONS")
    }))

  it.effect("OPTIONS tells the methods of a path, lets no page from elsewhere in, and knows no path that is not there", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const preflight = { origin: "https://elsewhere.example", "access-control-request-method": "POST" }
      const answer = yield* send("OPTIONS", "/v1/jobs", { headers: preflight })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual(answer.headers["allow"], "GET, HEAD, OPTIONS, POST")
      assert.deepStrictEqual(Object.keys(answer.headers).filter((name) => name.startsWith("access-control")), [])
      assert.strictEqual((yield* send("OPTIONS", "/v1/nowhere")).status, 404)
    }))

  it.effect("an id that is not fit for logs is replaced", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (const given of ["a b", "x".repeat(129), "ä"]) {
        const answer = yield* send("GET", "/healthz", { headers: { "x-request-id": given } })
        assert.match(answer.headers["x-request-id"] ?? "", /^req_[0-9a-f-]{36}$/u)
      }
    }))
})

layer(Server.layer, { excludeTestServices: true })("the error envelope where the service itself fails", (it) => {
  it.effect("500 INTERNAL for a defect shows nothing of it", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      yield* sql("ALTER TABLE footnote.schemas RENAME TO hidden_table")
      const answer = yield* send("GET", "/v1/schemas", { key, headers: { "x-request-id": "broken" } })
      yield* sql("ALTER TABLE footnote.hidden_table RENAME TO schemas")
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(answer.json, {
        error: { code: "INTERNAL", message: ErrorCatalog.INTERNAL.message, request_id: "broken" }
      })
    }))
})
