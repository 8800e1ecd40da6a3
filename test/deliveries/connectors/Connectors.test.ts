import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState, DeliveryPayload, Outcome } from "../../../src/deliveries/connectors/content/Connector.ts"
import type { DestinationTarget } from "../../../src/deliveries/model/DestinationConfig.ts"
import type { Fault } from "../../support/vendors/FakeHttp.ts"
import {
  type FaultOf,
  isToldAtLeastOnce,
  type Kind,
  kinds,
  openVendors,
  payloadOf
} from "../../support/vendors/Vendors.ts"

type Vendors = Awaited<ReturnType<typeof openVendors>>

const vendors = (options: Parameters<typeof openVendors>[0] = {}) =>
  Effect.acquireRelease(Effect.promise(() => openVendors(options)), ({ close }) => Effect.promise(close))

/** For as long as the test: the layer keeps connections open. */
const openConnectors = (all: Vendors) => Effect.map(Layer.build(all.connectors), Context.get(Connectors))

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

/** Attempts as a worker makes them, without its waits: each is told what is not known of those before it. */
const deliver = Effect.fnUntraced(function*(target: DestinationTarget, payload: DeliveryPayload) {
  const connectors = yield* Connectors
  const outcomes: Array<Outcome> = []
  let unsure: Pick<AttemptState, "unsure_from" | "unsure_until"> = first
  while (outcomes.length < 10) {
    const began = DateTime.toDateUtc(yield* DateTime.now)
    const outcome = yield* connectors.deliver(target, payload, {
      ...unsure,
      number: outcomes.length + 1,
      settled: [],
      begun_after: 0,
      others: 0
    })
    outcomes.push(outcome)
    if (outcome.kind !== "retryable" && outcome.kind !== "ambiguous") break
    if (outcome.kind === "ambiguous") unsure = { unsure_from: unsure.unsure_from ?? began, unsure_until: began }
  }
  return outcomes
})

const once = (vendors: Vendors, kind: Kind, payload = payloadOf(1)) =>
  Effect.flatMap(Connectors, (connectors) => connectors.deliver(vendors.target[kind], payload, first)).pipe(
    Effect.provide(vendors.connectors)
  )

/** Strikes the first call that writes; with `times`, several of them. */
const striking = (fault: Fault, times = 1): FaultOf => {
  let left = times
  return ({ method, path }) => method === "POST" && !path.endsWith("/token") && left-- > 0 ? fault : undefined
}

const faults: ReadonlyArray<Fault> = [
  { kind: "429", retry_after: 3 },
  { kind: "429" },
  { kind: "500_before" },
  { kind: "500_after" },
  { kind: "close_before" },
  { kind: "close_after" },
  { kind: "html_before" },
  { kind: "html_after" },
  { kind: "redirect" },
  { kind: "huge" }
]

describe.each(kinds)("a delivery to %s", (kind) => {
  it.live("arrives once, and again changes nothing but where it can only be told", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      const payload = payloadOf(7)
      const outcomes = yield* deliver(all.target[kind], payload).pipe(Effect.provide(all.connectors))
      assert.deepStrictEqual(outcomes.map((outcome) => outcome.kind), ["delivered"])
      assert.isNull(outcomes[0]!.error)
      assert.lengthOf(all.held(kind), 1)
      assert.deepStrictEqual(all.violations, [])
    }))

  for (const fault of faults) {
    it.live(`leaves one copy after ${fault.kind}${"retry_after" in fault ? " with Retry-After" : ""}`, () =>
      Effect.gen(function*() {
        const all = yield* vendors({ faultOf: striking(fault) })
        const outcomes = yield* deliver(all.target[kind], payloadOf(7)).pipe(Effect.provide(all.connectors))
        assert.strictEqual(outcomes.at(-1)!.kind, "delivered", JSON.stringify(outcomes))
        if (fault.kind === "429") {
          assert.strictEqual(outcomes[0]!.kind, "retryable")
          assert.strictEqual(outcomes[0]!.retry_after, fault.retry_after)
        }
        const held = all.held(kind)
        assert.strictEqual(new Set(held).size, 1)
        if (!isToldAtLeastOnce(kind)) assert.lengthOf(held, 1)
        assert.deepStrictEqual(all.violations, [])
      }))
  }

  it.live("says what the credentials are worth", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      const connectors = yield* openConnectors(all)
      const good = yield* connectors.check(all.target[kind])
      assert.deepInclude(good, { ok: true, status: "ok" })
      const written = all.held(kind).length
      assert.strictEqual(written, kind === "webhook" ? 1 : 0)
    }).pipe(Effect.scoped))
})

