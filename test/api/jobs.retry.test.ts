import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Blobs } from "../../src/storage/Blobs.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

const made = Effect.fn("made")(function*(key: string, body: object = {}) {
  const { send } = yield* TestServer
  const answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri, ...body } })
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json as { readonly id: string; readonly webhook_signing_secret?: string }
})

const failed = Effect.fn("failed")(function*(key: string, body: object = {}) {
  const { sql } = yield* TestServer
  const job = yield* made(key, body)
  yield* sql(
    `UPDATE footnote.jobs SET status = 'failed', finished_at = now(),
      error = '{"code":"SOURCE_UNREACHABLE","message":"Away.","stage":"fetch"}' WHERE id = '${job.id}'`
  )
  return job
})

const succeeded = Effect.fn("succeeded")(function*(key: string, body: object = {}) {
  const { succeed } = yield* TestServer
  const job = yield* made(key, body)
  yield* succeed(job.id, { source: Buffer.from("footage"), result: { title: "Talk" } })
  return job
})

const retry = Effect.fn("retry")(function*(key: string, id: string, headers: Record<string, string> = {}) {
  const { send } = yield* TestServer
  return yield* send("POST", `/v1/jobs/${id}/retry`, { key, headers })
})

layer(Server.layer, { excludeTestServices: true })("POST /v1/jobs/{id}/retry", (it) => {
  describe("201", () => {
    it.effect("is a new job like the failed one, which it names and which stays as it was", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const webhook_url = "https://example.com/hook"
        const metadata = { order: "4711" }
        const schema_inline = { type: "object", properties: { b: { type: "string" }, a: { type: "string" } } }
        const first = yield* failed(key, { webhook_url, metadata, schema_inline, hints: { num_speakers: 2 } })
        const before = yield* send("GET", `/v1/jobs/${first.id}`, { key })
        const answer = yield* retry(key, first.id)
        assert.strictEqual(answer.status, 201, answer.text)
        assert.strictEqual(answer.headers["location"], `/v1/jobs/${answer.json.id}`)
        assert.notStrictEqual(answer.json.id, first.id)
        assert.deepInclude(answer.json, { status: "queued", retry_of: first.id, source_uri, webhook_url, metadata })
        // Whoever verifies the one's webhooks verifies the other's.
        assert.strictEqual(answer.json.webhook_signing_secret, first.webhook_signing_secret)
        const schemaOf = (id: string) =>
          Effect.map(send("GET", `/v1/jobs/${id}/schema`, { key }), ({ text }) => text.replace(id, ""))
        assert.strictEqual(yield* schemaOf(answer.json.id), yield* schemaOf(first.id))
        const after = yield* send("GET", `/v1/jobs/${first.id}`, { key })
        assert.strictEqual(after.text, before.text)
        assert.notProperty(after.json, "retry_of")
      }))

    it.effect("runs one that succeeded from the bytes that it was made of, and sends no destination its result again", () =>
      Effect.gen(function*() {
        const { send, sql, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const config = { url: "https://example.com/hook" }
        const destination = yield* send("POST", "/v1/destinations", {
          key,
          json: { name: "h", type: "webhook", config }
        })
        const destination_ids = [destination.json.id]
        const [good, bad] = [yield* succeeded(key, { destination_ids }), yield* failed(key, { destination_ids })]
        const again = yield* retry(key, good.id)
        assert.strictEqual(again.status, 201, again.text)
        assert.deepStrictEqual(again.json.destination_ids, [])
        assert.deepStrictEqual((yield* retry(key, bad.id)).json.destination_ids, destination_ids)
        // Fails where the task does not hold the kept bytes.
        yield* sql(`DO $$ BEGIN IF 1 <> (SELECT count(*) FROM footnote.tasks WHERE job_id = '${again.json.id}'
          AND input->'kept_source'->>'key' = 'jobs/${good.id}/extract/0/0/source') THEN RAISE 'not kept'; END IF; END $$`)
      }))

    it.effect("of a retry is one more, of the retry", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const { json: { id } } = yield* retry(key, (yield* failed(key)).id)
        yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
        assert.strictEqual((yield* retry(key, id)).json.retry_of, id)
      }))
  })

  it.effect("200 with Idempotent-Replayed for a key that was used for it before, and one job", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { id } = yield* failed(key)
      const headers = { "idempotency-key": "again" }
      const [first, second] = [yield* retry(key, id, headers), yield* retry(key, id, headers)]
      assert.deepStrictEqual([first.status, second.status], [201, 200])
      assert.strictEqual(second.headers["idempotent-replayed"], "true")
      assert.strictEqual(second.json.id, first.json.id)
    }))

  it.effect("422 IDEMPOTENCY_KEY_CONFLICT for a key of another job's retry; one of a submission is another key", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const [one, other] = [yield* failed(key), yield* failed(key)]
      const taken = { "idempotency-key": "taken" }
      const made = yield* send("POST", "/v1/jobs", { key, json: { source_uri }, headers: taken })
      const again = yield* retry(key, one.id, taken)
      assert.deepStrictEqual([made.status, again.status], [201, 201], again.text)
      const answer = yield* retry(key, other.id, taken)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [422, "IDEMPOTENCY_KEY_CONFLICT"])
      const sent = yield* send("POST", "/v1/jobs", { key, json: { source_uri }, headers: taken })
      assert.deepStrictEqual([sent.status, sent.json.id], [200, made.json.id])
    }))

  it.effect("200 for a key that the version before kept without its operation, and 201 where a submission had that one", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      const { id } = yield* failed(key)
      const bare = `UPDATE footnote.idempotency_keys SET key = split_part(key, E'\\x1f', 2)
        WHERE tenant_id = '${tenant_id}' AND key LIKE 'retryJob%' RETURNING key`
      const first = yield* retry(key, id, { "idempotency-key": "before" })
      assert.deepStrictEqual(yield* sql(bare), [{ key: "before" }])
      const replay = yield* retry(key, id, { "idempotency-key": "before" })
      assert.deepStrictEqual([replay.status, replay.json.id], [200, first.json.id])
      yield* sql(`UPDATE footnote.idempotency_keys SET created_at = created_at - interval '24 hours'`)
      assert.strictEqual((yield* retry(key, id, { "idempotency-key": "before" })).status, 201)
      yield* send("POST", "/v1/jobs", { key, json: { source_uri }, headers: { "idempotency-key": "submitted" } })
      assert.strictEqual((yield* retry(key, id, { "idempotency-key": "submitted" })).status, 201)
    }))

  it.effect("404 JOB_NOT_FOUND for unknown, foreign, malformed and erased ids, alike to the byte", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const [{ key }, other] = [yield* tenant("a"), yield* tenant("b")]
      const erased = yield* failed(key)
      yield* send("DELETE", `/v1/jobs/${erased.id}`, { key })
      const foreign = yield* failed(other.key)
      const answers = yield* Effect.forEach(
        [foreign.id, erased.id, "job_00000000000000000000000000", "nonsense"],
        (id) => retry(key, id, { "x-request-id": "same" })
      )
      assert.strictEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
      assert.deepStrictEqual([answers[0]!.status, answers[0]!.json.error.code], [404, "JOB_NOT_FOUND"])
    }))

  it.effect("409 JOB_NOT_TERMINAL with its status while the job is at work", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answer = yield* retry(key, (yield* made(key)).id)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [409, "JOB_NOT_TERMINAL"])
      assert.deepStrictEqual(answer.json.error.details, [{ path: "status", message: "queued" }])
    }))

  it.effect("409 SOURCE_NOT_KEPT where the bytes of one that succeeded are gone, and no job is made", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { id } = yield* succeeded(key)
      const { removeAll } = yield* Blobs
      yield* removeAll(`jobs/${id}/extract/0/0/source`)
      const answer = yield* retry(key, id)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [409, "SOURCE_NOT_KEPT"])
      assert.lengthOf((yield* send("GET", "/v1/jobs", { key })).json.data, 1)
    }))

  it.effect("422 SOURCE_BLOCKED for a failed job whose upload has gone since", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const headers = { "content-type": "video/mp4" }
      const upload = (yield* send("POST", "/v1/uploads", { key, body: "footage", headers })).json
      const { id } = yield* failed(key, { source_uri: upload.uri })
      yield* send("DELETE", `/v1/uploads/${upload.id}`, { key })
      const answer = yield* retry(key, id)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [422, "SOURCE_BLOCKED"])
    }))

  it.effect("429 CONCURRENT_JOBS_LIMIT at the tenant's limit, as for a submission", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("a", { max_active: 1 })
      const { id } = yield* failed(key)
      yield* made(key)
      const answer = yield* retry(key, id)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [429, "CONCURRENT_JOBS_LIMIT"])
      assert.isAbove(Number(answer.headers["retry-after"]), 0)
    }))
})
