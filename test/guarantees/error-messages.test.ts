import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
type Method = "GET" | "POST"

const source_uri = "https://example.com/talk.mp4"
const nowhere = "sch_01kaj3e5h8z9q0w1x2y3z4a5b6"
const registration = (json_schema: unknown) => ({ json: { name: "n", json_schema } })

/** A message is shown alone by many clients: it names the field, what is allowed there and, where it is short, what was given. */
const alone: ReadonlyArray<
  readonly [method: Method, path: string, call: Server.Call, message: string, details: ReadonlyArray<string>]
> = [
  [
    "GET",
    "/v1/jobs?limit=abc",
    {},
    `The request does not fit the API: limit: Expected a number, was "abc".`,
    ["limit"]
  ],
  [
    "GET",
    "/v1/destinations?limit=1&limit=2",
    {},
    "The request does not fit the API: limit: Is given more than once.",
    ["limit"]
  ],
  [
    "GET",
    "/v1/deliveries?status=foo",
    {},
    `The request does not fit the API: status: Expected pending, delivering, succeeded, failed or cancelled, was "foo".`,
    ["status"]
  ],
  [
    "POST",
    "/v1/jobs",
    { json: { source_uri, on_missing: "drop" } },
    "The request does not fit the API: /on_missing: Expected fill or fail.",
    ["/on_missing"]
  ],
  [
    "POST",
    "/v1/jobs",
    { json: { source_uri: 5, metadata: { "a/b": 1 } } },
    "The request does not fit the API: /source_uri: Expected a text (and 1 more; see details).",
    ["/source_uri", "/metadata/a~1b"]
  ],
  ["POST", "/v1/jobs", { json: [] }, "The request does not fit the API: Expected an object.", [""]],
  [
    "POST",
    "/v1/jobs",
    { json: { source_uri, schema_id: nowhere } },
    "No such schema: /schema_id: Neither a schema of the tenant's own nor a template.",
    ["/schema_id"]
  ],
  [
    "POST",
    "/v1/jobs",
    { json: { source_uri: "https://example.com:81/a.mp4" } },
    "This source may not be fetched: /source_uri: Port 81 is not allowed; 80, 443 are.",
    ["/source_uri"]
  ],
  [
    "POST",
    "/v1/schemas",
    registration({ type: "object", properties: { a: { type: "strin" } } }),
    `The schema cannot be used: /properties/a/type: Not a JSON Schema: must be one of array, boolean, integer, null, number, object, string, was "strin".`,
    ["/properties/a/type"]
  ],
  [
    "POST",
    "/v1/schemas",
    registration({ type: "object", required: ["n"], properties: { n: { type: "integer", minimum: 2, maximum: 1 } } }),
    "The schema cannot be used: /properties/n: No value was found that fits the schema, so no result could be given.",
    ["/properties/n"]
  ],
  [
    "POST",
    "/v1/jobs",
    { body: " ".repeat(1024 * 1024 + 1) },
    "The request body holds more than 1048576 bytes; nothing was kept.",
    []
  ],
  [
    "POST",
    "/v1/jobs",
    { body: "a,b", headers: { "content-type": "text/plain" } },
    "text/plain is not taken here; send Content-Type application/json.",
    []
  ]
]

layer(Server.layer, { excludeTestServices: true })("an error's message", (it) => {
  for (const [method, path, call, message, details] of alone) {
    it.effect(`says all that there is to say: ${message.slice(0, 100)}`, () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const { json } = yield* send(method, path, { ...call, key })
        assert.strictEqual(json.error.message, message)
        assert.deepStrictEqual((json.error.details ?? []).map((detail: { path: string }) => detail.path), details)
      }))
  }

  it.effect("tells whether waiting helps, of a job that has not succeeded", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json: { id } } = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
      const told = Effect.map(send("GET", `/v1/jobs/${id}/evidence`, { key }), ({ json }) => json.error.message)
      assert.strictEqual(yield* told, "The job is queued, so there is nothing to read yet; wait for its end.")
      yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      assert.strictEqual(yield* told, "The job is cancelled, so there is nothing to read.")
      yield* sql(`UPDATE footnote.jobs SET status = 'failed', error = '{"code":"INTERNAL","message":"x","stage":null}'
        WHERE id = '${id}'`)
      assert.strictEqual(yield* told, "The job is failed, so there is nothing to read.")
    }))
})
