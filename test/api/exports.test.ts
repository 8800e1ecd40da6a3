import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Transitions } from "../../src/jobs/engine/Transitions.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { Draining } from "../../src/web/server/Draining.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

const nothing = { spans: [], unfilled: [], counts: { leaves: 0, filled: 0, verified: 0, unfilled: 0 } }

/** Jobs that succeed one after the other, each with a result that tells which it is. */
const finished = Effect.fn("finished")(function*(key: string, count: number, body: object = {}) {
  const { send, succeed } = yield* TestServer
  const ids: Array<string> = []
  for (let at = 0; at < count; at++) {
    const { json } = yield* send("POST", "/v1/jobs", { key, json: { source_uri, ...body } })
    yield* succeed(json.id, { result: { at }, evidence: nothing })
    ids.push(json.id)
  }
  return ids
})

const create = Effect.fn("create")(function*(key: string, json: object = {}) {
  const { send } = yield* TestServer
  const answer = yield* send("POST", "/v1/exports", { key, json })
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json
})

const linesOf = Effect.fn("linesOf")(function*(key: string, id: string, cursor?: string) {
  const { send } = yield* TestServer
  const at = cursor === undefined ? "" : `?cursor=${cursor}`
  const answer = yield* send("GET", `/v1/exports/${id}/content${at}`, { key })
  assert.strictEqual(answer.status, 200, answer.text)
  assert.strictEqual(answer.headers["content-type"], "application/x-ndjson")
  assert.isTrue(answer.text === "" || answer.text.endsWith("\n"))
  return answer.text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
})

/** Whether an answer comes to its end. */
const endsWhole = (url: string, key: string): Promise<boolean> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } })
    .then((response) => response.text()).then(() => true, () => false)

/** An answer of which nothing but the head is read. */
const beginning = (url: string, key: string): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } })

const idsOf = (lines: ReadonlyArray<{ readonly job: { readonly id: string } }>) => lines.map(({ job }) => job.id)

