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

/** What a process opens that has not the deployment's own keys: addresses of sources, or language models of tenants. */
export type KeyPurpose = "source" | "tenant_model"

/** HKDF (RFC 5869): from the result nobody comes back to the key or to that of another purpose. */
const derived = (purpose: KeyPurpose) => ({ bytes, id }: WrappingKey): WrappingKey => ({
  id,
  bytes: Redacted.make(
    new Uint8Array(hkdfSync("sha256", Redacted.value(bytes), "", `footnote/wrap/${purpose}`, 32))
  )
})

/** The keys that one purpose is sealed under: one of each key of the ring, by the same ids. */
export const purposeRing = (ring: KeyRing, purpose: KeyPurpose): KeyRing => {
  const [active, ...older] = ring.keys.map(derived(purpose))
  const { keys } = makeKeyRing([active!, ...older])
  const find = (id: string) => {
    const key = ring.find(id)
    return key && keys.find((other) => other.id === key.id)
  }
  return { active: keys[0]!, find, keys }
}

/** The derived keys as a variable takes them, each also by the id that it had while it was given none. */
export const purposeKeyText = (ring: KeyRing, purpose: KeyPurpose): string =>
  ring.keys.flatMap((key) => {
    const text = Buffer.from(Redacted.value(derived(purpose)(key).bytes)).toString("base64")
    return [...new Set([key.id, keyId(Redacted.value(key.bytes))])].map((id) => `${id}:${text}`)
  }).join(",")

/** What processes without the deployment's keys are given where these variables have them; nothing where they do not. */
export const derivedKeysOf = (
  environment: Readonly<Record<string, string | undefined>>
): { readonly FOOTNOTE_SOURCE_KEY?: string; readonly FOOTNOTE_TENANT_MODEL_KEY?: string } => {
  const { FOOTNOTE_ENCRYPTION_KEY: text, FOOTNOTE_ENCRYPTION_KEY_FILE: file } = environment
  if (text === undefined && file === undefined) return {}
  try {
    const ring = Option.getOrUndefined(Option.getSuccess(parseKeyRing(text ?? readFileSync(file!, "utf8"))))
    return ring === undefined ? {} : {
      FOOTNOTE_SOURCE_KEY: purposeKeyText(ring, "source"),
      FOOTNOTE_TENANT_MODEL_KEY: purposeKeyText(ring, "tenant_model")
    }
  } catch {
    // The API tells what is wrong with the file.
    return {}
  }
}

/**
 * The keys of one purpose as a process is given them. `given` has those of the variable, or none where a file may stand in;
 * `configured` those of the variable, else of the file, else, outside of production, those of the data folder's own key. None
 * in production where neither is given.
 */
export const purposeKeys = (
  purpose: KeyPurpose,
  name: "FOOTNOTE_SOURCE_KEY" | "FOOTNOTE_TENANT_MODEL_KEY",
  meaning: string
) => {
  const givenFile = Config.option(setting(`${name}_FILE`, path, {
    meaning: "a file with the same content; refused where anybody but its owner can read it"
  }))
  const given: Config.Config<Option.Option<KeyRing>> = Config.all({
    text: Config.option(
      setting(name, secret, { without: "derived from the encryption key where that is at hand", meaning })
    ),
    file: givenFile
  }).pipe(
    Config.mapEffect(({ text }) =>
      Option.isSome(text) ? Effect.asSome(ringFrom(name, Redacted.value(text.value))) : Effect.succeedNone
    )
  )
  const configured = Effect.gen(function*() {
    const keys = yield* given
    if (Option.isSome(keys)) return keys
    const file = yield* givenFile
    if (Option.isSome(file)) return Option.some(yield* ringFromFile(`${name}_FILE`, file.value))
    return (yield* isProduction) ? Option.none<KeyRing>() : Option.some(purposeRing(yield* configuredKeyRing, purpose))
  })
  return { given, configured }
}
