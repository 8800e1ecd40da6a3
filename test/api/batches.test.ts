import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { BatchEnds } from "../../src/jobs/engine/BatchEnds.ts"
import * as Scene from "../support/DeliveryScene.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

interface Made {
  readonly job: { readonly id: string }
}

const scene = Effect.gen(function*() {
  const { send } = yield* TestServer
  const setting = yield* Scene.setting({ status: 200 })
  const { call, destination_id, key } = setting
  yield* call("PATCH", `/v1/destinations/${destination_id}`, { events: ["batch.completed"] })
  const item = { source_uri, destination_ids: [destination_id] }
  const submit = (jobs: ReadonlyArray<object>, idempotency_key?: string) =>
    send("POST", "/v1/jobs/batch", {
      key,
      json: { jobs },
      ...(idempotency_key === undefined ? {} : { headers: { "idempotency-key": idempotency_key } })
    })
  const read = (id: string) => Effect.map(call("GET", `/v1/batches/${id}`), ({ json }) => json)
  const cancel = (id: string) => call("POST", `/v1/jobs/${id}/cancel`)
  const told = Effect.map(
    call("GET", `/v1/deliveries?destination_id=${destination_id}`),
    ({ json }) => json.data as ReadonlyArray<{ readonly id: string; readonly event_type: string }>
  )
  return { ...setting, item, submit, read, cancel, told }
})

