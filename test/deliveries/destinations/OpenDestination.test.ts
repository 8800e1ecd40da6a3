import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"
import { Sealing } from "../../../src/crypto/Sealing.ts"
import {
  openDestination,
  placeOf,
  type SealedDestination
} from "../../../src/deliveries/destinations/OpenDestination.ts"

const until = 1_750_000_000_000
const endOfWindow = new Date(until)
const config = { url: "https://example.com/hook" }

const sealed = Effect.gen(function*() {
  const sealing = Context.get(
    yield* Layer.build(Sealing.layerKey(Redacted.make(new Uint8Array(32).fill(7)))),
    Sealing
  )
  const row = { id: "dst_1", tenant_id: "ten_a" as const, type: "webhook" as const }
  const destination: SealedDestination = {
    ...row,
    config: sealing.seal(JSON.stringify(config), placeOf(row, "config")),
    signing_secret: sealing.seal("whsec_new", placeOf(row, "signing_secret")),
    previous_signing_secret: sealing.seal("whsec_old", placeOf(row, "previous_signing_secret")),
    previous_secret_until: endOfWindow
  }
  return { sealing, destination }
})

describe("an opened destination", () => {
  it.effect("signs with the new secret first, and with the old one to the last millisecond of its window", () =>
    Effect.gen(function*() {
      const { destination, sealing } = yield* sealed
      const secretsAt = (now: number) =>
        Effect.map(openDestination(sealing, destination, now), ({ secrets }) => secrets)
      assert.deepStrictEqual(yield* secretsAt(until - 1), ["whsec_new", "whsec_old"])
      assert.deepStrictEqual(yield* secretsAt(until), ["whsec_new"])
      assert.deepStrictEqual((yield* openDestination(sealing, destination, until)).config, config)
    }))

  it.effect("is a defect where a row holds what was sealed for another row, another tenant or another column", () =>
    Effect.gen(function*() {
      const { destination, sealing } = yield* sealed
      const moved: ReadonlyArray<SealedDestination> = [
        { ...destination, id: "dst_2" },
        { ...destination, tenant_id: "ten_b" as const },
        { ...destination, signing_secret: destination.previous_signing_secret },
        { ...destination, config: destination.signing_secret },
        { ...destination, config: null }
      ]
      for (const row of moved) assert.isTrue(Exit.hasDies(yield* Effect.exit(openDestination(sealing, row, until - 1))))
    }))
})
