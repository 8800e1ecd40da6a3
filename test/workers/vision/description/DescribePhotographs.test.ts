import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FrameDescriber, openFrameDescriber } from "../../../../workers/vision/description/DescribeFrame.ts"

const images = fileURLToPath(new URL("../../../../../shared/assets/images/dev", import.meta.url))
const available = existsSync(images)
if (!available) process.stderr.write("skipped: no labelled slides and photographs beside the repository\n")

describe("openFrameDescriber, on pictures of others", () => {
  let describer: FrameDescriber
  beforeAll(async () => {
    describer = await openFrameDescriber()
  })
  afterAll(() => describer.dispose())
  const read = async (path: string) => (await describer.describe(path)).text.map(({ text }) => text)

  it.skipIf(!available)("reads every line of the labelled slides exactly", async () => {
    const truth: Record<string, ReadonlyArray<string>> = JSON.parse(
      readFileSync(join(images, "slides.truth.json"), "utf8")
    )
    for (const [image, lines] of Object.entries(truth)) {
      expect(await read(join(images, image)), image).toEqual(expect.arrayContaining([...lines]))
    }
  })

  it.skipIf(!available)("invents no text on photographs", async () => {
    expect(await read(join(images, "astronaut.png"))).toEqual([])
    expect(await read(join(images, "coffee.png"))).toEqual([])
    // The tank of one motorcycle says YAMAHA, in part hidden.
    for (const text of await read(join(images, "motorcycle_left.png"))) expect("YAMAHA").toContain(text)
  })
})
