import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { checksumAlgorithms, parseUploadChecksum } from "../../src/sources/UploadChecksum.ts"

describe("parseUploadChecksum", () => {
  it.each(checksumAlgorithms)("reads the digest of %s and hashes by it", (algorithm) => {
    const digest = createHash(algorithm).update("bytes").digest()
    const checksum = parseUploadChecksum(`${algorithm.toUpperCase()} ${digest.toString("base64")}`)
    assert.isTrue(checksum?.digest.equals(checksum.hash().update("bytes").digest()))
  })

  it.each(["", "sha1", "sha1 ", "sha1 AAAA", "crc32 AAAAAA==", "sha1 !!!!", "sha1 AAAA BBBB", "constructor AAAA"])(
    "refuses %j",
    (header) => {
      assert.strictEqual(parseUploadChecksum(header), undefined)
    }
  )
})
