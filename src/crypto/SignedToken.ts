import type { Sealing } from "./Sealing.ts"

/** A payload in the clear, without a point at its end, and its MAC under the deployment's key for one purpose: a token that needs no row. */
export const signedToken = (sealing: Sealing["Service"], purpose: string, payload: string): string =>
  `${payload}.${Buffer.from(sealing.mac(purpose, payload)).toString("base64url")}`

/** The payload that the token was made of; undefined for every text that this deployment did not make for this purpose. */
export const signedPayload = (sealing: Sealing["Service"], purpose: string, token: string): string | undefined => {
  const [, payload, mac] = /^([0-9a-z_.-]{1,256})\.([\w-]{43})$/u.exec(token) ?? []
  if (payload === undefined) return undefined
  const bytes = Buffer.from(mac!, "base64url")
  // Base64 has spare bits: only the one text that we write is the token.
  return bytes.toString("base64url") === mac && sealing.verifiesMac(purpose, payload, bytes) ? payload : undefined
}
