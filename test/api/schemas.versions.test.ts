import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"
const first = { type: "object", properties: { a: { type: "string" } } }
const second = { type: "object", properties: { b: { type: "number" } } }

const scene = Effect.gen(function*() {
  const { send, tenant } = yield* TestServer
  const { key } = yield* tenant("a")
  const { json } = yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema: first } })
  const at = `/v1/schemas/${json.id}`
  return { at, id: json.id as string, key, made: json }
})

layer(Server.layer, { excludeTestServices: true })("/v1/schemas/{id}/versions", (it) => {
  describe("POST, 201", () => {
    it.effect("is the newest from then on, and the versions before stay as they were, to the byte", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { at, key, made } = yield* scene
        assert.strictEqual(made.version, 1)
        const before = yield* send("GET", at, { key })
        const written = "{ \"type\":\"object\", \"minProperties\":1.0, \"properties\":{\"2\":{},\"1\":{}} }"
        const added = yield* send("POST", `${at}/versions`, { key, body: `{"json_schema":${written}}` })
        assert.strictEqual(added.status, 201, added.text)
        assert.strictEqual(added.json.version, 2)
        assert.include(added.text, written)
        assert.include((yield* send("GET", at, { key })).text, written)
        assert.strictEqual((yield* send("GET", `${at}?version=1`, { key })).text, before.text)
        const { json } = yield* send("GET", `${at}/versions`, { key })
        assert.deepStrictEqual(json.data.map(({ version }: { version: number }) => version), [2, 1])
        for (const version of [3, 1000]) {
          const answer = yield* send("GET", `${at}?version=${version}`, { key })
          assert.deepStrictEqual([answer.status, answer.json.error.code], [404, "SCHEMA_NOT_FOUND"])
        }
      }))

    it.effect("has numbers without a gap or a double, also where twenty come at once", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { at, key } = yield* scene
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => send("POST", `${at}/versions`, { key, json: { json_schema: second } }),
          { concurrency: "unbounded" }
        )
        const versions = answers.map(({ json }) => json.version as number).toSorted((a, b) => a - b)
        assert.deepStrictEqual(versions, Array.from({ length: 20 }, (_, index) => index + 2))
      }))

    it.effect("is made once under one Idempotency-Key", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { at, key } = yield* scene
        const call = { key, json: { json_schema: second }, headers: { "idempotency-key": "v" } }
        const answers = [yield* send("POST", `${at}/versions`, call), yield* send("POST", `${at}/versions`, call)]
        assert.deepStrictEqual(answers.map(({ status }) => status), [201, 200])
        assert.strictEqual(answers[1]!.text, answers[0]!.text)
        assert.lengthOf((yield* send("GET", `${at}/versions`, { key })).json.data, 2)
      }))
  })

  it.effect("a job runs with the newest version or the one that it names, and tells which; a later one changes nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { at, id, key } = yield* scene
      const submit = (body: object) => send("POST", "/v1/jobs", { key, json: { source_uri, schema_id: id, ...body } })
      const schemaOf = (job_id: string) =>
        Effect.map(send("GET", `/v1/jobs/${job_id}/schema`, { key }), ({ json }) => json.json_schema)
      const old = yield* submit({})
      assert.strictEqual(old.json.schema_version, 1)
      yield* send("POST", `${at}/versions`, { key, json: { json_schema: second } })
      const [newest, named] = [yield* submit({}), yield* submit({ schema_version: 1 })]
      assert.deepStrictEqual([newest.json.schema_version, named.json.schema_version], [2, 1])
      assert.deepStrictEqual(yield* schemaOf(old.json.id), first)
      assert.deepStrictEqual(yield* schemaOf(newest.json.id), second)
      assert.deepStrictEqual(yield* schemaOf(named.json.id), first)
      assert.strictEqual((yield* submit({ schema_version: 3 })).json.error.code, "SCHEMA_NOT_FOUND")
      const inline = yield* send("POST", "/v1/jobs", { key, json: { source_uri, schema_inline: first } })
      assert.notProperty(inline.json, "schema_version")
      const alone = yield* send("POST", "/v1/jobs", { key, json: { source_uri, schema_version: 1 } })
      assert.deepStrictEqual([alone.status, alone.json.error.code], [400, "INVALID_REQUEST"])
    }))

  it.effect("POST, 404 SCHEMA_NOT_FOUND for a template and for a schema that was deleted, 422 for what is no schema", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { at, key } = yield* scene
      const add = (path: string, json_schema: unknown) =>
        Effect.map(send("POST", `${path}/versions`, { key, json: { json_schema } }), ({ json, status }) => [
          status,
          json.error.code
        ])
      assert.deepStrictEqual(yield* add("/v1/schemas/sch_template_recipe", second), [404, "SCHEMA_NOT_FOUND"])
      assert.deepStrictEqual(yield* add(at, { type: "strin" }), [422, "SCHEMA_INVALID"])
      yield* send("DELETE", at, { key })
      assert.deepStrictEqual(yield* add(at, second), [404, "SCHEMA_NOT_FOUND"])
    }))
})

layer(Server.layer, { excludeTestServices: true })("POST /v1/schemas/{id}/test", (it) => {
  it.effect("200 with a job that is at work where the answer is not waited for, in the tenant's own line", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { at, key } = yield* scene
      const answer = yield* send("POST", `${at}/test`, { key, json: { segments: [{ text: "Hi." }], wait_seconds: 0 } })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepInclude(answer.json, { status: "queued", result: null, evidence: null })
      const job = yield* send("GET", `/v1/jobs/${answer.json.job_id}`, { key })
      assert.deepInclude(job.json, { schema_version: 1, source_uri: "transcript://given" })
      assert.notProperty(job.json, "extracted_from")
    }))

  it.effect("400 INVALID_REQUEST for neither or both of a job and segments, and for segments without words", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { at, key } = yield* scene
      const segments = [{ text: "Hi." }]
      for (const json of [{}, { segments: [] }, { segments: [{ text: " " }] }, { segments, job_id: "job_1" }]) {
        const answer = yield* send("POST", `${at}/test`, { key, json })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [400, "INVALID_REQUEST"])
      }
    }))

  it.effect("429 CONCURRENT_JOBS_LIMIT at the tenant's limit, and nothing of what was sent is kept", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const { at, key } = yield* scene
      const { json } = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
      yield* sql(`UPDATE footnote.tenants SET max_active = 1
        WHERE id = (SELECT tenant_id FROM footnote.jobs WHERE id = '${json.id}')`)
      const answer = yield* send("POST", `${at}/test`, { key, json: { segments: [{ text: "Hi." }] } })
      assert.deepStrictEqual([answer.status, answer.json.error.code], [429, "CONCURRENT_JOBS_LIMIT"])
      assert.lengthOf((yield* send("GET", "/v1/jobs", { key })).json.data, 1)
    }))
})
