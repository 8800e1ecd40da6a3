import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Scene from "../support/DeliveryScene.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

layer(Scene.layer, { excludeTestServices: true })("POST /v1/destinations/{id}/backfill", (it) => {
  const scene = Effect.gen(function*() {
    const setting = yield* Scene.setting({ status: 200 })
    const { call, destination_id } = setting
    yield* call("PATCH", `/v1/destinations/${destination_id}`, { status: "paused" })
    const path = `/v1/destinations/${destination_id}/backfill`
    const delivered = Effect.map(
      call("GET", `/v1/deliveries?destination_id=${destination_id}&limit=100`),
      ({ json }) => json.data.map(({ job_id }: { readonly job_id: string }) => job_id).toSorted()
    )
    return { ...setting, path, delivered }
  })

  it.effect("queues a delivery of every succeeded job that the destination has not been sent, and no second one", () =>
    Effect.gen(function*() {
      const { call, delivered, job, path, request } = yield* scene
      const [sent, first, second, erased] = [yield* job, yield* job, yield* job, yield* job]
      yield* request(sent)
      yield* call("DELETE", `/v1/jobs/${erased}`)
      yield* call("POST", "/v1/jobs", { source_uri: "https://example.com/queued.mp4" })
      assert.deepStrictEqual((yield* call("POST", path)).json, { count: 2, more: false })
      assert.deepStrictEqual(yield* delivered, [sent, first, second].toSorted())
      assert.deepStrictEqual((yield* call("POST", path)).json, { count: 0, more: false })
    }))

  it.effect("leaves out a job whose result it has been sent as reviewed", () =>
    Effect.gen(function*() {
      const { call, job, path, request } = yield* scene
      const { sql } = yield* TestServer
      const { json } = yield* request(yield* job)
      yield* sql(`UPDATE footnote.deliveries SET event_type = 'job.reviewed' WHERE id = '${json.id}'`)
      assert.deepStrictEqual((yield* call("POST", path)).json, { count: 0, more: false })
    }))

  it.effect("takes those alone that finished in the time that is asked for", () =>
    Effect.gen(function*() {
      const { call, delivered, job, path } = yield* scene
      const { sql } = yield* TestServer
      const [old, recent] = [yield* job, yield* job]
      yield* sql(`UPDATE footnote.jobs SET finished_at = '2026-01-02T00:00:00Z' WHERE id = '${old}'`)
      const in2026 = { finished_after: "2026-01-01T00:00:00Z", finished_before: "2026-01-03T00:00:00Z" }
      assert.deepStrictEqual((yield* call("POST", path, in2026)).json, { count: 1, more: false })
      assert.deepStrictEqual(yield* delivered, [old])
      assert.deepStrictEqual((yield* call("POST", path, {})).json, { count: 1, more: false })
      assert.deepStrictEqual(yield* delivered, [old, recent].toSorted())
    }))

  it.effect("queues one delivery of a job for twenty requests at the same moment", () =>
    Effect.gen(function*() {
      const { call, delivered, job, path } = yield* scene
      const jobs = [yield* job, yield* job, yield* job]
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => call("POST", path)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(answers.reduce((sum, { json }) => sum + json.count, 0), 3)
      assert.deepStrictEqual(yield* delivered, jobs.toSorted())
    }))

  it.effect("sends what it queued to its end, and what failed before once more", () =>
    Effect.gen(function*() {
      const { attempt, call, delivered, destination_id, inbox, job, path } = yield* scene
      const job_id = yield* job
      yield* call("POST", path)
      const { sql } = yield* TestServer
      yield* sql(
        `UPDATE footnote.deliveries SET status = 'failed', parked = false, finished_at = now() WHERE job_id = '${job_id}'`
      )
      assert.strictEqual((yield* call("POST", path)).json.count, 1)
      assert.deepStrictEqual(yield* delivered, [job_id, job_id])
      yield* call("PATCH", `/v1/destinations/${destination_id}`, { status: "active" })
      const { json } = yield* call("GET", `/v1/deliveries?destination_id=${destination_id}&status=pending`)
      yield* attempt(json.data[0].id)
      assert.strictEqual(JSON.parse(inbox.received[0]!.body).data.job.id, job_id)
      assert.strictEqual(inbox.received[0]!.headers["webhook-id"], `evt_${job_id.slice(4)}`)
    }))

  it.effect("404 DESTINATION_NOT_FOUND for an unknown id and another tenant's, byte for byte alike", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* scene, yield* scene]
      const unknown = yield* mine.call("POST", "/v1/destinations/dst_01kaj3bhyx7w5v3t1s9r7q5p3n/backfill")
      const foreign = yield* mine.call("POST", theirs.path)
      assert.deepStrictEqual([unknown.status, unknown.json.error.code], [404, "DESTINATION_NOT_FOUND"])
      const { request_id: _, ...error } = unknown.json.error
      const { request_id: __, ...foreignError } = foreign.json.error
      assert.deepStrictEqual([foreign.status, foreignError], [404, error])
    }))
})
