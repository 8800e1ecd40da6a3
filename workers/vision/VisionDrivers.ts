import type { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import type { Device } from "../onnx/Device.ts"
import { fileOf, noDriver } from "../onnx/ModelFiles.ts"
import { type FrameDescriber, openFrameDescriber } from "./description/DescribeFrame.ts"
import type { Describer } from "./description/Describer.ts"
import { type ObjectDetector, openObjectDetector } from "./objects/ObjectDetector.ts"
import { detectionSettings } from "./text/DetectionSettings.ts"

/** Opens the reader of text of a stack, and the rules that speak of what it read. Throws `OnnxModelError`. */
export const openReaderOf = async (model: ResolvedModel): Promise<FrameDescriber & AsyncDisposable> => {
  if (model.driver !== "ppocr") throw noDriver("reading text", model)
  const opened = await openFrameDescriber({
    detector: fileOf(model, "detector"),
    recogniser: fileOf(model, "recogniser"),
    classifier: fileOf(model, "classifier"),
    keys: fileOf(model, "keys"),
    detection: detectionSettings(model.name, model.options)
  })
  return { ...opened, [Symbol.asyncDispose]: opened.dispose }
}

/** Opens the model of a stack that finds things on pictures. Throws `OnnxModelError`. */
export const openDetectorOf = async (model: ResolvedModel): Promise<ObjectDetector & AsyncDisposable> => {
  if (model.driver !== "centernet") throw noDriver("finding things on pictures", model)
  const opened = await openObjectDetector(fileOf(model, "model"))
  return { ...opened, [Symbol.asyncDispose]: opened.dispose }
}

/** Opens the model of a stack that describes pictures, checked by a first one. Throws `OnnxModelError`. */
export const openDescriberOf = async (model: ResolvedModel, device: Device): Promise<Describer> => {
  if (model.driver !== "transformers") throw noDriver("describing pictures", model)
  const { openTransformersDescriber } = await import("./drivers/TransformersDescriber.ts")
  return openTransformersDescriber(model, { device })
}
