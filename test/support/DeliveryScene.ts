import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Connectors } from "../../src/deliveries/connectors/Connectors.ts"
import { DestinationHealth } from "../../src/deliveries/destinations/DestinationHealth.ts"
import type { JobId } from "../../src/identity/Id.ts"
import { makeDelivery } from "../../workers/delivery/DeliveryStage.ts"
import type { DeliveryHandler } from "../../workers/engine/Stage.ts"
import { receiver, type Reply } from "./Receiver.ts"
import * as Server from "./TestServer.ts"

const { TestServer } = Server

class Deliver extends Context.Service<Deliver, DeliveryHandler>()("footnote/test/support/DeliveryScene/Deliver") {}

/** The API, and a worker that attempts what a test tells it to. */
export const layer = Layer.effect(Deliver, makeDelivery).pipe(
  Layer.provide(DestinationHealth.layer),
  Layer.provide(Connectors.layer),
  Layer.provideMerge(Server.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" })))
)

/** What the database says, whosever it is. */
export const rows = <A extends object>(statement: string) =>
  PgClient.PgClient.use((sql) => Effect.orDie(sql.unsafe<A>(statement)))

/** A tenant with a succeeded job and a webhook destination at a receiver of its own. */
export const setting = Effect.fn("setting")(function*(...replies: readonly [Reply, ...ReadonlyArray<Reply>]) {
  const { send, sql, succeed, tenant } = yield* TestServer
  const { key, tenant_id } = yield* tenant("a")
  const inbox = yield* receiver(...replies)
  const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, json?: unknown) =>
    send(method, path, json === undefined ? { key } : { key, json })
  const job = Effect.gen(function*() {
    const { json } = yield* call("POST", "/v1/jobs", { source_uri: "https://example.com/talk.mp4" })
    yield* succeed(json.id, { result: { title: "Orbits" } })
    return json.id as string
  })
  const { json: { id: destination_id, signing_secret } } = yield* call("POST", "/v1/destinations", {
    name: "hook",
    type: "webhook",
    config: { url: inbox.url }
  })
  const request = (job_id: string, to: string = destination_id) =>
    call("POST", `/v1/jobs/${job_id}/deliveries`, { destination_id: to })
  const deliver = yield* Deliver
  const client = yield* PgClient.PgClient
  /** Takes up the delivery's latest task, as a worker does. */
  const attempt = Effect.fn("attempt")(function*(id: string) {
    yield* sql("DELETE FROM footnote.endpoints")
    const [row] = yield* client<{ readonly turn: number; readonly job_id: JobId }>`
      SELECT turn, job_id FROM footnote.deliveries WHERE id = ${id}`
    return yield* deliver({ delivery_id: id, turn: row!.turn, job_id: row!.job_id, tenant_id, attempt: 0 })
  })
  /** How many tasks of the latest turn lie in our tables and in the queue. */
  const waiting = Effect.fn("waiting")(function*(id: string) {
    const [row] = yield* client<{ readonly tasks: number; readonly queued: number }>`
      SELECT count(*)::int AS tasks, count(q.id)::int AS queued
      FROM footnote.deliveries d JOIN footnote.tasks t ON t.job_id = d.job_id AND t.stage = 'deliver'
        AND t.input->>'delivery_id' = d.id AND (t.input->>'turn')::int = d.turn
      LEFT JOIN pgboss.job q ON q.id = t.id AND q.state = 'created'
      WHERE d.id = ${id} AND NOT t.done`
    return [row!.tasks, row!.queued]
  })
  return { key, call, job, inbox, destination_id: destination_id as string, signing_secret, request, attempt, waiting }
})
