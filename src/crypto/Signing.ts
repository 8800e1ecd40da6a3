import { Config, Context, Effect, FileSystem, Layer, Option, Path, Redacted } from "effect"
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"
import { configInvalid } from "../observability/Configuration.ts"
import { list, path, secret, setting } from "../observability/Setting.ts"
import { dataFolder } from "../processes/DataFolder.ts"
import { isProduction } from "../processes/Production.ts"
import { canonicalJson } from "./CanonicalJson.ts"
import { keyBytes, keyFile } from "./KeyFile.ts"

/** An Ed25519 public key as a JWK (RFC 8037); `kid` is its thumbprint (RFC 7638). */
export interface PublicKey {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  readonly x: string
  readonly kid: string
  readonly use: "sig"
  readonly alg: "EdDSA"
}

/**
 * Signs with the deployment's Ed25519 key (RFC 8032): the same bytes always get the same signature. `keys` are the public
 * keys that a signature may be checked with, the one in use first, then the retired ones. Only the API process has it.
 */
export class Signing extends Context.Service<Signing, {
  readonly key_id: string
  readonly sign: (bytes: Uint8Array) => Uint8Array
  readonly keys: ReadonlyArray<PublicKey>
}>()("footnote/crypto/Signing") {
  static readonly layerKey = (key: Redacted.Redacted<Uint8Array>, retired: ReadonlyArray<PublicKey> = []) =>
    Layer.succeed(Signing, make(Redacted.make(fromSeed(Redacted.value(key))), retired))

  /**
   * The key from `FOOTNOTE_SIGNING_KEY`, else from the file `FOOTNOTE_SIGNING_KEY_FILE`, which outside of production is
   * `<FOOTNOTE_DATA>/signing.key` and made at first need. With `NODE_ENV=production` one of the two must be given, since
   * what was signed with a key that dies with a container can be checked by nobody.
   */
  static readonly layer = Layer.effect(
    Signing,
    Effect.gen(function*() {
      const given = yield* signingKey
      const retired = yield* retiredSigningKeys
      return make(Option.isSome(given) ? given.value : yield* fromFile, retired)
    })
  )
}

const make = (key: Redacted.Redacted<KeyObject>, retired: ReadonlyArray<PublicKey>) => {
  const { x } = createPublicKey(Redacted.value(key)).export({ format: "jwk" })
  const own = publicKey(x!)
  return Signing.of({
    key_id: own.kid,
    sign: (bytes) => sign(null, bytes, Redacted.value(key)),
    keys: [own, ...retired.filter(({ kid }) => kid !== own.kid)]
  })
}

const publicKey = (x: string): PublicKey => {
  const thumbprint = createHash("sha256").update(canonicalJson({ crv: "Ed25519", kty: "OKP", x }))
  return { kty: "OKP", crv: "Ed25519", x, kid: thumbprint.digest("base64url"), use: "sig", alg: "EdDSA" }
}

/** RFC 8410: what stands before the 32 bytes of a private key in PKCS#8. */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex")

const fromSeed = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" })

/** An Ed25519 private key from PEM (also with `\n` written out), base64 of PKCS#8, or base64 of its 32 bytes. */
const privateKey = (text: string): KeyObject | undefined => {
  const seed = keyBytes(text)
  if (seed !== undefined) return fromSeed(seed)
  const key = text.includes("-----BEGIN")
    ? text.replaceAll(String.raw`\n`, "\n")
    : { key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" } as const
  try {
    const parsed = createPrivateKey(key)
    return parsed.asymmetricKeyType === "ed25519" ? parsed : undefined
  } catch {
    return undefined
  }
}

const form = "must be an Ed25519 private key: PEM, or the base64 form of PKCS#8 or of its 32 bytes"

const givenFile = Config.option(setting("FOOTNOTE_SIGNING_KEY_FILE", path, {
  without: "`<FOOTNOTE_DATA>/signing.key`, made at first need",
  meaning: "a file with the same content as `FOOTNOTE_SIGNING_KEY`"
}))

/** `FOOTNOTE_SIGNING_KEY`, or none where a file stands in. Fails where neither is there and none may be made. */
export const signingKey: Config.Config<Option.Option<Redacted.Redacted<KeyObject>>> = Config.all({
  key: Config.option(setting("FOOTNOTE_SIGNING_KEY", secret, {
    without: "the file",
    meaning:
      "Ed25519 private key (PEM, base64 PKCS#8, or a base64 seed) that signs manifests; the API alone needs it, and requires it or "
      + "the file when `NODE_ENV=production`"
  })),
  file: givenFile,
  production: isProduction
}).pipe(Config.mapEffect(({ file, key, production }) => {
  if (Option.isNone(key)) {
    return production && Option.isNone(file)
      ? Effect.fail(
        configInvalid(
          "FOOTNOTE_SIGNING_KEY or FOOTNOTE_SIGNING_KEY_FILE is required where NODE_ENV is production: "
            + "an Ed25519 private key, such as openssl genpkey -algorithm ed25519 writes"
        )
      )
      : Effect.succeedNone
  }
  const parsed = privateKey(Redacted.value(key.value))
  return parsed === undefined
    ? Effect.fail(configInvalid(`FOOTNOTE_SIGNING_KEY ${form}`))
    : Effect.succeedSome(Redacted.make(parsed))
}))

/** `FOOTNOTE_SIGNING_KEYS_RETIRED`: public keys as the `x` of their JWK, separated by commas. */
export const retiredSigningKeys: Config.Config<ReadonlyArray<PublicKey>> = setting(
  "FOOTNOTE_SIGNING_KEYS_RETIRED",
  list,
  {
    otherwise: "",
    meaning: "earlier public keys that are still listed"
  }
).pipe(
  Config.mapEffect((text) => {
    const keys = text.split(",").map((key) => key.trim()).filter((key) => key !== "")
    return keys.every((x) => /^[A-Za-z0-9_-]{43}$/u.test(x))
      ? Effect.succeed(keys.map(publicKey))
      : Effect.fail(
        configInvalid("FOOTNOTE_SIGNING_KEYS_RETIRED must list public keys as the x of their JWK, separated by commas")
      )
  })
)

/** Where the key file lies or would be made. */
export const signingKeyPath = Effect.gen(function*() {
  const path = yield* Path.Path
  const data = yield* dataFolder
  return Option.getOrElse(yield* givenFile, () => path.join(data, "signing.key"))
})

const fromFile = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const file = yield* signingKeyPath
  const text = (yield* isProduction)
    ? yield* fs.readFileString(file).pipe(
      Effect.mapError(() => configInvalid(`FOOTNOTE_SIGNING_KEY_FILE names ${file}, which cannot be read`))
    )
    : yield* keyFile(file)
  const parsed = privateKey(text)
  if (parsed === undefined) return yield* Effect.fail(configInvalid(`${file} ${form}`))
  if (Option.isNone(yield* givenFile)) {
    yield* Effect.logWarning(`Manifests are signed with the development key ${file}. Set FOOTNOTE_SIGNING_KEY.`)
  }
  return Redacted.make(parsed)
})
