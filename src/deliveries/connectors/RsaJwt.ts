import { Effect } from "effect"
import type { KeyObject } from "node:crypto"
import { type RsaKeyRefused, signRs256 } from "../../crypto/RsaKey.ts"

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A JSON Web Token signed with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7519, RS256 of RFC 7518), off the event loop. */
export const signJwt = (
  claims: Readonly<Record<string, string | number>>,
  key: KeyObject
): Effect.Effect<string, RsaKeyRefused> => {
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`
  return Effect.map(signRs256(key, Buffer.from(signed)), (bytes) => `${signed}.${bytes.toString("base64url")}`)
}
