import type { ObjectDetector } from "../objects/ObjectDetector.ts"
import { frameColours } from "../picture/FrameColours.ts"
import { frameLayout } from "../picture/FrameLayout.ts"
import { loadPicture, type Picture, type Rectangle } from "../picture/Picture.ts"
import { installedTextFiles, type TextFiles } from "../text/TextFiles.ts"
import { openTextReader } from "../text/TextReader.ts"
import { describe, labelsOf, type PictureDescription } from "./Describe.ts"
import { frameTypeFile, openFrameTyper } from "./FrameType.ts"
import { isScreen, legibleOn, objectsOn } from "./SeenObjects.ts"

export interface FrameDescriber {
  /**
   * Describes one image file, with what a detector finds on it where there is one. Fails with `PictureError` where it cannot
   * be decoded; an abort stops between two lines.
   */
  readonly describe: (
    path: string,
    signal?: AbortSignal,
    detector?: ObjectDetector | null
  ) => Promise<PictureDescription>
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
 * Opens the models that read, by default those of the installed package, about 430 MB of memory, the classifier of frame
 * types, and the rules that describe. Each picture is described on its own: the same file gives the same description,
 * whatever came before. Fails with `OnnxModelError` when weights are absent or broken.
 */
export const openFrameDescriber = async (
  files: TextFiles = installedTextFiles(),
  types: string = frameTypeFile()
): Promise<FrameDescriber> => {
  const [reader, typer] = await Promise.all([openTextReader(files), openFrameTyper(types)])

  const describeFile: FrameDescriber["describe"] = async (path, signal, detector = null) => {
    signal?.throwIfAborted()
    const picture = await loadPicture(path)
    const { lines: read, seen } = await reader.read(picture, signal)
    const typed = await typer.typeOf(picture, read.map(({ text }) => text))
    const lines = legibleOn(read, typed)
    const objects = detector === null || isScreen(typed) ? [] : objectsOn(await detector.find(picture), typed)
    const facts = {
      lines: lines.map(({ confidence, height, left, text, top, width }) => ({
        text,
        confidence: fraction(confidence),
        left: left / picture.width,
        top: top / picture.height,
        width: width / picture.width,
        height: height / picture.height
      })),
      colours: frameColours(seen),
      layout: frameLayout(seen, lines.map(scaledTo(seen, picture))),
      typed,
      objects
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
        confidence: fraction(confidence)
      })),
      labels: labelsOf(facts)
    }
  }

  return {
    describe: describeFile,
    dispose: async () => {
      await Promise.all([reader.dispose(), typer.dispose()])
    }
  }
}
