import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { OnnxModelError } from "../../../../workers/onnx/OnnxSession.ts"
import { readOnnxMetadata } from "../../../../workers/speech/asr/OnnxMetadata.ts"
import { onnxFile } from "../../../support/OnnxFile.ts"

const folder = mkdtempSync(join(tmpdir(), "footnote-metadata-"))
afterAll(() => rmSync(folder, { recursive: true }))

const graph = (metadata: Readonly<Record<string, string>>) =>
  onnxFile({ inputs: [], outputs: [], constants: {}, nodes: [], metadata })

const write = (bytes: Uint8Array) => {
  const path = join(folder, "model.onnx")
  writeFileSync(path, bytes)
  return path
}

const failureOf = (path: string) =>
  readOnnxMetadata(path).then(() => null, (error: unknown) => error instanceof OnnxModelError ? error.message : error)

describe("readOnnxMetadata", () => {
  it("reads the key-value pairs of a file, in any script and of any length that a key has use for", async () => {
    const metadata = { kind: "Gerät", empty: "", long: "x".repeat(70_000) }
    assert.deepStrictEqual(Object.fromEntries(await readOnnxMetadata(write(graph(metadata)))), metadata)
  })

  it("reads the built-in recogniser's", async () => {
    const path = fileURLToPath(new URL("../../../../models/footnote-ctc-en.onnx", import.meta.url))
    const metadata = await readOnnxMetadata(path)
    assert.strictEqual(metadata.get("subsampling_factor"), "4")
    assert.strictEqual(metadata.get("normalize_type"), "per_feature")
  })

  it("steps over what is too large for metadata instead of holding it in memory", async () => {
    const metadata = await readOnnxMetadata(write(graph({ ballast: "x".repeat(2 << 20), kind: "ctc" })))
    assert.deepStrictEqual([...metadata], [["kind", "ctc"]])
  })

  it("names a file that is not there, and one that was cut off anywhere", async () => {
    assert.include(await failureOf(join(folder, "none.onnx")), "none.onnx")
    const whole = graph({ kind: "ctc" })
    for (let length = 0; length < whole.length; length++) {
      const read = await failureOf(write(whole.subarray(0, length)))
      // A cut between two fields leaves a smaller file of the same kind; without a graph it is none.
      if (read !== null) assert.include(read, "not a usable ONNX model", `${length} of ${whole.length}`)
      else assert.isAbove(length, whole.indexOf("toy"))
    }
  })

  it("names a file that is something else", async () => {
    for (const bytes of [Buffer.from("<!DOCTYPE html><title>404</title>"), Buffer.alloc(100), Buffer.alloc(50, 255)]) {
      assert.include(await failureOf(write(bytes)), "model.onnx")
    }
  })
})
