import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, DateTime, Effect, Layer, type Schema } from "effect"
import { Webhook, WebhookVerificationError } from "standardwebhooks"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import { makeDelivery } from "../../../workers/delivery/DeliveryStage.ts"
import type { DeliveryHandler } from "../../../workers/engine/Stage.ts"
import { captured } from "../../support/LogLines.ts"
import { receiver, type Reply } from "../../support/Receiver.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

class Deliver
  extends Context.Service<Deliver, DeliveryHandler>()("footnote/test/workers/delivery/DeliveryStage.test/Deliver")
{}

const over = (config: Record<string, string>) =>
  Layer.effect(Deliver, makeDelivery).pipe(
    Layer.provide(DestinationHealth.layer),
    Layer.provideMerge(Connectors.layer),
    Layer.provideMerge(Server.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      FOOTNOTE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      FOOTNOTE_PUBLIC_URL: "https://footnote.test/",
      ...config
    })))
  )

/** A job with a webhook at a receiver of its own, brought to an end. */
const ended = Effect.fn("ended")(function*(
  replies: readonly [Reply, ...ReadonlyArray<Reply>],
  result?: Schema.Json,
  source_uri = "https://example.com/talk.mp4"
) {
  const { send, succeed, tenant } = yield* TestServer
  const { key, tenant_id } = yield* tenant("a")
  const inbox = yield* receiver(...replies)
  const created = yield* send("POST", "/v1/jobs", {
    key,
    json: { source_uri, webhook_url: inbox.url }
  })
  assert.strictEqual(created.status, 201, created.text)
  const { id, webhook_signing_secret } = created.json
  yield* send("POST", `/v1/jobs/${id}/cancel`, { key })
  const delivery_id = `dlv_${id.slice(4)}`
  if (result !== undefined) {
    yield* succeed(id, { result })
    yield* (yield* TestServer).sql(
      `UPDATE footnote.deliveries SET event_type = 'job.succeeded' WHERE id = '${delivery_id}'`
    )
  }
  const deliver = yield* Deliver
  return {
    id,
    key,
    inbox,
    secret: webhook_signing_secret as string,
    attempt: deliver({ delivery_id, turn: 0, job_id: id, tenant_id, attempt: 0 }),
    /** As if the time of the next attempt had come, and the breaker had closed again. */
    due: (yield* TestServer).sql(
      `WITH e AS (DELETE FROM footnote.endpoints)
        UPDATE footnote.deliveries SET next_attempt_at = now() WHERE id = '${delivery_id}'`
    ),
    shown: Effect.map(send("GET", `/v1/jobs/${id}/deliveries`, { key }), ({ json }) => json.data[0])
  }
})

const secondsUntil = (date: Date | null) =>
  Effect.map(DateTime.now, (now) => ((date?.getTime() ?? 0) - now.epochMilliseconds) / 1000)

