import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState } from "../../../src/deliveries/connectors/content/Connector.ts"
import { VendorOrigin } from "../../support/vendors/VendorOrigin.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

const workspace = Effect.fnUntraced(function*(
  slack: { scopes?: ReadonlyArray<string>; most_blocks?: number; refuses?: string }
) {
  const all = yield* Effect.acquireRelease(
    Effect.promise(() => openVendors({ slack })),
    ({ close }) => Effect.promise(close)
  )
  return { all, ...Context.get(yield* Layer.build(all.connectors), Connectors) }
})

/** The scopes that docs/destinations.md asks of a bot in a public channel. */
const documented = (): ReadonlyArray<string> => {
  const page = readFileSync(new URL("../../../docs/destinations.md", import.meta.url), "utf8")
  const [, scopes] = /A Slack bot needs the scopes (.+?) \(/u.exec(page)!
  return [...scopes!.matchAll(/`([a-z:]+)`/gu)].map(([, scope]) => scope!)
}

describe("a Slack bot with the scopes that docs/destinations.md names, and no other", () => {
  it.live("is healthy, is posted to, and is searched after an attempt in doubt", () =>
    Effect.gen(function*() {
      const scopes = documented()
      assert.deepStrictEqual(scopes, ["chat:write", "channels:history"])
      const { all, check, deliver } = yield* workspace({ scopes })
      assert.deepInclude(yield* check(all.target.slack), { ok: true, status: "ok" })
      assert.strictEqual((yield* deliver(all.target.slack, payloadOf(1), first)).kind, "delivered")
      const unsure_until = DateTime.toDateUtc(yield* DateTime.now)
      const again = { ...first, number: 2, unsure_from: VendorOrigin, unsure_until }
      assert.strictEqual((yield* deliver(all.target.slack, payloadOf(1), again)).kind, "delivered")
      assert.lengthOf(all.slack.messages, 1)
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))
})

describe("a Slack bot that may not read its channel", () => {
  it.live("is healthy all the same, and told again where nobody knows whether it was told", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* workspace({ scopes: ["chat:write"] })
      assert.deepInclude(yield* check(all.target.slack), { ok: true, status: "ok" })
      assert.strictEqual((yield* deliver(all.target.slack, payloadOf(1), first)).kind, "delivered")
      const again = { ...first, number: 2, unsure_from: VendorOrigin, unsure_until: VendorOrigin }
      assert.strictEqual((yield* deliver(all.target.slack, payloadOf(1), again)).kind, "delivered")
      assert.lengthOf(all.slack.messages, 2)
    }).pipe(Effect.scoped))
})

describe("a Slack bot that may not post", () => {
  it.live("is told by the check, before anything is delivered", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* workspace({ scopes: ["channels:history"] })
      assert.deepInclude(yield* check(all.target.slack), { ok: false, final: true, status: "auth_failed" })
      const outcome = yield* deliver(all.target.slack, payloadOf(1), first)
      assert.deepInclude(outcome, { kind: "auth_broken", error: "missing_scope" })
    }).pipe(Effect.scoped))
})

describe("a message that Slack finds too long all the same", () => {
  const result = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`field_${at}`, "word ".repeat(500)]))

  for (const kind of ["slack", "slack_incoming"] as const) {
    it.live(`is posted once, shorter, by the same attempt: ${kind}`, () =>
      Effect.gen(function*() {
        const { all, deliver } = yield* workspace({ most_blocks: 6000 })
        assert.strictEqual((yield* deliver(all.target[kind], payloadOf(1, { result }), first)).kind, "delivered")
        assert.lengthOf(all.held(kind), 1)
        assert.lengthOf(all.calls, 2)
      }).pipe(Effect.scoped))

    it.live(`is rejected where a shorter one is refused too: ${kind}`, () =>
      Effect.gen(function*() {
        const { all, deliver } = yield* workspace({ most_blocks: 100 })
        const outcome = yield* deliver(all.target[kind], payloadOf(1, { result }), first)
        assert.deepInclude(outcome, { kind: "rejected", error: "msg_blocks_too_long" })
        assert.lengthOf(all.calls, 2)
      }).pipe(Effect.scoped))
  }
})

describe("a message that Slack refuses", () => {
  const kinds = {
    retryable: [
      "ratelimited",
      "rate_limited",
      "message_limit_exceeded",
      "team_added_to_org",
      "external_channel_migrating"
    ],
    ambiguous: ["internal_error", "fatal_error", "service_unavailable", "request_timeout"],
    auth_broken: ["token_revoked", "not_in_channel", "is_archived", "restricted_action_read_only_channel"],
    rejected: ["no_text", "invalid_arguments"]
  } as const

  for (const [kind, codes] of Object.entries(kinds)) {
    it.live(`is ${kind} by ${codes.join(", ")}`, () =>
      Effect.gen(function*() {
        for (const refuses of codes) {
          const { all, deliver } = yield* workspace({ refuses })
          const outcome = yield* deliver(all.target.slack, payloadOf(1), first)
          assert.strictEqual(outcome.kind, kind, refuses)
          assert.include(outcome.error, refuses)
        }
      }).pipe(Effect.scoped))
  }
})
