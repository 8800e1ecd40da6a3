import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, FileSystem, Layer, Redacted } from "effect"
import { Sealing } from "../../src/crypto/Sealing.ts"

const underKey = (byte: number) =>
  Effect.map(
    Layer.build(Sealing.layerKey(Redacted.make(new Uint8Array(32).fill(byte)))),
    (context) => Context.get(context, Sealing)
  )

const configured = (config: Record<string, string>) =>
  Layer.build(Sealing.layer).pipe(
    Effect.map((context) => Context.get(context, Sealing)),
    Effect.provide(Layer.mergeAll(ConfigProvider.layer(ConfigProvider.fromUnknown(config)), NodeServices.layer))
  )

describe("Sealing", () => {
  it.effect("opens what it sealed, under the same key and for the same purpose only", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* underKey(1)
      const other = yield* underKey(2)
      const sealed = seal("whsec_geheim", "row 1")
      assert.strictEqual(yield* open(sealed, "row 1"), "whsec_geheim")
      assert.strictEqual((yield* Effect.flip(open(sealed, "row 2")))._tag, "SealBroken")
      assert.strictEqual((yield* Effect.flip(other.open(sealed, "row 1")))._tag, "SealBroken")
      assert.notInclude(Buffer.from(sealed).toString("latin1"), "geheim")
    }))

  it.effect("opens nothing of which a single bit was changed or a byte is missing", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* underKey(1)
      const sealed = seal("secret", "row")
      for (let at = 0; at < sealed.length; at++) {
        const changed = Uint8Array.from(sealed)
        changed[at]! ^= 1
        assert.strictEqual((yield* Effect.flip(open(changed, "row")))._tag, "SealBroken")
        assert.strictEqual((yield* Effect.flip(open(sealed.slice(0, at), "row")))._tag, "SealBroken")
      }
    }))

  it.effect("never seals the same text to the same bytes", () =>
    Effect.gen(function*() {
      const { seal } = yield* underKey(1)
      assert.notDeepEqual(seal("secret", "row"), seal("secret", "row"))
    }))

  it.effect("makes one key file, for its owner alone, that processes starting together share", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* fs.makeTempDirectoryScoped()}/data`
      const sealings = yield* Effect.forEach(Array.from({ length: 8 }), () => configured({ FOOTNOTE_DATA: folder }), {
        concurrency: "unbounded"
      })
      const sealed = sealings[0]!.seal("secret", "row")
      for (const { open } of sealings) assert.strictEqual(yield* open(sealed, "row"), "secret")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["encryption.key"])
      assert.strictEqual((yield* fs.stat(`${folder}/encryption.key`)).mode & 0o777, 0o600)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("refuses to start in production without a key, and anywhere with one that is none", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(configured({ NODE_ENV: "production", FOOTNOTE_DATA: "/nonexistent" }))
      assert.include(String(missing), "FOOTNOTE_ENCRYPTION_KEY is required")
      for (const key of ["short", Buffer.alloc(31).toString("base64"), "%".repeat(44)]) {
        const broken = yield* Effect.flip(configured({ FOOTNOTE_ENCRYPTION_KEY: key }))
        assert.include(String(broken), "FOOTNOTE_ENCRYPTION_KEY must be")
        assert.notInclude(String(broken), key)
      }
    }))
})
