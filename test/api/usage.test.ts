import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { schemaLimits } from "../../src/schemas/json-schema/JsonSchemaLint.ts"
import { requestLimits } from "../../src/web/json/RequestLimits.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

const create = Effect.fnUntraced(function*(key: string, body: object = {}) {
  const { send } = yield* TestServer
  const answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri, ...body } })
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json.id as string
})

/** A job that has succeeded, with what it took. */
const ended = Effect.fnUntraced(function*(key: string, taken: Readonly<Record<string, string>>, body: object = {}) {
  const { sql, succeed } = yield* TestServer
  const id = yield* create(key, body)
  yield* succeed(id, { result: {} })
  const columns = Object.entries(taken).map(([column, value]) => `${column} = ${value}`).join(", ")
  yield* sql(`UPDATE footnote.jobs SET ${columns} WHERE id = '${id}'`)
  return id
})

const charge = Effect.fnUntraced(
  function*(tenant_id: string, job_id: string, tokens: number, cost: number, at = "now()") {
    const { sql } = yield* TestServer
    yield* sql(`INSERT INTO footnote.charges (tenant_id, job_id, task_id, attempt, tokens, cost, at)
    VALUES ('${tenant_id}', '${job_id}', gen_random_uuid(), 0, ${tokens}, ${cost}, ${at})`)
  }
)

const monthBefore = (name: string) => {
  const [year, month] = name.split("-").map(Number)
  return new Date(Date.UTC(year!, month! - 2)).toISOString().slice(0, 7)
}

const metadata = (pairs: number) => Object.fromEntries(Array.from({ length: pairs }, (_, at) => [`k${at}`, "v"]))
const uri = (length: number) => `https://example.com/${"a".repeat(length - 20)}`
const worked = (seconds: number) => ({ started_at: `now() - interval '${seconds} s'`, finished_at: "now()" })

const lastMonth = "date_trunc('month', now(), 'UTC') - interval '1 day'"

layer(Server.layer, { excludeTestServices: true })("GET /v1/usage", (it) => {
  it.effect("200 sums what the month's jobs took, by status, erased ones included, and no other tenant's", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      const other = yield* tenant("other")
      const took = {
        audio_seconds: "60.5",
        video_seconds: "61",
        frames_sampled: "120",
        frames_kept: "12",
        model_seconds: "3.25"
      }
      const first = yield* ended(key, took)
      const second = yield* ended(key, took)
      yield* ended(other.key, took)
      yield* charge(tenant_id, first, 1200, 0.1)
      yield* charge(tenant_id, second, 300, 0.2)
      yield* create(key)
      const cancelled = yield* create(key)
      yield* send("POST", `/v1/jobs/${cancelled}/cancel`, { key })
      yield* send("DELETE", `/v1/jobs/${first}`, { key })
      const { json, status } = yield* send("GET", "/v1/usage", { key })
      assert.strictEqual(status, 200)
      assert.deepInclude(json, {
        jobs: { queued: 1, running: 0, succeeded: 2, failed: 0, cancelled: 1 },
        audio_seconds: 121,
        video_seconds: 122,
        frames_sampled: 240,
        frames_kept: 24,
        model_seconds: 6.5,
        tokens: 1500,
        cost: 0.3
      })
      assert.deepInclude(json.quota, { limit: null, used: 0.3, reserved: 0 })
      assert.strictEqual(json.quota.resets_at, json.to)
      assert.strictEqual(json.period, json.from.slice(0, 7))
    }))

  it.effect("200 tells the quota, and what is held back for jobs that are at work", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      yield* sql(`UPDATE footnote.tenants SET cost_quota = 5 WHERE id = '${tenant_id}'`)
      const id = yield* create(key)
      yield* sql(`UPDATE footnote.jobs SET cost_reserved = 2 WHERE id = '${id}'`)
      yield* charge(tenant_id, id, 10, 0.5)
      const { json } = yield* send("GET", "/v1/usage", { key })
      assert.deepInclude(json.quota, { limit: 5, used: 0.5, reserved: 1.5 })
      yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      assert.deepInclude((yield* send("GET", "/v1/usage", { key })).json.quota, { used: 0.5, reserved: 0 })
    }))

  it.effect("200 gives another month by its name, with the present quota", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      const id = yield* ended(key, { finished_at: lastMonth, started_at: lastMonth, audio_seconds: "10" })
      yield* charge(tenant_id, id, 7, 0.75, lastMonth)
      yield* create(key)
      const now = yield* send("GET", "/v1/usage", { key })
      assert.deepInclude(now.json, { audio_seconds: 0, cost: 0, tokens: 0 })
      assert.strictEqual(now.json.jobs.queued, 1)
      const period = monthBefore(now.json.period)
      const before = yield* send("GET", `/v1/usage?period=${period}`, { key })
      assert.deepInclude(before.json, { period, to: now.json.from, audio_seconds: 10, cost: 0.75, tokens: 7 })
      assert.deepStrictEqual(before.json.jobs, { queued: 0, running: 0, succeeded: 1, failed: 0, cancelled: 0 })
      assert.deepInclude(before.json.quota, { used: 0, resets_at: now.json.to })
    }))

  it.effect("400 INVALID_REQUEST for what is no month", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const period of ["2026-13", "2026-00", "26-01", "2026", "9999-01", ""]) {
        const answer = yield* send("GET", `/v1/usage?period=${period}`, { key })
        assert.strictEqual(answer.status, 400, period)
        assert.strictEqual(answer.json.error.details[0].path, "period")
      }
    }))
})

