import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readFootageFile } from "../../bench/extraction/FootageRecord.ts"
import { extractFootage } from "../../bench/extraction/FootageRun.ts"
import { scoreRecord } from "../../bench/extraction/FootageScore.ts"
import { evidence, result, schema, transcript, vision } from "../reviews/reviewScene.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** A succeeded job with a result to review. */
const scene = Effect.gen(function*() {
  const { send, succeed, tenant } = yield* TestServer
  const { key, key_id } = yield* tenant("a")
  const made = yield* send("POST", "/v1/jobs", {
    key,
    json: { source_uri: "https://example.com/a.mp4", schema_inline: schema }
  })
  const id = made.json.id as string
  yield* succeed(id, { result, evidence, transcript, vision })
  return {
    id,
    key,
    key_id,
    get: (path: string) => send("GET", `/v1/jobs/${id}${path}`, { key }),
    review: (base_revision: number, decisions: ReadonlyArray<unknown>, more: object = {}, headers = {}) =>
      send("POST", `/v1/jobs/${id}/reviews`, { key, json: { base_revision, decisions, ...more }, headers })
  }
})

const correct = (pointer: string, value: unknown) => ({ pointer, action: "correct", value })
const paths = ({ json }: Server.Answer) => json.error.details.map(({ path }: { path: string }) => path)

