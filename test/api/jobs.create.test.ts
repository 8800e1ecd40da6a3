import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

layer(Server.layer, { excludeTestServices: true })("POST /v1/jobs", (it) => {
  it.effect("201 answers the job with every field of the contract and its Location", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const metadata = { course: "astro-101", week: "3" }
      const answer = yield* send("POST", "/v1/jobs", {
        key,
        json: { source_uri, metadata, hints: { num_speakers: 2 } }
      })
      assert.strictEqual(answer.status, 201)
      const job = answer.json
      assert.strictEqual(answer.headers["location"], `/v1/jobs/${job.id}`)
      assert.deepStrictEqual(Object.keys(job).toSorted(), [
        "created_at",
        "destination_ids",
        "error",
        "finished_at",
        "hints",
        "id",
        "metadata",
        "model_stack",
        "on_missing",
        "precision",
        "progress",
        "provenance",
        "result",
        "result_confidence",
        "schema_id",
        "source",
        "source_name",
        "source_uri",
        "started_at",
        "status",
        "title",
        "usage",
        "warnings",
        "webhook_url"
      ])
      assert.strictEqual(job.status, "queued")
      assert.strictEqual(job.model_stack, "builtin")
      assert.deepStrictEqual(job.metadata, metadata)
      assert.deepStrictEqual([job.hints, job.on_missing], [{ num_speakers: 2 }, "fill"])
      assert.match(job.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
      assert.deepStrictEqual(Object.keys(job.progress.stages[0]), [
        "name",
        "status",
        "fraction",
        "started_at",
        "finished_at"
      ])
      assert.deepStrictEqual((yield* send("GET", `/v1/jobs/${job.id}`, { key })).json, job)
    }))

  it.effect("201 takes a registered schema, a template and a schema of its own", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const json_schema = { type: "object", properties: { title: { type: "string" } } }
      const saved = yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema } })
      for (const schema_id of [saved.json.id, "sch_template_lecture_notes"]) {
        const answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri, schema_id } })
        assert.strictEqual(answer.status, 201)
        assert.strictEqual(answer.json.schema_id, schema_id)
      }
      const inline = yield* send("POST", "/v1/jobs", { key, json: { source_uri, schema_inline: json_schema } })
      assert.strictEqual(inline.status, 201)
      assert.isNull(inline.json.schema_id)
    }))

  it.effect("201 shows the webhook's secret, and a replay shows the same one, but no read does", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const call = {
        key,
        json: { source_uri, webhook_url: "https://example.com/hook" },
        headers: { "idempotency-key": "with-webhook" }
      }
      const first = yield* send("POST", "/v1/jobs", call)
      assert.match(first.json.webhook_signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/u)
      const replay = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(replay.json.webhook_signing_secret, first.json.webhook_signing_secret)
      const read = yield* send("GET", `/v1/jobs/${first.json.id}`, { key })
      assert.notInclude(read.text, "whsec_")
    }))

  it.effect("200 replays the original job for the same key and body, however its members are ordered", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const headers = { "idempotency-key": "4f8e" }
      const first = yield* send("POST", "/v1/jobs", {
        key,
        headers,
        body: `{"source_uri":"${source_uri}","metadata":{"a":"1","b":"2"}}`
      })
      assert.strictEqual(first.status, 201)
      assert.isUndefined(first.headers["idempotent-replayed"])
      const replay = yield* send("POST", "/v1/jobs", {
        key,
        headers,
        body: `{ "metadata": {"b":"2", "a":"1"}, "source_uri": "${source_uri}" }`
      })
      assert.strictEqual(replay.status, 200)
      assert.strictEqual(replay.headers["idempotent-replayed"], "true")
      assert.strictEqual(replay.headers["location"], first.headers["location"])
      assert.deepStrictEqual(replay.json, first.json)
    }))

  it.effect("200 replays also after what the body names is gone", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const json_schema = { type: "object" }
      const { id: schema_id } = (yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema } })).json
      const upload = yield* send("POST", "/v1/uploads", { key, body: "x", headers: { "content-type": "video/mp4" } })
      const call = {
        key,
        json: { source_uri: upload.json.uri, schema_id },
        headers: { "idempotency-key": "later" }
      }
      const first = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(first.status, 201)
      yield* send("DELETE", `/v1/schemas/${schema_id}`, { key })
      yield* send("DELETE", `/v1/uploads/${upload.json.id}`, { key })
      const replay = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(replay.status, 200)
      assert.deepStrictEqual(replay.json, first.json)
    }))

  it.effect("makes one job of 20 first uses of a key at the same moment", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        send("POST", "/v1/jobs", { key, json: { source_uri }, headers: { "idempotency-key": "storm" } }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map(({ status }) =>
          status
        ).toSorted((a, b) => b - a),
        [
          201,
          ...Array.from({ length: 19 }, () => 200)
        ]
      )
      assert.strictEqual(new Set(answers.map(({ json }) => json.id)).size, 1)
    }))

  it.effect("keeps the keys of two tenants apart", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const call = { json: { source_uri }, headers: { "idempotency-key": "shared" } }
      const a = yield* send("POST", "/v1/jobs", { key: (yield* tenant("a")).key, ...call })
      const b = yield* send("POST", "/v1/jobs", { key: (yield* tenant("b")).key, ...call })
      assert.deepStrictEqual([a.status, b.status], [201, 201])
      assert.notStrictEqual(a.json.id, b.json.id)
    }))

  it.effect("422 IDEMPOTENCY_KEY_CONFLICT for another body, and for another stack beside the same body", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const headers = { "idempotency-key": "once" }
      yield* send("POST", "/v1/jobs", { key, headers, json: { source_uri } })
      const calls = [
        { key, headers, json: { source_uri, metadata: { a: "1" } } },
        { key, headers: { ...headers, "x-service-model-stack": "builtin" }, json: { source_uri } }
      ]
      for (const call of calls) {
        const answer = yield* send("POST", "/v1/jobs", call)
        assert.strictEqual(answer.status, 422)
        assert.strictEqual(answer.json.error.code, "IDEMPOTENCY_KEY_CONFLICT")
      }
    }))

  it.effect("422 IDEMPOTENCY_KEY_ORPHANED once where the job is gone, and the key heals", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const call = { key, json: { source_uri }, headers: { "idempotency-key": "orphan" } }
      const { id } = (yield* send("POST", "/v1/jobs", call)).json
      yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
      const orphaned = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(orphaned.status, 422)
      assert.strictEqual(orphaned.json.error.code, "IDEMPOTENCY_KEY_ORPHANED")
      assert.strictEqual((yield* send("POST", "/v1/jobs", call)).status, 201)
    }))

  it.effect("422 IDEMPOTENCY_KEY_ORPHANED for one of ten requests at once; the others get one new job", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (let round = 0; round < 5; round++) {
        const call = { key, json: { source_uri }, headers: { "idempotency-key": `orphan ${round}` } }
        const { id } = (yield* send("POST", "/v1/jobs", call)).json
        yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
        yield* send("DELETE", `/v1/jobs/${id}`, { key })
        const answers = yield* Effect.forEach(Array.from({ length: 10 }), () => send("POST", "/v1/jobs", call), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted((a, b) => a - b), [
          ...Array.from({ length: 8 }, () => 200),
          201,
          422
        ])
        assert.strictEqual(new Set(answers.flatMap(({ json }) => json.id ?? [])).size, 1)
      }
    }))

  it.effect("4xx of any kind reserves no key: the same key then makes a job of a body that is right", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const wrong = [
        { source_url: source_uri },
        { source_uri: "http://127.0.0.1/" },
        { source_uri, schema_id: "sch_unknown" },
        { source_uri, schema_inline: { type: "no such type" } },
        { source_uri, model_stack: "no such stack" },
        { source_uri, destination_ids: ["dst_unknown"] }
      ]
      for (const [at, json] of wrong.entries()) {
        const headers = { "idempotency-key": `wrong ${at}` }
        assert.isAbove((yield* send("POST", "/v1/jobs", { key, headers, json })).status, 399)
        assert.strictEqual((yield* send("POST", "/v1/jobs", { key, headers, json: { source_uri } })).status, 201)
      }
    }))

  it.effect("402 COST_QUOTA_EXCEEDED with quota, use and the moment of the reset, and the refusal leaves the key free", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      yield* sql(`UPDATE footnote.tenants SET cost_quota = 0 WHERE id = '${tenant_id}'`)
      const call = { key, json: { source_uri }, headers: { "idempotency-key": "paid" } }
      const refused = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(refused.status, 402)
      assert.strictEqual(refused.json.error.code, "COST_QUOTA_EXCEEDED")
      assert.match(refused.json.error.message, /quota of 0 .* 0 is used.* resets at \d{4}-\d{2}-01T00:00:00\.000Z\.$/u)
      yield* sql(`UPDATE footnote.tenants SET cost_quota = 1 WHERE id = '${tenant_id}'`)
      assert.strictEqual((yield* send("POST", "/v1/jobs", call)).status, 201)
    }))

  it.effect("400 IDEMPOTENCY_KEY_INVALID for an empty, overlong or non-ASCII key", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const given of ["", "x".repeat(256), "clé"]) {
        const answer = yield* send("POST", "/v1/jobs", {
          key,
          json: { source_uri },
          headers: { "idempotency-key": given }
        })
        assert.strictEqual(answer.status, 400, given)
        assert.strictEqual(answer.json.error.code, "IDEMPOTENCY_KEY_INVALID")
      }
    }))

  const refused: ReadonlyArray<readonly [status: number, code: string, body: object, path: string]> = [
    [422, "SOURCE_BLOCKED", { source_uri: "ftp://example.com/a.mp4" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "http://127.0.0.1/a.mp4" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "http://[::1]/a.mp4" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "http://2130706433/a.mp4" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "https://user:secret@example.com/a.mp4" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "upload://upl_01kaj3e5h8z9q0w1x2y3z4a5b6" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "s3://Bucket" }, "/source_uri"],
    [422, "SOURCE_BLOCKED", { source_uri: "s3://bucket/key" }, "/source_uri"],
    [404, "SCHEMA_NOT_FOUND", { source_uri, schema_id: "sch_unknown" }, "/schema_id"],
    [422, "SCHEMA_INVALID", { source_uri, schema_inline: { type: "no such type" } }, "/type"],
    [404, "DESTINATION_NOT_FOUND", { source_uri, destination_ids: ["dst_unknown"] }, "/destination_ids/0"],
    [422, "MODEL_STACK_UNKNOWN", { source_uri, model_stack: "no such stack" }, ""],
    [400, "INVALID_REQUEST", { source_uri, schema_id: "sch_a", schema_inline: {} }, "/schema_inline"],
    [400, "INVALID_REQUEST", { source_uri, webhook_url: "http://169.254.169.254/" }, "/webhook_url"],
    [400, "INVALID_REQUEST", { source_uri, webhook_url: "not a url" }, "/webhook_url"],
    [400, "INVALID_REQUEST", { source_uri, schema: {} }, "/schema"],
    [400, "INVALID_REQUEST", { source_uri, precision: "loose" }, "/precision"],
    [400, "INVALID_REQUEST", { source_uri, instructions: "" }, "/instructions"],
    [400, "INVALID_REQUEST", { source_uri, instructions: "x".repeat(4001) }, "/instructions"],
    [400, "INVALID_REQUEST", { source_uri, hints: { num_speakers: 0 } }, "/hints/num_speakers"],
    [400, "INVALID_REQUEST", { source_uri, hints: { num_speakers: 33 } }, "/hints/num_speakers"],
    [400, "INVALID_REQUEST", { source_uri, hints: { max_speakers: 1.5 } }, "/hints/max_speakers"],
    [400, "INVALID_REQUEST", { source_uri, hints: { min_speakers: 3, max_speakers: 2 } }, "/hints/min_speakers"],
    [400, "INVALID_REQUEST", { source_uri, hints: { num_speakers: 2, min_speakers: 3 } }, "/hints/num_speakers"],
    [400, "INVALID_REQUEST", { source_uri, hints: { num_speakers: 4, max_speakers: 3 } }, "/hints/num_speakers"],
    [400, "INVALID_REQUEST", { source_uri, hints: { participants: ["Ada", ""] } }, "/hints/participants/1"],
    [400, "INVALID_REQUEST", { source_uri, hints: { recorded_at: "2026-02-30" } }, "/hints/recorded_at"],
    [400, "INVALID_REQUEST", { source_uri, hints: { recorded_at: "2026-99-20" } }, "/hints/recorded_at"],
    [400, "INVALID_REQUEST", { source_uri, metadata: { a: 1 } }, "/metadata/a"],
    [400, "INVALID_REQUEST", { source_uri: "https://example.com/\u0000" }, "/source_uri"],
    [400, "INVALID_REQUEST", { source_uri, metadata: { a: "\ud800" } }, "/metadata/a"]
  ]
  for (const [status, code, json, path] of refused) {
    it.effect(`${status} ${code} for ${JSON.stringify(json)}`, () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const answer = yield* send("POST", "/v1/jobs", { key, json })
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.json.error.code, code)
        if (path !== "") assert.include(answer.json.error.details.map((detail: { path: string }) => detail.path), path)
        assert.deepStrictEqual((yield* send("GET", "/v1/jobs", { key })).json.data, [])
      }))
  }

  it.effect("201 strict unless it is asked otherwise, with precision and instructions in the job's view and under its key", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const plain = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
      assert.strictEqual(plain.json.precision, "strict")
      assert.notProperty(plain.json, "instructions")
      const asked = { source_uri, precision: "balanced", instructions: "Prices are in euros." }
      const headers = { "idempotency-key": "asked-once" }
      const made = yield* send("POST", "/v1/jobs", { key, json: asked, headers })
      assert.strictEqual(made.status, 201)
      const read = yield* send("GET", `/v1/jobs/${made.json.id}`, { key })
      assert.deepInclude(read.json, { precision: "balanced", instructions: "Prices are in euros." })
      const other = yield* send("POST", "/v1/jobs", { key, json: { ...asked, precision: "strict" }, headers })
      assert.strictEqual(other.json.error.code, "IDEMPOTENCY_KEY_CONFLICT")
    }))

  it.effect("422 SOURCE_BLOCKED for another tenant's upload, in the words for an unknown one", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const owner = yield* tenant("owner")
      const other = yield* tenant("other")
      const upload = yield* send("POST", "/v1/uploads", {
        key: owner.key,
        body: "bytes",
        headers: { "content-type": "video/mp4" }
      })
      const headers = { "x-request-id": "same" }
      const foreign = yield* send("POST", "/v1/jobs", {
        key: other.key,
        json: { source_uri: upload.json.uri },
        headers
      })
      const unknown = yield* send("POST", "/v1/jobs", {
        key: other.key,
        json: { source_uri: "upload://upl_1" },
        headers
      })
      assert.strictEqual(foreign.status, 422)
      assert.strictEqual(foreign.text, unknown.text)
      const mine = yield* send("POST", "/v1/jobs", { key: owner.key, json: { source_uri: upload.json.uri } })
      assert.strictEqual(mine.status, 201)
    }))

  it.effect("429 CONCURRENT_JOBS_LIMIT before the schema, the stack and the upload are looked at, except where the key has made the job", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a", { max_active: 1 })
      const headers = { "idempotency-key": "only" }
      const submit = () => send("POST", "/v1/jobs", { key, json: { source_uri }, headers })
      // Both look for the key before either has made its job.
      const [one, other] = yield* Effect.all([submit(), submit()], { concurrency: "unbounded" })
      assert.deepStrictEqual([one.json.id, (yield* submit()).json.id], [other.json.id, other.json.id])
      const dear = { source_uri: "upload://upl_none", schema_id: "none", model_stack: "none" }
      const refused = yield* send("POST", "/v1/jobs", { key, json: dear })
      assert.deepStrictEqual([refused.status, refused.json.error.code], [429, "CONCURRENT_JOBS_LIMIT"])
    }))

  it.effect("429 CONCURRENT_JOBS_LIMIT with Retry-After, and the refusal leaves the key free", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a", { max_active: 3 })
      const made: Array<string> = []
      let answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
      while (answer.status === 201) {
        made.push(answer.json.id)
        answer = yield* send("POST", "/v1/jobs", {
          key,
          json: { source_uri },
          headers: { "idempotency-key": `try-${made.length}` }
        })
      }
      assert.strictEqual(answer.status, 429)
      assert.strictEqual(answer.json.error.code, "CONCURRENT_JOBS_LIMIT")
      assert.match(answer.headers["retry-after"] ?? "", /^\d+$/u)
      yield* send("POST", `/v1/jobs/${made[0]}/cancel`, { key })
      const retried = yield* send("POST", "/v1/jobs", {
        key,
        json: { source_uri },
        headers: { "idempotency-key": `try-${made.length}` }
      })
      assert.strictEqual(retried.status, 201)
    }))
})
