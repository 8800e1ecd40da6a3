import { Config, Context, Effect, Layer, Option, Path, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { configInvalid } from "../observability/Configuration.ts"
import { keyBytes, keyFile } from "./KeyFile.ts"

/** What was sealed does not open: another key, another purpose, or changed bytes. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", { message: Schema.String }) {}

const nonceBytes = 12
const tagBytes = 16

/**
 * Keeps small secrets at rest under the deployment's key: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D), bound
 * to a `purpose` such as the row it belongs to. Bytes sealed for one purpose do not open for another: `SealBroken`.
 */
export class Sealing extends Context.Service<Sealing, {
  readonly seal: (secret: string, purpose: string) => Uint8Array
  readonly open: (sealed: Uint8Array, purpose: string) => Effect.Effect<string, SealBroken>
}>()("footnote/crypto/Sealing") {
  static readonly layerKey = (key: Redacted.Redacted<Uint8Array>) =>
    Layer.succeed(
      Sealing,
      Sealing.of({
        seal: (secret, purpose) => {
          const nonce = randomBytes(nonceBytes)
          const cipher = createCipheriv("aes-256-gcm", Redacted.value(key), nonce).setAAD(Buffer.from(purpose))
          const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
          return Buffer.concat([nonce, cipher.getAuthTag(), body])
        },
        open: (sealed, purpose) =>
          Effect.try({
            try: () => {
              const nonce = sealed.subarray(0, nonceBytes)
              const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
              const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key), nonce, { authTagLength: tagBytes })
                .setAAD(Buffer.from(purpose)).setAuthTag(tag)
              const body = sealed.subarray(nonceBytes + tagBytes)
              return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8")
            },
            catch: () => new SealBroken({ message: "A sealed value does not open with this deployment's key" })
          })
      })
    )

  /**
   * The key from `FOOTNOTE_ENCRYPTION_KEY` (base64 of 32 bytes), else from `<FOOTNOTE_DATA>/encryption.key`, which is made
   * at first need, readable by its owner only. With `NODE_ENV=production` the variable is required, so that no container
   * seals with a key that dies with it.
   */
  static readonly layer = Layer.unwrap(Effect.map(
    Effect.gen(function*() {
      const given = yield* encryptionKey
      if (Option.isSome(given)) return given.value
      const file = (yield* Path.Path).join(yield* dataFolder, "encryption.key")
      const bytes = keyBytes(yield* keyFile(file))
      return bytes === undefined
        ? yield* Effect.fail(configInvalid(`${file} must hold the base64 form of 32 bytes`))
        : Redacted.make(bytes)
    }),
    Sealing.layerKey
  ))
}

const dataFolder = Config.String("FOOTNOTE_DATA").pipe(Config.withDefault(".footnote"))

/** `FOOTNOTE_ENCRYPTION_KEY`, or none where a key file may stand in. */
export const encryptionKey: Config.Config<Option.Option<Redacted.Redacted<Uint8Array>>> = Config.all({
  key: Config.option(Config.Redacted("FOOTNOTE_ENCRYPTION_KEY")),
  mode: Config.String("NODE_ENV").pipe(Config.withDefault("development"))
}).pipe(Config.mapEffect(({ key, mode }) => {
  if (Option.isNone(key)) {
    return mode === "production"
      ? Effect.fail(
        configInvalid("FOOTNOTE_ENCRYPTION_KEY is required where NODE_ENV is production: base64 of 32 bytes")
      )
      : Effect.succeedNone
  }
  const bytes = keyBytes(Redacted.value(key.value))
  return bytes === undefined
    ? Effect.fail(configInvalid("FOOTNOTE_ENCRYPTION_KEY must be the base64 form of 32 bytes"))
    : Effect.succeedSome(Redacted.make(bytes))
}))
