import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Scene from "../support/DeliveryScene.ts"
import * as Server from "../support/TestServer.ts"

const { setting } = Scene
const { TestServer } = Server

const codeOf = ({ json, status }: Server.Answer) => [status, json.error?.code]
const unknownDestination = "dst_01kaj3e5h8z9q0w1x2y3z4a5b6"

layer(Scene.layer, { excludeTestServices: true })("deliveries of a destination", (it) => {
  describe("POST /v1/destinations/{id}/recover", () => {
    it.effect("200 sends every one again that failed since then, and tells how many", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { call, destination_id, job, request, waiting } = yield* setting({ status: 200 })
        const job_id = yield* job
        const ids: Array<string> = []
        for (let at = 0; at < 5; at++) ids.push((yield* request(job_id)).json.id)
        const fail = (id: string, at: string) =>
          sql(`UPDATE footnote.deliveries SET status = 'failed', finished_at = '${at}' WHERE id = '${id}'`)
        yield* fail(ids[0]!, "2026-01-01T00:00:00Z")
        for (const id of ids.slice(1, 4)) yield* fail(id, "2026-01-02T00:00:00Z")
        const recover = call("POST", `/v1/destinations/${destination_id}/recover`, {
          since: "2026-01-02T01:00:00+01:00"
        })
        const answer = yield* recover
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(answer.json, { count: 3 })
        for (const id of ids.slice(1, 4)) assert.deepStrictEqual(yield* waiting(id), [1, 1])
        const { json } = yield* call("GET", `/v1/deliveries?destination_id=${destination_id}&status=failed`)
        assert.deepStrictEqual(json.data.map(({ id }: { id: string }) => id), ids.slice(0, 1))
        assert.deepStrictEqual((yield* recover).json, { count: 0 })
      }))

    it.effect("200 takes more than one transaction holds", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { call, destination_id, job } = yield* setting({ status: 200 })
        const job_id = yield* job
        yield* sql(`INSERT INTO footnote.deliveries
            (id, tenant_id, job_id, destination_id, endpoint, event_id, event_type, status, finished_at)
          SELECT 'dlv_' || n, tenant_id, id, '${destination_id}', '${destination_id}', 'evt_' || n, 'job.succeeded', 'failed', now()
          FROM footnote.jobs, generate_series(1, 2300) n WHERE id = '${job_id}'`)
        const answer = yield* call("POST", `/v1/destinations/${destination_id}/recover`, {
          since: "2026-01-01T00:00:00Z"
        })
        assert.deepStrictEqual(answer.json, { count: 2300 })
      }))

    it.effect("400 INVALID_REQUEST for what is no instant", () =>
      Effect.gen(function*() {
        const { call, destination_id } = yield* setting({ status: 200 })
        for (const since of ["5", "yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z", 5, null]) {
          const answer = yield* call("POST", `/v1/destinations/${destination_id}/recover`, { since })
          assert.deepStrictEqual(codeOf(answer), [400, "INVALID_REQUEST"])
          assert.deepStrictEqual(answer.json.error.details.map(({ path }: { path: string }) => path), ["/since"])
        }
      }))
  })

  describe("a destination", () => {
    it.effect("that is paused gets nothing until it is active again, and then what was held", () =>
      Effect.gen(function*() {
        const { attempt, call, destination_id, inbox, job, request, waiting } = yield* setting({ status: 200 })
        yield* call("PATCH", `/v1/destinations/${destination_id}`, { status: "paused" })
        const { json: { id }, status } = yield* request(yield* job)
        assert.strictEqual(status, 201)
        yield* attempt(id)
        assert.lengthOf(inbox.received, 0)
        const held = { status: "pending", waits_for: "destination_paused", attempts: [], next_attempt_at: null }
        assert.deepInclude((yield* call("GET", `/v1/deliveries/${id}`)).json, held)
        yield* call("PATCH", `/v1/destinations/${destination_id}`, { status: "active" })
        assert.strictEqual((yield* call("GET", `/v1/deliveries/${id}`)).json.waits_for, "turn")
        assert.deepStrictEqual(yield* waiting(id), [1, 1])
        yield* attempt(id)
        assert.strictEqual((yield* call("GET", `/v1/deliveries/${id}`)).json.status, "succeeded")
      }))

    it.effect("that is broken gets what was held by a good test", () =>
      Effect.gen(function*() {
        const { attempt, call, destination_id, inbox, job, request, waiting } = yield* setting(
          { status: 410 },
          { status: 200 }
        )
        yield* call("POST", `/v1/destinations/${destination_id}/test`)
        const { json: { id } } = yield* request(yield* job)
        yield* attempt(id)
        assert.lengthOf(inbox.received, 1)
        const held = { status: "pending", waits_for: "destination_broken", attempts: [], next_attempt_at: null }
        assert.deepInclude((yield* call("GET", `/v1/deliveries/${id}`)).json, held)
        const { json: broken } = yield* call("GET", `/v1/destinations/${destination_id}`)
        assert.deepInclude(broken, { status: "broken", last_health_message: "answered 410" })
        assert.strictEqual((yield* call("POST", `/v1/destinations/${destination_id}/test`)).json.status, "active")
        assert.deepStrictEqual(yield* waiting(id), [1, 1])
        yield* attempt(id)
        assert.strictEqual((yield* call("GET", `/v1/deliveries/${id}`)).json.status, "succeeded")
      }))

    it.effect("that is deleted gets nothing that had not begun: it is cancelled", () =>
      Effect.gen(function*() {
        const { attempt, call, destination_id, inbox, job, request } = yield* setting({ status: 200 })
        const { json: { id } } = yield* request(yield* job)
        yield* call("DELETE", `/v1/destinations/${destination_id}`)
        assert.deepInclude((yield* call("GET", `/v1/deliveries/${id}`)).json, {
          status: "cancelled",
          next_attempt_at: null,
          destination_type: "webhook"
        })
        yield* attempt(id)
        assert.lengthOf(inbox.received, 0)
      }))

    it.effect("that is deleted while deliveries begin gets each of them or has it cancelled, never both", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { attempt, call, destination_id, inbox, job, request } = yield* setting({ status: 200 })
        const job_id = yield* job
        const ids: Array<string> = []
        const events = new Map<string, string>()
        for (let at = 0; at < 12; at++) {
          const { json } = yield* request(job_id)
          ids.push(json.id)
          events.set(json.event_id, json.id)
        }
        yield* sql("DELETE FROM footnote.endpoints")
        const deleted = call("DELETE", `/v1/destinations/${destination_id}`)
        yield* Effect.all([...ids.slice(0, 6).map(attempt), deleted, ...ids.slice(6).map(attempt)], {
          concurrency: "unbounded"
        })
        // Whoever found no room at the endpoint was put off, and finds the destination deleted.
        yield* Effect.forEach(ids, attempt)
        const received = inbox.received.map(({ headers }) => events.get(String(headers["webhook-id"])))
        assert.strictEqual(new Set(received).size, received.length)
        const { json } = yield* call("GET", `/v1/deliveries?destination_id=${destination_id}&limit=100`)
        for (const { id, status } of json.data) {
          assert.strictEqual(status, received.includes(id) ? "succeeded" : "cancelled", id)
        }
        assert.lengthOf(json.data, 12)
      }))

    it.effect("breaks when its deliveries have failed for five days without a success", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { attempt, call, destination_id, job, request } = yield* setting({ status: 500 })
        const status = Effect.map(call("GET", `/v1/destinations/${destination_id}`), ({ json }) => json.status)
        const { json: { id } } = yield* request(yield* job)
        yield* attempt(id)
        const failingSince = (interval: string) =>
          sql(
            `UPDATE footnote.destinations SET failing_since = now() - interval '${interval}' WHERE id = '${destination_id}'`
          )
        for (const [interval, expected] of [["4 days 23 hours", "active"], ["5 days", "broken"]] as const) {
          yield* failingSince(interval)
          yield* call("POST", `/v1/deliveries/${id}/retry`)
          yield* attempt(id)
          assert.strictEqual(yield* status, expected)
        }
      }))
  })

  it.effect("destination_ids of a job are the tenant's own, twenty at most, and none twice", () =>
    Effect.gen(function*() {
      const { call, destination_id } = yield* setting({ status: 200 })
      const stranger = yield* setting({ status: 200 })
      const submit = (destination_ids: ReadonlyArray<string>) =>
        call("POST", "/v1/jobs", { source_uri: "https://example.com/talk.mp4", destination_ids })
      const made = yield* submit([destination_id])
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(made.json.destination_ids, [destination_id])
      const refused = yield* submit([destination_id, stranger.destination_id, "nonsense"])
      assert.deepStrictEqual(codeOf(refused), [404, "DESTINATION_NOT_FOUND"])
      assert.deepStrictEqual(refused.json.error.details.map(({ path }: { path: string }) => path), [
        "/destination_ids/1",
        "/destination_ids/2"
      ])
      assert.deepStrictEqual(codeOf(yield* submit([destination_id, destination_id])), [400, "INVALID_REQUEST"])
      const many = Array.from({ length: 21 }, (_, at) => `${unknownDestination}${at}`)
      assert.deepStrictEqual(codeOf(yield* submit(many)), [400, "INVALID_REQUEST"])
      yield* call("DELETE", `/v1/destinations/${destination_id}`)
      assert.deepStrictEqual(codeOf(yield* submit([destination_id])), [404, "DESTINATION_NOT_FOUND"])
    }))
})
