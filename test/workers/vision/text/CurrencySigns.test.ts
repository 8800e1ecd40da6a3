import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadPicture, type Picture } from "../../../../workers/vision/picture/Picture.ts"
import { withSigns } from "../../../../workers/vision/text/CurrencySigns.ts"
import { installedTextFiles } from "../../../../workers/vision/text/TextFiles.ts"
import { openTextReader, type TextReader } from "../../../../workers/vision/text/TextReader.ts"

const characters = (text: string) =>
  Array.from(text, (character, index) => ({ text: character, step: 2 + 4 * index, probability: 0.9 }))

/** A 48 pixel high line of solid bars, one for each character of `text` but spaces, which look like no sign. */
const barred = (text: string): Picture => {
  const width = 32 * text.length + 40
  const rgb = new Uint8Array(width * 48 * 3).fill(240)
  for (const [index, character] of Array.from(text).entries()) {
    if (character === " ") continue
    for (let y = 8; y < 40; y++) rgb.fill(30, (y * width + 32 * index + 10) * 3, (y * width + 32 * index + 30) * 3)
  }
  return { width, height: 48, rgb }
}

const gapsOf = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, index) => ({ from: 32 * index + 30, to: 32 * index + 42 }))

describe("withSigns", () => {
  it("leaves what was read where no glyph beside a number looks like a sign, and lines without a number", () => {
    for (const text of ["E12", "f8 S3", "12E", "pages"]) {
      const read = characters(text)
      expect(withSigns(read, 8, gapsOf(text), barred(text))).toEqual(read)
    }
  })
})

describe("openTextReader", () => {
  let reader: TextReader

  beforeAll(async () => {
    reader = await openTextReader(installedTextFiles())
  })

  afterAll(() => reader.dispose())

  it("reads the signs of currencies before and behind numbers, and takes no letter for one", async () => {
    const picture = await loadPicture(fileURLToPath(new URL("../fixtures/currencies.jpg", import.meta.url)))
    const { lines } = await reader.read(picture)
    expect(lines.map(({ text }) => text)).toEqual([
      "Basic €49.99 per month",
      "Team: 120,50 €",
      "From £1,250 each",
      "Total: ¥3,500",
      "Deposit $85",
      "E2E tests: 12 of 15",
      "S3 bucket 4, G7 and f8"
    ])
  })
})
