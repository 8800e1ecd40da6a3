import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

interface Outcome {
  readonly status: number
  readonly job?: { readonly id: string; readonly webhook_signing_secret?: string }
  readonly error?: { readonly code: string; readonly details?: ReadonlyArray<{ readonly path: string }> }
}

const batch = Effect.fnUntraced(function*(key: string, jobs: unknown, headers: Readonly<Record<string, string>> = {}) {
  const { send } = yield* TestServer
  const answer = yield* send("POST", "/v1/jobs/batch", { key, json: { jobs }, headers })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.data as ReadonlyArray<Outcome>
})

const listed = Effect.fnUntraced(function*(key: string) {
  const { send } = yield* TestServer
  return (yield* send("GET", "/v1/jobs?limit=100", { key })).json.data as ReadonlyArray<{ readonly id: string }>
})

/** A keyed batch, and what another request with its key writes before any of its jobs can be made: those wait for the tenant's row. */
const overtaken = Effect.fnUntraced(function*(
  { key, tenant_id }: Server.TestTenant,
  jobs: unknown,
  other: (batch_id: string) => string
) {
  const sql = yield* PgClient.PgClient
  const begun = yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT FROM footnote.tenants WHERE id = ${tenant_id} FOR NO KEY UPDATE`
    const request = yield* Effect.forkDetach(batch(key, jobs, { "idempotency-key": "B" }), { startImmediately: true })
    const opened = sql<{ readonly id: string }>`SELECT id FROM footnote.batches WHERE tenant_id = ${tenant_id}`
    const [row] = yield* Effect.repeat(opened, { until: (found) => found.length > 0 })
    yield* sql.unsafe(other(row!.id))
    return request
  }))
  return yield* Fiber.join(begun)
})

layer(Server.layer, { excludeTestServices: true })("POST /v1/jobs/batch", (it) => {
  it.effect("200 answers every item in its place, with a job or with its own error", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const outcomes = yield* batch(key, [
        { source_uri, metadata: { at: "0" } },
        { source_url: source_uri },
        { source_uri: "http://127.0.0.1/a.mp4" },
        { source_uri, schema_inline: { type: "no such type" } },
        { source_uri, schema_id: "sch_unknown" },
        { source_uri, destination_ids: ["dst_unknown"] },
        { source_uri, model_stack: "no such stack" },
        { source_uri, schema_id: "sch_a", schema_inline: {} },
        { source_uri, idempotency_key: "" },
        17,
        { source_uri, webhook_url: "https://example.com/hook" }
      ])
      assert.deepStrictEqual(outcomes.map(({ error, status }) => [status, error?.code]), [
        [201, undefined],
        [400, "INVALID_REQUEST"],
        [422, "SOURCE_BLOCKED"],
        [422, "SCHEMA_INVALID"],
        [404, "SCHEMA_NOT_FOUND"],
        [404, "DESTINATION_NOT_FOUND"],
        [422, "MODEL_STACK_UNKNOWN"],
        [400, "INVALID_REQUEST"],
        [400, "IDEMPOTENCY_KEY_INVALID"],
        [400, "INVALID_REQUEST"],
        [201, undefined]
      ])
      assert.sameMembers(outcomes[1]!.error!.details!.map(({ path }) => path), ["/source_uri", "/source_url"])
      assert.match(outcomes[10]!.job!.webhook_signing_secret!, /^whsec_/u)
      assert.sameMembers((yield* listed(key)).map(({ id }) => id), [outcomes[0]!.job!.id, outcomes[10]!.job!.id])
    }))

  it.effect("200 gives each item a key of its own, shared with POST /v1/jobs: replay, conflict, and once within a batch", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const alone = yield* send("POST", "/v1/jobs", { key, json: { source_uri }, headers: { "idempotency-key": "k0" } })
      const outcomes = yield* batch(key, [
        { source_uri, idempotency_key: "k0" },
        { idempotency_key: "k1", source_uri },
        { source_uri, idempotency_key: "k1" },
        { source_uri, idempotency_key: "k1", metadata: { other: "body" } },
        { source_uri }
      ])
      assert.deepStrictEqual(outcomes.map(({ status }) => status), [200, 201, 200, 422, 201])
      assert.strictEqual(outcomes[0]!.job!.id, alone.json.id)
      assert.strictEqual(outcomes[2]!.job!.id, outcomes[1]!.job!.id)
      assert.strictEqual(outcomes[3]!.error!.code, "IDEMPOTENCY_KEY_CONFLICT")
      const again = yield* send("POST", "/v1/jobs", { key, json: { source_uri }, headers: { "idempotency-key": "k1" } })
      assert.strictEqual(again.status, 200)
      assert.strictEqual(again.json.id, outcomes[1]!.job!.id)
      const repeated = yield* batch(key, [{ source_uri, idempotency_key: "k0" }, { source_uri, idempotency_key: "k1" }])
      assert.deepStrictEqual(repeated.map(({ status }) => status), [200, 200])
      assert.lengthOf(yield* listed(key), 3)
    }))

  it.effect("200 admits what there is room for and tells the others, whose keys stay free", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a", { max_active: 2 })
      const items = [0, 1, 2].map((at) => ({ source_uri, idempotency_key: `k${at}` }))
      const outcomes = yield* batch(key, items)
      assert.deepStrictEqual(outcomes.map(({ error, status }) => [status, error?.code]), [
        [201, undefined],
        [201, undefined],
        [429, "CONCURRENT_JOBS_LIMIT"]
      ])
      yield* send("POST", `/v1/jobs/${outcomes[0]!.job!.id}/cancel`, { key })
      assert.deepStrictEqual((yield* batch(key, items)).map(({ status }) => status), [200, 200, 201])
    }))

  it.effect("200 takes the header's model stack where an item names none", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const outcomes = yield* batch(key, [{ source_uri }, { source_uri, model_stack: "builtin" }], {
        "x-service-model-stack": "no such stack"
      })
      assert.deepStrictEqual(outcomes.map(({ status }) => status), [422, 201])
    }))

  it.effect("200 keeps the schema of each item as it was written", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const written =
        `{ "properties": { "2": {"type":"number","minimum":1.50}, "1": {"type":"string"} }, "type":"object" }`
      const body =
        `{"jobs":[{"source_uri":"${source_uri}"},{"source_uri":"${source_uri}","schema_inline": ${written} }]}`
      const { json } = yield* send("POST", "/v1/jobs/batch", { key, body })
      const read = yield* send("GET", `/v1/jobs/${json.data[1].job.id}/schema`, { key })
      assert.include(read.text, `"json_schema":${written}`)
    }))

  it.effect("429 CONCURRENT_JOBS_LIMIT of an item tells in how many seconds it is worth sending again", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("small", { max_active: 1 })
      const { json } = yield* send("POST", "/v1/jobs/batch", { key, json: { jobs: [{ source_uri }, { source_uri }] } })
      assert.deepStrictEqual(json.data.map(({ status }: { status: number }) => status), [201, 429])
      assert.isUndefined(json.data[0].retry_after_seconds)
      assert.isAtLeast(json.data[1].retry_after_seconds, 1)
    }))

  it.effect("200 tells of an item what another request with the key was told of it first, and makes no second thing of it", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const refusal = { status: 429, error: { code: "CONCURRENT_JOBS_LIMIT", message: "Full then.", request_id: "r" } }
      const items = [{ source_uri }, { source_uri }]
      const [refused, made] = [yield* tenant("refused"), yield* tenant("made")]
      const outcomes = yield* overtaken(
        refused,
        items,
        (id) =>
          `INSERT INTO footnote.batch_items (batch_id, item, tenant_id, refusal)
          VALUES ('${id}', 0, '${refused.tenant_id}', '${JSON.stringify(refusal)}')`
      )
      assert.deepStrictEqual(outcomes.map(({ error, status }) => [status, error?.code]), [
        [429, "CONCURRENT_JOBS_LIMIT"],
        [201, undefined]
      ])
      assert.deepStrictEqual((yield* listed(refused.key)).map(({ id }) => id), [outcomes[1]!.job!.id])
      const again = yield* batch(refused.key, items, { "idempotency-key": "B" })
      assert.deepStrictEqual(again.map(({ error, job }) => error?.code ?? job!.id), [
        "CONCURRENT_JOBS_LIMIT",
        outcomes[1]!.job!.id
      ])

      // The other way round: by now there is no room, and the other one has made the job.
      const { json } = yield* send("POST", "/v1/jobs", { key: made.key, json: { source_uri } })
      const told = yield* overtaken(
        made,
        items,
        (id) =>
          `WITH filled AS (UPDATE footnote.tenants SET max_active = 1 WHERE id = '${made.tenant_id}')
          INSERT INTO footnote.batch_items (batch_id, item, tenant_id, job_id)
          VALUES ('${id}', 0, '${made.tenant_id}', '${json.id}')`
      )
      assert.deepStrictEqual(told.map(({ error, job, status }) => [status, error?.code ?? job!.id]), [
        [200, json.id],
        [429, "CONCURRENT_JOBS_LIMIT"]
      ])
      const [open] = yield* sql<{ readonly open: number }>(
        "SELECT count(*)::int AS open FROM footnote.batches WHERE closed_at IS NULL"
      )
      assert.strictEqual(open!.open, 0)
    }))

  it.effect("400 INVALID_REQUEST for more items than the tenant may write in a minute, with the number that fits", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("slow")
      yield* sql(`UPDATE footnote.tenants SET writes_per_minute = 3 WHERE id = '${tenant_id}'`)
      const jobs = Array.from({ length: 4 }, () => ({ source_uri }))
      const answer = yield* send("POST", "/v1/jobs/batch", { key, json: { jobs } })
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(answer.json.error.details.map(({ path }: { path: string }) => path), ["/jobs"])
      assert.include(answer.json.error.message, "may do 3 in a minute")
      assert.strictEqual((yield* send("GET", "/v1/limits", { key })).json.jobs.batch_items, 3)
    }))

  it.effect("400 INVALID_REQUEST for no item, more than 100, and a field of its own", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const wrong: ReadonlyArray<readonly [body: object, path: string]> = [
        [{ jobs: [] }, "/jobs"],
        [{ jobs: Array.from({ length: 101 }, () => ({ source_uri })) }, "/jobs"],
        [{}, "/jobs"],
        [{ jobs: [{ source_uri }], idempotency_key: "k" }, "/idempotency_key"]
      ]
      for (const [json, path] of wrong) {
        const answer = yield* send("POST", "/v1/jobs/batch", { key, json })
        assert.strictEqual(answer.status, 400)
        assert.include(answer.json.error.details.map((detail: { path: string }) => detail.path), path)
      }
      assert.deepStrictEqual(yield* listed(key), [])
    }))
})
