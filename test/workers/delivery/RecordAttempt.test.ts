import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import { retryable } from "../../../src/deliveries/connectors/DeliveryOutcome.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import { type FoundDelivery, makeBegin } from "../../../workers/delivery/BeginAttempt.ts"
import { makeRecord } from "../../../workers/delivery/RecordAttempt.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const services = DestinationHealth.layer.pipe(Layer.provideMerge(Connectors.layer), Layer.provideMerge(Server.layer))

layer(services, { excludeTestServices: true })("the record of an attempt", (it) => {
  it.effect("written once more after a commit whose answer was lost, says again when the next one is due and counts once", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const sql = yield* PgClient.PgClient
      const { key } = yield* tenant("a")
      const webhook_url = "https://receiver.example/hook"
      const { json: job } = yield* send("POST", "/v1/jobs", {
        key,
        json: { source_uri: "https://example.com/talk.mp4", webhook_url }
      })
      yield* send("POST", `/v1/jobs/${job.id}/cancel`, { key })
      const delivery_id = `dlv_${job.id.slice(4)}`
      const [{ endpoint }] = (yield* sql<{ readonly endpoint: string }>`
        SELECT endpoint FROM footnote.deliveries WHERE id = ${delivery_id}`) as [{ readonly endpoint: string }]
      const begin = yield* makeBegin
      const record = yield* makeRecord([60, 600])
      const begun = yield* begin({ delivery_id, turn: 0, destination_id: null, endpoint, credential: undefined })
      assert(begun.kind === "begun")
      const told = {
        delivery: begun.delivery,
        at: DateTime.toDateUtc(yield* DateTime.now),
        outcome: { ...retryable("answered 500", { status_code: 500 }) },
        duration_ms: 5,
        credential: undefined,
        settled: []
      }
      const due = yield* record(told)
      assert.instanceOf(due, Date)
      assert.deepStrictEqual(yield* record(told), due)
      const [counts] = yield* sql`SELECT failures, (SELECT count(*)::int FROM footnote.delivery_attempts
        WHERE delivery_id = ${delivery_id}) AS attempts FROM footnote.endpoints WHERE id = ${endpoint}`
      assert.deepStrictEqual(counts, { failures: 1, attempts: 1 })
    }))

  it.effect("a credential that is told to wait has no request before that, whatever its burst allows", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const record = yield* makeRecord([60])
      const at = DateTime.toDateUtc(yield* DateTime.now)
      yield* record({
        delivery: { id: "dlv_none", destination_id: null, endpoint: "told", begun: 1 } as FoundDelivery,
        at,
        outcome: { kind: "retryable", status_code: 429, error: "answered 429", retry_after: 60 },
        duration_ms: 5,
        credential: { digest: "told to wait", pace: { per_second: 50 / 60, burst: 10 } },
        settled: []
      })
      // A request begins from `arrival` less the burst of nine steps on.
      const [row] = yield* sql<{ readonly seconds: number }>`
        SELECT extract(epoch FROM arrival - now())::float8 AS seconds FROM footnote.paces WHERE credential = 'told to wait'`
      assert.isAtLeast(row!.seconds - 9 * 60 / 50, 55)
    }))
})
