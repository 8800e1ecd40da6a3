import { createPublicKey, type KeyObject, verify } from "node:crypto"
import { items, type Json, member, NotJson, parseStrict, sha256 } from "./StrictJson.ts"

/** Public keys by the thumbprints that were computed from them here. */
export type Keys = ReadonlyMap<string, KeyObject>

/** A file that is not what it is named as; `message` says which and why. */
export class Unreadable extends Error {}

const readJson = (bytes: Uint8Array, name: string): Json => {
  try {
    return parseStrict(bytes)
  } catch (error) {
    throw error instanceof NotJson ? new Unreadable(`${name} cannot be read: ${error.message}`) : error
  }
}

/** The Ed25519 keys of a JWK Set (RFC 7517, RFC 8037) by their thumbprints (RFC 7638). Throws `Unreadable` for anything else. */
export const readKeys = (bytes: Uint8Array, name: string): Keys => {
  const keys = items(member(readJson(bytes, name), "keys")).map((key): [string, KeyObject] => {
    const x = member(key, "x")
    if (member(key, "kty") !== "OKP" || member(key, "crv") !== "Ed25519" || typeof x !== "string") {
      throw new Unreadable(`${name} holds a key that is not Ed25519`)
    }
    const hash = Buffer.from(sha256(`{"crv":"Ed25519","kty":"OKP","x":${JSON.stringify(x)}}`), "hex")
    const kid = hash.toString("base64url")
    if ((member(key, "kid") ?? kid) !== kid) throw new Unreadable(`${name} names a key by what is not its thumbprint`)
    try {
      return [kid, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })]
    } catch {
      throw new Unreadable(`${name} holds a key that is not Ed25519`)
    }
  })
  if (keys.length === 0) throw new Unreadable(`${name} holds no key`)
  return new Map(keys)
}

const payloadType = "application/vnd.in-toto+json"

/** Base64 with padding, as RFC 4648 has it: one text for the same bytes. */
const fromBase64 = (text: Json | undefined): Buffer | undefined => {
  if (typeof text !== "string") return undefined
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? bytes : undefined
}

export interface Opened {
  readonly statement: Json
  /** Who signed, of the keys at hand; undefined where none of them did. */
  readonly signed_by: string | undefined
  /** Who is said to have signed. */
  readonly key_ids: ReadonlyArray<string>
}

/** Opens a DSSE v1 envelope and looks for a signature by one of these keys. Throws `Unreadable` where it is no envelope. */
export const openEnvelope = (bytes: Uint8Array, name: string, keys: Keys): Opened => {
  const envelope = readJson(bytes, name)
  const payload = fromBase64(member(envelope, "payload"))
  const signatures = items(member(envelope, "signatures"))
  if (payload === undefined || signatures.length === 0 || member(envelope, "payloadType") !== payloadType) {
    throw new Unreadable(`${name} is no signed manifest`)
  }
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  const key_ids: Array<string> = []
  let signed_by: string | undefined
  for (const entry of signatures) {
    const keyid = member(entry, "keyid")
    const sig = fromBase64(member(entry, "sig"))
    if (typeof keyid !== "string") continue
    key_ids.push(keyid)
    const key = keys.get(keyid)
    if (key !== undefined && sig !== undefined && verify(null, signed, key, sig)) signed_by ??= keyid
  }
  return { statement: readJson(payload, `The payload of ${name}`), signed_by, key_ids }
}