layer(over({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" }), { excludeTestServices: true })("a job's webhook", (it) => {
  it.effect("is signed so that a Standard Webhooks library accepts it with the job's secret and with no other", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 204 }])
      assert.deepStrictEqual(yield* job.attempt, { retry_at: null })
      const [{ body, headers }] = job.inbox.received as [typeof job.inbox.received[0] & {}]
      const event = new Webhook(job.secret).verify(body, headers as Record<string, string>) as any
      assert.deepStrictEqual(Object.keys(event), ["id", "type", "created_at", "data"])
      assert.strictEqual(event.id, headers["webhook-id"])
      assert.match(event.id, /^evt_[0-9a-z]+$/u)
      assert.strictEqual(event.type, "job.cancelled")
      assert.deepInclude(event.data.job, { id: job.id, status: "cancelled", result: null })
      assert.strictEqual(headers["content-type"], "application/json")
      const other = new Webhook(`whsec_${Buffer.alloc(32, 1).toString("base64")}`)
      assert.throws(() => other.verify(body, headers as Record<string, string>), WebhookVerificationError)
      assert.throws(
        () => new Webhook(job.secret).verify(body.replace("cancelled", "succeeded"), headers as Record<string, string>),
        WebhookVerificationError
      )
      assert.deepInclude(yield* job.shown, { status: "succeeded", next_attempt_at: null, event_id: event.id })
    }))

  it.effect("carries the job as the API shows it but for where it is sent, with its result", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const job = yield* ended([{ status: 200 }], { title: "Ωrbits" })
      yield* job.attempt
      const event = JSON.parse(job.inbox.received[0]!.body)
      assert.strictEqual(event.type, "job.succeeded")
      const { json: shown } = yield* send("GET", `/v1/jobs/${job.id}`, { key: job.key })
      assert.deepStrictEqual(event.data.job, { ...shown, webhook_url: null })
      assert.notProperty(event.data, "result_url")
    }))

  it.effect("tells its owner, and no receiver, what opens the source and where else the event goes", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (
        const [source_uri, told] of [
          ["https://media.example/a.mp4?token=s3cret", "https://media.example/a.mp4"],
          ["https://media.example/a.mp4?v=2&X-Amz-Signature=s3cret", "https://media.example/a.mp4"],
          ["https://media.example/watch?v=2", "https://media.example/watch?v=2"]
        ] as const
      ) {
        for (const result of [{ title: "Orbits" }, { text: "x".repeat(1024 * 1024) }]) {
          const job = yield* ended([{ status: 200 }], result, source_uri)
          yield* job.attempt
          const { body } = job.inbox.received[0]!
          assert.notInclude(body, "s3cret")
          assert.notInclude(body, job.inbox.url)
          assert.strictEqual(JSON.parse(body).data.job.source_uri, told)
          const { json } = yield* send("GET", `/v1/jobs/${job.id}`, { key: job.key })
          assert.deepInclude(json, { source_uri, webhook_url: job.inbox.url })
        }
      }
    }))

  it.effect("leaves a result out that would make it larger than 1 MiB, and names where it is", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 200 }], { text: "x".repeat(1024 * 1024) })
      yield* job.attempt
      const { body } = job.inbox.received[0]!
      assert.isBelow(body.length, 10_000)
      const { data } = JSON.parse(body)
      assert.notProperty(data.job, "result")
      assert.strictEqual(data.result_url, `https://footnote.test/v1/jobs/${job.id}`)
    }))

  it.effect("is tried again after 5 s, under the same id, and every attempt is on record", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 500 }, { status: 200 }])
      const { retry_at } = yield* job.attempt
      const wait = yield* secondsUntil(retry_at)
      assert.isTrue(wait > 3 && wait < 6.1, `${wait} s`)
      assert.deepInclude(yield* job.shown, { status: "pending", next_attempt_at: retry_at?.toISOString() })
      yield* job.due
      assert.deepStrictEqual(yield* job.attempt, { retry_at: null })
      const [first, second] = job.inbox.received
      assert.strictEqual(first!.headers["webhook-id"], second!.headers["webhook-id"])
      assert.strictEqual(first!.body, second!.body)
      const shown = yield* job.shown
      assert.strictEqual(shown.status, "succeeded")
      assert.deepStrictEqual(
        shown.attempts.map((attempt: any) => [attempt.number, attempt.status_code, attempt.error]),
        [[1, 500, "answered 500"], [2, 200, null]]
      )
      assert.deepStrictEqual(Object.keys(shown.attempts[0]).toSorted(), [
        "at",
        "duration_ms",
        "error",
        "number",
        "status_code"
      ])
    }))

  it.effect("waits as long as Retry-After asks", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 503, headers: { "retry-after": "120" } }])
      const wait = yield* secondsUntil((yield* job.attempt).retry_at)
      assert.isTrue(wait > 115 && wait <= 120, `${wait} s`)
    }))

  it.effect("ends for good when the receiver says 410", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 410 }])
      assert.deepStrictEqual(yield* job.attempt, { retry_at: null })
      assert.strictEqual((yield* job.shown).status, "failed")
      assert.deepStrictEqual(yield* job.attempt, { retry_at: null })
      assert.strictEqual(job.inbox.received.length, 1)
    }))

  it.effect("follows no redirect", () =>
    Effect.gen(function*() {
      const elsewhere = yield* receiver({ status: 200 })
      const job = yield* ended([{ status: 307, headers: { location: elsewhere.url } }])
      assert.isNotNull((yield* job.attempt).retry_at)
      assert.strictEqual(elsewhere.received.length, 0)
      assert.strictEqual((yield* job.shown).attempts[0].error, "answered 307")
    }))

  it.effect("fails after ten attempts, and the log says that it is given up, with its ids", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 500 }])
      for (let number = 1; number < 10; number++) {
        assert.isNotNull((yield* job.attempt).retry_at, `after attempt ${number}`)
        yield* job.due
      }
      const { lines, logged } = captured()
      assert.deepStrictEqual(yield* logged(job.attempt), { retry_at: null })
      const said = lines.find(({ text }) => text.includes("given up"))
      assert.deepInclude(said?.annotations, {
        delivery_id: `dlv_${job.id.slice(4)}`,
        number: 10,
        error: "answered 500"
      })
      assert.strictEqual(job.inbox.received.length, 10)
      assert.strictEqual((yield* job.shown).status, "failed")
    }))

  it.effect("is not sent again by a worker that takes up an attempt whose books are closed", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 500 }])
      const first = yield* job.attempt
      assert.deepStrictEqual(yield* job.attempt, first)
      assert.strictEqual(job.inbox.received.length, 1)
    }))

  it.effect("is dropped with the job that it would tell of", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const job = yield* ended([{ status: 200 }])
      yield* send("DELETE", `/v1/jobs/${job.id}`, { key: job.key })
      assert.deepStrictEqual(yield* job.attempt, { retry_at: null })
      assert.strictEqual(job.inbox.received.length, 0)
    }))
})

const Unnamed = over({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8", FOOTNOTE_PUBLIC_URL: "", PORT: "9123" })

layer(Unnamed, { excludeTestServices: true })("a webhook of a service without a public address", (it) => {
  it.effect("names where the API listens by HOST and PORT", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 200 }], { text: "x".repeat(1024 * 1024) })
      yield* job.attempt
      const { data } = JSON.parse(job.inbox.received[0]!.body)
      assert.strictEqual(data.result_url, `http://127.0.0.1:9123/v1/jobs/${job.id}`)
    }))
})

/** Jobs are taken under a policy that allows the receiver, deliveries are made under one that does not. */
const strict = ConfigProvider.layer(ConfigProvider.fromUnknown({
  FOOTNOTE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64")
}))
const Stricter = Layer.effect(Deliver, makeDelivery).pipe(
  Layer.provide(DestinationHealth.layer),
  Layer.provide(Layer.fresh(Connectors.layer)),
  Layer.provide(strict),
  Layer.provideMerge(over({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" }))
)

layer(Stricter, { excludeTestServices: true })("a webhook to a private address", (it) => {
  it.effect("is refused when it is sent, and no socket is opened", () =>
    Effect.gen(function*() {
      const job = yield* ended([{ status: 200 }])
      assert.deepStrictEqual(yield* job.attempt, { retry_at: null })
      assert.strictEqual(job.inbox.received.length, 0)
      const shown = yield* job.shown
      assert.strictEqual(shown.status, "failed")
      assert.deepInclude(shown.attempts[0], { status_code: null, error: "The address is not a public one." })
    }))
})
