import { Redacted } from "effect"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import type { KeyRing, WrappingKey } from "./KeyRing.ts"

/** A key of its own for each purpose (HKDF, RFC 5869), so that the key that seals is used for nothing else. */
const keyFor = (key: WrappingKey, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", Redacted.value(key.bytes), "", `footnote/mac/${purpose}`, 32))

export const macOf = (key: WrappingKey, purpose: string, text: string): Uint8Array =>
  createHmac("sha256", keyFor(key, purpose)).update(text).digest()

/** In constant time for each key of the ring. */
export const verifiesMac = (ring: KeyRing, purpose: string, text: string, mac: Uint8Array): boolean =>
  mac.length === 32 && ring.keys.some((key) => timingSafeEqual(macOf(key, purpose, text), mac))