layer(Server.layer, { excludeTestServices: true })("/v1/exports", (it) => {
  describe("POST, 201", () => {
    it.effect("holds what has ended by then and nothing later, and says where it is", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const ids = yield* finished(key, 3)
        yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
        const made = yield* create(key)
        assert.deepInclude(made, {
          status: "ready",
          filter: { status: ["succeeded"] },
          include: ["result", "evidence"],
          jobs: 3,
          content_url: `/v1/exports/${made.id}/content`
        })
        yield* finished(key, 1)
        const lines = yield* linesOf(key, made.id)
        assert.deepStrictEqual(idsOf(lines), ids)
        assert.deepStrictEqual(lines.map(({ job }) => job.result), [{ at: 0 }, { at: 1 }, { at: 2 }])
        assert.deepStrictEqual(lines[0].job.evidence, { job_id: ids[0], ...nothing })
        assert.deepStrictEqual((yield* send("GET", `/v1/exports/${made.id}`, { key })).json, made)
        assert.deepStrictEqual((yield* send("GET", "/v1/exports", { key })).json.data, [made])
      }))

    it.effect("holds the jobs of every filter, and of two exports in a row each job stands in one", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const schema = yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema: { type: "object" } } })
        const schema_id = schema.json.id
        const [plain] = yield* finished(key, 1)
        const [mine] = yield* finished(key, 1, { schema_id, metadata: { course: "1" } })
        const { json: cancelled } = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
        yield* send("POST", `/v1/jobs/${cancelled.id}/cancel`, { key })
        const held = (filter: object) =>
          Effect.flatMap(create(key, filter), ({ id }) => Effect.map(linesOf(key, id), idsOf))
        assert.deepStrictEqual(yield* held({ schema_id }), [mine])
        assert.deepStrictEqual(yield* held({ metadata: { course: "1" } }), [mine])
        assert.deepStrictEqual(yield* held({ status: ["cancelled"] }), [cancelled.id])
        assert.deepStrictEqual(yield* held({ status: ["succeeded", "cancelled"] }), [plain, mine, cancelled.id])
        const first = yield* create(key)
        const next = yield* finished(key, 2)
        assert.deepStrictEqual(yield* held({ finished_after: first.created_at }), next)
        assert.deepStrictEqual(yield* held({ finished_before: "2020-01-01T00:00:00Z" }), [])
      }))

    it.effect("waits for a job that is about to end, so that it stands in this export or in the next", () =>
      Effect.gen(function*() {
        const { send, sql, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const { json: { id } } = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
        const client = yield* SqlClient.SqlClient
        const { finish, lock } = yield* Transitions
        const [ended, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const ending = yield* Effect.forkChild(client.withTransaction(Effect.gen(function*() {
          const [job] = yield* lock([id])
          assert.isTrue(yield* finish(job!, { status: "cancelled" }))
          yield* Deferred.succeed(ended, undefined)
          yield* Deferred.await(commit)
        })))
        yield* Deferred.await(ended)
        const creating = yield* Effect.forkChild(create(key, { status: ["cancelled"] }))
        yield* sql("SELECT FROM pg_locks WHERE NOT granted").pipe(
          Effect.repeat({ until: (waiting) => waiting.length > 0 || creating.pollUnsafe() !== undefined })
        )
        yield* Deferred.succeed(commit, undefined)
        yield* Fiber.join(ending)
        const first = yield* Fiber.join(creating)
        const next = yield* create(key, { status: ["cancelled"], finished_after: first.created_at })
        const told = yield* Effect.forEach([first, next], (made) => Effect.map(linesOf(key, made.id), idsOf))
        assert.deepStrictEqual([...told[0]!, ...told[1]!], [id])
        assert.strictEqual(first.jobs + next.jobs, 1)
      }))
  })

  it.effect("POST, 400 INVALID_REQUEST for a job's state in which it is at work, and for an unknown field", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const json of [{ status: ["running"] }, { include: ["source"] }, { finished: "today" }]) {
        const answer = yield* send("POST", "/v1/exports", { key, json })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [400, "INVALID_REQUEST"])
      }
    }))

  describe("GET …/content", () => {
    it.effect("goes on after the line whose cursor is sent, over any number of batches, also where that job is erased", () =>
      Effect.gen(function*() {
        const { send, sql, tenant } = yield* TestServer
        const { key, tenant_id } = yield* tenant("a")
        const [first] = yield* finished(key, 1)
        // More than two batches, many of which ended at the same moment.
        yield* sql(`INSERT INTO footnote.jobs (id, tenant_id, spec, status, admitted_at, started_at, finished_at)
          SELECT 'job_' || lpad(n::text, 26, '0'), tenant_id, spec, 'cancelled', now(), now(),
            finished_at + (n / 40) * interval '1 ms' - interval '1 s'
          FROM footnote.jobs, generate_series(1, 120) n WHERE id = '${first}' AND tenant_id = '${tenant_id}'`)
        const made = yield* create(key, { status: ["cancelled", "succeeded"], include: [] })
        assert.strictEqual(made.jobs, 121)
        const all = yield* linesOf(key, made.id)
        assert.strictEqual(new Set(idsOf(all)).size, 121)
        yield* send("DELETE", `/v1/jobs/${all[69].job.id}`, { key })
        const rest = yield* linesOf(key, made.id, all[69].cursor)
        assert.deepStrictEqual(rest, all.slice(70))
        assert.lengthOf(yield* linesOf(key, made.id), 120)
        assert.deepStrictEqual(yield* linesOf(key, made.id, all.at(-1).cursor), [])
      }))

    it.effect("has nothing of a job that is erased while the content before it is read", () =>
      Effect.gen(function*() {
        const { base_url, send, succeed, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const [first] = yield* finished(key, 1)
        // More than what is under way between a server and a client that does not read.
        const large = { text: "x".repeat(4 << 20) }
        for (let at = 0; at < 5; at++) {
          const { json } = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
          yield* succeed(json.id, { result: large, evidence: nothing })
        }
        const [last] = yield* finished(key, 1)
        const { id } = yield* create(key)
        const begun = yield* Effect.promise(() => beginning(`${base_url}/v1/exports/${id}/content`, key))
        yield* send("DELETE", `/v1/jobs/${last}`, { key })
        const lines = (yield* Effect.promise(() => begun.text())).trimEnd().split("\n").map((line) => JSON.parse(line))
        assert.strictEqual(lines[0].job.id, first)
        assert.lengthOf(lines, 6)
        assert.notInclude(idsOf(lines), last)
      }))

    it.effect("names what of a job is damaged, and tells everything else", () =>
      Effect.gen(function*() {
        const { tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const ids = yield* finished(key, 2)
        const { removeAll } = yield* Blobs
        yield* removeAll(`jobs/${ids[0]}/extract/0/0/evidence`)
        const { id } = yield* create(key)
        const [broken, whole] = yield* linesOf(key, id)
        assert.deepInclude(broken.job, { id: ids[0], result: { at: 0 }, damaged: ["evidence"] })
        assert.notProperty(broken.job, "evidence")
        assert.notProperty(whole.job, "damaged")
      }))
  })

  it.effect("DELETE is idempotent, and an expired export is as unknown as a deleted one", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const [one, other] = [yield* create(key), yield* create(key)]
      const answers = [
        yield* send("DELETE", `/v1/exports/${one.id}`, { key }),
        yield* send("DELETE", `/v1/exports/${one.id}`, { key })
      ]
      assert.deepStrictEqual(answers[0]!.json, answers[1]!.json)
      yield* sql(`UPDATE footnote.exports SET expires_at = now() WHERE id = '${other.id}'`)
      for (const { id } of [one, other]) {
        for (const path of [`/v1/exports/${id}`, `/v1/exports/${id}/content`]) {
          const answer = yield* send("GET", path, { key })
          assert.deepStrictEqual([answer.status, answer.json.error.code], [404, "EXPORT_NOT_FOUND"])
        }
      }
    }))

  describe("GET /v1/jobs?expand=", () => {
    it.effect("puts results and evidence beside each job, and goes on where a page of them would be too large", () =>
      Effect.gen(function*() {
        const { send, sql, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const ids = yield* finished(key, 3)
        const list = (query: string) => send("GET", `/v1/jobs?${query}`, { key })
        const { json } = yield* list("expand=result,evidence")
        assert.deepStrictEqual(json.data.map(({ result }: { result: unknown }) => result), [{ at: 2 }, { at: 1 }, {
          at: 0
        }])
        assert.property(json.data[0], "evidence")
        assert.isNull(json.next_cursor)
        assert.notProperty((yield* list("expand=result")).json.data[0], "evidence")
        assert.notProperty((yield* list("")).json.data[0], "result")
        // As large as a long job's evidence is.
        yield* sql(`UPDATE footnote.artifacts SET size_bytes = ${5 * 1024 ** 2}
          WHERE kind = 'evidence' AND job_id IN (${ids.map((id) => `'${id}'`).join(", ")})`)
        const seen: Array<string> = []
        for (let cursor: string | null = ""; cursor !== null;) {
          const page: any = (yield* list(`expand=evidence${cursor === "" ? "" : `&cursor=${cursor}`}`)).json
          assert.lengthOf(page.data, 1)
          seen.push(page.data[0].id)
          cursor = page.next_cursor
        }
        assert.deepStrictEqual(seen, ids.toReversed())
        const wrong = yield* list("expand=transcript")
        assert.deepStrictEqual([wrong.status, wrong.json.error.code], [400, "INVALID_REQUEST"])
      }))
  })
})

layer(Server.layer, { excludeTestServices: true })("GET /v1/exports/{id}/content of a process that drains", (it) => {
  it.effect("is cut off, not ended, so that nobody takes it for whole", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      yield* finished(key, 1)
      const { id } = yield* create(key)
      const { begin } = yield* Draining
      yield* begin
      const ended = yield* Effect.promise(() => endsWhole(`${base_url}/v1/exports/${id}/content`, key))
      assert.isFalse(ended)
    }))
})
