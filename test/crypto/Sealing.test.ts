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

const place = { tenant_id: "ten_a", table: "destinations", row_id: "dst_1", field: "config" }

describe("Sealing", () => {
  it.effect("opens what it sealed, under the same key and in the same place only", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* underKey(1)
      const other = yield* underKey(2)
      const sealed = seal("whsec_geheim", place)
      assert.strictEqual(yield* open(sealed, place), "whsec_geheim")
      for (
        const broken of [
          open(sealed, { ...place, row_id: "dst_2" }),
          other.open(sealed, place),
          open(sealed.slice(1), place)
        ]
      ) {
        const error = yield* Effect.flip(broken)
        assert.strictEqual(error._tag, "SealBroken")
        assert.notInclude(JSON.stringify(error), "geheim")
      }
    }))

  it.effect("makes one key file, for its owner alone, that processes starting together share", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* fs.makeTempDirectoryScoped()}/data`
      const sealings = yield* Effect.forEach(Array.from({ length: 8 }), () => configured({ FOOTNOTE_DATA: folder }), {
        concurrency: "unbounded"
      })
      const sealed = sealings[0]!.seal("secret", place)
      for (const { open } of sealings) assert.strictEqual(yield* open(sealed, place), "secret")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["encryption.key"])
      assert.strictEqual((yield* fs.stat(`${folder}/encryption.key`)).mode & 0o777, 0o600)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("refuses to start in production without a key, and anywhere with one that is none", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(configured({ NODE_ENV: "production", FOOTNOTE_DATA: "/nonexistent" }))
      assert.include(String(missing), "FOOTNOTE_ENCRYPTION_KEY or FOOTNOTE_ENCRYPTION_KEY_FILE is required")
      for (const key of ["short", Buffer.alloc(31).toString("base64"), "%".repeat(44)]) {
        const broken = yield* Effect.flip(configured({ FOOTNOTE_ENCRYPTION_KEY: key }))
        assert.include(String(broken), "FOOTNOTE_ENCRYPTION_KEY must hold")
        assert.notInclude(String(broken), key)
      }
    }))
})