layer(Server.layer, { excludeTestServices: true })("reviews of a job", (it) => {
  it.effect("POST 201 makes the next revision with who, when, what stood there and what stands there since", () =>
    Effect.gen(function*() {
      const { get, id, key_id, review } = yield* scene
      const cite = { source_ref: "seg#000000", t_start: 0, t_end: 5, quote: "fifteen" }
      const made = yield* review(0, [
        { ...correct("/price", 15), citations: [cite] },
        { pointer: "/title", action: "accept" },
        { pointer: "/rooms/1/size", action: "reject" },
        { pointer: "/city", action: "choose", candidate: 0 }
      ], { note: "Heard it twice." })
      assert.strictEqual(made.status, 201, made.text)
      const { created_at, decisions, id: review_id, ...rest } = made.json
      assert.match(review_id, /^rev_/u)
      assert.match(created_at, /^\d{4}-.*Z$/u)
      assert.strictEqual(made.headers["location"], `/v1/jobs/${id}/reviews/${review_id}`)
      assert.deepStrictEqual(rest, {
        job_id: id,
        revision: 1,
        base_revision: 0,
        author: { key_id, name: "first" },
        note: "Heard it twice."
      })
      assert.deepStrictEqual(decisions, [
        {
          pointer: "/price",
          action: "correct",
          before: 12,
          value: 15,
          citations: [{ ...cite, origin_channel: "asr" }]
        },
        { pointer: "/title", action: "accept", before: "Orbits", value: "Orbits", citations: [] },
        { pointer: "/rooms/1/size", action: "reject", before: 9, citations: [] },
        {
          pointer: "/city",
          action: "choose",
          candidate: 0,
          value: "Graz",
          citations: [{ source_ref: "seg#000003", t_start: 30, t_end: 35, quote: "Graz", origin_channel: "asr" }]
        }
      ])
      assert.deepStrictEqual((yield* get(`/reviews/${review_id}`)).json, made.json)
    }))

  it.effect("the job's own result never changes; reviewed=true has what the reviews made of it, with who and which", () =>
    Effect.gen(function*() {
      const { get, key_id, review } = yield* scene
      const before = [yield* get(""), yield* get("/result"), yield* get("/evidence")]
      assert.deepStrictEqual((yield* get("/result?reviewed=true")).json.revision, 0)
      yield* review(0, [correct("/price", 13)])
      yield* review(1, [{ pointer: "/rooms/0", action: "reject" }])
      const after = [yield* get(""), yield* get("/result"), yield* get("/evidence")]
      assert.deepStrictEqual(after.map(({ text }) => text), before.map(({ text }) => text))
      const reviewed = (yield* get("/result?reviewed=true")).json
      assert.strictEqual(reviewed.revision, 2)
      assert.deepStrictEqual(reviewed.result, { ...result, price: 13, rooms: [result.rooms[1]] })
      const told = (yield* get("/evidence?reviewed=true")).json
      assert.strictEqual(told.revision, 2)
      const price = told.spans.find(({ pointer }: { pointer: string }) => pointer === "/price")
      assert.deepInclude(price, { origin: "person", reviewed_by: { key_id, name: "first" }, revision: 1 })
      const room = told.spans.find(({ pointer }: { pointer: string }) => pointer === "/rooms/0/name")
      assert.deepInclude(room, { value: "Attic", origin: "extracted" })
      assert.notProperty(room, "reviewed_by")
      const list = (yield* get("/reviews?limit=1")).json
      assert.deepStrictEqual(list.data.map(({ revision }: { revision: number }) => revision), [2])
      const rest = (yield* get(`/reviews?cursor=${list.next_cursor}`)).json
      assert.deepStrictEqual(rest.data.map(({ revision }: { revision: number }) => revision), [1])
    }))

  it.effect("POST 400 INVALID_REQUEST names the decision with which the result would not fit its schema, and makes nothing", () =>
    Effect.gen(function*() {
      const { get, review } = yield* scene
      const wrong = [
        [[correct("/title", "x"), correct("/price", "12")], "/decisions/1/value"],
        [[correct("/extra", 1)], "/decisions/0/value"],
        [[correct("/rooms/0/name/deep", 1)], "/decisions/0/value"],
        [[{ pointer: "/none", action: "reject" }], "/decisions/0/pointer"],
        [[{ pointer: "title", action: "accept" }], "/decisions/0/pointer"],
        [[{ pointer: "/title", action: "correct" }], "/decisions/0/value"],
        [[{ pointer: "/title", action: "accept", value: "x" }], "/decisions/0/value"],
        [[{ pointer: "/city", action: "choose" }], "/decisions/0/candidate"],
        [[{ pointer: "/city", action: "choose", candidate: 7 }], "/decisions/0/candidate"],
        [
          [{ ...correct("/title", "x"), citations: [{ source_ref: "seg#1", t_start: 0, t_end: 1 }] }],
          "/decisions/0/citations/0/source_ref"
        ],
        [
          [{ ...correct("/title", "x"), citations: [{ source_ref: "seg#000001", t_start: 2, t_end: 1 }] }],
          "/decisions/0/citations/0/t_end"
        ],
        [[], "/decisions"]
      ] as const
      for (const [decisions, path] of wrong) {
        const answer = yield* review(0, decisions)
        assert.deepStrictEqual([answer.status, answer.json.error.code], [400, "INVALID_REQUEST"], answer.text)
        assert.deepStrictEqual(paths(answer), [path], answer.text)
      }
      assert.deepStrictEqual((yield* get("/reviews")).json.data, [])
    }))

  it.effect("POST 409 REVIEW_CONFLICT on another than the last revision; of ten at one moment one is made", () =>
    Effect.gen(function*() {
      const { get, review } = yield* scene
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, (_, at) => review(0, [correct("/price", at)])),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
        201,
        ...Array.from({ length: 9 }, () => 409)
      ])
      for (const base of [0, 2]) {
        const answer = yield* review(base, [{ pointer: "/title", action: "accept" }])
        assert.strictEqual(answer.json.error.code, "REVIEW_CONFLICT")
        assert.deepStrictEqual(answer.json.error.details, [{
          path: "base_revision",
          message: "The last revision is 1"
        }])
      }
      assert.lengthOf((yield* get("/reviews")).json.data, 1)
    }))

  it.effect("POST with an Idempotency-Key makes one revision, and answers a repetition as the first", () =>
    Effect.gen(function*() {
      const { get, review } = yield* scene
      const send = (value: number) => review(0, [correct("/price", value)], {}, { "idempotency-key": "once" })
      const first = yield* send(1)
      const again = yield* send(1)
      assert.deepStrictEqual([first.status, again.status], [201, 200])
      assert.strictEqual(again.headers["idempotent-replayed"], "true")
      assert.deepStrictEqual(again.json, first.json)
      assert.strictEqual((yield* send(2)).json.error.code, "IDEMPOTENCY_KEY_CONFLICT")
      assert.lengthOf((yield* get("/reviews")).json.data, 1)
    }))

  it.effect("are refused with 409 of a job that has not succeeded, and are erased with their job", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const { get, id, key, review } = yield* scene
      const queued = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/b.mp4" } })).json
      const early = yield* send("POST", `/v1/jobs/${queued.id}/reviews`, {
        key,
        json: { base_revision: 0, decisions: [{ pointer: "", action: "accept" }] }
      })
      assert.deepStrictEqual([early.status, early.json.error.code], [409, "JOB_NOT_SUCCEEDED"])
      yield* review(0, [correct("/title", "Secret title")])
      assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
      for (const path of ["/reviews", "/result?reviewed=true", "/gold"]) {
        assert.strictEqual((yield* get(path)).json.error.code, "JOB_NOT_FOUND")
      }
      yield* sql(`DO $$ BEGIN IF EXISTS (SELECT FROM footnote.reviews WHERE job_id = '${id}')
        THEN RAISE EXCEPTION 'a review is left'; END IF; END $$`)
    }))

  it.effect("402 STORAGE_QUOTA_EXCEEDED where the tenant has no room for it, and what was saved counts until the job is erased", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const { get, id, key, review } = yield* scene
      const used = Effect.map(send("GET", "/v1/limits", { key }), ({ json }) => json.storage.used as number)
      const before = yield* used
      assert.strictEqual((yield* review(0, [correct("/price", 15)])).status, 201)
      const [after, kept] = [yield* used, JSON.stringify((yield* get("/reviews")).json.data[0].decisions)]
      assert.strictEqual(after - before, Buffer.byteLength(kept))
      yield* sql(`UPDATE footnote.tenants SET storage_quota = ${after} WHERE id = (
        SELECT tenant_id FROM footnote.jobs WHERE id = '${id}')`)
      const refused = yield* review(1, [correct("/price", 16)])
      assert.deepStrictEqual([refused.status, refused.json.error.code], [402, "STORAGE_QUOTA_EXCEEDED"])
      assert.strictEqual((yield* get("/result?reviewed=true")).json.revision, 1)
      assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
      assert.strictEqual(yield* used, 0)
    }))

  it.effect("a job whose leaves are all decided on is gold that the evaluation reads, and none before", () =>
    Effect.gen(function*() {
      const { send, succeed } = yield* TestServer
      const { get, id, key, review } = yield* scene
      assert.strictEqual((yield* get("/gold")).json.error.code, "REVIEW_NOT_FOUND")
      yield* review(0, [correct("/price", 15), { pointer: "/rooms/1/size", action: "reject" }])
      const early = yield* get("/gold")
      assert.deepStrictEqual([early.status, early.json.error.code], [409, "REVIEW_INCOMPLETE"])
      assert.include(paths(early), "/city")
      yield* review(1, [{ pointer: "", action: "accept" }, { pointer: "/city", action: "choose", candidate: 0 }])
      const gold = yield* get("/gold")
      assert.strictEqual(gold.status, 200, gold.text)
      assert.isTrue(gold.text.endsWith("}\n"))
      const { evidence: lines, gold: right, id: record_id, kinds, not_stated, traps } = gold.json
      assert.strictEqual(record_id, id)
      const { paid: _, ...stated } = { ...result, price: 15, rooms: [result.rooms[0], { name: "Attic" }], city: "Graz" }
      assert.deepStrictEqual(right, stated)
      assert.deepStrictEqual(lines["/rooms/0/size"], ["seg_00001"])
      assert.deepStrictEqual(lines["/city"], ["seg_00003"])
      assert.deepInclude(kinds, { "/title": "stated", "/city": "stated", "/price": "normalised" })
      assert.deepStrictEqual(not_stated.toSorted(), ["/paid", "/rooms/1/size"])
      assert.deepStrictEqual(traps.map(({ pointer, value }: any) => [pointer, value]), [["/price", 12], [
        "/rooms/1/size",
        9
      ]])
      // In bulk: with a job beside it that nobody has looked at.
      const other = yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/b.mp4" } })
      yield* succeed(other.json.id, { result, evidence, transcript, vision })
      const made = yield* send("POST", "/v1/exports", { key, json: { include: ["gold"] } })
      const exported = yield* send("GET", made.json.content_url, { key })
      assert.lengthOf(exported.text.trim().split("\n"), 2)
      const folder = mkdtempSync(join(tmpdir(), "footnote-test-"))
      writeFileSync(join(folder, "reviewed.jsonl"), gold.text + exported.text)
      const { records, unread } = readFootageFile(join(folder, "reviewed.jsonl"))
      rmSync(folder, { recursive: true })
      assert.deepStrictEqual(unread, [])
      assert.lengthOf(records, 2)
      const extracted = extractFootage(records[0]!, "balanced")
      const score = scoreRecord(records[0]!, { result: extracted.result, spans: extracted.evidence.spans })
      assert.isTrue(score.given.some((leaf) => leaf.right && leaf.grounded))
    }))
})
