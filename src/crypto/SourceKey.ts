import { Config, Effect, Option, Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { path, secret, setting } from "../observability/Setting.ts"
import { isProduction } from "../processes/Production.ts"
import {
  configuredKeyRing,
  keyId,
  type KeyRing,
  makeKeyRing,
  parseKeyRing,
  ringFrom,
  ringFromFile,
  type WrappingKey
} from "./KeyRing.ts"

/** HKDF (RFC 5869): from the result nobody comes back to the key, and no other secret opens with it. */
const derived = ({ bytes, id }: WrappingKey): WrappingKey => ({
  id,
  bytes: Redacted.make(
    new Uint8Array(hkdfSync("sha256", Redacted.value(bytes), "", "footnote/wrap/source", 32))
  )
})

/** The keys that addresses of sources are sealed under: one of each key of the ring, by the same ids. */
export const sourceKeyRing = (ring: KeyRing): KeyRing => {
  const [active, ...older] = ring.keys.map(derived)
  const { keys } = makeKeyRing([active!, ...older])
  const find = (id: string) => {
    const key = ring.find(id)
    return key && keys.find((other) => other.id === key.id)
  }
  return { active: keys[0]!, find, keys }
}

/** What `FOOTNOTE_SOURCE_KEY` takes: the derived keys, each also by the id that it had while it was given none. */
export const sourceKeyText = (ring: KeyRing): string =>
  ring.keys.flatMap((key) => {
    const text = Buffer.from(Redacted.value(derived(key).bytes)).toString("base64")
    return [...new Set([key.id, keyId(Redacted.value(key.bytes))])].map((id) => `${id}:${text}`)
  }).join(",")

/** What a process that fetches is given where these variables have the deployment's keys; undefined where they do not. */
export const sourceKeyOf = (environment: Readonly<Record<string, string | undefined>>): string | undefined => {
  const { FOOTNOTE_ENCRYPTION_KEY: text, FOOTNOTE_ENCRYPTION_KEY_FILE: file } = environment
  if (text === undefined && file === undefined) return undefined
  try {
    return Option.getOrUndefined(
      Option.map(Option.getSuccess(parseKeyRing(text ?? readFileSync(file!, "utf8"))), sourceKeyText)
    )
  } catch {
    // The API tells what is wrong with the file.
    return undefined
  }
}

const givenFile = Config.option(setting("FOOTNOTE_SOURCE_KEY_FILE", path, {
  meaning: "a file with the same content; refused where anybody but its owner can read it"
}))

/** The keys of `FOOTNOTE_SOURCE_KEY`, or none where a file may stand in. */
export const sourceKeys: Config.Config<Option.Option<KeyRing>> = Config.all({
  text: Config.option(setting("FOOTNOTE_SOURCE_KEY", secret, {
    without: "derived from the encryption key where that is at hand",
    meaning:
      "what opens addresses of sources that have a query, and nothing else, for workers that fetch, which never have the "
      + "encryption key: `npm run -s keys -- source` prints it. Without it, with `NODE_ENV=production`, such a worker takes no tasks "
      + "and says so"
  })),
  file: givenFile
}).pipe(
  Config.mapEffect(({ text }) =>
    Option.isSome(text)
      ? Effect.asSome(ringFrom("FOOTNOTE_SOURCE_KEY", Redacted.value(text.value)))
      : Effect.succeedNone
  )
)

/**
 * The keys that open addresses of sources: from `FOOTNOTE_SOURCE_KEY`, else from the file `FOOTNOTE_SOURCE_KEY_FILE`, else,
 * outside of production, those of the data folder's own key. None in production where neither is given.
 */
export const configuredSourceKeys = Effect.gen(function*() {
  const given = yield* sourceKeys
  if (Option.isSome(given)) return given
  const file = yield* givenFile
  if (Option.isSome(file)) return Option.some(yield* ringFromFile("FOOTNOTE_SOURCE_KEY_FILE", file.value))
  return (yield* isProduction) ? Option.none<KeyRing>() : Option.some(sourceKeyRing(yield* configuredKeyRing))
})
