import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { type KeyRing, parseKeyRing } from "../../src/crypto/KeyRing.ts"
import { type KeyPurpose, purposeKeyText } from "../../src/crypto/PurposeKey.ts"
import { openEnvelope } from "../../src/crypto/SealedEnvelope.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"

const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const ringOf = (text: string) => Result.getOrThrow(parseKeyRing(text))

const sealingOf = (text: string) => Effect.provide(Effect.map(Sealing, (it) => it), Sealing.layerRing(ringOf(text)))

describe.each(["source", "tenant_model"] as const)("the key of the purpose %s", (key) => {
  const place = { tenant_id: "ten_a", table: "jobs", row_id: "job_a", field: "source_sealed", key } as const
  const other: KeyPurpose = key === "source" ? "tenant_model" : "source"
  const keyText = (ring: KeyRing) => purposeKeyText(ring, key)

  it.effect("opens what was sealed for it, also under an older key and one that had no id, and nothing else", () =>
    Effect.gen(function*() {
      const before = yield* sealingOf(base64(1))
      const [source, secret] = [before.seal("address", place), before.seal("secret", { ...place, key: undefined })]
      const worker = ringOf(keyText(ringOf(`k2:${base64(2)},k1:${base64(1)}`)))
      assert.strictEqual(openEnvelope(worker, source, place), "address")
      assert.throws(() => openEnvelope(worker, secret, place))
      assert.throws(() => openEnvelope(worker, before.seal("other", { ...place, key: other }), place))
      assert.throws(() => openEnvelope(worker, source, { ...place, row_id: "job_b" }))
      for (const { bytes } of worker.keys) assert.notInclude([base64(1), base64(2)], base64Of(Redacted.value(bytes)))
      const after = yield* sealingOf(`k2:${base64(2)},k1:${base64(1)}`)
      const moved = yield* after.rewrap(source, place)
      assert.strictEqual(openEnvelope(ringOf(keyText(ringOf(`k2:${base64(2)}`))), moved, place), "address")
    }))

  it.effect("is not needed by whoever has the deployment's key, which reads what it sealed before as well", () =>
    Effect.gen(function*() {
      const sealing = yield* sealingOf(base64(1))
      const earlier = sealing.seal("of before", { ...place, key: undefined })
      assert.strictEqual(yield* sealing.open(earlier, place), "of before")
      assert.isFalse(sealing.isUnderPurpose(earlier, place))
      const moved = yield* sealing.rewrap(earlier, place)
      assert.isTrue(sealing.isUnderPurpose(moved, place))
      assert.strictEqual(openEnvelope(ringOf(keyText(ringOf(base64(1)))), moved, place), "of before")
    }))
})

const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