describe("credentials that are refused", () => {
  const refused = {
    slack: {
      config: { bot_token: "xoxb-other", channel: "C0123456789" },
      error: "invalid_auth",
      status: "auth_failed"
    },
    slack_incoming: {
      config: { webhook_url: "https://hooks.slack.com/services/T0/B0/other" },
      error: "no such webhook",
      status: "not_found"
    },
    notion: {
      config: { token: "ntn_other", data_source_id: "897e5a76-ae52-4b48-9fdf-e71f5945d1af" },
      error: "unauthorized",
      status: "auth_failed"
    },
    sheets: { config: { spreadsheet_id: "another-one" }, error: "no such spreadsheet", status: "not_found" }
  } as const
  for (const [kind, { config, error, status }] of Object.entries(refused)) {
    it.live(`are told apart from a delivery that is: ${kind}`, () =>
      Effect.gen(function*() {
        const all = yield* vendors()
        const good = all.target[kind as Kind]
        const target = {
          ...good,
          config: { ...(kind === "sheets" ? good.config : {}), ...config }
        } as DestinationTarget
        const connectors = yield* openConnectors(all)
        const outcome = yield* connectors.deliver(target, payloadOf(1), first)
        assert.deepInclude(outcome, { kind: "auth_broken", error })
        assert.deepInclude(yield* connectors.check(target), { ok: false, final: true, status })
      }).pipe(Effect.scoped))
  }

  it.live("a Notion property map that does not fit is told before anything is written", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      const target = {
        ...all.target.notion,
        config: { ...all.target.notion.config, property_map: { Absent: "/title" } }
      } as DestinationTarget
      const connectors = yield* openConnectors(all)
      assert.strictEqual((yield* connectors.deliver(target, payloadOf(1), first)).kind, "auth_broken")
      assert.deepInclude(yield* connectors.check(target), { ok: false, final: true, status: "invalid_config" })
      assert.lengthOf(all.notion.pages, 0)
    }).pipe(Effect.scoped))
})

describe("a webhook", () => {
  it.live("carries the destination's own headers and the request's id, and is gone at 410", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      yield* once(all, "webhook")
      const [call] = all.calls
      assert.deepInclude(call!.headers, { "x-team": "films", "x-request-id": "req-1" })
      assert.match(call!.headers["webhook-id"] as string, /^evt_/u)
    }).pipe(Effect.scoped))
})

describe("a receiver whose certificate nobody vouches for", () => {
  it.live("is sent nothing, and what it was not sent is in no doubt", () =>
    Effect.gen(function*() {
      const folder = mkdtempSync(join(tmpdir(), "footnote-certificate-"))
      const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
      const form = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
      execFileSync("openssl", [...form, "-keyout", key, "-out", cert], { stdio: "ignore" })
      const tls = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
      rmSync(folder, { recursive: true })
      const all = yield* vendors({ tls })
      const connectors = yield* openConnectors(all)
      for (const kind of kinds) {
        const outcome = yield* connectors.deliver(all.target[kind], payloadOf(1), first)
        assert.deepInclude(outcome, { kind: "retryable", error: "DEPTH_ZERO_SELF_SIGNED_CERT" })
        const { ok, status } = yield* connectors.check(all.target[kind])
        assert.deepStrictEqual({ ok, status }, { ok: false, status: "tls_error" })
      }
      assert.lengthOf(all.calls, 0)
    }).pipe(Effect.scoped))
})

describe("Notion", () => {
  it.live("is not asked about a page before its index can have settled, and that is no attempt", () =>
    Effect.gen(function*() {
      const all = yield* vendors({ settle: { notion: 10, slack: 10 } })
      const connectors = yield* openConnectors(all)
      const at = DateTime.toDateUtc(DateTime.makeUnsafe((yield* Clock.currentTimeMillis) - 4000))
      for (const kind of ["notion", "slack"] as const) {
        const outcome = yield* connectors.deliver(all.target[kind], payloadOf(1), {
          ...first,
          number: 2,
          unsure_from: at,
          unsure_until: at
        })
        assert.strictEqual(outcome.kind, "held")
        assert.isTrue(outcome.retry_after! > 3 && outcome.retry_after! <= 6, String(outcome.retry_after))
      }
      assert.lengthOf(all.calls, 0)
    }).pipe(Effect.scoped))

  it.live("fills mapped properties by their types, with a link of ours and none of the result's", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      yield* once(all, "notion")
      const { properties } = all.notion.pages[0]!.body
      assert.deepStrictEqual(properties.Name, { title: [{ text: { content: "Orbits" } }] })
      assert.deepStrictEqual(properties.Price, { number: 12.5 })
      assert.deepStrictEqual(properties.Sold, { checkbox: true })
      assert.deepStrictEqual(properties.Link, { url: payloadOf(1).links.job })
    }).pipe(Effect.scoped))
})

