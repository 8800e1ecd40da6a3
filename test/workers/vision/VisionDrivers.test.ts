import { assert, describe, it } from "@effect/vitest"
import type { ResolvedModel } from "../../../src/model-stacks/ResolvedStack.ts"
import { cpu } from "../../../workers/onnx/Device.ts"
import { OnnxModelError } from "../../../workers/onnx/OnnxSession.ts"
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

  it("know rules from a model", () => {
    assert.isTrue(isRules(model("rules")))
    assert.isFalse(isRules(model("transformers")))
  })
})
