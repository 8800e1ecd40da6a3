import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"

const session = new URL("../../../workers/onnx/OnnxSession.ts", import.meta.url)
const model = fileURLToPath(new URL("../../../models/footnote-speaker.onnx", import.meta.url))

describe("a model process", () => {
  it("leaves no trace of itself: the runtime's own telemetry, which begins with a number for this machine, is off", () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-telemetry-"))
    const program = `const { openSession } = await import(${JSON.stringify(session.href)})
      await (await openSession(${JSON.stringify(model)})).dispose()`
    const { ORT_DISABLE_TELEMETRY: _, ...env } = process.env
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      env: { ...env, TMPDIR: folder }
    })
    const left = readdirSync(folder)
    rmSync(folder, { recursive: true })
    assert.equal(status, 0, stderr)
    assert.deepEqual(left, [])
  })
})
