import { assert, describe, it } from "@effect/vitest"
import type { ResolvedModel } from "../../../src/model-stacks/ResolvedStack.ts"
import { cpu } from "../../../workers/onnx/Device.ts"
import { OnnxModelError } from "../../../workers/onnx/OnnxSession.ts"
import { detectionSettings, measured } from "../../../workers/vision/text/DetectionSettings.ts"
import { installedTextFiles } from "../../../workers/vision/text/TextFiles.ts"
import { openDescriberOf, openReaderOf } from "../../../workers/vision/VisionDrivers.ts"
import { isRules } from "../../../workers/vision/VisionRoles.ts"

const model = (driver: string, files: Readonly<Record<string, string>> = {}): ResolvedModel => ({
  driver,
  name: "tiny",
  files,
  sha256: {},
  options: {}
})

const refusal = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(() => assert.fail("was opened"), (reason: unknown) => reason)
  assert.instanceOf(error, OnnxModelError)
  return (error as OnnxModelError).message
}

describe("the drivers of the vision lane", () => {
  it("are refused in words where a stack names one that does something else", async () => {
    const reader = await refusal(openReaderOf(model("ctc")))
    assert.strictEqual(reader, "The model tiny wants the driver ctc, which is none for reading text")
    const describer = await refusal(openDescriberOf(model("ppocr"), cpu))
    assert.strictEqual(describer, "The model tiny wants the driver ppocr, which is none for describing pictures")
  })

  it("name the file that a stack does not list", async () => {
    const { classifier: _, ...files } = installedTextFiles()
    assert.include(await refusal(openReaderOf(model("ppocr", files))), "lacks the file classifier")
    assert.include(await refusal(openDescriberOf(model("transformers"), cpu)), "lacks the file decoder_model_merged")
  })

  it("take a text detector's thresholds from the stack by PaddleOCR's names, and refuse what is none", async () => {
    assert.deepStrictEqual(detectionSettings("tiny", {}), measured)
    assert.deepStrictEqual(detectionSettings("tiny", { unclip_ratio: 1.5, box_thresh: 0.5, limit_side_len: 1920 }), {
      pixel: 0.3,
      region: 0.5,
      grow: 1.5,
      longest_side: 1920
    })
    const wrong = { ...model("ppocr", { ...installedTextFiles() }), options: { box_thresh: "0.6" } }
    assert.include(await refusal(openReaderOf(wrong)), "The option box_thresh of the model tiny is no number")
  })

  it("know rules from a model", () => {
    assert.isTrue(isRules(model("rules")))
    assert.isFalse(isRules(model("transformers")))
  })
})
