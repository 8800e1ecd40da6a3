import { fileURLToPath } from "node:url"
import { objectNames } from "../../../src/artifacts/ObjectNames.ts"
import { OnnxModelError, openSession } from "../../onnx/OnnxSession.ts"
import { fitted, type Picture } from "../picture/Picture.ts"
import { type Corners, type FoundObject, MAP, objectsAt } from "./ObjectPeaks.ts"

export interface ObjectDetector {
  /** The things on a picture, likeliest first. The same picture gives the same things. */
  readonly find: (picture: Picture) => Promise<ReadonlyArray<FoundObject>>
  readonly dispose: () => Promise<void>
}

/**
 * Score from which something is said to be there. Of what reaches it on photographs and frames that nothing was chosen by,
 * 92 % is there, and two thirds of what is there reach it (`npm run eval -- vision`).
 */
const LEAST = 0.4

/** Side of the network's input. Frames lie in it in their own proportions: stretched to it, a fifth less is found. */
const SIDE = 4 * MAP

/** Where this repository has the weights; `models/footnote-objects.md` says where they are from and how well they do. */
export const objectFile = (): string => fileURLToPath(new URL("../../../models/footnote-objects.onnx", import.meta.url))

const planes = ({ rgb }: Picture): Float32Array => {
  const size = SIDE * SIDE
  const data = new Float32Array(3 * size)
  for (let channel = 0; channel < 3; channel++) {
    for (let i = 0; i < size; i++) data[channel * size + i] = rgb[i * 3 + channel]!
  }
  return data
}

/** From the square to the picture in it; what lies in the grey beside it is cut off. */
const onPicture = ({ bottom, left, right, top, ...one }: FoundObject, inside: Corners): FoundObject => {
  const across = (x: number) => Math.min(1, Math.max(0, (x - inside.left) / (inside.right - inside.left)))
  const down = (y: number) => Math.min(1, Math.max(0, (y - inside.top) / (inside.bottom - inside.top)))
  return { ...one, left: across(left), top: down(top), right: across(right), bottom: down(bottom) }
}

/** Opens the detector, four megabytes. Fails with `OnnxModelError` when the weights are absent, broken or others. */
export const openObjectDetector = async (file: string = objectFile()): Promise<ObjectDetector> => {
  const session = await openSession(file)
  if (!session.inputs.includes("picture")) {
    await session.dispose()
    throw new OnnxModelError(`Model file ${file} takes no picture but ${session.inputs.join(", ")}`)
  }
  return {
    find: async (picture) => {
      const { fitting: { height, left, top, width }, square } = await fitted(picture, SIDE)
      const { centres, sides } = await session.run({ picture: { data: planes(square), dims: [1, 3, SIDE, SIDE] } })
      const places = MAP * MAP
      if (centres?.data.length !== objectNames.length * places || sides?.data.length !== 4 * places) {
        throw new OnnxModelError(`Model file ${file} does not tell where ${objectNames.length} kinds of thing are`)
      }
      const inside = { left, top, right: left + width, bottom: top + height }
      return objectsAt(centres.data as Float32Array, sides.data as Float32Array, LEAST)
        .map((one) => onPicture(one, inside))
        .filter((one) => one.right > one.left && one.bottom > one.top)
    },
    dispose: session.dispose
  }
}
