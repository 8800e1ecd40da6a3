import { Config, Effect, FileSystem, Option, Path, Redacted, Result } from "effect"
import { createHash } from "node:crypto"
import { configInvalid } from "../observability/Configuration.ts"
import { path, secret, setting } from "../observability/Setting.ts"
import { dataFolder } from "../processes/DataFolder.ts"
import { isProduction } from "../processes/Production.ts"
import { keyBytes, keyFile } from "./KeyFile.ts"

/** A key that wraps the keys of sealed values. Its id is public: it stands beside everything that the key wraps. */
export interface WrappingKey {
  readonly id: string
  readonly bytes: Redacted.Redacted<Uint8Array>
}

/** What is sealed from now on is sealed under `active`; what any of the keys sealed can be opened. */
export interface KeyRing {
  readonly active: WrappingKey
  readonly find: (id: string) => WrappingKey | undefined
  readonly keys: ReadonlyArray<WrappingKey>
}

/** The id of a key that was given none: 48 bits of its SHA-256, which say nothing of 256 random bits. */
export const keyId = (bytes: Uint8Array): string =>
  `key_${createHash("sha256").update("footnote/wrapping-key").update(bytes).digest("hex").slice(0, 12)}`

/** A ring of at least one key, the active one first. A key is also found by the id that it has where none is given. */
export const makeKeyRing = (keys: readonly [WrappingKey, ...ReadonlyArray<WrappingKey>]): KeyRing => {
  const byId = new Map(keys.map((key) => [keyId(Redacted.value(key.bytes)), key]))
  for (const key of keys) byId.set(key.id, key)
  return { active: keys[0], find: (id) => byId.get(id), keys }
}

const form =
  "must hold the base64 form of 32 bytes, or several as id:base64, separated by commas or lines, the active one first"

/**
 * A ring from text: keys in base64, each with an id before it (letters, digits, `_`, `-`) or without. The failure is a
 * sentence about the form and repeats nothing of the text.
 */
export const parseKeyRing = (text: string): Result.Result<KeyRing, string> => {
  const keys: Array<WrappingKey> = []
  for (const entry of text.split(/[\s,]+/u).filter((part) => part !== "")) {
    const colon = entry.indexOf(":")
    const bytes = keyBytes(entry.slice(colon + 1))
    if (bytes === undefined) return Result.fail(form)
    const id = colon === -1 ? keyId(bytes) : entry.slice(0, colon)
    if (!/^[A-Za-z0-9_-]{1,64}$/u.test(id)) return Result.fail(form)
    if (keys.some((key) => key.id === id)) return Result.fail("must not give two keys one id")
    keys.push({ id, bytes: Redacted.make(bytes) })
  }
  const [active, ...older] = keys
  return active === undefined ? Result.fail(form) : Result.succeed(makeKeyRing([active, ...older]))
}

/** The keys in the text of a variable. */
export const ringFrom = (name: string, text: string) =>
  Effect.mapError(Effect.fromResult(parseKeyRing(text)), (why) => configInvalid(`${name} ${why}`))

const givenFile = Config.option(setting("FOOTNOTE_ENCRYPTION_KEY_FILE", path, {
  meaning: "a file with the same content, separated by commas or lines; refused where anybody but its owner can read it"
}))

/** The keys of `FOOTNOTE_ENCRYPTION_KEY`, or none where a file may stand in. Fails where neither is there and none may be made. */
export const encryptionKeys: Config.Config<Option.Option<KeyRing>> = Config.all({
  text: Config.option(setting("FOOTNOTE_ENCRYPTION_KEY", secret, {
    without: "a key file in the data folder, with a warning",
    meaning:
      "what seals stored secrets: 32 bytes in base64, or several keys as `id:base64,id:base64`, the first of which seals and all "
      + "of which open; this or the file is required when `NODE_ENV=production`, and for `delivery` workers on other machines"
  })),
  file: givenFile,
  production: isProduction
}).pipe(Config.mapEffect(({ file, production, text }) => {
  if (Option.isSome(text)) return Effect.asSome(ringFrom("FOOTNOTE_ENCRYPTION_KEY", Redacted.value(text.value)))
  return production && Option.isNone(file)
    ? Effect.fail(
      configInvalid(
        "FOOTNOTE_ENCRYPTION_KEY or FOOTNOTE_ENCRYPTION_KEY_FILE is required where NODE_ENV is production: "
          + "a key such as `npm run keys -- generate` prints"
      )
    )
    : Effect.succeedNone
}))

/** The keys in a file that its owner alone can read, which a variable names. */
export const ringFromFile = Effect.fnUntraced(function*(variable: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const name = `${variable} (${file})`
  const unreadable = () => configInvalid(`${name} cannot be read`)
  const { mode } = yield* Effect.mapError(fs.stat(file), unreadable)
  if ((mode & 0o077) !== 0) {
    return yield* Effect.fail(configInvalid(`${name} can be read by others than its owner: chmod 400 it`))
  }
  return yield* ringFrom(name, yield* Effect.mapError(fs.readFileString(file), unreadable))
})

/**
 * The deployment's keys: from `FOOTNOTE_ENCRYPTION_KEY`, else from the file `FOOTNOTE_ENCRYPTION_KEY_FILE`, else, outside of
 * production, from `<FOOTNOTE_DATA>/encryption.key`, which is made at first need and warned of. With `NODE_ENV=production`
 * one of the two must be given, so that nothing is sealed with a key that dies with a container.
 */
export const configuredKeyRing = Effect.gen(function*() {
  const given = yield* encryptionKeys
  if (Option.isSome(given)) return given.value
  const file = yield* givenFile
  if (Option.isSome(file)) return yield* ringFromFile("FOOTNOTE_ENCRYPTION_KEY_FILE", file.value)
  const data = yield* dataFolder
  const made = (yield* Path.Path).join(data, "encryption.key")
  const ring = yield* ringFrom(made, yield* keyFile(made))
  yield* Effect.logWarning(`Secrets are sealed with the development key ${made}. Set FOOTNOTE_ENCRYPTION_KEY.`)
  return ring
})
