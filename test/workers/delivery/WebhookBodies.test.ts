import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { BlobError, Blobs } from "../../../src/storage/Blobs.ts"
import { makeWebhookBodies } from "../../../workers/delivery/WebhookBodies.ts"
import * as Scene from "../../support/DeliveryScene.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

/** What a later version would show of jobs that are over: more than this one did when the event was first sent. */
const showMore = (job_id: string) =>
  Effect.flatMap(
    TestServer,
    ({ sql }) =>
      sql(`UPDATE footnote.jobs SET tokens = tokens + 1, metadata = '{"added":"since"}' WHERE id = '${job_id}'`)
  )

const kept = (job_id: string) =>
  PgClient.PgClient.use((sql) =>
    sql<{ readonly event_id: string; readonly sha256: string }>`
      SELECT event_id, sha256 FROM footnote.webhook_bodies WHERE job_id = ${job_id}`
  )

/** What can happen to the bytes, and what the delivery is after it: what is gone may be brought back until the next attempt. */
const wounds = [
  ["is gone", ({ removeAll }: Blobs["Service"], key: string) => removeAll(key), "pending"],
  ["is not what it was", ({ put }: Blobs["Service"], key: string) => put(key, Buffer.from("{}")), "failed"]
] as const

layer(Scene.layer, { excludeTestServices: true })("the body of a webhook", (it) => {
  it.effect("is the same bytes on every attempt, retry and recovery, whatever is told of the job since", () =>
    Effect.gen(function*() {
      const { attempt, call, destination_id, inbox, job, request } = yield* Scene.setting({ status: 500 })
      const job_id = yield* job
      const { json: { id } } = yield* request(job_id)
      const { sql } = yield* TestServer
      const due = sql(`UPDATE footnote.deliveries SET next_attempt_at = now() WHERE id = '${id}'`)
      yield* attempt(id)
      yield* showMore(job_id)
      yield* due
      yield* attempt(id)
      yield* showMore(job_id)
      assert.strictEqual((yield* call("POST", `/v1/deliveries/${id}/retry`)).status, 200)
      yield* attempt(id)
      yield* sql(`UPDATE footnote.deliveries SET status = 'failed', finished_at = now() WHERE id = '${id}'`)
      const since = "2020-01-01T00:00:00Z"
      assert.strictEqual((yield* call("POST", `/v1/destinations/${destination_id}/recover`, { since })).json.count, 1)
      yield* attempt(id)
      assert.lengthOf(inbox.received, 4)
      assert.strictEqual(new Set(inbox.received.map(({ headers }) => headers["webhook-id"])).size, 1)
      assert.strictEqual(new Set(inbox.received.map(({ body }) => body)).size, 1)
      assert.deepStrictEqual(JSON.parse(inbox.received[0]!.body).data.job.metadata, {})
    }))

  it.effect("is made by the worker that writes it down first, and sent by all that make it at the same moment", () =>
    Effect.gen(function*() {
      const { job } = yield* Scene.setting({ status: 200 })
      const job_id = yield* job
      const bodyOf = yield* makeWebhookBodies
      const event = { job_id, event_id: `evt_${job_id.slice(4)}` }
      const made = yield* Effect.all(
        Array.from({ length: 8 }, (_, worker) => bodyOf(event, Effect.succeed(`{"made_by":${worker}}`))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(made).size, 1)
      assert.strictEqual(yield* bodyOf(event, Effect.die("built again")), made[0])
      assert.lengthOf(yield* kept(job_id), 1)
    }))

  it.effect("is one for all destinations of an event, and another for another event", () =>
    Effect.gen(function*() {
      const { attempt, inbox, job, request } = yield* Scene.setting({ status: 200 })
      const job_id = yield* job
      const { json: one } = yield* request(job_id)
      const { json: two } = yield* request(job_id)
      const { sql } = yield* TestServer
      yield* attempt(one.id)
      yield* showMore(job_id)
      yield* attempt(two.id)
      const [first, second] = inbox.received.map(({ body }) => JSON.parse(body).data.job.metadata)
      assert.deepStrictEqual([first, second], [{}, { added: "since" }])
      yield* sql(`UPDATE footnote.deliveries SET event_id = '${one.event_id}', status = 'pending', finished_at = NULL
        WHERE id = '${two.id}'`)
      yield* attempt(two.id)
      assert.strictEqual(inbox.received[2]!.body, inbox.received[0]!.body)
    }))

  it.effect("goes with the job: its row and its bytes, and nothing is kept or sent for an erased one", () =>
    Effect.gen(function*() {
      const { attempt, call, inbox, job, request } = yield* Scene.setting({ status: 500 })
      const job_id = yield* job
      const { json: { id } } = yield* request(job_id)
      yield* attempt(id)
      const [{ event_id, sha256 }] = (yield* kept(job_id)) as [{ event_id: string; sha256: string }]
      const blobs = yield* Blobs
      const key = `jobs/${job_id}/events/${event_id}/${sha256}`
      assert.strictEqual(new TextDecoder().decode(yield* blobs.get(key)), inbox.received[0]!.body)
      assert.strictEqual((yield* call("DELETE", `/v1/jobs/${job_id}`)).status, 200)
      assert.lengthOf(yield* kept(job_id), 0)
      assert.isTrue((yield* Effect.flip(blobs.get(key))).missing)
      const bodyOf = yield* makeWebhookBodies
      assert.isNull(yield* bodyOf({ job_id, event_id }, Effect.succeed("{}")))
      assert.lengthOf(yield* kept(job_id), 0)
    }))

  for (const [how, wound, then] of wounds) {
    it.effect(`that ${how} is the attempt's error and nobody's fault: named without its path, nothing sent, no place held`, () =>
      Effect.gen(function*() {
        const { attempt, call, destination_id, inbox, job, request } = yield* Scene.setting({ status: 500 })
        const job_id = yield* job
        const { json: { id } } = yield* request(job_id)
        yield* attempt(id)
        const [{ event_id, sha256 }] = (yield* kept(job_id)) as [{ event_id: string; sha256: string }]
        yield* wound(yield* Blobs, `jobs/${job_id}/events/${event_id}/${sha256}`)
        const { sql } = yield* TestServer
        yield* sql(`UPDATE footnote.deliveries SET next_attempt_at = now() WHERE id = '${id}'`)
        yield* sql(`UPDATE footnote.destinations SET failing_since = NULL WHERE id = '${destination_id}'`)
        yield* attempt(id)
        assert.lengthOf(inbox.received, 1)
        const { json: shown } = yield* call("GET", `/v1/deliveries/${id}`)
        assert.strictEqual(shown.status, then)
        const { error, status_code } = shown.attempts[1]
        assert.isNull(status_code)
        assert.match(error, /^ARTIFACT_DAMAGED: the event body /u)
        assert.notInclude(error, job_id)
        assert.notInclude(error, "/events/")
        const [endpoint] = yield* Scene.rows(`SELECT failures FROM footnote.endpoints WHERE id = '${destination_id}'`)
        assert.deepStrictEqual(endpoint, { failures: 0 })
        const [destination] = yield* Scene.rows(
          `SELECT failing_since FROM footnote.destinations WHERE id = '${destination_id}'`
        )
        assert.deepStrictEqual(destination, { failing_since: null })
      }))
  }

  it.effect("waits without an attempt while the store is away, and holds no place meanwhile", () =>
    Effect.gen(function*() {
      const { attempt, call, inbox, job, request } = yield* Scene.setting({ status: 204 })
      const job_id = yield* job
      const { json: { id } } = yield* request(job_id)
      const blobs = yield* Blobs
      const away = vi.spyOn(blobs, "get").mockReturnValue(
        Effect.fail(new BlobError({ message: `no answer of /srv/blobs/jobs/${job_id}`, missing: false, away: "store" }))
      )
      const { retry_at } = yield* Effect.ensuring(attempt(id), Effect.sync(() => away.mockRestore()))
      assert.isNotNull(retry_at)
      const { json: waiting } = yield* call("GET", `/v1/deliveries/${id}`)
      assert.deepInclude(waiting, { status: "pending", attempts: [] })
      const { sql } = yield* TestServer
      yield* sql(`UPDATE footnote.deliveries SET next_attempt_at = now() WHERE id = '${id}'`)
      yield* attempt(id)
      assert.strictEqual((yield* call("GET", `/v1/deliveries/${id}`)).json.status, "succeeded")
      assert.lengthOf(inbox.received, 1)
    }))
})
