import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { templates } from "../../src/schemas/Templates.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const json_schema = { type: "object", properties: { zebra: { type: "string" }, ant: { type: "number" } } }

layer(Server.layer, { excludeTestServices: true })("/v1/schemas", (it) => {
  it.effect("POST 201, and GET gives the schema back member for member", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const made = yield* send("POST", "/v1/schemas", {
        key,
        json: { name: "Zoo", json_schema, description: "Animals." }
      })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.json, { name: "Zoo", description: "Animals.", is_template: false })
      const read = yield* send("GET", `/v1/schemas/${made.json.id}`, { key })
      assert.strictEqual(JSON.stringify(read.json.json_schema), JSON.stringify(json_schema))
      assert.deepStrictEqual(read.json, made.json)
    }))

  it.effect("POST 422 SCHEMA_INVALID says where", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const cases = [
        { properties: { a: { type: "strnig" } } },
        { $ref: "https://example.com/schema.json" },
        { type: "string", pattern: "(a+)+\\1" },
        { allOf: [{ type: "string" }, { type: "number" }] }
      ]
      for (const broken of cases) {
        const answer = yield* send("POST", "/v1/schemas", { key, json: { name: "n", json_schema: broken } })
        assert.strictEqual(answer.status, 422, JSON.stringify(broken))
        assert.strictEqual(answer.json.error.code, "SCHEMA_INVALID")
        assert.isNotEmpty(answer.json.error.details)
      }
    }))

  it.effect("GET lists the tenant's own, newest first, then every template, in pages that lose nothing", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const own: Array<string> = []
      for (const name of ["first", "second", "third"]) {
        own.unshift((yield* send("POST", "/v1/schemas", { key, json: { name, json_schema } })).json.id)
      }
      const expected = [...own, ...templates.map(({ id }) => id)]
      for (const limit of [1, 2, 3, 4, 100]) {
        const seen: Array<string> = []
        let query = `?limit=${limit}`
        while (query !== "") {
          const { json } = yield* send("GET", `/v1/schemas${query}`, { key })
          for (const schema of json.data) {
            assert.deepStrictEqual(Object.keys(schema).toSorted(), ["description", "id", "is_template", "name"])
            seen.push(schema.id)
          }
          query = json.next_cursor === null ? "" : `?limit=${limit}&cursor=${json.next_cursor}`
        }
        assert.deepStrictEqual(seen, expected, `limit ${limit}`)
      }
    }))

  it.effect("GET gives every template by its stable id", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const name of ["lecture_notes", "meeting_minutes", "product_demo"]) {
        const answer = yield* send("GET", `/v1/schemas/sch_template_${name}`, { key })
        assert.strictEqual(answer.status, 200)
        assert.isTrue(answer.json.is_template)
        assert.isObject(answer.json.json_schema)
      }
    }))

  it.effect("DELETE is soft and idempotent, and leaves templates alone", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { id } = (yield* send("POST", "/v1/schemas", { key, json: { name: "n", json_schema } })).json
      const first = yield* send("DELETE", `/v1/schemas/${id}`, { key })
      assert.deepStrictEqual((yield* send("DELETE", `/v1/schemas/${id}`, { key })).json, first.json)
      assert.strictEqual((yield* send("GET", `/v1/schemas/${id}`, { key })).json.error.code, "SCHEMA_NOT_FOUND")
      const job = yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a", schema_id: id } })
      assert.strictEqual(job.json.error.code, "SCHEMA_NOT_FOUND")
      const template = yield* send("DELETE", "/v1/schemas/sch_template_default", { key })
      assert.strictEqual(template.json.error.code, "SCHEMA_NOT_FOUND")
    }))
})