layer(Scene.layer, { excludeTestServices: true })("batches", (it) => {
  describe("GET /v1/batches/{id}", () => {
    it.effect("counts the items by the status of their job, and says what became of each", () =>
      Effect.gen(function*() {
        const { call, cancel, item, read, submit } = yield* scene
        const made = yield* submit([item, item, { source_uri: "http://10.0.0.1/a.mp4" }])
        const { data, id } = made.json
        assert.match(id, /^bat_/u)
        assert.strictEqual(made.headers["location"], `/v1/batches/${id}`)
        const [first, second] = [data[0].job.id, data[1].job.id]
        const begun = yield* read(id)
        assert.deepInclude(begun, { id, status: "running", size: 3, completed_at: null, progress: { fraction: 0.333 } })
        const none = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, refused: 0 }
        assert.deepStrictEqual(begun.counts, { ...none, queued: 2, refused: 1 })
        assert.deepStrictEqual(
          begun.items.map(({ error, job_id }: any) => [job_id, error?.code]),
          [[first, undefined], [second, undefined], [null, "SOURCE_BLOCKED"]]
        )
        yield* cancel(first)
        assert.deepStrictEqual((yield* read(id)).counts, { ...none, queued: 1, cancelled: 1, refused: 1 })
        yield* cancel(second)
        const ended = yield* read(id)
        assert.deepInclude(ended, { status: "completed", progress: { fraction: 1 } })
        assert.isString(ended.completed_at)
        const { items: _, ...record } = ended
        assert.deepStrictEqual((yield* call("GET", "/v1/batches")).json, { data: [record], next_cursor: null })
        const jobs = (yield* call("GET", `/v1/jobs?batch_id=${id}`)).json.data.map((job: any) => job.id)
        assert.sameMembers(jobs, [first, second])
      }))

    it.effect("is completed at once where no item became a job, or the jobs of their keys had ended", () =>
      Effect.gen(function*() {
        const { cancel, item, read, submit, told } = yield* scene
        const none = yield* submit([{ source_uri: "http://10.0.0.1/a.mp4" }])
        assert.strictEqual((yield* read(none.json.id)).status, "completed")
        assert.lengthOf(yield* told, 0)
        const keyed = { ...item, idempotency_key: "one" }
        yield* cancel((yield* submit([keyed])).json.data[0].job.id)
        const again = yield* submit([keyed])
        assert.strictEqual(again.json.data[0].status, 200)
        assert.strictEqual((yield* read(again.json.id)).status, "completed")
        assert.lengthOf(yield* told, 2)
      }))
  })

  describe("batch.completed", () => {
    it.effect("is told once, signed, when the last job has ended, to the webhooks that its jobs name and that ask", () =>
      Effect.gen(function*() {
        const { attempt, cancel, inbox, item, read, signing_secret, submit, told } = yield* scene
        const { data, id } = (yield* submit([item, item, { source_uri }])).json
        for (const [at, { job }] of data.entries()) {
          assert.lengthOf(yield* told, 0, String(at))
          yield* cancel(job.id)
        }
        const [delivery] = yield* told
        assert.strictEqual(delivery!.event_type, "batch.completed")
        yield* attempt(delivery!.id)
        const [received] = inbox.received
        new Webhook(signing_secret as string).verify(received!.body, received!.headers as Record<string, string>)
        const { items: _, ...batch } = yield* read(id)
        assert.deepInclude(JSON.parse(received!.body), { type: "batch.completed", data: { batch } })
        assert.strictEqual(received!.headers["webhook-id"], `evt_${id.slice(4)}`)
      }))

    it.effect("is told, and told again on demand, though the job that ended last has been erased, with the same bytes", () =>
      Effect.gen(function*() {
        const { attempt, call, cancel, inbox, item, read, submit, told } = yield* scene
        const { data, id } = (yield* submit([item])).json
        yield* cancel(data[0].job.id)
        const [delivery] = yield* told
        assert.strictEqual((yield* call("DELETE", `/v1/jobs/${data[0].job.id}`)).status, 200)
        yield* attempt(delivery!.id)
        const { items: _, ...batch } = yield* read(id)
        assert.deepInclude(JSON.parse(inbox.received[0]!.body), { type: "batch.completed", data: { batch } })
        assert.strictEqual((yield* call("POST", `/v1/deliveries/${delivery!.id}/retry`)).status, 200)
        yield* attempt(delivery!.id)
        assert.strictEqual(inbox.received[1]!.body, inbox.received[0]!.body)
      }))

    it.effect("is told once where all jobs end at the same moment, and where they end while the batch is closed", () =>
      Effect.gen(function*() {
        const { cancel, item, submit, told } = yield* scene
        const { data, id } = (yield* submit(Array.from({ length: 12 }, () => item))).json
        const { sql } = yield* TestServer
        yield* sql(`UPDATE footnote.batches SET closed_at = NULL WHERE id = '${id}'`)
        const { close } = yield* BatchEnds
        yield* Effect.all(
          [...(data as ReadonlyArray<Made>).map(({ job }) => cancel(job.id)), close(id), close(id)],
          { concurrency: "unbounded" }
        )
        assert.lengthOf(yield* told, 1)
      }))

    it.effect("is told where a job that an item's key had made ends while its item is judged, before the batch is closed", () =>
      Effect.gen(function*() {
        const { item, read, submit, told } = yield* scene
        const { data, id } = (yield* submit([item])).json
        const { sql } = yield* TestServer
        yield* sql(`UPDATE footnote.batches SET closed_at = NULL WHERE id = '${id}'`)
        const { close } = yield* BatchEnds
        const client = yield* SqlClient.SqlClient
        const [ended, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // Its end has looked for batches before this one had it.
        const ending = yield* Effect.forkChild(client.withTransaction(
          client`UPDATE footnote.jobs SET status = 'cancelled', finished_at = now() WHERE id = ${data[0].job.id}`.pipe(
            Effect.andThen(Deferred.succeed(ended, undefined)),
            Effect.andThen(Deferred.await(commit))
          )
        ))
        yield* Deferred.await(ended)
        const closing = yield* Effect.forkChild(close(id))
        yield* sql<{ readonly n: number }>("SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted").pipe(
          Effect.repeat({ until: ([waits]) => waits!.n > 0 || closing.pollUnsafe() !== undefined })
        )
        yield* Deferred.succeed(commit, undefined)
        yield* Effect.all([Fiber.join(ending), Fiber.join(closing)])
        assert.strictEqual((yield* read(id)).status, "completed")
        assert.lengthOf(yield* told, 1)
      }))

    it.effect("is told of a batch whose request died, with what it had made", () =>
      Effect.gen(function*() {
        const { cancel, item, read, submit, told } = yield* scene
        const { data, id } = (yield* submit([item, item])).json
        const { sql } = yield* TestServer
        yield* sql(`UPDATE footnote.batches SET closed_at = NULL WHERE id = '${id}'`)
        yield* Effect.forEach(data as ReadonlyArray<Made>, ({ job }) => cancel(job.id))
        const { closeAbandoned } = yield* BatchEnds
        yield* closeAbandoned
        assert.strictEqual((yield* read(id)).status, "running")
        yield* sql(`UPDATE footnote.batches SET created_at = now() - interval '1 hour' WHERE id = '${id}'`)
        yield* closeAbandoned
        assert.strictEqual((yield* read(id)).status, "completed")
        assert.lengthOf(yield* told, 1)
      }))

    it.effect("422 for a destination of a type that is sent one job at a time", () =>
      Effect.gen(function*() {
        const { call } = yield* scene
        const config = { bot_token: "xoxb-1", channel: "C0123456789" }
        const refused = yield* call("POST", "/v1/destinations", {
          name: "s",
          type: "slack",
          config,
          events: ["batch.completed"]
        })
        assert.deepStrictEqual([refused.status, refused.json.error.code], [422, "DESTINATION_CONFIG_INVALID"])
      }))
  })

  describe("Idempotency-Key at POST /v1/jobs/batch", () => {
    it.effect("replays what became of each item, refusals and secrets included, and makes nothing", () =>
      Effect.gen(function*() {
        const { call, item, submit } = yield* scene
        const jobs = [{ ...item, webhook_url: "https://example.com/hook" }, { source_uri: "http://10.0.0.1/a" }]
        const first = yield* submit(jobs, "once")
        const replay = yield* submit(jobs, "once")
        assert.strictEqual(replay.headers["idempotent-replayed"], "true")
        assert.strictEqual(replay.json.id, first.json.id)
        assert.deepStrictEqual(replay.json.data.map(({ status }: any) => status), [200, 422])
        assert.deepStrictEqual(replay.json.data[0].job, first.json.data[0].job)
        assert.deepStrictEqual(replay.json.data[1].error, first.json.data[1].error)
        assert.lengthOf((yield* call("GET", "/v1/jobs")).json.data, 1)
        const conflict = yield* submit([item], "once")
        assert.deepStrictEqual([conflict.status, conflict.json.error.code], [422, "IDEMPOTENCY_KEY_CONFLICT"])
      }))

    it.effect("makes one batch and one job of each item of 50 first uses at the same moment", () =>
      Effect.gen(function*() {
        const { call, item, submit } = yield* scene
        const answers = yield* Effect.forEach(
          Array.from({ length: 50 }),
          () => submit([item, item, item], "storm"),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(answers.map(({ json }) => json.id)).size, 1)
        assert.lengthOf((yield* call("GET", "/v1/jobs?limit=100")).json.data, 3)
        assert.lengthOf((yield* call("GET", "/v1/batches")).json.data, 1)
        const ids = new Set(answers.map(({ json }) => json.data.map(({ job }: any) => job.id).join(" ")))
        assert.strictEqual(ids.size, 1)
      }))

    it.effect("goes on where a request broke off: what was made stays, the rest is made", () =>
      Effect.gen(function*() {
        const { call, item, read, submit } = yield* scene
        const { data, id } = (yield* submit([item, item], "broken")).json
        const { sql } = yield* TestServer
        const lost = data[1].job.id
        yield* sql(`UPDATE footnote.batches SET closed_at = NULL WHERE id = '${id}'`)
        for (const table of ["batch_items", "idempotency_keys"]) {
          yield* sql(`DELETE FROM footnote.${table} WHERE job_id = '${lost}'`)
        }
        yield* sql(`DELETE FROM footnote.jobs WHERE id = '${lost}'`)
        const again = yield* submit([item, item], "broken")
        assert.strictEqual(again.json.id, id)
        assert.deepStrictEqual(again.json.data.map(({ status }: any) => status), [200, 201])
        assert.strictEqual(again.json.data[0].job.id, data[0].job.id)
        assert.lengthOf((yield* call("GET", "/v1/jobs")).json.data, 2)
        assert.strictEqual((yield* read(id)).counts.queued, 2)
      }))
  })
})
