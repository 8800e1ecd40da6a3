import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import * as Scene from "../support/DeliveryScene.ts"
import * as Server from "../support/TestServer.ts"

const { setting } = Scene
const { TestServer } = Server

const codeOf = ({ json, status }: Server.Answer) => [status, json.error?.code]
const unknownDestination = "dst_01kaj3e5h8z9q0w1x2y3z4a5b6"

layer(Scene.layer, { excludeTestServices: true })("deliveries", (it) => {
  describe("POST /v1/jobs/{id}/deliveries", () => {
    it.effect("201 answers a pending delivery with its place, and it is in the queue", () =>
      Effect.gen(function*() {
        const { call, destination_id, job, request, waiting } = yield* setting({ status: 200 })
        const job_id = yield* job
        const made = yield* request(job_id)
        assert.strictEqual(made.status, 201)
        assert.strictEqual(made.headers["location"], `/v1/deliveries/${made.json.id}`)
        assert.deepStrictEqual(Object.keys(made.json), [
          "id",
          "job_id",
          "destination_id",
          "destination_type",
          "event_id",
          "event_type",
          "revision",
          "status",
          "attempts",
          "next_attempt_at",
          "created_at",
          "finished_at",
          "waits_for"
        ])
        assert.deepInclude(made.json, {
          job_id,
          destination_id,
          destination_type: "webhook",
          status: "pending",
          waits_for: "turn",
          attempts: [],
          finished_at: null
        })
        assert.deepStrictEqual((yield* call("GET", made.headers["location"]!)).json, made.json)
        assert.deepStrictEqual(yield* waiting(made.json.id), [1, 1])
      }))

    it.effect("201 takes a destination of any type, and two requests are two events", () =>
      Effect.gen(function*() {
        const { call, job, request } = yield* setting({ status: 200 })
        const slack = yield* call("POST", "/v1/destinations", {
          name: "s",
          type: "slack",
          config: { bot_token: "xoxb-1", channel: "C0123456789" }
        })
        const job_id = yield* job
        const first = yield* request(job_id, slack.json.id)
        assert.strictEqual(first.json.destination_type, "slack")
        const second = yield* request(job_id, slack.json.id)
        assert.notStrictEqual(first.json.event_id, second.json.event_id)
      }))

    it.effect("delivers the result, signed with the destination's secret", () =>
      Effect.gen(function*() {
        const { attempt, call, inbox, job, request, signing_secret } = yield* setting({ status: 200 })
        const job_id = yield* job
        const { json: { event_id, id } } = yield* request(job_id)
        yield* attempt(id)
        const { body, headers } = inbox.received[0]!
        const event = new Webhook(signing_secret).verify(body, headers as Record<string, string>) as any
        assert.deepInclude(event, { id: event_id, type: "job.succeeded" })
        assert.deepStrictEqual(event.data.job.result, { title: "Orbits" })
        const { json } = yield* call("GET", `/v1/deliveries/${id}`)
        assert.deepInclude(json, { status: "succeeded", next_attempt_at: null })
        assert.deepInclude(json.attempts[0], { number: 1, status_code: 200, error: null })
      }))

    it.effect("409 JOB_NOT_SUCCEEDED tells the job's status", () =>
      Effect.gen(function*() {
        const { call, request } = yield* setting({ status: 200 })
        const { json } = yield* call("POST", "/v1/jobs", { source_uri: "https://example.com/talk.mp4" })
        for (const status of ["queued", "cancelled"]) {
          const answer = yield* request(json.id)
          assert.deepStrictEqual(codeOf(answer), [409, "JOB_NOT_SUCCEEDED"])
          assert.deepStrictEqual(answer.json.error.details, [{ path: "status", message: status }])
          yield* call("POST", `/v1/jobs/${json.id}/cancel`)
        }
      }))

    it.effect("404 says which of the two is not there: the job before the destination", () =>
      Effect.gen(function*() {
        const { call, destination_id, job, request } = yield* setting({ status: 200 })
        const stranger = yield* setting({ status: 200 })
        const job_id = yield* job
        for (const other of ["job_01kaj3e5h8z9q0w1x2y3z4a5b6", "nonsense", yield* stranger.job]) {
          assert.deepStrictEqual(codeOf(yield* request(other, unknownDestination)), [404, "JOB_NOT_FOUND"])
        }
        yield* call("DELETE", `/v1/destinations/${destination_id}`)
        for (const other of [unknownDestination, "nonsense", stranger.destination_id, destination_id]) {
          assert.deepStrictEqual(codeOf(yield* request(job_id, other)), [404, "DESTINATION_NOT_FOUND"])
        }
      }))

    it.effect("makes nothing where the queue could not be written", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { call, job, request } = yield* setting({ status: 200 })
        const job_id = yield* job
        yield* sql("ALTER TABLE footnote.tasks ADD CONSTRAINT torn CHECK (stage <> 'deliver') NOT VALID")
        const answer = yield* Effect.ensuring(request(job_id), sql("ALTER TABLE footnote.tasks DROP CONSTRAINT torn"))
        assert.strictEqual(answer.status, 500)
        assert.deepStrictEqual((yield* call("GET", `/v1/jobs/${job_id}/deliveries`)).json.data, [])
      }))
  })

  describe("GET /v1/deliveries", () => {
    it.effect("200 pages through all of them once, newest first, and by job, destination and status", () =>
      Effect.gen(function*() {
        const { attempt, call, destination_id, job, request } = yield* setting({ status: 200 })
        const [first, second] = [yield* job, yield* job]
        const made: Array<string> = []
        for (const job_id of [first, first, second, second, second]) made.push((yield* request(job_id)).json.id)
        yield* attempt(made[0]!)
        const ids = (query: string) =>
          Effect.map(
            call("GET", `/v1/deliveries?${query}`),
            ({ json }) => json.data.map(({ id }: { id: string }) => id)
          )
        const seen: Array<string> = []
        for (let query = "limit=2"; query !== "";) {
          const { json } = yield* call("GET", `/v1/deliveries?${query}`)
          seen.push(...json.data.map(({ id }: { id: string }) => id))
          query = json.next_cursor === null ? "" : `limit=2&cursor=${json.next_cursor}`
        }
        assert.deepStrictEqual(seen, made.toReversed())
        assert.deepStrictEqual(yield* ids(`job_id=${first}`), made.slice(0, 2).toReversed())
        assert.deepStrictEqual(yield* ids(`job_id=${first}&status=succeeded`), made.slice(0, 1))
        assert.deepStrictEqual(
          yield* ids(`destination_id=${destination_id}&status=pending`),
          made.slice(1).toReversed()
        )
        for (const query of [`destination_id=${unknownDestination}`, "job_id=nonsense", "status=failed"]) {
          assert.deepStrictEqual(yield* ids(query), [])
        }
      }))

    it.effect("200 orders by when a delivery was made, not by when its job was", () =>
      Effect.gen(function*() {
        const { call, job, request } = yield* setting({ status: 200 })
        const early = (yield* call("POST", "/v1/jobs", {
          source_uri: "https://example.com/talk.mp4",
          webhook_url: "https://example.com/hook"
        })).json.id
        const { json: { id } } = yield* request(yield* job)
        yield* call("POST", `/v1/jobs/${early}/cancel`)
        const first = yield* call("GET", "/v1/deliveries?limit=1")
        assert.deepInclude(first.json.data[0], { job_id: early, destination_id: null, destination_type: "webhook" })
        const second = yield* call("GET", `/v1/deliveries?limit=1&cursor=${first.json.next_cursor}`)
        assert.strictEqual(second.json.data[0].id, id)
        assert.isNull(second.json.next_cursor)
      }))

    it.effect("200 shows nothing of another tenant, whatever is asked for", () =>
      Effect.gen(function*() {
        const owner = yield* setting({ status: 200 })
        const job_id = yield* owner.job
        const { json } = yield* owner.request(job_id)
        const asker = yield* setting({ status: 200 })
        for (const query of ["", `?job_id=${job_id}`, `?destination_id=${owner.destination_id}`]) {
          assert.deepStrictEqual((yield* asker.call("GET", `/v1/deliveries${query}`)).json.data, [])
        }
        for (
          const answer of [
            yield* asker.call("GET", `/v1/deliveries/${json.id}`),
            yield* asker.call("POST", `/v1/deliveries/${json.id}/retry`)
          ]
        ) assert.deepStrictEqual(codeOf(answer), [404, "DELIVERY_NOT_FOUND"])
      }))

    it.effect("400 INVALID_REQUEST for a status that is none and a cursor of another list", () =>
      Effect.gen(function*() {
        const { call } = yield* setting({ status: 200 })
        for (const query of ["status=held", `cursor=${btoa("dst_1")}`, "limit=101"]) {
          assert.deepStrictEqual(codeOf(yield* call("GET", `/v1/deliveries?${query}`)), [400, "INVALID_REQUEST"])
        }
      }))
  })

  describe("POST /v1/deliveries/{id}/retry", () => {
    it.effect("200 sends a failed one again under the same event id, with what was before in its log", () =>
      Effect.gen(function*() {
        const { attempt, call, inbox, job, request, waiting } = yield* setting({ status: 410 }, { status: 200 })
        const { json: { event_id, id } } = yield* request(yield* job)
        yield* attempt(id)
        assert.strictEqual((yield* call("GET", `/v1/deliveries/${id}`)).json.status, "failed")
        const again = yield* call("POST", `/v1/deliveries/${id}/retry`)
        assert.strictEqual(again.status, 200)
        assert.deepInclude(again.json, { status: "pending", event_id, finished_at: null })
        assert.deepStrictEqual(yield* waiting(id), [1, 1])
        // The 410 has broken the destination, so it waits until that is made good.
        const { json: { destination_id } } = again
        yield* attempt(id)
        assert.lengthOf(inbox.received, 1)
        yield* call("PATCH", `/v1/destinations/${destination_id}`, { status: "active" })
        yield* attempt(id)
        const { json } = yield* call("GET", `/v1/deliveries/${id}`)
        assert.strictEqual(json.status, "succeeded")
        assert.deepStrictEqual(json.attempts.map((made: any) => [made.number, made.status_code]), [[1, 410], [2, 200]])
        assert.deepStrictEqual(inbox.received.map(({ headers }) => headers["webhook-id"]), [event_id, event_id])
      }))

    it.effect("200 sends one that waits for its next attempt now, once", () =>
      Effect.gen(function*() {
        const { attempt, call, inbox, job, request, waiting } = yield* setting({ status: 500 }, { status: 200 })
        const { json: { id } } = yield* request(yield* job)
        assert.isNotNull((yield* attempt(id)).retry_at)
        for (let times = 0; times < 3; times++) yield* call("POST", `/v1/deliveries/${id}/retry`)
        assert.deepStrictEqual(yield* waiting(id), [1, 1])
        yield* attempt(id)
        assert.strictEqual((yield* call("GET", `/v1/deliveries/${id}`)).json.status, "succeeded")
        assert.lengthOf(inbox.received, 2)
      }))

    it.effect("200 leaves one that is being attempted as it is", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { call, job, request } = yield* setting({ status: 200 })
        const { json: { id } } = yield* request(yield* job)
        yield* sql(`UPDATE footnote.deliveries SET status = 'delivering' WHERE id = '${id}'`)
        const before = (yield* call("GET", `/v1/deliveries/${id}`)).json
        assert.deepStrictEqual((yield* call("POST", `/v1/deliveries/${id}/retry`)).json, before)
      }))

    it.effect("404 where the delivery, its destination or its job is not there any more", () =>
      Effect.gen(function*() {
        const { attempt, call, destination_id, job, request } = yield* setting({ status: 200 })
        const job_id = yield* job
        const { json: { id } } = yield* request(job_id)
        yield* attempt(id)
        for (const other of ["dlv_01kaj3e5h8z9q0w1x2y3z4a5b6", "nonsense"]) {
          assert.deepStrictEqual(codeOf(yield* call("POST", `/v1/deliveries/${other}/retry`)), [
            404,
            "DELIVERY_NOT_FOUND"
          ])
        }
        yield* call("DELETE", `/v1/jobs/${job_id}`)
        assert.deepStrictEqual(codeOf(yield* call("POST", `/v1/deliveries/${id}/retry`)), [404, "JOB_NOT_FOUND"])
        yield* call("DELETE", `/v1/destinations/${destination_id}`)
        assert.deepStrictEqual(codeOf(yield* call("POST", `/v1/deliveries/${id}/retry`)), [
          404,
          "DESTINATION_NOT_FOUND"
        ])
      }))
  })
})
