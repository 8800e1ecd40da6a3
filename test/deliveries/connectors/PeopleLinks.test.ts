import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { DeliveryPayload } from "../../../src/deliveries/connectors/content/Connector.ts"
import { type Kind, openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

/** What a vendor holds of a delivery, as one text. */
const written = Effect.fnUntraced(function*(kind: Kind, payload: DeliveryPayload) {
  const all = yield* Effect.acquireRelease(Effect.promise(() => openVendors()), ({ close }) => Effect.promise(close))
  const { deliver } = Context.get(yield* Layer.build(all.connectors), Connectors)
  // What an owner maps is theirs: a row for programs may hold the API's addresses.
  const { notion } = all.target
  const unmapped = { ...notion, config: { ...notion.config, property_map: {} } }
  const outcome = yield* deliver(kind === "notion" ? unmapped : all.target[kind], payload, first)
  assert.strictEqual(outcome.kind, "delivered", JSON.stringify(outcome))
  const held = kind === "sheets"
    ? all.sheets.rows
    : kind === "snowflake"
    ? [...all.snowflake.rows.values()].map(({ EVIDENCE_URL, RESULT_URL }) => [EVIDENCE_URL, RESULT_URL])
    : all.calls.map(({ body }) => body)
  return JSON.stringify(held).replaceAll("\\\"", "\"")
})

const ours = (text: string) => text.match(/https:\/\/footnote\.test\/[^"|>\\]*/gu) ?? []

const ofUpload = (): DeliveryPayload => {
  const payload = payloadOf(1)
  return { ...payload, job: { ...payload.job, source_uri: "upload://upl_00000000000000000000000000" } }
}

describe("what is written for people", () => {
  for (const kind of ["slack", "slack_incoming", "notion", "sheets", "snowflake"] as const) {
    it.live(`links in ${kind} to pages, and to no address that answers a browser without a key by 401`, () =>
      Effect.gen(function*() {
        for (const payload of [payloadOf(1), ofUpload()]) {
          const links = ours(yield* written(kind, payload))
          assert.isAbove(links.length, 0)
          for (const link of links) assert.match(link, /^https:\/\/footnote\.test\/(?:s\/|app\/#\/jobs\/)/u)
        }
      }).pipe(Effect.scoped))
  }

  for (const kind of ["slack", "slack_incoming", "notion"] as const) {
    it.live(`links in ${kind} to the moment of a value where the source itself cannot be opened`, () =>
      Effect.gen(function*() {
        const upload = ofUpload()
        const links = ours(yield* written(kind, upload))
        assert.include(links, `${upload.links.page}#/evidence/title`)
        // Where links without a key are switched off.
        const closed = { ...upload, links: { ...upload.links, page: upload.links.app } }
        assert.include(ours(yield* written(kind, closed)), `${upload.links.app}/evidence/title`)
      }).pipe(Effect.scoped))
  }

  for (const kind of ["sheets", "snowflake"] as const) {
    it.live(`leads from a row in ${kind} to the first moment in the application, which outlives a link without a key`, () =>
      Effect.gen(function*() {
        const payload = ofUpload()
        const links = ours(yield* written(kind, payload))
        assert.include(links, payload.links.app)
        assert.include(links, `${payload.links.app}/evidence/title`)
      }).pipe(Effect.scoped))
  }
})
