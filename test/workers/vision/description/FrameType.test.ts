import { path as ffmpeg } from "@ffmpeg-installer/ffmpeg"
import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  chosenType,
  type FrameType,
  frameTypeFile,
  type FrameTyper,
  frameTypes,
  openFrameTyper
} from "../../../../workers/vision/description/FrameType.ts"
import { loadPicture, type Picture } from "../../../../workers/vision/picture/Picture.ts"

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const shared = pathOf("../../../../../shared/assets/")
const available = existsSync(`${shared}video/dev`)
if (!available) process.stderr.write("skipped: no clips and photographs beside the repository\n")

const pictureOf = async (bytes: Buffer): Promise<Picture> => {
  const { data, info } = await sharp(bytes).flatten().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}
const frameAt = (file: string, second: number): Promise<Picture> =>
  pictureOf(execFileSync(
    ffmpeg,
    ["-v", "error", "-ss", String(second), "-i", file, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"],
    { maxBuffer: 64 << 20 }
  ))

interface Truth {
  readonly slides: ReadonlyArray<
    { readonly t_start: number; readonly t_end: number; readonly lines: ReadonlyArray<string> }
  >
}

const surely = (type: FrameType) => [...frameTypes.map((one) => one === type ? 0.95 : 0.005), 0.01]

const people = (share: number) =>
  frameTypes.map((type) => type === "talking_head" ? share : type === "scene" ? 0.9 - share : 0)

describe("chosenType", () => {
  const probabilities = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 })
    .map((shares) => shares.map((share) => share / shares.reduce((a, b) => a + b)))

  it("says a type only where it is likelier than all others together", () => {
    fc.assert(fc.property(probabilities, (told) => {
      const { confidence, type } = chosenType(told, ["a line", "another line"])
      const people = told[frameTypes.indexOf("talking_head")]!
      if (type === "talking_head") expect(people).toBeGreaterThanOrEqual(0.9)
      else if (type === "scene") expect(told[frameTypes.indexOf("scene")]! + people).toBeGreaterThanOrEqual(0.5)
      else if (type === "slide") expect(told[0]! + told[1]!).toBeGreaterThanOrEqual(0.5)
      else if (type !== null) expect(told[frameTypes.indexOf(type)]).toBeGreaterThanOrEqual(0.5)
      if (confidence < 0.5) expect(type).toBeNull()
    }))
  })

  it("calls people a scene where they are not seen clearly", () => {
    expect(chosenType([...people(0.7), 0.1], [])).toEqual({ type: "scene", confidence: expect.closeTo(0.9) })
    expect(chosenType([...people(0.2), 0.1], [])).toEqual({ type: "scene", confidence: expect.closeTo(0.9) })
  })

  it("says no kind of writing where nothing was read", () => {
    expect(frameTypes.filter((type) => chosenType(surely(type), []).type === type))
      .toEqual(["talking_head", "scene"])
    expect(frameTypes.map((type) => chosenType(surely(type), ["a line"]).type)).toEqual(frameTypes)
  })

  it("lets the text decide between code and terminal, and tell a listing from a slide", () => {
    const screen = [0.02, 0.02, 0.48, 0.42, 0.01, 0.01, 0.01, 0.01, 0.02]
    expect(chosenType(screen, ["a_line", "another_line"]).type).toBeNull()
    expect(chosenType(screen, ["$ ls", "barley.csv"]).type).toBe("terminal")
    expect(chosenType(screen, ["let sum = 0", "return sum;"])).toEqual({
      type: "code",
      confidence: expect.closeTo(0.9)
    })
    const listing = ["let sum = 0", "sum += 2;", "if (sum > 1) {", "print(sum)", "}", "return sum;"]
    expect(chosenType([0.5, 0, 0.4, 0, 0, 0, 0, 0, 0.1], listing)).toEqual({
      type: "code",
      confidence: expect.closeTo(0.9)
    })
    const either = [0.1, 0.1, 0.08, 0.71, 0, 0, 0, 0, 0.01]
    expect(chosenType(either, ["Rye bread at home", "It takes about three hours,"]).type).toBeNull()
    expect(chosenType(either, ["Compiling grain v0.1.0", "Done"]).type).toBe("terminal")
    const slide = [0.9, 0.02, 0.02, 0.02, 0.01, 0.01, 0.01, 0, 0.01]
    expect(chosenType(slide, ["$ ls", "barley.csv"]).type).toBe("slide")
  })
})

