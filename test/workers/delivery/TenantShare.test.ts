import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import { ambiguous, delivered } from "../../../src/deliveries/connectors/DeliveryOutcome.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import { DeliveryQueue } from "../../../src/deliveries/queue/DeliveryQueue.ts"
import { retrySchedule } from "../../../src/deliveries/queue/RetrySchedule.ts"
import { type FoundDelivery, makeBegin } from "../../../workers/delivery/BeginAttempt.ts"
import { makeRecord } from "../../../workers/delivery/RecordAttempt.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const services = DestinationHealth.layer.pipe(
  Layer.provideMerge(Connectors.layer),
  Layer.provideMerge(Server.layerWithoutJanitor)
)

const hanging = 48
/** An attempt at a receiver that hangs takes so long. */
const attemptSeconds = 15

interface Runnable {
  readonly id: string
  readonly turn: number
  readonly endpoint: string
}

/** A tenant with deliveries at endpoints of which all but `healthy` hang, worked off in steps of one attempt's time. */
const tenantWithHanging = Effect.gen(function*() {
  const { send, succeed, tenant } = yield* TestServer
  const sql = yield* PgClient.PgClient
  const { key, tenant_id } = yield* tenant("a")
  const { json: { id: job_id } } = yield* send("POST", "/v1/jobs", {
    key,
    json: { source_uri: "https://example.com/talk.mp4" }
  })
  yield* succeed(job_id, { result: {} })
  const { json: { id: destination_id } } = yield* send("POST", "/v1/destinations", {
    key,
    json: { name: "Receiver", type: "webhook", config: { url: "https://receiver.example/" } }
  })
  const begin = yield* makeBegin
  const record = yield* makeRecord(retrySchedule)
  const deliveryQueue = yield* DeliveryQueue
  const suffix = tenant_id.slice(-8)
  const under_way = new Map<string, FoundDelivery>()
  let made = 0

  const due = (endpoint: string) => {
    const id = `dlv_${suffix}${String(made++).padStart(6, "0")}`
    return sql`INSERT INTO footnote.deliveries
        (id, tenant_id, job_id, destination_id, endpoint, event_id, event_type, next_attempt_at)
      VALUES (${id}, ${tenant_id}, ${job_id}, ${destination_id}, ${`${endpoint}_${suffix}`}, ${`evt_${id}`}, 'job.succeeded', now())`
  }

  const end = Effect.fnUntraced(function*(delivery: FoundDelivery) {
    under_way.delete(delivery.id)
    const outcome = delivery.endpoint.startsWith("healthy")
      ? delivered({ status_code: 204 })
      : ambiguous(`no answer within ${attemptSeconds} s`)
    const at = DateTime.toDateUtc(yield* DateTime.now)
    yield* record({ delivery, at, outcome, duration_ms: 1, credential: undefined, settled: [] })
  })

  /** Every task that is due is begun, as by a worker with room for all, and a receiver that answers does so at once; the janitor follows. */
  const work = Effect.gen(function*() {
    for (;;) {
      yield* deliveryQueue.releaseReady
      const rows = yield* sql<Runnable>`SELECT id, turn, endpoint FROM footnote.deliveries
        WHERE tenant_id = ${tenant_id} AND status = 'pending' AND NOT parked AND next_attempt_at <= now() ORDER BY next_attempt_at, id`
      let begun = 0
      for (const { endpoint, id: delivery_id, turn } of rows) {
        const found = yield* begin({ delivery_id, turn, destination_id, endpoint, credential: undefined })
        if (found.kind !== "begun") continue
        begun++
        under_way.set(delivery_id, found.delivery)
        if (endpoint.startsWith("healthy")) yield* end(found.delivery)
      }
      if (begun === 0) return
    }
  })

  const pass = Effect.gen(function*() {
    const by = sql`make_interval(secs => ${attemptSeconds})`
    yield* sql`UPDATE footnote.deliveries SET next_attempt_at = next_attempt_at - ${by}
      WHERE tenant_id = ${tenant_id} AND finished_at IS NULL`
    yield* sql`UPDATE footnote.endpoints SET open_until = open_until - ${by}, used_at = used_at - ${by}
      WHERE id LIKE ${`%${suffix}`}`
    for (const delivery of under_way.values()) yield* end(delivery)
  })

  const open = Effect.map(
    sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM footnote.deliveries
      WHERE tenant_id = ${tenant_id} AND endpoint LIKE 'healthy%' AND finished_at IS NULL`,
    ([row]) => row!.n
  )

  /** How many attempts' times pass until nothing waits for the healthy one any more. */
  const stepsUntilServed = Effect.gen(function*() {
    let steps = 0
    for (yield* work; (yield* open) > 0 && steps < 60; steps++) {
      yield* pass
      yield* work
    }
    return steps
  })

  const hang = Effect.forEach(Array.from({ length: hanging }), (_, at) => due(`hanging${at}`), { discard: true })
  return { due, hang, pass, work, stepsUntilServed, under_way }
})

layer(services, { excludeTestServices: true })("of a tenant with many receivers that hang", (it) => {
  it.effect("one that has answered before gets all of its deliveries at once", () =>
    Effect.gen(function*() {
      const { due, hang, stepsUntilServed } = yield* tenantWithHanging
      yield* due("healthy")
      assert.strictEqual(yield* stepsUntilServed, 0)
      yield* hang
      for (let count = 0; count < 5; count++) yield* due("healthy")
      assert.strictEqual(yield* stepsUntilServed, 0)
    }))

  it.effect("one that has never been tried gets its turn at once where the others have failed, and in its place in line where they have not", () =>
    Effect.gen(function*() {
      const tried = yield* tenantWithHanging
      yield* tried.hang
      for (let step = 0; step < hanging / 12; step++) {
        yield* tried.work
        yield* tried.pass
      }
      yield* tried.due("healthy")
      assert.strictEqual(yield* tried.stepsUntilServed, 0)
      const fresh = yield* tenantWithHanging
      yield* fresh.hang
      yield* fresh.due("healthy")
      // 12 at a time: all of those before it once.
      assert.isAtMost(yield* fresh.stepsUntilServed, hanging / 12)
    }))

  it.effect("a place that becomes free goes to the endpoint that has waited longest, and round by round to each", () =>
    Effect.gen(function*() {
      const { hang, pass, under_way, work } = yield* tenantWithHanging
      yield* hang
      const met = new Set<string>()
      for (let step = 0; step < hanging / 12; step++) {
        yield* work
        for (const { endpoint } of under_way.values()) met.add(endpoint)
        yield* pass
      }
      assert.isAtLeast(met.size, hanging * 0.95)
    }))
})
