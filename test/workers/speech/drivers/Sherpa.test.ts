import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { writeToyCtc } from "./ToyModels.ts"

const folder = mkdtempSync(join(tmpdir(), "footnote-sherpa-"))
afterAll(() => rmSync(folder, { recursive: true }))

const drivers = fileURLToPath(new URL("../../../../workers/speech/drivers/SpeechDrivers.ts", import.meta.url))

/** Opens the toy by two drivers in a process for which there is no `sherpa-onnx-node`, and tells how that went. */
const script = (files: Record<string, string>) => `
  import { registerHooks } from "node:module"
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.startsWith("sherpa-onnx")) throw new Error("no binary for this platform")
      return next(specifier, context)
    }
  })
  const { openRecogniserOf } = await import(${JSON.stringify(drivers)})
  const open = (driver) =>
    openRecogniserOf({ driver, name: "toy", files: ${
  JSON.stringify(files)
}, sha256: {}, options: { type: "nemo_ctc" } })
      .then(({ execution_provider }) => execution_provider, ({ code, message }) => code + ": " + message)
  process.stdout.write(JSON.stringify([await open("ctc"), await open("sherpa")]))
`

describe("sherpa-onnx-node", () => {
  it("is not needed by a stack that does not name it, and is MODEL_UNAVAILABLE where it has no binary", () => {
    const answer = execFileSync(process.execPath, ["--input-type=module", "-e", script(writeToyCtc(folder))])
    const [ctc, sherpa] = JSON.parse(answer.toString()) as [string, string]
    assert.strictEqual(ctc, "cpu")
    assert.strictEqual(
      sherpa,
      `MODEL_UNAVAILABLE: sherpa-onnx-node cannot be loaded on ${process.platform}-${process.arch}`
    )
  })
})
