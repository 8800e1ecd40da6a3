import { createHash, type Hash } from "node:crypto"

/** The algorithms that a body may be checked by, in the words of tus. */
export const checksumAlgorithms = ["sha1", "sha256", "sha512", "md5"] as const

/** What the bytes of one request must come to. */
export interface UploadChecksum {
  readonly hash: () => Hash
  readonly digest: Buffer
}

/**
 * Reads `Upload-Checksum: <algorithm> <digest in base64>` (tus 1.0, checksum). Undefined for an algorithm that is not
 * taken and for a digest that is not of its length.
 */
export const parseUploadChecksum = (header: string): UploadChecksum | undefined => {
  const [name, text, ...more] = header.trim().split(/ +/u)
  const algorithm = checksumAlgorithms.find((one) => one === name?.toLowerCase())
  if (algorithm === undefined || text === undefined || more.length > 0) return undefined
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(text)) return undefined
  const digest = Buffer.from(text, "base64")
  const hash = () => createHash(algorithm)
  return digest.length === hash().digest().length ? { hash, digest } : undefined
}
