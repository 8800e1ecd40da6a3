import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { READ_HEIGHT, upended } from "../../../../workers/vision/picture/LinePicture.ts"
import { cropped, type Picture, resized } from "../../../../workers/vision/picture/Picture.ts"
import { type LineReader, openLineReader } from "../../../../workers/vision/text/LineReader.ts"
import { installedTextFiles } from "../../../../workers/vision/text/TextFiles.ts"

const slide = readFileSync(fileURLToPath(new URL("../fixtures/prices.jpg", import.meta.url)))

describe("openLineReader", () => {
  let recogniser: LineReader
  let lines: ReadonlyArray<Picture>
  beforeAll(async () => {
    recogniser = await openLineReader(installedTextFiles())
    const { data, info } = await sharp(slide).raw().toBuffer({ resolveWithObject: true })
    const picture = { width: info.width, height: info.height, rgb: data }
    // "Family plan" and "The first 30 days are free." where the slide has them, in several widths.
    const places = [{ left: 541, top: 194, width: 237, height: 46 }, { left: 56, top: 430, width: 400, height: 44 }]
    const cuts = await Promise.all(places.map((place) => cropped(picture, place)))
    lines = await Promise.all(
      [200, 205, 210, 240, 247, 260].flatMap((width) => [
        resized(cuts[0]!, width, READ_HEIGHT),
        resized(cuts[1]!, width + 200, READ_HEIGHT)
      ])
    )
  })
  afterAll(() => recogniser.dispose())

  it("reads each line the same, to the last bit, alone and among any others", async () => {
    const together = await recogniser.read(lines)
    expect(new Set(together.map(({ text }) => text.trim()))).toContain("Family plan")
    for (const [index, line] of lines.entries()) expect((await recogniser.read([line]))[0]).toEqual(together[index])
    expect(await recogniser.read(lines.toReversed())).toEqual(together.toReversed())
  })

  it("reads lines that stand on their heads, and says that they do", async () => {
    const [line] = lines.slice(1)
    const [upright] = await recogniser.read([line!])
    const [turned] = await recogniser.read([upended(line!)])
    expect(turned).toEqual({ ...upright!, upended: true })
    expect(upright!.upended).toBe(false)
  })
})
