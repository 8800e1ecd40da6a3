import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { OnnxModelError } from "../../../../workers/onnx/OnnxSession.ts"
import { frameTypeFile } from "../../../../workers/vision/description/FrameType.ts"
import {
  type ObjectDetector,
  objectFile,
  openObjectDetector
} from "../../../../workers/vision/objects/ObjectDetector.ts"
import { cropped, loadPicture, type Picture } from "../../../../workers/vision/picture/Picture.ts"

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const photographs = pathOf("../../../../../shared/assets/images/dev/")
const available = existsSync(photographs)
if (!available) process.stderr.write("skipped: no photographs beside the repository\n")

const fixture = (name: string) => loadPicture(pathOf(`../fixtures/${name}.jpg`))

describe("the detector of things", () => {
  let detector: ObjectDetector
  beforeAll(async () => {
    detector = await openObjectDetector()
  })
  afterAll(() => detector.dispose())

  const namesOn = async (picture: Picture) => (await detector.find(picture)).map(({ name }) => name)

  it("is the file that its card tells of", () => {
    const card = readFileSync(pathOf("../../../../models/footnote-objects.md"), "utf8")
    expect(card).toContain(createHash("sha256").update(readFileSync(objectFile())).digest("hex"))
  })

  it("finds nothing on pages, screens and charts", async () => {
    for (const name of ["card", "chart", "console", "editor", "prices", "sheet"]) {
      expect(await namesOn(await fixture(name)), name).toEqual([])
    }
  })

  it.skipIf(!available)("finds the person, the cup and the motorcycle of three photographs", async () => {
    expect(await namesOn(await loadPicture(`${photographs}astronaut.png`))).toEqual(["person"])
    expect(await namesOn(await loadPicture(`${photographs}coffee.png`))).toContain("cup")
    expect(await namesOn(await loadPicture(`${photographs}motorcycle_left.png`))).toContain("motorcycle")
  })

  it.skipIf(!available)("says where in the picture a thing is, whatever the picture's proportions", async () => {
    const whole = await loadPicture(`${photographs}astronaut.png`)
    const wide = await cropped(whole, { left: 0, top: 0, width: whole.width, height: Math.round(whole.height * 0.6) })
    const [person] = await detector.find(wide)
    expect(person!.name).toBe("person")
    // Her head is a little left of the middle, and the crop goes through her chest.
    expect(person!.left).toBeLessThan(0.35)
    expect(person!.right).toBeGreaterThan(0.6)
    expect(person!.bottom).toBeGreaterThan(0.9)
    expect(await detector.find(wide)).toEqual(await detector.find(wide))
  })

  it("is refused in words where its file is another network's", async () => {
    const opening = openObjectDetector(frameTypeFile())
    await expect(opening).rejects.toThrow(OnnxModelError)
    await expect(opening).rejects.toThrow("takes no picture")
  })
})
