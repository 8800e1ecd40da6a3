import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { Webhook as Svix } from "svix"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import { DeliveryQueue } from "../../../src/deliveries/queue/DeliveryQueue.ts"
import { retrySchedule } from "../../../src/deliveries/queue/RetrySchedule.ts"
import type { JobId, TenantId } from "../../../src/identity/Id.ts"
import type { FoundDelivery } from "../../../workers/delivery/BeginAttempt.ts"
import { makeDelivery } from "../../../workers/delivery/DeliveryStage.ts"
import { makeRecord } from "../../../workers/delivery/RecordAttempt.ts"
import type { DeliveryHandler } from "../../../workers/engine/Stage.ts"
import { receiver, type Reply } from "../../support/Receiver.ts"
import * as Server from "../../support/TestServer.ts"
import { VendorOrigin } from "../../support/vendors/VendorOrigin.ts"

const { TestServer } = Server

class Deliver
  extends Context.Service<Deliver, DeliveryHandler>()("footnote/test/workers/delivery/Holding.test/Deliver")
{}

const Services = Layer.effect(Deliver, makeDelivery).pipe(
  Layer.provideMerge(DestinationHealth.layer),
  Layer.provideMerge(Connectors.layer),
  Layer.provideMerge(Server.layerWithoutJanitor),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
    FOOTNOTE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8"
  })))
)

interface Row {
  readonly id: string
  readonly status: string
  readonly parked: boolean
  readonly turn: number
  readonly attempts: number
  readonly event_id: string
  readonly event_type: string
}

const rowsOf = Effect.fnUntraced(function*(destination_id: string) {
  const sql = yield* PgClient.PgClient
  return yield* sql<Row>`
    SELECT d.id, d.status, d.parked, d.turn, d.event_id, d.event_type,
      (SELECT count(*)::int FROM footnote.delivery_attempts a WHERE a.delivery_id = d.id) AS attempts
    FROM footnote.deliveries d WHERE d.destination_id = ${destination_id} ORDER BY d.id`
})

/** Runs a delivery's present task, as a worker that claims it does. */
const run = Effect.fnUntraced(function*(row: { readonly id: string }, turn?: number) {
  const sql = yield* PgClient.PgClient
  const deliver = yield* Deliver
  const [now] = yield* sql<{ readonly turn: number; readonly job_id: JobId; readonly tenant_id: TenantId }>`
    SELECT turn, job_id, tenant_id FROM footnote.deliveries WHERE id = ${row.id}`
  return yield* deliver({ delivery_id: row.id, attempt: 0, ...now!, turn: turn ?? now!.turn })
})

const dueNow = (destination_id: string) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) =>
      sql`WITH e AS (UPDATE footnote.endpoints SET open_until = now(), blocked_until = now())
      UPDATE footnote.deliveries SET next_attempt_at = now() WHERE destination_id = ${destination_id}
        AND finished_at IS NULL`
  )

/** As if other workers were at these; with `apart` each at an endpoint of its own. */
const delivering = (ids: ReadonlyArray<string>, apart = false) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) =>
      sql`UPDATE footnote.deliveries SET status = 'delivering', begun = 1, unsure_from = now(), unsure_until = now(),
      endpoint = CASE WHEN ${apart} THEN id ELSE endpoint END WHERE id IN ${sql.in(ids)}`
  )

/** A webhook destination at a receiver of its own, and so many jobs that have succeeded and go to it. */
const arranged = Effect.fnUntraced(function*(
  jobs: number,
  replies: readonly [Reply, ...ReadonlyArray<Reply>] = [{ status: 204 }]
) {
  const { send, succeed, tenant } = yield* TestServer
  const { key, tenant_id } = yield* tenant("a")
  const inbox = yield* receiver(...replies)
  const made = yield* send("POST", "/v1/destinations", {
    key,
    json: { name: "Receiver", type: "webhook", config: { url: inbox.url } }
  })
  assert.strictEqual(made.status, 201, made.text)
  const { id, signing_secret } = made.json
  const deliveryQueue = yield* DeliveryQueue
  const job_ids: Array<string> = []
  for (let number = 0; number < jobs; number++) {
    const created = yield* send("POST", "/v1/jobs", {
      key,
      json: { source_uri: "https://example.com/talk.mp4", destination_ids: [id] }
    })
    assert.strictEqual(created.status, 201, created.text)
    yield* succeed(created.json.id, { result: { number } })
    yield* deliveryQueue.enqueue({ id: created.json.id, tenant_id, weight: 1 }, "succeeded")
    job_ids.push(created.json.id)
  }
  return {
    id,
    key,
    tenant_id,
    secret: signing_secret as string,
    inbox,
    job_ids,
    rows: rowsOf(id),
    patch: (json: object) => send("PATCH", `/v1/destinations/${id}`, { key, json }),
    shown: Effect.map(send("GET", `/v1/destinations/${id}`, { key }), ({ json }) => json)
  }
})

