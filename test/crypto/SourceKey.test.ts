import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { parseKeyRing } from "../../src/crypto/KeyRing.ts"
import { openEnvelope } from "../../src/crypto/SealedEnvelope.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { sourceKeyText } from "../../src/crypto/SourceKey.ts"

const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const ringOf = (text: string) => Result.getOrThrow(parseKeyRing(text))

const place = { tenant_id: "ten_a", table: "jobs", row_id: "job_a", field: "source_sealed", key: "source" } as const
const sealingOf = (text: string) => Effect.provide(Effect.map(Sealing, (it) => it), Sealing.layerRing(ringOf(text)))

describe("the key of sources", () => {
  it.effect("opens what was sealed for it, also under an older key and one that had no id, and nothing else", () =>
    Effect.gen(function*() {
      const before = yield* sealingOf(base64(1))
      const [source, secret] = [before.seal("address", place), before.seal("secret", { ...place, key: undefined })]
      const worker = ringOf(sourceKeyText(ringOf(`k2:${base64(2)},k1:${base64(1)}`)))
      assert.strictEqual(openEnvelope(worker, source, place), "address")
      assert.throws(() => openEnvelope(worker, secret, place))
      assert.throws(() => openEnvelope(worker, source, { ...place, row_id: "job_b" }))
      for (const { bytes } of worker.keys) assert.notInclude([base64(1), base64(2)], base64Of(Redacted.value(bytes)))
      const after = yield* sealingOf(`k2:${base64(2)},k1:${base64(1)}`)
      const moved = yield* after.rewrap(source, place)
      assert.strictEqual(openEnvelope(ringOf(sourceKeyText(ringOf(`k2:${base64(2)}`))), moved, place), "address")
    }))
})

const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
