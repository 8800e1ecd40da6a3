import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Blobs } from "../../src/storage/Blobs.ts"
import { belongings } from "../support/Belongings.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"
const schema_inline = { type: "object", properties: { b: { type: "string" }, a: { type: "number" } } }

const scene = Effect.gen(function*() {
  const { ids, tenant } = yield* belongings("a")
  return { id: ids.job[2]!, ids, key: tenant.key }
})

const extract = Effect.fn("extract")(
  function*(key: string, id: string, json: object = { schema_inline }, headers: Record<string, string> = {}) {
    const { send } = yield* TestServer
    return yield* send("POST", `/v1/jobs/${id}/extractions`, { key, json, headers })
  }
)

layer(Server.layer, { excludeTestServices: true })("POST /v1/jobs/{id}/extractions", (it) => {
  describe("201", () => {
    it.effect("is a new job of the same source with a schema of its own, which names the first and leaves it as it was", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { id, key } = yield* scene
        const before = yield* send("GET", `/v1/jobs/${id}`, { key })
        const webhook_url = "https://example.com/again"
        const answer = yield* extract(key, id, { schema_inline, webhook_url, metadata: { run: "2" } })
        assert.strictEqual(answer.status, 201, answer.text)
        assert.strictEqual(answer.headers["location"], `/v1/jobs/${answer.json.id}`)
        assert.deepInclude(answer.json, {
          status: "queued",
          extracted_from: id,
          source_uri,
          webhook_url,
          metadata: { run: "2" },
          destination_ids: []
        })
        assert.match(answer.json.webhook_signing_secret, /^whsec_/u)
        const schema = yield* send("GET", `/v1/jobs/${answer.json.id}/schema`, { key })
        assert.include(schema.text, JSON.stringify(schema_inline))
        const after = yield* send("GET", `/v1/jobs/${id}`, { key })
        assert.strictEqual(after.text, before.text)
        assert.notProperty(after.json, "extracted_from")
      }))

    it.effect("has one task, that of the extraction, and nothing of it is done before", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { id, key } = yield* scene
        const { json } = yield* extract(key, id)
        const skipped = json.progress.stages.filter(({ status }: { status: string }) => status === "skipped")
        assert.lengthOf(skipped, json.progress.stages.length - 1)
        assert.deepInclude(json.progress, { stage: null, fraction: 0 })
        assert.isNotNull(json.source)
        yield* sql(`DO $$ BEGIN IF ARRAY['extract'] <> (SELECT array_agg(stage) FROM footnote.tasks
          WHERE job_id = '${json.id}') THEN RAISE 'other tasks'; END IF; END $$`)
      }))

    it.effect("of an extraction that was cancelled, a retry reads the same artifacts", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { id, key } = yield* scene
        const { json } = yield* extract(key, id)
        yield* send("POST", `/v1/jobs/${json.id}/cancel`, { key })
        const again = yield* send("POST", `/v1/jobs/${json.id}/retry`, { key })
        assert.strictEqual(again.status, 201, again.text)
        assert.deepInclude(again.json, { retry_of: json.id, extracted_from: id })
        yield* send("DELETE", `/v1/jobs/${id}`, { key })
        const gone = yield* send("POST", `/v1/jobs/${json.id}/retry`, { key })
        assert.deepStrictEqual([gone.status, gone.json.error.code], [409, "SOURCE_NOT_KEPT"])
      }))
  })

  it.effect("200 with Idempotent-Replayed for a key that was used for it before, 422 for another job's or body", () =>
    Effect.gen(function*() {
      const { id, ids, key } = yield* scene
      const headers = { "idempotency-key": "again" }
      const [first, second] = [yield* extract(key, id, {}, headers), yield* extract(key, id, {}, headers)]
      assert.deepStrictEqual([first.status, second.status], [201, 200])
      assert.strictEqual(second.headers["idempotent-replayed"], "true")
      assert.strictEqual(second.json.id, first.json.id)
      for (const [of, body] of [[id, { on_missing: "fail" }], [ids.job[0]!, {}]] as const) {
        const other = yield* extract(key, of, body, headers)
        assert.deepStrictEqual([other.status, other.json.error.code], [422, "IDEMPOTENCY_KEY_CONFLICT"])
      }
    }))

  it.effect("201 for a key that a submission or a retry has, and 200 for one that the version before kept without its operation", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const { id, key } = yield* scene
      const headers = { "idempotency-key": "same" }
      const made = [
        yield* send("POST", "/v1/jobs", { key, json: { source_uri }, headers }),
        yield* send("POST", `/v1/jobs/${id}/retry`, { key, headers }),
        yield* extract(key, id, {}, headers)
      ]
      assert.deepStrictEqual(made.map(({ status }) => status), [201, 201, 201])
      const first = yield* extract(key, id, {}, { "idempotency-key": "before" })
      yield* sql(`UPDATE footnote.idempotency_keys SET key = 'before' WHERE job_id = '${first.json.id}'`)
      const replay = yield* extract(key, id, {}, { "idempotency-key": "before" })
      assert.deepStrictEqual([replay.status, replay.json.id], [200, first.json.id])
    }))

  it.effect("400 INVALID_REQUEST for what is the source's, by its name: that is as it was", () =>
    Effect.gen(function*() {
      const { id, key } = yield* scene
      const answer = yield* extract(key, id, { source_uri, hints: {} })
      assert.strictEqual(answer.status, 400)
      const paths = answer.json.error.details.map(({ path }: { path: string }) => path.replaceAll("/", ""))
      assert.sameMembers(paths, ["source_uri", "hints"])
    }))

  it.effect("409 JOB_NOT_SUCCEEDED with its status for a job that is at work or was cancelled", () =>
    Effect.gen(function*() {
      const { ids, key } = yield* scene
      for (const [at, status] of [[0, "queued"], [1, "cancelled"]] as const) {
        const answer = yield* extract(key, ids.job[at]!)
        assert.deepStrictEqual([answer.status, answer.json.error.code], [409, "JOB_NOT_SUCCEEDED"])
        assert.strictEqual(answer.json.error.details[0].message, status)
      }
    }))

  it.effect("429 CONCURRENT_JOBS_LIMIT at the tenant's limit, as for a submission", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      const { id, key } = yield* scene
      yield* sql(`UPDATE footnote.tenants SET max_active = 1
        WHERE id = (SELECT tenant_id FROM footnote.jobs WHERE id = '${id}')`)
      const answer = yield* extract(key, id)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [429, "CONCURRENT_JOBS_LIMIT"])
      assert.isAbove(Number(answer.headers["retry-after"]), 0)
    }))

  it.effect("the bytes of a job that is erased meanwhile stay until the extraction is over, and go with its end", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, key } = yield* scene
      const { list } = yield* Blobs
      const { json } = yield* extract(key, id)
      const other = yield* extract(key, id)
      yield* send("DELETE", `/v1/jobs/${id}`, { key })
      assert.strictEqual((yield* send("GET", `/v1/jobs/${id}/transcript`, { key })).status, 404)
      assert.isNotEmpty(yield* list(`jobs/${id}`))
      // Nothing new can be made of them.
      assert.strictEqual((yield* extract(key, id)).status, 404)
      for (const [job, left] of [[json.id, true], [other.json.id, false]] as const) {
        yield* send("POST", `/v1/jobs/${job}/cancel`, { key })
        yield* send("DELETE", `/v1/jobs/${job}`, { key })
        assert.strictEqual((yield* list(`jobs/${id}`)).length > 0, left)
      }
    }))
})