layer(Services, { excludeTestServices: true })("deliveries to a destination", (it) => {
  it.effect("are made for every destination of a job that succeeds, with one event, and for none that is deleted", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, job_ids, key, rows, tenant_id } = yield* arranged(1)
      const [row] = yield* rows
      assert.deepInclude(row!, { status: "pending", event_type: "job.succeeded" })
      assert.strictEqual(row!.event_id.slice(4), job_ids[0]!.slice(4))
      yield* send("DELETE", `/v1/destinations/${id}`, { key })
      yield* (yield* DeliveryQueue).enqueue({ id: job_ids[0]! as JobId, tenant_id, weight: 1 }, "succeeded")
      assert.deepStrictEqual((yield* rows).map(({ status }) => status), ["cancelled"])
    }))

  it.effect("carry a signature of the destination's secret, and of the old one too while it is kept", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, inbox, key, rows, secret } = yield* arranged(2)
      const [one, two] = yield* rows
      yield* run(one!)
      const rotated = yield* send("POST", `/v1/destinations/${id}/rotate-signing-secret`, {
        key,
        json: { keep_old_for_seconds: 60 }
      })
      yield* run(two!)
      const [first, second] = inbox.received.map(({ body, headers }) => ({ body, headers: headers as any }))
      for (const Library of [Webhook, Svix]) {
        new Library(secret).verify(first!.body, first!.headers)
        new Library(secret).verify(second!.body, second!.headers)
        new Library(rotated.json.signing_secret).verify(second!.body, second!.headers)
        assert.throws(() => new Library(rotated.json.signing_secret).verify(first!.body, first!.headers))
      }
    }))

  it.effect("wait while it is paused, without an attempt, and go when it is active again", () =>
    Effect.gen(function*() {
      const { inbox, patch, rows } = yield* arranged(1)
      yield* patch({ status: "paused" })
      const [row] = yield* rows
      assert.deepStrictEqual(yield* run(row!), { retry_at: null })
      assert.deepInclude((yield* rows)[0]!, { status: "pending", parked: true, attempts: 0 })
      assert.strictEqual(yield* (yield* DeliveryQueue).releaseReady, 0)
      yield* patch({ status: "active" })
      assert.deepInclude((yield* rows)[0]!, { status: "pending", parked: false, turn: 1 })
      yield* run(row!)
      assert.deepInclude((yield* rows)[0]!, { status: "succeeded", attempts: 1 })
      assert.lengthOf(inbox.received, 1)
    }))

  it.effect("end with the destination's deletion, and none begins after it", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, inbox, key, rows } = yield* arranged(2)
      const [one, two] = yield* rows
      yield* send("DELETE", `/v1/destinations/${id}`, { key })
      yield* run(one!)
      yield* run(two!, 0)
      assert.deepStrictEqual((yield* rows).map(({ status }) => status), ["cancelled", "cancelled"])
      assert.lengthOf(inbox.received, 0)
    }))

  it.effect("fail at 410, which breaks the destination; the others wait for it to be well again", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, inbox, key, rows, shown } = yield* arranged(2, [{ status: 410 }, { status: 204 }])
      const [one, two] = yield* rows
      yield* run(one!)
      assert.deepInclude(yield* shown, { status: "broken", last_health_message: "the receiver is gone" })
      yield* run(two!)
      assert.deepStrictEqual((yield* rows).map(({ parked, status }) => [status, parked]), [
        ["failed", false],
        ["pending", true]
      ])
      const tested = yield* send("POST", `/v1/destinations/${id}/test`, { key })
      assert.strictEqual(tested.status, 200, tested.text)
      assert.deepInclude(yield* shown, { status: "active", last_health_message: null })
      yield* run(two!)
      assert.strictEqual((yield* rows)[1]!.status, "succeeded")
      assert.strictEqual(JSON.parse(inbox.received[1]!.body).type, "destination.test")
    }))

  it.effect("stop after five failures in a row, of whichever, and use up no attempt until it may be tried again", () =>
    Effect.gen(function*() {
      const { id, inbox, rows } = yield* arranged(7, [
        ...Array.from({ length: 6 }, (): Reply => ({ status: 500 })),
        { status: 204 }
      ] as unknown as [Reply, ...Array<Reply>])
      const all = yield* rows
      for (const row of all.slice(0, 5)) yield* run(row)
      yield* run(all[5]!)
      assert.lengthOf(inbox.received, 5)
      assert.deepInclude((yield* rows)[5]!, { status: "pending", parked: true, attempts: 0 })
      assert.strictEqual(yield* (yield* DeliveryQueue).releaseReady, 0)
      const openSeconds = Effect.flatMap(PgClient.PgClient, (sql) =>
        Effect.map(
          sql<{ readonly s: number }>`
            SELECT extract(epoch FROM open_until - now())::float8 AS s FROM footnote.endpoints WHERE id = ${id}`,
          ([row]) => row!.s
        ))
      const first = yield* openSeconds
      assert.isTrue(first > 20 && first <= 30, `${first} s`)
      // Half open: one goes through, fails, and it is shut for twice as long.
      yield* dueNow(id)
      assert.strictEqual(yield* (yield* DeliveryQueue).releaseReady, 1)
      yield* run(all[5]!)
      const second = yield* openSeconds
      assert.isTrue(second > 50 && second <= 60, `${second} s`)
      yield* dueNow(id)
      yield* run(all[6]!)
      assert.strictEqual((yield* rows)[6]!.status, "succeeded")
      yield* run(all[0]!)
      assert.strictEqual((yield* rows)[0]!.status, "succeeded")
    }))

  it.effect("that fail after the breaker has opened, because they were under way, do not keep it open for longer", () =>
    Effect.gen(function*() {
      const { id } = yield* arranged(0)
      const sql = yield* PgClient.PgClient
      const record = yield* makeRecord(retrySchedule)
      yield* sql`INSERT INTO footnote.endpoints (id) VALUES (${id})`
      const attempt = record({
        delivery: { id: "dlv_none", destination_id: id, endpoint: id, begun: 1 } as FoundDelivery,
        at: VendorOrigin,
        outcome: { kind: "ambiguous", status_code: 500, error: "answered 500", retry_after: undefined },
        duration_ms: 1,
        credential: undefined,
        settled: []
      })
      for (let failure = 1; failure <= 8; failure++) yield* attempt
      const [counts] = yield* sql<{ readonly failures: number; readonly opened: number }>`
        SELECT failures, opened FROM footnote.endpoints WHERE id = ${id}`
      assert.deepStrictEqual(counts, { failures: 5, opened: 1 })
    }))

  it.effect("all wait when one is told to: no call before Retry-After", () =>
    Effect.gen(function*() {
      const { id, inbox, rows } = yield* arranged(2, [
        { status: 429, headers: { "retry-after": "120" } },
        { status: 204 }
      ])
      const [one, two] = yield* rows
      yield* run(one!)
      yield* run(two!)
      assert.lengthOf(inbox.received, 1)
      assert.deepInclude((yield* rows)[1]!, { parked: true, attempts: 0 })
      yield* dueNow(id)
      yield* run(two!)
      assert.strictEqual((yield* rows)[1]!.status, "succeeded")
    }))

  it.effect("go at once to another address of its owner's, and by his retry, whatever Retry-After the receiver had sent", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { inbox, key, patch, rows } = yield* arranged(2, [
        { status: 503, headers: { "retry-after": "86400" } },
        { status: 503, headers: { "retry-after": "86400" } }
      ])
      const [one, two] = yield* rows
      yield* run(one!)
      yield* run(two!)
      assert.deepInclude((yield* rows)[1]!, { parked: true, attempts: 0 })
      yield* send("POST", `/v1/deliveries/${two!.id}/retry`, { key })
      yield* run(two!)
      assert.deepInclude((yield* rows)[1]!, { status: "pending", attempts: 1 })
      assert.lengthOf(inbox.received, 2)
      const mended = yield* receiver({ status: 204 })
      yield* patch({ config: { url: mended.url } })
      yield* send("POST", `/v1/deliveries/${one!.id}/retry`, { key })
      yield* run(one!)
      assert.deepInclude((yield* rows)[0]!, { status: "succeeded", attempts: 2 })
      assert.lengthOf(mended.received, 1)
    }))

  it.effect("that wait for a receiver's Retry-After go with a check that finds it well", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, key, rows } = yield* arranged(2, [
        { status: 503, headers: { "retry-after": "86400" } },
        { status: 204 },
        { status: 204 }
      ])
      const [one, two] = yield* rows
      yield* run(one!)
      yield* run(two!)
      yield* send("POST", `/v1/destinations/${id}/test`, { key })
      assert.deepInclude((yield* rows)[1]!, { parked: false, status: "pending" })
      yield* run(two!)
      assert.strictEqual((yield* rows)[1]!.status, "succeeded")
    }))

  it.effect("are four at a time, however many workers there are, and each that ends sends the next", () =>
    Effect.gen(function*() {
      const { rows } = yield* arranged(6)
      const all = yield* rows
      yield* delivering(all.slice(0, 4).map(({ id }) => id))
      yield* run(all[4]!)
      yield* run(all[5]!)
      const states = Effect.map(rows, (now) => now.map(({ parked, status }) => parked ? "parked" : status))
      assert.deepStrictEqual(yield* states, [...all.slice(0, 4).map(() => "delivering"), "parked", "parked"])
      yield* run(all[0]!)
      assert.deepStrictEqual(yield* states, [
        "succeeded",
        ...all.slice(1, 4).map(() => "delivering"),
        "pending",
        "parked"
      ])
    }))

  it.effect("are sixteen of one tenant at a time, and another tenant's go on", () =>
    Effect.gen(function*() {
      const busy = yield* arranged(17)
      const other = yield* arranged(1)
      const all = yield* busy.rows
      yield* delivering(all.slice(0, 16).map(({ id }) => id), true)
      yield* run(all[16]!)
      assert.isTrue((yield* busy.rows)[16]!.parked)
      yield* run((yield* other.rows)[0]!)
      assert.strictEqual((yield* other.rows)[0]!.status, "succeeded")
    }))

  it.effect("that died with their worker are begun again at once, and an older task of theirs does nothing", () =>
    Effect.gen(function*() {
      const { inbox, rows } = yield* arranged(1)
      const sql = yield* PgClient.PgClient
      const [row] = yield* rows
      yield* sql`UPDATE footnote.deliveries SET status = 'delivering', begun = 1, unsure_from = now(), unsure_until = now()
        WHERE id = ${row!.id}`
      yield* run(row!, 7)
      assert.lengthOf(inbox.received, 0)
      yield* run(row!)
      assert.deepInclude((yield* rows)[0]!, { status: "succeeded", attempts: 1 })
      assert.lengthOf(inbox.received, 1)
    }))

  it.effect("begin anew under the same event when that is asked for", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { inbox, key, rows } = yield* arranged(1)
      const [row] = yield* rows
      yield* run(row!)
      const retried = yield* send("POST", `/v1/deliveries/${row!.id}/retry`, { key })
      assert.strictEqual(retried.json.status, "pending", retried.text)
      yield* run(row!)
      assert.deepInclude((yield* rows)[0]!, { status: "succeeded", attempts: 2 })
      const [one, two] = inbox.received
      assert.strictEqual(one!.headers["webhook-id"], two!.headers["webhook-id"])
      assert.strictEqual(one!.body, two!.body)
    }))

  it.effect("asked for by hand are events of their own", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, inbox, job_ids, key, rows } = yield* arranged(1)
      yield* run((yield* rows)[0]!)
      const asked = yield* send("POST", `/v1/jobs/${job_ids[0]}/deliveries`, { key, json: { destination_id: id } })
      assert.strictEqual(asked.status, 201, asked.text)
      yield* run(asked.json)
      const [one, two] = inbox.received.map(({ body }) => JSON.parse(body))
      assert.notStrictEqual(one.id, two.id)
      assert.deepStrictEqual(one.data, two.data)
    }))
})
