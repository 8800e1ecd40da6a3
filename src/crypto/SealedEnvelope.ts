import { Redacted } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { KeyRing, WrappingKey } from "./KeyRing.ts"
import type { KeyPurpose } from "./PurposeKey.ts"

/** Where a sealed value lies. It opens in this place and in no other. */
export interface SealedPlace {
  readonly tenant_id: string
  readonly table: string
  readonly row_id: string
  readonly field: string
  /** Under keys that others have too, in place of the deployment's own. */
  readonly key?: KeyPurpose | undefined
}

// 0x46 0x45, the version, the length of the key's id, the id, then these. PostgreSQL reads the id from here (migration 0012).
const magic = Buffer.from([0x46, 0x45, 1])
const wrappedBytes = 40
const nonceBytes = 12
const tagBytes = 16

/** Each part led by its length, so that no two places give the same bytes: ("a", "bc") is not ("ab", "c"). */
const associatedData = ({ field, row_id, table, tenant_id }: SealedPlace): Buffer =>
  Buffer.concat(["footnote/sealed/v1", tenant_id, table, row_id, field].flatMap((part) => {
    const bytes = Buffer.from(part)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  }))

/** AES-256 key wrap (RFC 3394) with its default initial value: 8 bytes of integrity for a key of 32. */
const initialValue = Buffer.alloc(8, 0xa6)

export const wrapKey = (key: WrappingKey, dataKey: Uint8Array): Buffer => {
  const cipher = createCipheriv("id-aes256-wrap", Redacted.value(key.bytes), initialValue)
  return Buffer.concat([cipher.update(dataKey), cipher.final()])
}

const unwrapKey = (key: WrappingKey, wrapped: Uint8Array): Buffer => {
  const decipher = createDecipheriv("id-aes256-wrap", Redacted.value(key.bytes), initialValue)
  return Buffer.concat([decipher.update(wrapped), decipher.final()])
}

const join = (key: WrappingKey, dataKey: Uint8Array, body: Uint8Array): Buffer => {
  const id = Buffer.from(key.id, "latin1")
  return Buffer.concat([magic, Buffer.from([id.length]), id, wrapKey(key, dataKey), body])
}

const split = (sealed: Uint8Array) => {
  const bytes = Buffer.from(sealed)
  if (bytes.length < magic.length + 1 || !bytes.subarray(0, magic.length).equals(magic)) return undefined
  const idAt = magic.length + 1
  const wrappedAt = idAt + bytes[magic.length]!
  const bodyAt = wrappedAt + wrappedBytes
  if (bytes.length < bodyAt + nonceBytes + tagBytes) return undefined
  return {
    key_id: bytes.subarray(idAt, wrappedAt).toString("latin1"),
    wrapped: bytes.subarray(wrappedAt, bodyAt),
    body: bytes.subarray(bodyAt)
  }
}

const decrypt = (key: Uint8Array, body: Buffer, aad: Buffer): string => {
  const tagAt = nonceBytes + tagBytes
  const decipher = createDecipheriv("aes-256-gcm", key, body.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(aad).setAuthTag(body.subarray(nonceBytes, tagAt))
  return Buffer.concat([decipher.update(body.subarray(tagAt)), decipher.final()]).toString("utf8")
}

/**
 * Seals a text under a fresh 256-bit key of its own: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D) over the
 * text and its place, the key wrapped under the ring's active key (RFC 3394).
 */
export const sealEnvelope = (ring: KeyRing, text: string, place: SealedPlace): Uint8Array => {
  const dataKey = randomBytes(32)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", dataKey, nonce).setAAD(associatedData(place))
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return join(ring.active, dataKey, Buffer.concat([nonce, cipher.getAuthTag(), encrypted]))
}

/** Throws for another place, a key that the ring does not hold, and bytes that were changed. */
export const openEnvelope = (ring: KeyRing, sealed: Uint8Array, place: SealedPlace): string => {
  const parts = split(sealed)
  const key = parts && ring.find(parts.key_id)
  return key === undefined
    ? openDirect(ring, Buffer.from(sealed), place)
    : decrypt(unwrapKey(key, parts!.wrapped), parts!.body, associatedData(place))
}

/** What earlier versions sealed: under the deployment's key itself, bound to the tenant and the column. */
const openDirect = (ring: KeyRing, sealed: Buffer, { field, table, tenant_id }: SealedPlace): string => {
  for (const key of ring.keys) {
    try {
      return decrypt(Redacted.value(key.bytes), sealed, Buffer.from(`${table}.${field} of ${tenant_id}`))
    } catch {
      // Another key of the ring may be the one.
    }
  }
  throw new Error("No key opens it")
}

/**
 * The same sealed text, its key wrapped under the ring's active key: the encrypted bytes stay as they are. What an earlier
 * version sealed is sealed anew. Throws where it cannot be opened.
 */
export const rewrapEnvelope = (ring: KeyRing, sealed: Uint8Array, place: SealedPlace): Uint8Array => {
  const parts = split(sealed)
  const key = parts && ring.find(parts.key_id)
  if (key === undefined) return sealEnvelope(ring, openDirect(ring, Buffer.from(sealed), place), place)
  return join(ring.active, unwrapKey(key, parts!.wrapped), parts!.body)
}
