import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OnnxModelError, openSession } from "../../../workers/onnx/OnnxSession.ts"
import { vadModelPath } from "../../../workers/speech/vad/Vad.ts"
import { onnxFile } from "../../support/OnnxFile.ts"

const feeds = () => ({
  input: { data: Float32Array.from({ length: 576 }, (_, i) => Math.sin(i / 7)), dims: [1, 576] },
  state: { data: new Float32Array(256), dims: [2, 1, 128] },
  sr: { data: BigInt64Array.of(16000n), dims: [] }
})

describe("OnnxSession", () => {
  it("gives the same bytes for the same feeds, in any session and after any other run", async () => {
    const one = await openSession(vadModelPath())
    const two = await openSession(vadModelPath())
    const first = await one.run(feeds())
    await one.run({ ...feeds(), input: { data: new Float32Array(576).fill(0.5), dims: [1, 576] } })
    const again = await one.run(feeds())
    const other = await two.run(feeds())
    assert.deepStrictEqual(first, again)
    assert.deepStrictEqual(first, other)
    assert.deepStrictEqual(first["stateN"]!.dims, [2, 1, 128])
    await one.dispose()
    await two.dispose()
  })

  it("finds weights in a file beside the model, and says when that file is not there", async () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-onnx-"))
    const file = join(folder, "model.onnx")
    const value = { type: "float", dims: [2] } as const
    writeFileSync(
      file,
      onnxFile({
        inputs: [{ name: "x", ...value }],
        outputs: [{ name: "y", ...value }],
        constants: { w: { ...value, values: [], location: "model.onnx.data" } },
        nodes: [{ op: "Mul", inputs: ["x", "w"], outputs: ["y"] }],
        metadata: {}
      })
    )
    const alone = await openSession(file).then(() => undefined, (error: unknown) => error)
    assert.instanceOf(alone, OnnxModelError)
    writeFileSync(`${file}.data`, Float32Array.of(3, 5))
    const session = await openSession(file)
    const { y } = await session.run({ x: { data: Float32Array.of(2, 2), dims: [2] } })
    assert.deepStrictEqual([...y!.data], [6, 10])
    await session.dispose()
    rmSync(folder, { recursive: true })
  })

  it("says of a file that is no model which file it is, and that trying again is useless", async () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-onnx-"))
    const file = join(folder, "broken.onnx")
    writeFileSync(file, "not a model")
    const broken = await openSession(file).then(() => undefined, (error: unknown) => error)
    const absent = await openSession(join(folder, "absent.onnx")).then(() => undefined, (error: unknown) => error)
    rmSync(folder, { recursive: true })
    for (const [error, name] of [[broken, "broken.onnx"], [absent, "absent.onnx"]] as const) {
      assert.instanceOf(error, OnnxModelError)
      assert.include(error.message, name)
      assert.strictEqual(error.code, "MODEL_UNAVAILABLE")
      assert.isFalse(error.retryable)
    }
    assert.include((absent as Error).message, "cannot be read")
    assert.include((broken as Error).message, "not a usable ONNX model")
  })
})