layer(Server.layer, { excludeTestServices: true })("GET /v1/limits", (it) => {
  it.effect("200 tells the tenant's own numbers and those that the service enforces", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a", { max_active: 7 })
      yield* sql(
        `UPDATE footnote.tenants SET cost_quota = 3, writes_per_minute = 1000, retention_days = 30 WHERE id = '${tenant_id}'`
      )
      yield* create(key)
      const { json, status } = yield* send("GET", "/v1/limits", { key })
      assert.strictEqual(status, 200)
      assert.deepInclude(json.jobs, {
        concurrent: 7,
        active: 1,
        batch_items: 100,
        wait_seconds: 60,
        metadata_pairs: 20,
        retention_days: 30
      })
      assert.deepInclude(json.uploads, { lifetime_seconds: 604_800, unfinished_seconds: 86_400 })
      assert.deepInclude(json.requests, { ...requestLimits, reads_per_minute: null, writes_per_minute: 1000 })
      assert.deepInclude(json.cost, { limit: 3, used: 0 })
      assert.deepStrictEqual(json.lists, { default: 25, maximum: 100 })
      assert.strictEqual(json.schemas.bytes, schemaLimits.bytes)
    }))

  it.effect("what it tells is where requests begin to be refused", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a", { max_active: 100 })
      const { jobs, lists, requests } = (yield* send("GET", "/v1/limits", { key })).json
      const tries: ReadonlyArray<readonly [accepted: object, refused: object]> = [
        [{ source_uri, metadata: metadata(jobs.metadata_pairs) }, {
          source_uri,
          metadata: metadata(jobs.metadata_pairs + 1)
        }],
        [{ source_uri: uri(jobs.source_uri_characters) }, { source_uri: uri(jobs.source_uri_characters + 1) }],
        [{ source_uri, hints: { num_speakers: jobs.hint_speakers } }, {
          source_uri,
          hints: { num_speakers: jobs.hint_speakers + 1 }
        }]
      ]
      for (const [accepted, refused] of tries) {
        assert.strictEqual((yield* send("POST", "/v1/jobs", { key, json: accepted })).status, 201)
        assert.strictEqual((yield* send("POST", "/v1/jobs", { key, json: refused })).status, 400)
      }
      assert.strictEqual((yield* send("GET", `/v1/jobs?limit=${lists.maximum}`, { key })).status, 200)
      assert.strictEqual((yield* send("GET", `/v1/jobs?limit=${lists.maximum + 1}`, { key })).status, 400)
      const body = (bytes: number) => `{"source_uri":"${source_uri}"${" ".repeat(bytes - 45)}}`
      assert.strictEqual(body(100).length, 100)
      assert.strictEqual((yield* send("POST", "/v1/jobs", { key, body: body(requests.json_body_bytes) })).status, 201)
      assert.strictEqual(
        (yield* send("POST", "/v1/jobs", { key, body: body(requests.json_body_bytes + 1) })).status,
        413
      )
    }))
})

