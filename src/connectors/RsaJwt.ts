import { sign } from "node:crypto"

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A JSON Web Token signed with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7519, RS256 of RFC 7518). Throws for what is no key. */
export const signJwt = (claims: Readonly<Record<string, string | number>>, privateKeyPem: string): string => {
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKeyPem).toString("base64url")}`
}
