import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, FileSystem, Layer, Logger, Redacted } from "effect"
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto"
import { type PublicKey, Signing } from "../../src/crypto/Signing.ts"

const configured = (config: Record<string, string>) =>
  Layer.build(Signing.layer).pipe(
    Effect.map((context) => Context.get(context, Signing)),
    Effect.provide(
      Layer.mergeAll(ConfigProvider.layer(ConfigProvider.fromUnknown(config)), NodeServices.layer, Logger.layer([]))
    )
  )

/** RFC 8037, appendix A.1 to A.3, and the first signature of RFC 8032, 7.1, which is by the same key. */
const rfc = {
  seed: Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url"),
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  thumbprint: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  signatureOfNothing: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
}

const isBy = ({ crv, kty, x }: PublicKey, bytes: Uint8Array, signature: Uint8Array) =>
  verify(null, bytes, createPublicKey({ key: { kty, crv, x }, format: "jwk" }), signature)

describe("Signing", () => {
  it.effect("signs and names its key as RFC 8032, RFC 8037 and RFC 7638 do", () =>
    Effect.gen(function*() {
      const { key_id, keys, sign } = yield* configured({ FOOTNOTE_SIGNING_KEY: rfc.seed.toString("base64") })
      assert.strictEqual(key_id, rfc.thumbprint)
      assert.deepStrictEqual(keys, [{
        kty: "OKP",
        crv: "Ed25519",
        x: rfc.x,
        kid: rfc.thumbprint,
        use: "sig",
        alg: "EdDSA"
      }])
      assert.strictEqual(Buffer.from(sign(new Uint8Array())).toString("hex"), rfc.signatureOfNothing)
    }))

  it.effect("takes a key as PEM, as PEM with its line ends written out, as PKCS#8 and as its 32 bytes", () =>
    Effect.gen(function*() {
      const { privateKey } = generateKeyPairSync("ed25519")
      const pem = privateKey.export({ format: "pem", type: "pkcs8" }) as string
      const forms = [
        pem,
        pem.replaceAll("\n", String.raw`\n`),
        privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
        Buffer.from(privateKey.export({ format: "jwk" }).d!, "base64url").toString("base64")
      ]
      const text = Buffer.from("statement")
      const signings = yield* Effect.forEach(forms, (key) => configured({ FOOTNOTE_SIGNING_KEY: key }))
      for (const { keys, sign } of signings) {
        assert.deepStrictEqual(keys, signings[0]!.keys)
        assert.isTrue(isBy(keys[0]!, text, sign(text)))
        assert.isFalse(isBy(keys[0]!, Buffer.from("Statement"), sign(text)))
      }
    }))

  it.effect("lists retired keys behind the one in use, each once", () =>
    Effect.gen(function*() {
      const retired = yield* configured({ FOOTNOTE_SIGNING_KEY: Buffer.alloc(32, 1).toString("base64") })
      const key = Buffer.alloc(32, 2).toString("base64")
      const own = yield* configured({ FOOTNOTE_SIGNING_KEY: key })
      const { key_id, keys } = yield* configured({
        FOOTNOTE_SIGNING_KEY: key,
        FOOTNOTE_SIGNING_KEYS_RETIRED: `${retired.keys[0]!.x}, ${own.keys[0]!.x}`
      })
      assert.strictEqual(key_id, own.key_id)
      assert.deepStrictEqual(keys, [...own.keys, ...retired.keys])
      const broken = yield* Effect.flip(
        configured({ FOOTNOTE_SIGNING_KEY: key, FOOTNOTE_SIGNING_KEYS_RETIRED: "a,b" })
      )
      assert.include(String(broken), "FOOTNOTE_SIGNING_KEYS_RETIRED must list")
    }))

  it.effect("makes one key file, for its owner alone, that processes starting together share", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* fs.makeTempDirectoryScoped()}/data`
      const signings = yield* Effect.forEach(Array.from({ length: 8 }), () => configured({ FOOTNOTE_DATA: folder }), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(signings.map(({ key_id }) => key_id)).size, 1)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["signing.key"])
      assert.strictEqual((yield* fs.stat(`${folder}/signing.key`)).mode & 0o777, 0o600)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("reads a file that is named, in production too, and there it makes none", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const config = { NODE_ENV: "production", FOOTNOTE_SIGNING_KEY_FILE: `${folder}/key.pem` }
      const absent = yield* Effect.flip(configured(config))
      assert.include(String(absent), `FOOTNOTE_SIGNING_KEY_FILE names ${folder}/key.pem`)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
      const key = createPrivateKey({
        key: { kty: "OKP", crv: "Ed25519", d: rfc.seed.toString("base64url"), x: "" },
        format: "jwk"
      })
      yield* fs.writeFileString(`${folder}/key.pem`, key.export({ format: "pem", type: "pkcs8" }) as string)
      assert.strictEqual((yield* configured(config)).key_id, rfc.thumbprint)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("refuses to start in production without a key, and anywhere with one that is not Ed25519, never showing it", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(configured({ NODE_ENV: "production", FOOTNOTE_DATA: "/nonexistent" }))
      assert.include(String(missing), "FOOTNOTE_SIGNING_KEY or FOOTNOTE_SIGNING_KEY_FILE is required")
      const other = generateKeyPairSync("x25519").privateKey.export({ format: "pem", type: "pkcs8" }) as string
      for (const key of ["short", Buffer.alloc(31).toString("base64"), "%".repeat(44), other]) {
        const broken = yield* Effect.flip(configured({ FOOTNOTE_SIGNING_KEY: key }))
        assert.include(String(broken), "FOOTNOTE_SIGNING_KEY must be")
        assert.notInclude(String(broken), key)
      }
    }))

  it.effect("signs the same bytes the same way every time", () =>
    Effect.gen(function*() {
      const layer = Signing.layerKey(Redacted.make(new Uint8Array(32).fill(3)))
      const { sign } = Context.get(yield* Layer.build(layer), Signing)
      assert.deepStrictEqual(sign(Buffer.from("a")), sign(Buffer.from("a")))
    }))
})
