import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import { makeDelivery } from "../../../workers/delivery/DeliveryStage.ts"
import type { DeliveryHandler } from "../../../workers/engine/Stage.ts"
import * as Server from "../../support/TestServer.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const { TestServer } = Server

class Scene extends Context.Service<Scene, {
  readonly vendors: Awaited<ReturnType<typeof openVendors>>
  readonly deliver: DeliveryHandler
}>()("footnote/test/workers/delivery/LinkedResult.test/Scene") {}

/** The API, the vendors, and a worker that attempts what a test tells it to. */
const Services = Layer.unwrap(Effect.gen(function*() {
  const vendors = yield* Effect.acquireRelease(
    Effect.promise(() => openVendors()),
    ({ close }) => Effect.promise(close)
  )
  return Layer.effect(Scene, Effect.map(makeDelivery, (deliver) => ({ vendors, deliver }))).pipe(
    Layer.provide(DestinationHealth.layer),
    Layer.provide(Connectors.layer),
    Layer.provideMerge(Server.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      ...vendors.env,
      FOOTNOTE_PUBLIC_URL: "https://footnote.test"
    })))
  )
}))

layer(Services, { excludeTestServices: true })("a link in what is delivered to people", (it) => {
  for (const kind of ["slack", "notion", "sheets"] as const) {
    it.effect(`leads to a page that opens without a key: ${kind}`, () =>
      Effect.gen(function*() {
        const { send, succeed, tenant } = yield* TestServer
        const { deliver, vendors } = yield* Scene
        const sql = yield* PgClient.PgClient
        const { key, tenant_id } = yield* tenant("a")
        const { config, type } = vendors.target[kind]
        const made = yield* send("POST", "/v1/destinations", { key, json: { name: kind, type, config } })
        assert.strictEqual(made.status, 201, made.text)
        const { json: { id: job_id } } = yield* send("POST", "/v1/jobs", {
          key,
          json: { source_uri: "https://example.com/talk.mp4" }
        })
        yield* succeed(job_id, {
          result: { title: "Orbits" },
          evidence: { spans: payloadOf(1).evidence, unfilled: [] } as never
        })
        const asked = yield* send("POST", `/v1/jobs/${job_id}/deliveries`, {
          key,
          json: { destination_id: made.json.id }
        })
        assert.strictEqual(asked.status, 201, asked.text)
        const [row] = yield* sql<{ readonly turn: number }>`
          SELECT turn FROM footnote.deliveries WHERE id = ${asked.json.id}`
        yield* deliver({ delivery_id: asked.json.id, turn: row!.turn, job_id, tenant_id, attempt: 0 })
        const sent = vendors.calls.map(({ body }) => body).join("\n")
        const [, path] = /https:\/\/footnote\.test(\/s\/[\w.-]+)/u.exec(sent) ?? []
        assert.isDefined(path, sent)
        const page = yield* send("GET", path!)
        assert.strictEqual(page.status, 200)
        assert.include(page.text, "Orbits")
        assert.include(page.text, "<time>02:14</time>")
      }))
  }
})
