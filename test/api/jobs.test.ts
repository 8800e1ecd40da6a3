import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

const create = Effect.fn("create")(function*(key: string, body: object = {}) {
  const { send } = yield* TestServer
  const answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri, ...body } })
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json.id as string
})

/** `id`, `event` and parsed `data` of each event in a stream that has ended. */
const eventsIn = (text: string) =>
  text.split("\n\n").filter((block) => block.startsWith("id:")).map((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "mu").exec(block)?.[1] ?? ""
    return { id: Number(field("id")), event: field("event"), data: JSON.parse(field("data")) }
  })

layer(Server.layer, { excludeTestServices: true })("jobs", (it) => {
  it.effect("GET /v1/jobs lists newest first without results, and pages while jobs are added", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const ids = [yield* create(key), yield* create(key), yield* create(key)]
      const first = yield* send("GET", "/v1/jobs?limit=2", { key })
      assert.deepStrictEqual(first.json.data.map(({ id }: { id: string }) => id), [ids[2], ids[1]])
      assert.notProperty(first.json.data[0], "result")
      yield* create(key)
      const second = yield* send("GET", `/v1/jobs?limit=2&cursor=${first.json.next_cursor}`, { key })
      assert.deepStrictEqual(second.json.data.map(({ id }: { id: string }) => id), [ids[0]])
      assert.isNull(second.json.next_cursor)
    }))

  it.effect("GET /v1/jobs filters by status, metadata and moment", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const old = yield* create(key, { metadata: { course: "a", week: "1" } })
      const cancelled = yield* create(key, { metadata: { course: "a", week: "2" } })
      yield* send("POST", `/v1/jobs/${cancelled}/cancel`, { key })
      const found = (query: string) =>
        Effect.map(
          send("GET", `/v1/jobs?${query}`, { key }),
          ({ json }) => json.data.map(({ id }: { id: string }) => id)
        )
      assert.deepStrictEqual(yield* found("status=cancelled"), [cancelled])
      assert.deepStrictEqual(yield* found("metadata[course]=a&metadata[week]=1"), [old])
      assert.deepStrictEqual(yield* found("metadata%5Bcourse%5D=a&status=queued"), [old])
      assert.deepStrictEqual(yield* found("metadata[course]=b"), [])
      assert.deepStrictEqual(yield* found("status=cancelled,queued"), [cancelled, old])
      assert.deepStrictEqual(yield* found("status=failed&status=cancelled"), [cancelled])
      assert.deepStrictEqual(yield* found("status=failed,succeeded"), [])
      assert.deepStrictEqual(yield* found("schema_id=sch_template_recipe"), [])
      const { created_at, finished_at } = (yield* send("GET", `/v1/jobs/${cancelled}`, { key })).json
      assert.deepStrictEqual(yield* found(`created_before=${created_at}`), [old])
      assert.deepStrictEqual(yield* found(`created_after=${created_at}`), [cancelled])
      assert.deepStrictEqual(yield* found(`finished_after=${finished_at}`), [cancelled])
      assert.deepStrictEqual(yield* found(`finished_before=${finished_at}`), [])
      assert.deepStrictEqual(yield* found("finished_after=2020-01-01T00:00:00Z"), [cancelled])
      assert.deepStrictEqual(yield* found("created_after=2999-01-01T00:00:00.000Z"), [])
      assert.deepStrictEqual(yield* found("created_before=2999-01-01T00:00:00.000Z"), [cancelled, old])
    }))

  it.effect("GET /v1/jobs?sort=finished_at goes through the jobs in the order in which they ended, while others end and are erased", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const ids: Array<string> = []
      for (let at = 0; at < 5; at++) ids.push(yield* create(key))
      const ended: Array<string> = []
      const end = Effect.fnUntraced(function*(at: number) {
        yield* send("POST", `/v1/jobs/${ids[at]}/cancel`, { key })
        ended.push(ids[at]!)
      })
      for (const at of [3, 0, 4]) yield* end(at)
      const page = (query: string) => send("GET", `/v1/jobs?sort=finished_at&limit=1${query}`, { key })
      const seen: Array<string> = []
      let query = ""
      while (true) {
        const { json } = yield* page(query)
        seen.push(...json.data.map(({ id }: { id: string }) => id))
        if (json.next_cursor === null) break
        query = `&cursor=${json.next_cursor}`
        // The place of a job that is erased stays, and what ends later comes later.
        if (seen.length === 1) yield* send("DELETE", `/v1/jobs/${seen[0]}`, { key })
        if (seen.length === 2) yield* end(1)
      }
      assert.deepStrictEqual(seen, ended)
      const { finished_at } = (yield* send("GET", `/v1/jobs/${ended[2]}`, { key })).json
      const since = yield* send("GET", `/v1/jobs?sort=finished_at&finished_after=${finished_at}`, { key })
      assert.deepStrictEqual(since.json.data.map(({ id }: { id: string }) => id), [ended[2], ended[3]])
      const working = Buffer.from(ids[2]!).toString("base64url")
      const refused = yield* page(`&cursor=${working}`)
      assert.deepStrictEqual([refused.status, refused.json.error.details[0].path], [400, "cursor"])
      assert.strictEqual((yield* send("GET", "/v1/jobs?sort=end", { key })).json.error.details[0].path, "sort")
    }))

  it.effect("GET /v1/jobs gives the jobs of one source, whatever opens its address, and of a whole millisecond", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const [plain, signed, other] = yield* Effect.forEach(
        ["https://example.com/a.mp4", "https://example.com/a.mp4?X-Amz-Signature=secret", "https://example.com/b.mp4"],
        (source_uri) => Effect.map(send("POST", "/v1/jobs", { key, json: { source_uri } }), ({ json }) => json.id)
      )
      const found = (query: Readonly<Record<string, string>>) =>
        Effect.map(
          send("GET", `/v1/jobs?${new URLSearchParams(query)}`, { key }),
          ({ json }) => json.data.map(({ id }: { id: string }) => id)
        )
      assert.deepStrictEqual(yield* found({ source_uri: "https://example.com/a.mp4" }), [signed, plain])
      const again = { source_uri: "https://example.com/a.mp4?X-Amz-Signature=other" }
      assert.deepStrictEqual(yield* found(again), [signed, plain])
      assert.deepStrictEqual(yield* found({ source_uri: "https://example.com/" }), [])
      const moment = "2026-11-20T09:30:00.123"
      yield* sql(`UPDATE footnote.jobs SET created_at = '${moment}000Z' WHERE id IN ('${plain}', '${other}')`)
      yield* sql(`UPDATE footnote.jobs SET created_at = '${moment}999Z' WHERE id = '${signed}'`)
      assert.deepStrictEqual(yield* found({ created_after: `${moment}Z` }), [other, signed, plain])
      assert.deepStrictEqual(yield* found({ created_before: `${moment}Z` }), [])
    }))

  it.effect("GET /v1/jobs 400 INVALID_REQUEST for an unknown status and a date that is none", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answer = yield* send("GET", "/v1/jobs?status=done&created_after=yesterday", { key })
      assert.strictEqual(answer.status, 400)
      assert.sameMembers(answer.json.error.details.map(({ path }: { path: string }) => path), [
        "status",
        "created_after"
      ])
    }))

  it.effect("GET /v1/jobs 400 INVALID_REQUEST names the cursor that is none of this list, and what is no parameter of it", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      yield* create(key)
      yield* create(key)
      const { json } = yield* send("GET", "/v1/jobs?limit=1", { key })
      const schemaCursor = Buffer.from("sch_01kaj3e5h8z9q0w1x2y3z4a5b6").toString("base64url")
      const wrong: ReadonlyArray<readonly [query: string, path: string]> = [
        ["cursor=", "cursor"],
        ["cursor=nonsense", "cursor"],
        [`cursor=${schemaCursor}`, "cursor"],
        [`cursor=${json.next_cursor}A`, "cursor"],
        [`cursor=${json.next_cursor}%3D`, "cursor"],
        ["cursor=%F0%9F%8E%AC", "cursor"],
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["limit=1.5", "limit"],
        ["statuss=failed", "statuss"],
        ["status=failed,done", "status"],
        ["finished_after=today", "finished_after"],
        ["metadata=a", "metadata"],
        ["metadata[]=a", "metadata[]"],
        ["metadata[a]=1&metadata[a]=2", "metadata[a]"],
        ["created_after=2026-11-20", "created_after"],
        ["created_before=2026-02-30T00:00:00Z", "created_before"],
        ["created_after=-271821-04-20T00:00:00.000Z", "created_after"],
        ["created_before=0000-01-01T00:00:00Z", "created_before"],
        ["created_before=2026-11-20T25:00:00Z", "created_before"]
      ]
      for (const [query, path] of wrong) {
        const answer = yield* send("GET", `/v1/jobs?${query}`, { key })
        assert.strictEqual(answer.status, 400, query)
        assert.strictEqual(answer.json.error.code, "INVALID_REQUEST")
        assert.deepStrictEqual(answer.json.error.details.map((detail: { path: string }) => detail.path), [path], query)
      }
    }))

  it.effect("GET /v1/jobs leaves out no schema of 128 KiB's worth: it reads none", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const schema_inline = { type: "object", description: "x".repeat(100_000) }
      yield* create(key, { schema_inline })
      const { text } = yield* send("GET", "/v1/jobs", { key })
      assert.isBelow(text.length, 3000)
    }))

  it.effect("GET /v1/jobs/{id} 304 once a job is over, for whoever has it already, and never before", () =>
    Effect.gen(function*() {
      const { send, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key)
      assert.isUndefined((yield* send("GET", `/v1/jobs/${id}`, { key })).headers["etag"])
      yield* succeed(id, { result: { a: 1 } })
      const { headers } = yield* send("GET", `/v1/jobs/${id}`, { key })
      const again = yield* send("GET", `/v1/jobs/${id}?wait=5`, { key, headers: { "if-none-match": headers["etag"]! } })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.text, "")
    }))

  it.effect("GET /v1/jobs/{id}?wait= answers as soon as the job is over", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key)
      const [waited] = yield* Effect.all([
        send("GET", `/v1/jobs/${id}?wait=60`, { key }),
        send("POST", `/v1/jobs/${id}/cancel`, { key })
      ], { concurrency: 2 })
      assert.strictEqual(waited.status, 200)
      assert.strictEqual(waited.json.status, "cancelled")
      assert.strictEqual((yield* send("GET", `/v1/jobs/${id}?wait=61`, { key })).status, 400)
    }))

  it.effect("GET /v1/jobs/{id} shows the result of a succeeded job", () =>
    Effect.gen(function*() {
      const { send, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key)
      assert.isNull((yield* send("GET", `/v1/jobs/${id}`, { key })).json.result)
      const result = { title: "Orbits", items: [1, null, "ünï"] }
      yield* succeed(id, { result })
      assert.deepStrictEqual((yield* send("GET", `/v1/jobs/${id}`, { key })).json.result, result)
    }))

  it.effect("POST /v1/jobs/{id}/cancel is idempotent, and 409 JOB_ALREADY_TERMINAL after success", () =>
    Effect.gen(function*() {
      const { send, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key)
      const first = yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      assert.strictEqual(first.json.status, "cancelled")
      assert.isNotNull(first.json.finished_at)
      const second = yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      assert.deepStrictEqual(second.json, first.json)
      const done = yield* create(key)
      yield* succeed(done, { result: {} })
      const refused = yield* send("POST", `/v1/jobs/${done}/cancel`, { key })
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.json.error.code, "JOB_ALREADY_TERMINAL")
    }))

  it.effect("GET /v1/jobs/{id}/events tells everything from the start, resumes after an id, and ends with the job", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key)
      const [whole] = yield* Effect.all([
        send("GET", `/v1/jobs/${id}/events`, { key }),
        send("POST", `/v1/jobs/${id}/cancel`, { key })
      ], { concurrency: 2 })
      assert.match(whole.headers["content-type"] ?? "", /^text\/event-stream/u)
      const events = eventsIn(whole.text)
      assert.deepStrictEqual(events.map((event) => event.data.status), ["queued", "cancelled"])
      assert.deepStrictEqual(events.map((event) => event.id), events.map((event) => event.data.id))
      const resumed = yield* send("GET", `/v1/jobs/${id}/events`, {
        key,
        headers: { "last-event-id": String(events[0]!.id) }
      })
      assert.deepStrictEqual(eventsIn(resumed.text), events.slice(1))
      const nothing = yield* send("GET", `/v1/jobs/${id}/events`, {
        key,
        headers: { "last-event-id": String(events.at(-1)!.id) }
      })
      assert.deepStrictEqual(eventsIn(nothing.text), [])
      const bad = yield* send("GET", `/v1/jobs/${id}/events`, { key, headers: { "last-event-id": "x" } })
      assert.strictEqual(bad.status, 400)
    }))

  it.effect("DELETE /v1/jobs/{id} erases a terminal job once and for all reads", () =>
    Effect.gen(function*() {
      const { send, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key)
      const early = yield* send("DELETE", `/v1/jobs/${id}`, { key })
      assert.strictEqual(early.status, 400)
      yield* succeed(id, { result: {}, transcript: {} })
      const first = yield* send("DELETE", `/v1/jobs/${id}`, { key })
      assert.deepStrictEqual(Object.keys(first.json), ["id", "deleted_at"])
      assert.deepStrictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).json, first.json)
      for (const path of ["", "/events", "/transcript", "/deliveries"]) {
        const gone = yield* send("GET", `/v1/jobs/${id}${path}`, { key })
        assert.strictEqual(gone.status, 404, path)
        assert.strictEqual(gone.json.error.code, "JOB_NOT_FOUND")
      }
      assert.deepStrictEqual((yield* send("GET", "/v1/jobs", { key })).json.data, [])
    }))

  it.effect("DELETE /v1/jobs/{id} leaves nothing of what the job was about in any table, and counts it all the same", () =>
    Effect.gen(function*() {
      const { send, sql, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const secret = "very-private-words"
      const id = yield* create(key, {
        source_uri: `https://example.com/${secret}.mp4`,
        webhook_url: `https://example.com/${secret}`,
        metadata: { note: secret },
        schema_inline: { type: "object", description: secret }
      })
      yield* succeed(id, { result: { secret } })
      yield* send("DELETE", `/v1/jobs/${id}`, { key })
      yield* sql(`DO $$ DECLARE t text; found bool; BEGIN
        FOR t IN SELECT table_name FROM information_schema.tables WHERE table_schema = 'footnote' LOOP
          EXECUTE format('SELECT EXISTS (SELECT FROM footnote.%I x WHERE x::text LIKE ''%%${secret}%%'')', t) INTO found;
          IF found THEN RAISE EXCEPTION 'left in %', t; END IF;
        END LOOP; END $$`)
      assert.strictEqual((yield* send("GET", "/v1/usage", { key })).json.jobs.succeeded, 1)
      const { json } = yield* send("GET", `/v1/deliveries?limit=100`, { key })
      assert.notInclude(JSON.stringify(json.data), `"pending"`)
    }))

  it.effect("GET /v1/jobs/{id}/deliveries shows one pending delivery once a job with a webhook is over", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const id = yield* create(key, { webhook_url: "https://example.com/hook" })
      assert.deepStrictEqual((yield* send("GET", `/v1/jobs/${id}/deliveries`, { key })).json.data, [])
      yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
      const { data } = (yield* send("GET", `/v1/jobs/${id}/deliveries`, { key })).json
      assert.strictEqual(data.length, 1)
      assert.deepInclude(data[0], { job_id: id, status: "pending", attempts: [], destination_type: "webhook" })
      assert.match(data[0].id, /^dlv_/u)
      assert.match(data[0].event_id, /^evt_/u)
    }))
})
