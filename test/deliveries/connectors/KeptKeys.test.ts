import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState } from "../../../src/deliveries/connectors/content/Connector.ts"
import { madeUpRsaKey } from "../../support/HostileKeys.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

describe.each(["sheets", "snowflake"] as const)("a key of %s that was kept before keys had a largest size", (kind) => {
  it.live("signs nothing: the check says invalid_config for good, a delivery waits for its owner", () =>
    Effect.gen(function*() {
      const all = yield* Effect.acquireRelease(
        Effect.promise(() => openVendors()),
        ({ close }) => Effect.promise(close)
      )
      const connectors = yield* Effect.provide(Connectors, all.connectors)
      const { config, ...target } = all.target[kind]
      const kept = {
        ...target,
        config: { ...config, private_key: madeUpRsaKey(8192) }
      } as typeof all.target[typeof kind]
      const health = yield* connectors.check(kept)
      assert.deepStrictEqual([health.ok, health.final, health.status], [false, true, "invalid_config"])
      const outcome = yield* connectors.deliver(kept, payloadOf(1), first)
      assert.strictEqual(outcome.kind, "auth_broken")
      assert.match(outcome.error!, /^the private key cannot be used: RSA of 2048 to 4096 bits/u)
      assert.lengthOf(all.held(kind), 0)
    }))
})
