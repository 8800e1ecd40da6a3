import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState } from "../../../src/deliveries/connectors/content/Connector.ts"
import type { DestinationTarget, NotionConfig } from "../../../src/deliveries/model/DestinationConfig.ts"
import { VendorOrigin } from "../../support/vendors/VendorOrigin.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

type Options = NonNullable<NonNullable<Parameters<typeof openVendors>[0]>["notion"]>

const workspace = Effect.fnUntraced(function*(notion: Options = {}) {
  const all = yield* Effect.acquireRelease(
    Effect.promise(() => openVendors({ notion })),
    ({ close }) => Effect.promise(close)
  )
  const { check, deliver } = Context.get(yield* Layer.build(all.connectors), Connectors)
  const target = (config: Partial<NotionConfig>): DestinationTarget => ({
    type: "notion",
    secrets: [],
    config: { ...all.target.notion.config, ...config }
  })
  return { all, check, deliver, target }
})

const token = "ntn_abc"
const database_id = "11111111-2222-3333-4444-555555555555"
const user = "6d8ddd02-04a8-4d8f-9d8f-5a0e5bd1a7a1"

describe("properties of Notion", () => {
  it.live("are found by their names as people type them, in any case and with any spaces", () =>
    Effect.gen(function*() {
      const { all, check, deliver, target } = yield* workspace()
      all.notion.properties["job id"] = "rich_text"
      delete all.notion.properties["Job ID"]
      const config = target({ property_map: { " name ": "/title", PRICE: "/price" } })
      assert.deepInclude(yield* check(config), { ok: true })
      assert.strictEqual((yield* deliver(config, payloadOf(1), first)).kind, "delivered")
      const { properties } = all.notion.pages[0]!.body
      assert.deepStrictEqual(Object.keys(properties).toSorted(), ["Name", "Price", "job id"])
      // And asked for by the same name.
      const again = { ...first, number: 2, unsure_from: VendorOrigin, unsure_until: VendorOrigin }
      assert.strictEqual((yield* deliver(config, payloadOf(1), again)).kind, "delivered")
      assert.lengthOf(all.notion.pages, 1)
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))

  it.live("take values of their types, and stay empty where a value is not of theirs", () =>
    Effect.gen(function*() {
      const { all, deliver, target } = yield* workspace({
        properties: {
          Tags: "multi_select",
          Kind: "select",
          Stage: { status: ["Not started", "Done"] },
          Mail: "email",
          Phone: "phone_number",
          Owner: "people",
          Site: "url",
          Day: "date"
        }
      })
      const property_map = {
        Tags: "/tags",
        Kind: "/kind",
        Stage: "/stage",
        Mail: "/mail",
        Phone: "/phone",
        Owner: "/owner",
        Site: "/site",
        Day: "/day"
      }
      const good = {
        tags: ["space", "", null, "space", " ", "a,b"],
        kind: "talk",
        stage: "done",
        mail: "ada@example.com",
        phone: "+44 20 7946 0018",
        owner: [user, user],
        site: "https://example.com/a?b=c",
        day: "2026-11-20T09:30:00+01:00"
      }
      const bad = {
        tags: ["", null],
        kind: " ",
        stage: "Finished",
        mail: "not an address",
        phone: "<script>",
        owner: "Ada",
        site: "javascript:alert(1)",
        // What a date by a pattern is filled with where none was found.
        day: "0000-00-00"
      }
      for (const [at, result] of [good, bad].entries()) {
        const outcome = yield* deliver(target({ property_map }), payloadOf(at + 1, { result }), first)
        assert.strictEqual(outcome.kind, "delivered", JSON.stringify(outcome))
      }
      const [full, empty] = all.notion.pages.map(({ body }) => body.properties)
      assert.deepInclude(full, {
        Tags: { multi_select: [{ name: "space" }, { name: "a b" }] },
        Kind: { select: { name: "talk" } },
        Stage: { status: { name: "Done" } },
        Mail: { email: "ada@example.com" },
        Phone: { phone_number: "+44 20 7946 0018" },
        Owner: { people: [{ object: "user", id: user }] },
        Site: { url: "https://example.com/a?b=c" },
        Day: { date: { start: "2026-11-20T09:30:00+01:00" } }
      })
      assert.sameMembers(Object.keys(empty), ["Name", "Job ID", "Tags"])
      assert.deepStrictEqual(empty.Tags, { multi_select: [] })
    }).pipe(Effect.scoped))

  it.live("that do not fit are named by the check and by the attempt", () =>
    Effect.gen(function*() {
      const { check, deliver, target } = yield* workspace({ properties: { Sum: "formula" } })
      for (
        const [name, why] of [["Prize", "is no property of the data source"], ["Sum", "is of type formula"]] as const
      ) {
        const config = target({ property_map: { [name]: "/price" } })
        const health = yield* check(config)
        assert.deepInclude(health, { ok: false, final: true, status: "invalid_config" })
        assert.include(health.message, `property_map: "${name}" ${why}`)
        assert.strictEqual((yield* deliver(config, payloadOf(1), first)).error, health.message)
      }
    }).pipe(Effect.scoped))

  it.live("that changed since they were remembered cost no attempt", () =>
    Effect.gen(function*() {
      const { all, deliver, target } = yield* workspace()
      assert.strictEqual((yield* deliver(target({}), payloadOf(1), first)).kind, "delivered")
      // Retyped, and a new one: neither is what is remembered.
      all.notion.properties["Price"] = "rich_text"
      assert.strictEqual((yield* deliver(target({}), payloadOf(2), first)).kind, "delivered")
      all.notion.properties["Rooms"] = "number"
      const more = target({ property_map: { Rooms: "/price" } })
      assert.strictEqual((yield* deliver(more, payloadOf(3), first)).kind, "delivered")
      assert.lengthOf(all.notion.pages, 3)
    }).pipe(Effect.scoped))
})

describe("a delivery to Notion whose attempt is in doubt", () => {
  it.live("does not take the page of another delivery of its job for its own", () =>
    Effect.gen(function*() {
      const { all, deliver, target } = yield* workspace()
      assert.strictEqual((yield* deliver(target({}), payloadOf(1), first)).kind, "delivered")
      const again = { ...first, number: 2, unsure_from: VendorOrigin, unsure_until: VendorOrigin, others: 1 }
      assert.strictEqual((yield* deliver(target({}), payloadOf(1), again)).kind, "delivered")
      assert.lengthOf(all.notion.pages, 2)
      assert.strictEqual((yield* deliver(target({}), payloadOf(1), again)).kind, "delivered")
      assert.lengthOf(all.notion.pages, 2)
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))
})

describe("a refusal of Notion", () => {
  it.live("is told in its words, without what it quotes of the request", () =>
    Effect.gen(function*() {
      const { all, deliver, target } = yield* workspace()
      yield* deliver(target({}), payloadOf(1), first)
      all.notion.refuse(
        "body failed validation: body.properties.Price.number should be a number, instead was `\"ntn_abc secret\"`."
      )
      const outcome = yield* deliver(target({}), payloadOf(2), first)
      assert.deepInclude(outcome, {
        kind: "rejected",
        error: "validation_error: body failed validation: body.properties.Price.number should be a number"
      })
    }).pipe(Effect.scoped))
})

describe("a Notion database", () => {
  it.live("stands for its only data source", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* workspace()
      const config: DestinationTarget = { type: "notion", secrets: [], config: { token, database_id } }
      assert.deepInclude(yield* check(config), { ok: true })
      assert.strictEqual((yield* deliver(config, payloadOf(1), first)).kind, "delivered")
      assert.lengthOf(all.notion.pages, 1)
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))

  it.live("of several data sources is told to be ambiguous", () =>
    Effect.gen(function*() {
      const { check } = yield* workspace({ more_sources: 1 })
      const health = yield* check({ type: "notion", secrets: [], config: { token, database_id } })
      assert.deepInclude(health, { ok: false, final: true, status: "invalid_config" })
      assert.match(health.message!, /2 data sources: give the data_source_id/u)
    }).pipe(Effect.scoped))
})

describe("a page in Notion", () => {
  it.live("holds the words and the second of each value, with a link to that second", () =>
    Effect.gen(function*() {
      const { all, deliver, target } = yield* workspace()
      yield* deliver(target({}), payloadOf(1), first)
      const { children } = all.notion.pages[0]!.body
      const item = children.find(({ type }: any) => type === "bulleted_list_item")
      const texts = item.bulleted_list_item.rich_text.map(({ text }: any) => text)
      assert.deepStrictEqual(texts, [
        { content: "title: “Orbits” " },
        { content: "02:14", link: { url: "https://example.com/talk.mp4#t=134,135" } }
      ])
    }).pipe(Effect.scoped))
})
