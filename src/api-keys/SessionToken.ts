import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"

export const sessionCookie = "footnote_session"

const form = /^[\w-]{43}$/u

/** A fresh token of 256 random bits, as it stands in the cookie. */
export const mintToken = (): string => randomBytes(32).toString("base64url")

export const isToken = (text: string): boolean => form.test(text)

export const hashToken = (token: string): Uint8Array => hash("sha256", token, "buffer")

/**
 * The CSRF token that goes with a session's: whoever has the cookie can be told it again, and whoever can only have it sent
 * along (another site) cannot make it up. So nothing is stored of it.
 */
export const csrfTokenOf = (token: string): string =>
  createHmac("sha256", token).update("footnote CSRF token").digest("base64url")

export const isCsrfTokenOf = (token: string, given: string): boolean => {
  const [expected, sent] = [csrfTokenOf(token), given].map((text) => hash("sha256", text, "buffer"))
  return timingSafeEqual(expected!, sent!)
}