const sheetsWith = (all: Vendors, state: Partial<AttemptState>, payload = payloadOf(1)) =>
  Effect.flatMap(Connectors, ({ deliver }) => deliver(all.target.sheets, payload, { ...first, ...state })).pipe(
    Effect.provide(all.connectors)
  )

describe("Sheets", () => {
  it.live("takes another mark where a stranger's has the same number", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      yield* sheetsWith(all, {})
      const [mark] = all.sheets.marks.keys()
      all.sheets.marks.set(mark!, "dlv_of_another")
      all.sheets.rows.length = 0
      assert.strictEqual((yield* sheetsWith(all, { number: 2 })).kind, "delivered")
      assert.strictEqual((yield* sheetsWith(all, { number: 3 })).kind, "delivered")
      assert.lengthOf(all.sheets.rows, 1)
      assert.lengthOf([...all.sheets.marks.keys()], 2)
    }).pipe(Effect.scoped))

  it.live("removes marks that are needed no more with the next row, and manages where they are gone", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      yield* sheetsWith(all, {}, payloadOf(1))
      yield* sheetsWith(all, { settled: [payloadOf(1).delivery_id] }, payloadOf(2))
      assert.deepStrictEqual([...all.sheets.marks.values()], [payloadOf(2).delivery_id])
      all.sheets.refuseWhen((batch) => batch.requests.length > 2)
      const outcome = yield* sheetsWith(all, { settled: ["dlv_unknown"] }, payloadOf(3))
      assert.strictEqual(outcome.kind, "delivered")
      assert.lengthOf(all.sheets.rows, 3)
    }).pipe(Effect.scoped))

  it.live("rejects a row that Google refuses for itself", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      all.sheets.refuseWhen(() => true)
      assert.deepInclude(yield* sheetsWith(all, {}), { kind: "rejected", status_code: 400 })
    }).pipe(Effect.scoped))

  it.live("signs in once for many rows", () =>
    Effect.gen(function*() {
      const all = yield* vendors()
      const { deliver } = yield* openConnectors(all)
      for (let number = 1; number <= 5; number++) {
        yield* deliver(all.target.sheets, payloadOf(number), first)
      }
      assert.strictEqual(all.google.issued(), 1)
      assert.lengthOf(all.sheets.rows, 5)
    }).pipe(Effect.scoped))
})

describe("Snowflake", () => {
  it.live("creates a table that is missing, once, and writes the row", () =>
    Effect.gen(function*() {
      const all = yield* vendors({ missing_table: true })
      assert.strictEqual((yield* once(all, "snowflake", payloadOf(1))).kind, "delivered")
      assert.strictEqual((yield* once(all, "snowflake", payloadOf(2))).kind, "delivered")
      assert.lengthOf(all.snowflake.created, 1)
      assert.match(all.snowflake.created[0]!, /"RESULT" VARIANT/u)
      assert.strictEqual(all.snowflake.rows.size, 2)
    }).pipe(Effect.scoped))

  it.live("waits for a statement that is still at work", () =>
    Effect.gen(function*() {
      const all = yield* vendors({ slow: true })
      assert.strictEqual((yield* once(all, "snowflake")).kind, "delivered")
      assert.strictEqual(all.snowflake.rows.size, 1)
    }).pipe(Effect.scoped))

  it.live("tells of a second attempt that it is one, under the same request id", () =>
    Effect.gen(function*() {
      const all = yield* vendors({ faultOf: striking({ kind: "close_after" }) })
      yield* deliver(all.target.snowflake, payloadOf(1)).pipe(Effect.provide(all.connectors))
      const [one, two] = all.calls.map(({ query }) => query)
      assert.isFalse(one!.has("retry"))
      assert.strictEqual(two!.get("retry"), "true")
      assert.strictEqual(one!.get("requestId"), two!.get("requestId"))
    }).pipe(Effect.scoped))
})
