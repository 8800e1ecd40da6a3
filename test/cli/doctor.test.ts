import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseKeyRing } from "../../src/crypto/KeyRing.ts"
import { purposeKeyText } from "../../src/crypto/PurposeKey.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const program = fileURLToPath(new URL("../../src/cli/doctor.ts", import.meta.url))

const doctor = (pools: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...pools], {
    // What vitest.config.ts gives, so that modules are compiled once.
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_ENV: "production",
      ...env
    },
    encoding: "utf8"
  })
  return { status, text: stdout + stderr }
}

const textOf = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const ringOf = (byte: number) => Result.getOrThrow(parseKeyRing(textOf(byte)))
const sourceKeyOf = (byte: number) => purposeKeyText(ringOf(byte), "source")

describe("doctor of a worker", () => {
  it("passes exactly where a worker of these pools would take tasks, by that worker's variables alone", async () => {
    const data = mkdtempSync(join(tmpdir(), "footnote-doctor-"))
    try {
      const url = await TestDatabase.create()
      await TestDatabase.execute(
        TestDatabase.asOwner(url),
        `INSERT INTO footnote.deployment (encryption_key_id) VALUES ('${ringOf(1).active.id}')`
      )
      const env = { DATABASE_URL: Redacted.value(url), FOOTNOTE_DATA: data, BLOB_DIR: join(data, "blobs") }

      const media = { ...env, FOOTNOTE_SOURCE_KEY: sourceKeyOf(1) }
      const healthy = doctor(["media"], media)
      assert.strictEqual(healthy.status, 0, healthy.text)
      assert.include(healthy.text, "ok   source key")
      assert.notMatch(healthy.text, /encryption key|workers:/u)
      const asApi = doctor([], media)
      assert.strictEqual(asApi.status, 1)
      assert.match(asApi.text, /FAIL configuration: .*FOOTNOTE_ENCRYPTION_KEY/su)

      const stranger = doctor(["media"], { ...env, FOOTNOTE_SOURCE_KEY: sourceKeyOf(2) })
      assert.strictEqual(stranger.status, 1)
      assert.match(stranger.text, /FAIL source key: .*FOOTNOTE_SOURCE_KEY/u)

      assert.strictEqual(doctor(["delivery"], { ...env, FOOTNOTE_ENCRYPTION_KEY: textOf(1) }).status, 0)
      const other = doctor(["delivery"], { ...env, FOOTNOTE_ENCRYPTION_KEY: textOf(2) })
      assert.strictEqual(other.status, 1)
      assert.include(other.text, "FAIL encryption key")

      const slots = doctor(["speech"], { ...env, SPEECH_SLOTS: "0" })
      assert.strictEqual(slots.status, 1)
      assert.match(slots.text, /FAIL configuration: .*SPEECH_SLOTS/su)
      assert.include(slots.text, "ok   model files")
    } finally {
      rmSync(data, { recursive: true })
    }
  })

  it("refuses a pool that is none, and pools that no one process serves", () => {
    assert.deepInclude(doctor(["medja"], {}), { status: 2 })
    assert.deepInclude(doctor(["delivery", "media"], {}), { status: 2 })
  })
})
