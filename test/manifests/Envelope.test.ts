import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signed } from "./SignedEnvelope.ts"

const { envelope, keys } = signed(JSON.stringify({ text: "Größe – ✓", n: 1 }))

/** Whether a program is here; a reason is printed where it is not. */
const has = (program: string, ...words: ReadonlyArray<string>): boolean => {
  const here = spawnSync(program, words).status === 0
  if (!here) process.stderr.write(`Skipped: ${program} ${words.join(" ")} does not run here\n`)
  return here
}

/** What the documentation shows to strangers. */
const python = /```python\n(.*?)```/su.exec(
  readFileSync(new URL("../../docs/manifest.md", import.meta.url), "utf8")
)![1]!

/** Runs `use` in a folder with the manifest and the keys. */
const withFiles = (manifest: string, use: (folder: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-envelope-"))
  try {
    writeFileSync(join(folder, "manifest.json"), manifest)
    writeFileSync(join(folder, "keys.json"), JSON.stringify(keys))
    use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("a signed envelope", () => {
  it("is a DSSE envelope whose payload is the statement, character by character", () => {
    assert.hasAllKeys(envelope, ["payloadType", "payload", "signatures"])
    assert.strictEqual(envelope.payloadType, "application/vnd.in-toto+json")
    assert.strictEqual(Buffer.from(envelope.payload, "base64").toString("utf8"), "{\"text\":\"Größe – ✓\",\"n\":1}")
    assert.strictEqual(envelope.signatures[0]!.keyid, keys.keys[0]!.kid)
  })

  it.skipIf(!has("python3", "-c", "import cryptography"))(
    "is verified by the program in the documentation, in Python, and not once a character of it is another",
    () => {
      const other = Buffer.from("{\"text\":\"Größe – ✓\",\"n\":2}").toString("base64")
      const encoded = JSON.stringify(envelope)
      const cases = [
        [encoded, 0],
        [encoded.replace(envelope.payload, other), 1],
        [encoded.replace("vnd.in-toto+json", "vnd.in-toto+jsom"), 1]
      ] as const
      for (const [manifest, status] of cases) {
        withFiles(manifest, (folder) => {
          const run = spawnSync("python3", ["-c", python, "manifest.json", "keys.json"], {
            cwd: folder,
            encoding: "utf8"
          })
          assert.strictEqual(run.status, status, run.stderr)
          if (status === 0) assert.deepStrictEqual(JSON.parse(run.stdout), { text: "Größe – ✓", n: 1 })
          else assert.match(run.stderr, /InvalidSignature/u)
        })
      }
    }
  )

  it.skipIf(!has("openssl", "version"))("is verified by openssl, and not once a character of it is another", () => {
    withFiles("", (folder) => {
      const { crv, kty, x } = keys.keys[0]!
      const key = createPublicKey({ key: { crv, kty, x }, format: "jwk" })
      writeFileSync(join(folder, "key.pem"), key.export({ format: "pem", type: "spki" }))
      writeFileSync(join(folder, "sig"), Buffer.from(envelope.signatures[0]!.sig, "base64"))
      const check = (payload: Buffer) => {
        const head = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `
        writeFileSync(join(folder, "text"), Buffer.concat([Buffer.from(head), payload]))
        const words = "pkeyutl -verify -pubin -inkey key.pem -rawin -in text -sigfile sig".split(" ")
        return spawnSync("openssl", words, { cwd: folder }).status
      }
      const payload = Buffer.from(envelope.payload, "base64")
      assert.strictEqual(check(payload), 0)
      payload[3]! ^= 1
      assert.notStrictEqual(check(payload), 0)
    })
  })
})