layer(Server.layer, { excludeTestServices: true })("POST /v1/jobs/estimate", (it) => {
  const facts = {
    container: "mp4",
    width: 640,
    height: 360,
    frame_rate: 25,
    audio: "aac",
    video: "h264",
    size_bytes: 1
  }
  const source = (duration_seconds: number, sha256 = "") =>
    `'${JSON.stringify({ ...facts, duration_seconds, sha256 })}'::json`
  it.effect("200 says from the tenant's own jobs what a source of a given length takes", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const [seconds, tokens] of [[20, 1000], [30, 3000], [90, 2000]] as const) {
        yield* ended(key, {
          ...worked(seconds),
          source: source(100),
          tokens: String(tokens),
          cost: String(tokens / 1e4)
        })
      }
      const { json, status } = yield* send("POST", "/v1/jobs/estimate", { key, json: { duration_seconds: 600 } })
      assert.strictEqual(status, 200)
      assert.deepInclude(json, {
        model_stack: "builtin",
        duration_seconds: 600,
        tokens: 12_000,
        cost: 1.2,
        admissible: true
      })
      assert.approximately(json.work_seconds, 180, 1)
      assert.deepStrictEqual(json.based_on, {
        duration_seconds: "given",
        work_seconds: "history",
        tokens: "history",
        cost: "history"
      })
      assert.deepStrictEqual(json.unknown, [])
      assert.lengthOf((yield* send("GET", "/v1/jobs", { key })).json.data, 3, "nothing is created")
    }))

  const had = (key: string, seconds: number) => ended(key, { ...worked(seconds), source: source(100) })

  it.effect("200 says nothing of other tenants' jobs until three tenants have had some, however many one had", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const fresh = yield* tenant("fresh")
      const ask = Effect.map(
        send("POST", "/v1/jobs/estimate", { key: fresh.key, json: { duration_seconds: 600 } }),
        ({ json }) => json
      )
      yield* sql("UPDATE footnote.jobs SET source = NULL")
      const [one, two, three] = [yield* tenant("one"), yield* tenant("two"), yield* tenant("three")]
      for (const seconds of [20, 20, 20, 20]) yield* had(one.key, seconds)
      assert.isNull((yield* ask).work_seconds, "one tenant")
      yield* had(two.key, 50)
      assert.isNull((yield* ask).work_seconds, "two tenants")
      yield* had(three.key, 40)
      const known = yield* ask
      assert.approximately(known.work_seconds, 240, 2, "the middle of 20, 50 and 40, each tenant counted once")
      assert.strictEqual(known.based_on.work_seconds, "deployment")
    }))

  it.effect("200 knows a source that the tenant had before, by its address and by an upload's bytes, and nobody else's", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const stranger = yield* tenant("stranger")
      const upload = yield* send("POST", "/v1/uploads", {
        key,
        body: "some bytes",
        headers: { "content-type": "video/mp4" }
      })
      const took = { ...worked(12), source: source(48, upload.json.sha256), tokens: "500", cost: "0.05" }
      const uri = "https://example.com/known.mp4"
      const id = yield* ended(key, took, { source_uri: uri })
      for (const source_uri of [uri, upload.json.uri]) {
        const { json } = yield* send("POST", "/v1/jobs/estimate", { key, json: { source_uri } })
        assert.deepInclude(json, { duration_seconds: 48, tokens: 500, cost: 0.05 })
        assert.approximately(json.work_seconds, 12, 0.5)
        assert.strictEqual(json.based_on.cost, "earlier_job")
      }
      const theirs = yield* send("POST", "/v1/jobs/estimate", { key: stranger.key, json: { source_uri: uri } })
      assert.isNull(theirs.json.duration_seconds)
      yield* sql(`UPDATE footnote.jobs SET deleted_at = now() WHERE id = '${id}'`)
      const erased = yield* send("POST", "/v1/jobs/estimate", { key, json: { source_uri: uri } })
      assert.isNull(erased.json.duration_seconds)
    }))

  it.effect("200 reads an upload's length from its own header", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const upload = (body: Uint8Array) =>
        Effect.map(
          send("POST", "/v1/uploads", { key, body, headers: { "content-type": "video/mp4" } }),
          ({ json }) => json.uri as string
        )
      const lecture = yield* upload(readFileSync(new URL("../../samples/lecture.mp4", import.meta.url)))
      const known = yield* send("POST", "/v1/jobs/estimate", { key, json: { source_uri: lecture } })
      assert.strictEqual(known.json.duration_seconds, 94.622)
      assert.strictEqual(known.json.based_on.duration_seconds, "file")
      const noise = yield* upload(new Uint8Array(1000).fill(7))
      const unknown = yield* send("POST", "/v1/jobs/estimate", { key, json: { source_uri: noise } })
      assert.strictEqual(unknown.status, 200)
      assert.isNull(unknown.json.duration_seconds)
    }))

  it.effect("200 tells in words what it does not know, and whether slots and quota would let the job in", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a", { max_active: 1 })
      const ask = Effect.map(send("POST", "/v1/jobs/estimate", { key, json: { source_uri } }), ({ json }) => json)
      const nothing = yield* ask
      assert.deepInclude(nothing, { duration_seconds: null, work_seconds: null, admissible: true })
      assert.deepStrictEqual(nothing.unknown.map((reason: string) => reason.split(":")[0]), [
        "duration_seconds",
        "work_seconds"
      ])
      const id = yield* create(key)
      assert.isFalse((yield* ask).admissible, "the only slot is taken")
      yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      yield* sql(`INSERT INTO footnote.model_prices VALUES ('m', 100000, 1, 10)`)
      yield* sql(`UPDATE footnote.tenants SET cost_quota = 0.5 WHERE id = '${tenant_id}'`)
      const dear = yield* ask
      assert.deepInclude(dear, { most_cost: 1, reserves: 1, cost: null, tokens: null, admissible: false })
      yield* sql(`UPDATE footnote.tenants SET cost_quota = 1 WHERE id = '${tenant_id}'`)
      assert.isTrue((yield* ask).admissible)
      yield* sql(`DELETE FROM footnote.model_prices`)
    }))

  it.effect("200 for the body of the job as it would be sent, of which source and models count", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const ask = (json: object) => send("POST", "/v1/jobs/estimate", { key, json })
      const bare = yield* ask({ duration_seconds: 600 })
      const whole = yield* ask({
        duration_seconds: 600,
        title: "A talk",
        schema_inline: { type: "object" },
        destination_ids: [],
        webhook_url: "https://example.com/hook",
        hints: { num_speakers: 2 },
        on_missing: "fail",
        precision: "balanced",
        metadata: { team: "a" }
      })
      assert.deepStrictEqual([whole.status, whole.json], [200, bare.json])
    }))

  it.effect("400 INVALID_REQUEST without a source and a length, 422 for a source or a stack that a job could not have", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const wrong: ReadonlyArray<readonly [status: number, code: string, body: object, path: string | undefined]> = [
        [400, "INVALID_REQUEST", {}, "/source_uri"],
        [400, "INVALID_REQUEST", { duration_seconds: 0 }, "/duration_seconds"],
        [400, "INVALID_REQUEST", { duration_seconds: 43_201 }, "/duration_seconds"],
        [400, "INVALID_REQUEST", { duration_seconds: 1, seconds: 2 }, "/seconds"],
        [400, "INVALID_REQUEST", { duration_seconds: 1, precision: "loose" }, "/precision"],
        [422, "SOURCE_BLOCKED", { source_uri: "http://127.0.0.1/" }, "/source_uri"],
        [422, "SOURCE_BLOCKED", { source_uri: "upload://upl_unknown" }, "/source_uri"],
        [422, "MODEL_STACK_UNKNOWN", { duration_seconds: 1, model_stack: "nope" }, undefined]
      ]
      for (const [status, code, json, path] of wrong) {
        const answer = yield* send("POST", "/v1/jobs/estimate", { key, json })
        assert.strictEqual(answer.status, status, JSON.stringify(json))
        assert.strictEqual(answer.json.error.code, code)
        if (path !== undefined) assert.strictEqual(answer.json.error.details[0].path, path)
      }
    }))
})