describe("openFrameTyper", () => {
  let typer: FrameTyper
  beforeAll(async () => {
    typer = await openFrameTyper()
  })
  afterAll(() => typer.dispose())
  const typeOf = async (picture: Picture, lines: ReadonlyArray<string> = ["a line", "another line"]) =>
    (await typer.typeOf(picture, lines)).type

  it.each([
    ["editor", "code"],
    ["console", "terminal"],
    ["chart", "chart"],
    ["sheet", "table"],
    ["card", "title_card"],
    ["prices", "slide"]
  ])("tells the drawn %s for a %s", async (name, type) => {
    expect(await typeOf(await loadPicture(pathOf(`../fixtures/${name}.jpg`)))).toBe(type)
  })

  it("says nothing of shapes, noise and plain colour that would need writing or people", async () => {
    const size = { width: 640, height: 360 }
    const noise = Uint8Array.from({ length: 640 * 360 * 3 }, (_, i) => ((i * 2654435761) >>> 13) & 255)
    for (const rgb of [noise, new Uint8Array(640 * 360 * 3), new Uint8Array(640 * 360 * 3).fill(255)]) {
      expect([null, "scene"]).toContain(await typeOf({ ...size, rgb }, []))
    }
  })

  it("says the same of a picture whatever it saw before, at any shape", async () => {
    const prices = await loadPicture(pathOf("../fixtures/prices.jpg"))
    const first = await typer.typeOf(prices, ["Prices"])
    await typer.typeOf({ width: 3, height: 700, rgb: new Uint8Array(6300) }, [])
    expect(await typer.typeOf(prices, ["Prices"])).toEqual(first)
  })

  it.each([["lecture"], ["product-demo"]])("tells the slides of the sample %s", async (name) => {
    const sample = pathOf(`../../../../samples/${name}`)
    const truth: Truth = JSON.parse(readFileSync(`${sample}.truth.json`, "utf8"))
    const said = await Promise.all(
      truth.slides.map(async ({ lines, t_end, t_start }) =>
        typeOf(await frameAt(`${sample}.mp4`, (t_start + t_end) / 2), lines)
      )
    )
    // The first and the last are titles as well; three speeds with bars are a chart as well.
    const others = said.map((type, i) =>
      (i === 0 || i === said.length - 1) && type === "title_card" || (name === "lecture" && i === 5 && type === "chart")
        ? "slide"
        : type
    )
    expect(others).toEqual(truth.slides.map(() => "slide"))
  })

  it.skipIf(!available)("tells people who face the camera from other views", async () => {
    expect(await typeOf(await frameAt(`${shared}video/dev/exo_sample_av1.mp4`, 0.5), [])).toBe("talking_head")
    expect(await typeOf(await frameAt(`${shared}video/dev/transcribe-anything-video.mp4`, 1), [])).toBe("talking_head")
    expect(await typeOf(await frameAt(`${shared}video/dev/car-detection.mp4`, 1), [])).toBe("scene")
    expect(await typeOf(await frameAt(`${shared}video/dev/exo_bbb.mp4`, 1), [])).toBe("scene")
    expect(await typeOf(await loadPicture(`${shared}images/dev/motorcycle_left.png`), [])).toBe("scene")
  })

  it("fails for good on weights that are absent or not its own", async () => {
    await expect(openFrameTyper(pathOf("../fixtures/none.onnx"))).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" })
  })

  it("is described by its card: file, every type, and where it falls short", () => {
    const card = readFileSync(pathOf("../../../../models/footnote-frame-type.md"), "utf8")
    expect(card).toContain(createHash("sha256").update(readFileSync(frameTypeFile())).digest("hex"))
    for (const type of frameTypes) expect(card).toContain(`\`${type}\``)
    expect(card).toMatch(/## Limits/u)
  })
})
