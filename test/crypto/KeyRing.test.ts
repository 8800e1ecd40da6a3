import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Logger, Redacted, Result } from "effect"
import { configuredKeyRing, keyId, parseKeyRing } from "../../src/crypto/KeyRing.ts"

const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const configured = (config: Record<string, string>) =>
  configuredKeyRing.pipe(
    Effect.provide(Layer.mergeAll(
      ConfigProvider.layer(ConfigProvider.fromUnknown(config)),
      NodeServices.layer,
      Logger.layer([])
    ))
  )

const parsed = (text: string) => Result.getOrThrow(parseKeyRing(text))

describe("a key ring", () => {
  it("takes one key as it stands, or several with ids, the first of them active", () => {
    const single = parsed(base64(1))
    assert.deepStrictEqual(single.keys.map(({ id }) => id), [keyId(Buffer.alloc(32, 1))])
    const ring = parsed(` k2:${base64(2)},\nk1:${base64(1)} `)
    assert.strictEqual(ring.active.id, "k2")
    assert.deepStrictEqual(Redacted.value(ring.find("k1")!.bytes), new Uint8Array(32).fill(1))
    assert.isUndefined(ring.find("k3"))
  })

  it("finds a key that has got an id by the one that it had without", () => {
    const before = parsed(base64(1)).active.id
    assert.strictEqual(parsed(`k2:${base64(2)},k1:${base64(1)}`).find(before)?.id, "k1")
    assert.strictEqual(parsed(`${base64(2)},${base64(1)}`).find(before)?.id, before)
  })

  it("is refused where it is no list of keys, without a word of what was given", () => {
    const wrong = ["", "short", `${base64(1)}x`, `k 1:${base64(1)}`, `:${base64(1)}`, `k1:${base64(1)},k1:${base64(2)}`]
    for (const text of wrong) {
      const result = parseKeyRing(text)
      assert.isTrue(Result.isFailure(result), text)
      assert.notInclude(JSON.stringify(result), base64(1))
    }
  })

  it("prints nothing of its keys", () => {
    const ring = parsed(base64(7))
    assert.notInclude(JSON.stringify(ring), base64(7).slice(0, 20))
    assert.notInclude(String(ring.active.bytes), base64(7).slice(0, 20))
  })
})

describe("the configured keys", () => {
  it.effect("come from the variable before the file, and from the file before the folder", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const file = `${folder}/keys`
      yield* fs.writeFileString(file, `k2:${base64(2)}\nk1:${base64(1)}\n`, { mode: 0o400 })
      const data = { FOOTNOTE_DATA: folder }
      const fromFile = yield* configured({ ...data, FOOTNOTE_ENCRYPTION_KEY_FILE: file, NODE_ENV: "production" })
      assert.deepStrictEqual(fromFile.keys.map(({ id }) => id), ["k2", "k1"])
      const fromVariable = yield* configured({
        ...data,
        FOOTNOTE_ENCRYPTION_KEY_FILE: file,
        FOOTNOTE_ENCRYPTION_KEY: `k9:${base64(9)}`
      })
      assert.strictEqual(fromVariable.active.id, "k9")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["keys"])
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("are refused from a file that others can read", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* fs.makeTempDirectoryScoped()}/keys`
      yield* fs.writeFileString(file, base64(1))
      for (const mode of [0o440, 0o404, 0o644, 0o600, 0o400]) {
        yield* fs.chmod(file, mode)
        const outcome = yield* Effect.result(configured({ FOOTNOTE_ENCRYPTION_KEY_FILE: file }))
        assert.strictEqual(Result.isSuccess(outcome), (mode & 0o077) === 0, mode.toString(8))
        if (Result.isFailure(outcome)) assert.include(String(outcome.failure), "chmod 400")
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("are refused from a file that is not there", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(configured({ FOOTNOTE_ENCRYPTION_KEY_FILE: "/nonexistent/keys" }))
      assert.include(String(missing), "cannot be read")
    }))

  it.effect("are made in the data folder outside of production, with a warning", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const said: Array<unknown> = []
      const ring = yield* configuredKeyRing.pipe(Effect.provide(Layer.mergeAll(
        ConfigProvider.layer(ConfigProvider.fromUnknown({ FOOTNOTE_DATA: folder })),
        NodeServices.layer,
        Logger.layer([Logger.make(({ logLevel, message }) => said.push([logLevel, String(message)]))])
      )))
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["encryption.key"])
      assert.lengthOf(said, 1)
      assert.deepStrictEqual((said as Array<[string, string]>)[0]![0], "Warn")
      assert.include((said as Array<[string, string]>)[0]![1], "Set FOOTNOTE_ENCRYPTION_KEY")
      assert.strictEqual((yield* configured({ FOOTNOTE_DATA: folder })).active.id, ring.active.id)
    }).pipe(Effect.provide(NodeServices.layer)))
})
