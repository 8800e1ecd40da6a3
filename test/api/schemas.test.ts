import { assert, layer } from "@effect/vitest"
import { Effect, type Schema } from "effect"
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
      assert.deepStrictEqual({ ...read.json, warnings: [] }, made.json)
    }))

  it.effect("POST 201 and GET 200 give back the very bytes of the schema: order, spaces and spellings of numbers", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const written =
        `{ "properties":{"2":{ "type":"number","minimum":1.50,"maximum":1e2},\n"1":{"const":"\\u00e9"}}, "type":"object" }`
      const made = yield* send("POST", "/v1/schemas", { key, body: `{"name":"n", "json_schema" : ${written} }` })
      assert.strictEqual(made.status, 201)
      const shown = `"json_schema":${written}`
      assert.include(made.text, shown)
      const read = yield* send("GET", `/v1/schemas/${made.json.id}`, { key })
      assert.include(read.text, shown)
      const job = yield* send("POST", "/v1/jobs", {
        key,
        json: { source_uri: "https://example.com/a.mp4", schema_id: made.json.id }
      })
      yield* send("DELETE", `/v1/schemas/${made.json.id}`, { key })
      const kept = yield* send("GET", `/v1/jobs/${job.json.id}/schema`, { key })
      assert.include(kept.text, shown)
      assert.strictEqual(kept.json.schema_id, made.json.id)
    }))

  it.effect("POST 201 stores the copy that the service works with beside it, and a row without one is served as well", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const old = {
        $schema: "http://json-schema.org/draft-04/schema#",
        type: "integer",
        minimum: 1,
        exclusiveMinimum: true
      }
      const made = yield* send("POST", "/v1/schemas", { key, json: { name: "n", json_schema: old } })
      const submit = send("POST", "/v1/jobs", {
        key,
        json: { source_uri: "https://example.com/a.mp4", schema_id: made.json.id }
      })
      const stored = yield* send("GET", `/v1/jobs/${(yield* submit).json.id}/schema`, { key })
      assert.deepInclude(stored.json, { json_schema: old, normalised: { type: "integer", exclusiveMinimum: 1 } })
      yield* sql(`UPDATE footnote.schemas SET normalised = NULL WHERE id = '${made.json.id}'`)
      const earlier = yield* submit
      yield* sql(`UPDATE footnote.jobs SET schema_text = NULL,
        spec = (spec::jsonb - 'normalised_schema')::json WHERE id = '${earlier.json.id}'`)
      const derived = yield* send("GET", `/v1/jobs/${earlier.json.id}/schema`, { key })
      assert.deepStrictEqual(derived.json.normalised, stored.json.normalised)
    }))

  it.effect("GET 304 for whoever has the schema already", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (
        const id of [
          "sch_template_lecture_notes",
          (yield* send("POST", "/v1/schemas", { key, json: { name: "n", json_schema } })).json.id
        ]
      ) {
        const { headers } = yield* send("GET", `/v1/schemas/${id}`, { key })
        const again = yield* send("GET", `/v1/schemas/${id}`, { key, headers: { "if-none-match": headers["etag"]! } })
        assert.strictEqual(again.status, 304)
        assert.strictEqual(again.text, "")
        assert.strictEqual(
          (yield* send("GET", `/v1/schemas/${id}`, { key, headers: { "if-none-match": "\"x\"" } })).status,
          200
        )
      }
    }))

  it.effect("POST 201 tells what of the schema its draft ignores, what is not checked and what will be a placeholder", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answer = yield* send("POST", "/v1/schemas", {
        key,
        json: {
          name: "n",
          json_schema: {
            $schema: "http://json-schema.org/draft-07/schema#",
            type: "object",
            required: ["title"],
            properties: {
              title: { type: "string" },
              shade: { type: "string", format: "colour" },
              slides: {
                type: "array",
                items: {
                  type: "object",
                  properties: {
                    facts: { type: "array", items: { type: "object", properties: { what: { type: "string" } } } },
                    points: { type: "array", items: { type: "string" } }
                  }
                }
              }
            },
            unevaluatedProperties: false
          }
        }
      })
      assert.strictEqual(answer.status, 201)
      const said = answer.json.warnings.map(({ message, path }: { message: string; path: string }) =>
        `${path} ${message}`
      )
      assert.lengthOf(said, 5)
      assert.match(said[0], /^ .*`unevaluatedProperties`/u)
      assert.match(said[1], /^\/title .*placeholder/u)
      assert.match(said[2], /^\/shade .*`colour`/u)
      assert.match(said[3], /^\/slides\/\*\/facts .*`unsupported`/u)
      assert.match(said[4], /^\/slides\/\*\/points .*lines of a slide/u)
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

  it.effect("POST /infer 200 makes a schema that POST registers, and saves nothing itself", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const examples = [
        JSON.parse("{\"title\":\"A\",\"on\":\"2026-11-20\",\"__proto__\":{\"x\":1}}"),
        { title: "B", on: null, items: [{ sku: "x", price: 1 }, { sku: "y", price: 2.5 }] }
      ]
      const body = { examples, name: "Zoo", description: "Animals." }
      const made = yield* send("POST", "/v1/schemas/infer", { key, json: body })
      assert.strictEqual(made.status, 200)
      assert.deepStrictEqual(Object.keys(made.json), ["json_schema", "warnings"])
      assert.deepInclude(made.json.json_schema, { title: "Zoo", description: "Animals.", required: ["title", "on"] })
      assert.deepStrictEqual(made.json.json_schema.properties.on, { type: ["string", "null"], format: "date" })
      assert.include(Object.keys(made.json.json_schema.properties), "__proto__")
      const json = { ...body, examples: examples.toReversed() }
      assert.strictEqual((yield* send("POST", "/v1/schemas/infer", { key, json })).text, made.text)
      const own = (yield* send("GET", "/v1/schemas", { key })).json.data
      assert.isTrue(own.every(({ is_template }: { is_template: boolean }) => is_template))
      const { json_schema } = made.json
      assert.strictEqual((yield* send("POST", "/v1/schemas", { key, json: { name: "Zoo", json_schema } })).status, 201)
    }))

  it.effect("POST /infer 200 tells of placeholders to come and of places that say too little", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answer = yield* send("POST", "/v1/schemas/infer", { key, json: { examples: [{ title: "A", tags: [] }] } })
      assert.deepStrictEqual(answer.json.warnings.map(({ path }: { path: string }) => path), ["/tags", "/title"])
    }))

  it.effect("POST /infer 400 INVALID_REQUEST names the field", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [{}, "/examples"],
        [{ examples: [] }, "/examples"],
        [{ examples: { a: 1 } }, "/examples"],
        [{ examples: Array.from({ length: 101 }, () => 1) }, "/examples"],
        [{ examples: [1], example: 1 }, "/example"],
        [{ examples: [1], name: "" }, "/name"],
        [{ examples: [1], description: "x".repeat(1001) }, "/description"]
      ]
      for (const [json, path] of cases) {
        const answer = yield* send("POST", "/v1/schemas/infer", { key, json: json as Schema.Json })
        assert.strictEqual(answer.status, 400, path)
        assert.strictEqual(answer.json.error.code, "INVALID_REQUEST")
        assert.strictEqual(answer.json.error.details[0].path, path)
      }
    }))

  it.effect("POST /infer 401 UNAUTHENTICATED without a key", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const answer = yield* send("POST", "/v1/schemas/infer", { json: { examples: [1] } })
      assert.strictEqual(answer.status, 401)
    }))

  it.effect("POST /infer 422 SCHEMA_INVALID points into the examples whose schema would be over a limit", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => ({ in: inner }), 1)
      const wide = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, at]))
      const cases: ReadonlyArray<readonly [unknown, string, string]> = [
        [deep, `/examples/1${"/in".repeat(24)}`, "too_deep"],
        [wide, "/examples/1/k1499", "too_many_properties"]
      ]
      for (const [example, path, reason] of cases) {
        const json = { examples: [{ a: 1 }, example] } as Schema.Json
        const answer = yield* send("POST", "/v1/schemas/infer", { key, json })
        assert.strictEqual(answer.status, 422)
        assert.strictEqual(answer.json.error.code, "SCHEMA_INVALID")
        assert.strictEqual(answer.json.error.details[0].path, path)
        assert.match(answer.json.error.details[0].message, new RegExp(`^${reason}: `, "u"))
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
