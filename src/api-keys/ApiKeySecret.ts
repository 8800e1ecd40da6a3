import { hash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const form = /^fnk_[0-9A-Za-z]{38}$/u

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * A fresh key: `fnk_`, 32 random base62 characters (190 bits), and the CRC-32 of all that in 6 more, so that a scanner
 * can tell a leaked key from noise and a typing error never asks the database.
 */
export const mintSecret = (): string => {
  let random = ""
  while (random.length < 32) {
    for (const byte of randomBytes(48)) {
      // 248 is the last multiple of 62 below 256: above it a remainder would favour the first letters.
      if (byte < 248 && random.length < 32) random += alphabet[byte % 62]
    }
  }
  return `fnk_${random}${checksum(`fnk_${random}`)}`
}

export const isApiKey = (text: string): boolean => form.test(text) && checksum(text.slice(0, 36)) === text.slice(36)

/** The part that may be shown: enough to recognise a key, 142 bits short of using it. */
export const visiblePrefix = (secret: string): string => secret.slice(0, 12)

/** What is stored. A key has 190 random bits, so a slow hash would add nothing. */
export const hashApiKey = (secret: string): Uint8Array => hash("sha256", secret, "buffer")
