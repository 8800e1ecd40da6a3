import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import type { DestinationTarget } from "../../../src/deliveries/model/DestinationConfig.ts"
import * as Server from "../../support/TestServer.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const { TestServer } = Server

const encrypted = ConfigProvider.layer(ConfigProvider.fromUnknown({
  FOOTNOTE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  SOURCE_ALLOW_PRIVATE: "127.0.0.0/8"
}))
const Services = Layer.provideMerge(Server.layer, encrypted)

/** A destination that was registered, at vendors of its own. */
const registered = Effect.fnUntraced(
  function*(type: "slack" | "snowflake", options: Parameters<typeof openVendors>[0]) {
    const { send, tenant } = yield* TestServer
    const sql = yield* PgClient.PgClient
    const vendors = yield* Effect.acquireRelease(
      Effect.promise(() => openVendors(options)),
      ({ close }) => Effect.promise(close)
    )
    const built = yield* Layer.build(Layer.provideMerge(DestinationHealth.layer, vendors.connectors))
    const health = Context.get(built, DestinationHealth)
    const { key, tenant_id } = yield* tenant("health")
    const target: DestinationTarget = vendors.target[type]
    const made = yield* send("POST", "/v1/destinations", { key, json: { name: type, type, config: target.config } })
    const id: string = made.json.id
    const shown = Effect.map(send("GET", `/v1/destinations/${id}`, { key }), ({ json }) => json)
    const deliver = Effect.gen(function*() {
      const state = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }
      const { error, kind } = yield* Context.get(built, Connectors).deliver(target, payloadOf(1), state)
      assert.strictEqual(kind, "delivered", String(error))
      yield* sql.withTransaction(health.attempted(id, "delivered", null))
    })
    return { vendors, check: health.check(tenant_id, id), deliver, shown }
  }
)

layer(Services, { excludeTestServices: true })("what is told of a destination's health", (it) => {
  it.effect("is no longer that a table will be made, once a delivery has made it", () =>
    Effect.gen(function*() {
      const { check, deliver, shown, vendors } = yield* registered("snowflake", { missing_table: true })
      yield* check
      assert.match((yield* shown).last_health_message, /first delivery makes it/u)
      yield* deliver
      assert.lengthOf(vendors.snowflake.created, 1)
      assert.deepInclude(yield* shown, { last_health_status: "ok", last_health_message: null })
    }).pipe(Effect.scoped))

  it.effect("is no longer that columns are missing, once a delivery has added them", () =>
    Effect.gen(function*() {
      const columns = ["JOB_ID", "DELIVERY_ID", "STATUS"]
      const { check, deliver, shown, vendors } = yield* registered("snowflake", { snowflake: { columns } })
      yield* check
      assert.match((yield* shown).last_health_message, /lacks columns/u)
      yield* deliver
      assert.lengthOf(vendors.snowflake.altered, 1)
      assert.deepInclude(yield* shown, { last_health_status: "ok", last_health_message: null })
    }).pipe(Effect.scoped))

  it.effect("is still what a delivery does not change", () =>
    Effect.gen(function*() {
      const { check, deliver, shown } = yield* registered("slack", { slack: { scopes: ["chat:write"] } })
      yield* check
      const before = yield* shown
      assert.match(before.last_health_message, /lacks the scope channels:history/u)
      yield* deliver
      assert.strictEqual((yield* shown).last_health_message, before.last_health_message)
    }).pipe(Effect.scoped))

  it.effect("is no longer a trouble of the vendor's, once a delivery has arrived", () =>
    Effect.gen(function*() {
      let calls = 0
      const { check, deliver, shown } = yield* registered("slack", {
        faultOf: () => calls++ === 0 ? { kind: "500_before" } : undefined
      })
      yield* check
      assert.match((yield* shown).last_health_status, /^http_500$/u)
      yield* deliver
      assert.deepInclude(yield* shown, { last_health_status: "ok", last_health_message: null })
    }).pipe(Effect.scoped))
})
