import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { drawnPictures, type Line, lineOf, slideBuilds, svgOf } from "../../../../bench/vision/DrawnPictures.ts"
import type { Picture } from "../../../../workers/vision/picture/Picture.ts"
import { installedTextFiles } from "../../../../workers/vision/text/TextFiles.ts"
import { openTextReader, type TextReader } from "../../../../workers/vision/text/TextReader.ts"

const drawn = async (svg: string): Promise<Picture> => {
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** The extent of everything on a picture that is not its ground, as fractions `[x, y, width, height]`. */
const inkOf = ({ height, rgb, width }: Picture) => {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.abs(rgb[(y * width + x) * 3]! - rgb[0]!) < 100) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  return [left / width, top / height, (right - left) / width, (bottom - top) / height]
}

const text = (line: Partial<Line> & Pick<Line, "text" | "x" | "y">): Line => ({
  size: 36,
  fill: "#222222",
  family: "DejaVu Sans, Liberation Sans, sans-serif",
  ...line
})
const page = (lines: ReadonlyArray<Line>, width = 1280, height = 720) =>
  drawn(svgOf(width, height, "#ffffff", lines.map(lineOf)))

const hasFonts = inkOf(await page([text({ text: "A", x: 100, y: 100 })]))[2]! > 0
if (!hasFonts) process.stderr.write("skipped: no fonts to draw pictures with\n")

describe.skipIf(!hasFonts)("openTextReader", () => {
  let reader: TextReader
  let forgetful: TextReader
  beforeAll(async () => {
    reader = await openTextReader(installedTextFiles())
    forgetful = await openTextReader(installedTextFiles(), { remember: false })
  })
  afterAll(() => Promise.all([reader.dispose(), forgetful.dispose()]))
  const texts = async (picture: Picture) => (await reader.read(picture)).lines.map((line) => line.text)

  it("places every line within 1 % of the picture's sides of where its ink was drawn", async () => {
    const lines = [
      text({ text: "Quarterly review", x: 90, y: 120, size: 60 }),
      text({ text: "Revenue grew by 18 percent", x: 90, y: 260 }),
      text({ text: "Page 7", x: 1080, y: 690, size: 20 })
    ]
    const { lines: read } = await reader.read(await page(lines))
    expect(read.map((line) => line.text)).toEqual(lines.map((line) => line.text))
    for (const [index, line] of lines.entries()) {
      const ink = inkOf(await page([line]))
      const { confidence, height, left, top, width } = read[index]!
      const box = [left / 1280, top / 720, width / 1280, height / 720]
      box.forEach((side, i) => expect(Math.abs(side - ink[i]!), `${line.text} ${i}`).toBeLessThan(0.01))
      expect(confidence).toBeGreaterThan(0.8)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })

  it("reads two columns one after the other and a table row by row", async () => {
    const pictures = drawnPictures(7, 1).filter(({ set }) => set === "columns" || set === "table")
    expect(pictures).toHaveLength(2)
    for (const { lines, svg } of pictures) expect(await texts(await drawn(svg))).toEqual(lines)
  })

  it("reads a page that is turned by 90, 180 or 270 degrees in the page's own order", async () => {
    const pictures = drawnPictures(7, 1).filter(({ set }) => set.startsWith("turned"))
    expect(pictures).toHaveLength(3)
    for (const { lines, svg } of pictures) expect(await texts(await drawn(svg))).toEqual(lines)
  })

  it("reads a line that stays over many frames once, and says what reading every frame would say", async () => {
    let remembered = 0
    let boxes = 0
    for (const { lines, svg } of slideBuilds(5).slice(0, 3)) {
      const picture = await drawn(svg)
      const once = await reader.read(picture)
      expect(once.lines.map((line) => line.text)).toEqual(lines)
      expect(once.lines).toEqual((await forgetful.read(picture)).lines)
      remembered += once.remembered
      boxes += once.boxes
    }
    // Three states with two to four lines: nine in all, four of them new.
    expect(boxes).toBe(9)
    expect(remembered).toBe(5)
  })

  it("reads a line again in which one digit has changed", async () => {
    for (const amount of ["$4,315", "$4,815", "$4,315"]) {
      expect(await texts(await page([text({ text: `Total ${amount}`, x: 200, y: 300, size: 18 })]))).toEqual([
        `Total ${amount}`
      ])
    }
  })

  it("stops when it is told to", async () => {
    await expect(reader.read(await page([]), AbortSignal.abort())).rejects.toThrow(/abort/iu)
  })
})
