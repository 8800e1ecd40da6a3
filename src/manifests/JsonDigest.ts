import { canonicalSha256 } from "../crypto/CanonicalJson.ts"

/**
 * SHA-256 over the RFC 8785 form of what a value is as JSON: members that are undefined are not there. Throws where a text
 * holds half of a surrogate pair, which has no such form.
 */
export const jsonDigest = (value: unknown): { readonly jcs_sha256: string } => ({
  jcs_sha256: Buffer.from(canonicalSha256(JSON.parse(JSON.stringify(value)))).toString("hex")
})
