import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { python, runPython } from "../support/PythonClient.ts"

const pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--ignore=tests/test_service.py"]

describe.skipIf(python === undefined)("the Python client", () => {
  it("retries, walks lists, follows events, resumes uploads and verifies webhooks", async () => {
    assert.match(await runPython(pytest), /^\d+ passed/mu)
  })

  it("is typed throughout, as mypy sees it at its strictest", async () => {
    const cache = mkdtempSync(join(tmpdir(), "footnote-mypy-"))
    try {
      assert.match(await runPython(["-m", "mypy", "--cache-dir", cache]), /^Success/u)
    } finally {
      rmSync(cache, { recursive: true, force: true })
    }
  }, 300_000)
})
