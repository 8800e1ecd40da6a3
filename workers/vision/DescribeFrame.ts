import { describe, labelsOf } from "./Describe.ts"
import { frameColours } from "./FrameColours.ts"
import { frameLayout } from "./FrameLayout.ts"
import { joinBoxes } from "./JoinBoxes.ts"
import { lineText } from "./LineText.ts"
import { loadPicture, type Picture, type Rectangle } from "./Picture.ts"
import { readingOrder } from "./ReadingOrder.ts"
import { bounds } from "./TextBox.ts"
import { openTextDetector } from "./TextDetector.ts"
import { openTextRecogniser } from "./TextRecogniser.ts"
import type { PictureDescription } from "./VisionCalls.ts"

export interface FrameDescriber {
  /** Describes one image file. Fails with `PictureError` where it cannot be decoded; an abort stops between two lines. */
  readonly describe: (path: string, signal?: AbortSignal) => Promise<PictureDescription>
  readonly dispose: () => Promise<void>
}

/** Four decimals are a tenth of a pixel of a 720p frame. */
const fraction = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 10_000) / 10_000))

const scaledTo = (seen: Picture, picture: Picture) => {
  const across = seen.width / picture.width
  const down = seen.height / picture.height
  return ({ height, left, top, width }: Rectangle): Rectangle => ({
    left: left * across,
    top: top * down,
    width: width * across,
    height: height * down
  })
}

/**
 * Opens the built-in vision models, about 430 MB of memory. Each picture is described on its own: the same file gives the
 * same description, whatever came before. Fails with `OnnxModelError` when weights are absent or broken.
 */
export const openFrameDescriber = async (): Promise<FrameDescriber> => {
  const [detector, recogniser] = await Promise.all([openTextDetector(), openTextRecogniser()])

  const describeFile = async (path: string, signal?: AbortSignal): Promise<PictureDescription> => {
    signal?.throwIfAborted()
    const picture = await loadPicture(path)
    const { boxes, seen } = await detector.detect(picture)
    const read: Array<Rectangle & { readonly text: string; readonly confidence: number }> = []
    for (const box of joinBoxes(boxes)) {
      signal?.throwIfAborted()
      const reading = await recogniser.read(picture, box)
      const text = lineText(reading.text, reading.confidence)
      if (text !== undefined) read.push({ ...bounds(box, picture), text, confidence: fraction(reading.confidence) })
    }
    const lines = readingOrder(read)
    const facts = {
      lines: lines.map(({ confidence, height, text, top }) => ({
        text,
        confidence,
        top: top / picture.height,
        height: height / picture.height
      })),
      colours: frameColours(seen),
      layout: frameLayout(seen, lines.map(scaledTo(seen, picture)))
    }
    return {
      description: describe(facts),
      text: lines.map(({ confidence, height, left, text, top, width }) => ({
        text,
        box: [
          fraction(left / picture.width),
          fraction(top / picture.height),
          fraction(width / picture.width),
          fraction(height / picture.height)
        ] as const,
        confidence
      })),
      labels: labelsOf(facts)
    }
  }

  return {
    describe: describeFile,
    dispose: async () => {
      await Promise.all([detector.dispose(), recogniser.dispose()])
    }
  }
}
