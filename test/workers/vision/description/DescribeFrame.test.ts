import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FrameDescriber, openFrameDescriber } from "../../../../workers/vision/description/DescribeFrame.ts"

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

describe("openFrameDescriber", () => {
  let describer: FrameDescriber
  let folder: string
  beforeAll(async () => {
    describer = await openFrameDescriber()
    folder = mkdtempSync(join(tmpdir(), "footnote-vision-"))
  })
  afterAll(async () => {
    await describer.dispose()
    rmSync(folder, { recursive: true })
  })
  const read = async (path: string) => (await describer.describe(path)).text.map(({ text }) => text)

  it("reads a slide with two cards exactly and in reading order", async () => {
    const { description, labels, text } = await describer.describe(fixture("prices.jpg"))
    expect(text.map((line) => line.text)).toEqual([
      "Prices",
      "Home plan",
      "$4 per month",
      "Family plan",
      "$7 per month",
      "The first 30 days are free."
    ])
    expect(description).toBe("A slide titled “Prices” with 5 more lines of text in 2 columns.")
    expect(labels[0]?.name).toBe("slide")
  })

  it("places each line in fractions of the frame, around the line's ink", async () => {
    const { text } = await describer.describe(fixture("prices.jpg"))
    const [x, y, width, height] = text.find((line) => line.text === "Family plan")!.box
    // Drawn at (730, 300) of 1280x720 with 46 pixel type, 300 pixels wide: "F" rises 34 pixels above the line, "y" falls 10
    // below it.
    const drawn = [730 / 1280, 266 / 720, 300 / 1280, 44 / 720]
    for (const [i, side] of [x, y, width, height].entries()) expect(Math.abs(side - drawn[i]!)).toBeLessThan(0.01)
  })

  it("reads a slide that is tilted by four degrees", async () => {
    expect(await read(fixture("tilted.jpg"))).toEqual(["Plant scanner", "Take a photo of a leaf", "and see its name."])
  })

  it("reads a slide that stands on its head", async () => {
    expect(await read(fixture("upended.jpg"))).toEqual(expect.arrayContaining([
      "Two definitions",
      "Distance: how far it is from one place to another"
    ]))
  })

  it("says the same of a picture whatever it saw before", async () => {
    const first = await describer.describe(fixture("prices.jpg"))
    await describer.describe(fixture("upended.jpg"))
    expect(await describer.describe(fixture("prices.jpg"))).toEqual(first)
  })

  it("reads nothing where nothing is written", async () => {
    const size = { width: 640, height: 360, channels: 3 } as const
    const noise = Buffer.from(Uint8Array.from({ length: 640 * 360 * 3 }, (_, i) => ((i * 2654435761) >>> 13) & 255))
    const slope = Buffer.from(Uint8Array.from({ length: 640 * 360 * 3 }, (_, i) => Math.floor(i / 3 / 640) / 2))
    for (
      const [name, pixels] of [["noise", noise], ["slope", slope], ["black", Buffer.alloc(640 * 360 * 3)]] as const
    ) {
      const file = join(folder, `${name}.png`)
      await sharp(pixels, { raw: size }).png().toFile(file)
      const { description, text } = await describer.describe(file)
      expect(text).toEqual([])
      expect(description).toMatch(
        name === "black" ? /^A black frame\.$/u : /^A (?:picture|scene) without readable text/u
      )
    }
  })

  it("describes pictures of any shape, down to one pixel", async () => {
    for (const [width, height] of [[1, 1], [3, 700], [1500, 2]] as const) {
      const file = join(folder, `${width}x${height}.png`)
      await sharp({ create: { width, height, channels: 3, background: "#ffffff" } }).png().toFile(file)
      expect((await describer.describe(file)).description).toBe("A white frame.")
    }
  })

  it("fails for good on a file that is no picture", async () => {
    await expect(describer.describe(fileURLToPath(import.meta.url))).rejects.toMatchObject({
      code: "INTERNAL",
      retryable: false
    })
  })

  it("stops when it is told to", async () => {
    await expect(describer.describe(fixture("prices.jpg"), AbortSignal.abort())).rejects.toThrow(/abort/iu)
  })
})
