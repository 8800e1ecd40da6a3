import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { describe as describeFacts, type FrameFacts, labelsOf } from "../../../workers/vision/Describe.ts"
import { colourName, frameColours } from "../../../workers/vision/FrameColours.ts"
import { frameLayout } from "../../../workers/vision/FrameLayout.ts"
import type { Picture } from "../../../workers/vision/Picture.ts"

const filled = (red: number, green: number, blue: number): Picture => {
  const rgb = new Uint8Array(160 * 96 * 3)
  for (let i = 0; i < rgb.length; i += 3) rgb.set([red, green, blue], i)
  return { width: 160, height: 96, rgb }
}

const factsOf = (picture: Picture, lines: FrameFacts["lines"], text = 0.1): FrameFacts => ({
  lines,
  colours: frameColours(picture),
  layout: { ...frameLayout(picture, []), text: lines.length === 0 ? 0 : text }
})

const line = (text: string, top: number, height = 0.05) => ({ text, top, height, confidence: 0.98 })

/** Strong texture without a plain tile. */
const texture: Picture = {
  width: 160,
  height: 96,
  rgb: Uint8Array.from({ length: 160 * 96 * 3 }, (_, i) => (Math.floor(i / 3) * 7919 + i) % 256)
}

describe("describe", () => {
  it("names an empty frame by its colour", () => {
    expect(describeFacts(factsOf(filled(0, 0, 0), []))).toBe("A black frame.")
    expect(describeFacts(factsOf(filled(255, 255, 255), []))).toBe("A white frame.")
    expect(describeFacts(factsOf(filled(20, 40, 160), []))).toBe("A plain blue frame.")
    expect(labelsOf(factsOf(filled(0, 0, 0), []))).toEqual([{ name: "black", confidence: 1 }])
  })

  it("calls text on a plain ground a slide and quotes its largest upper line as the title", () => {
    const facts = factsOf(filled(250, 250, 250), [
      line("Photosynthesis", 0.1, 0.09),
      line("Light becomes sugar", 0.4),
      line("Water is split", 0.5)
    ])
    expect(describeFacts(facts)).toBe("A slide titled “Photosynthesis” with 2 more lines of text.")
    expect(labelsOf(facts).map(({ name }) => name)).toEqual(["slide", "text"])
  })

  it("calls text on texture a picture", () => {
    const facts = factsOf(texture, [line("EXIT", 0.2)], 0.01)
    expect(describeFacts(facts)).toMatch(/^A picture with the text “EXIT”, mostly /u)
    expect(labelsOf(facts).map(({ name }) => name)).toEqual(["picture", "text"])
  })

  it("quotes nothing that was not read, in one sentence, whatever was read", () => {
    const lines = fc.array(
      fc.record({
        text: fc.stringMatching(/^[a-z]{2,12}$/u),
        top: fc.double({ min: 0, max: 1, noNaN: true }),
        height: fc.double({ min: 0.01, max: 0.2, noNaN: true }),
        confidence: fc.double({ min: 0.6, max: 1, noNaN: true })
      }),
      { maxLength: 12 }
    )
    fc.assert(fc.property(lines, fc.boolean(), (read, plain) => {
      const sentence = describeFacts(factsOf(plain ? filled(240, 240, 250) : texture, read))
      for (const [, quote] of sentence.matchAll(/“([^”]*)”/gu)) expect(read.map(({ text }) => text)).toContain(quote)
      expect(sentence).toMatch(/^A [^.]*\.$/u)
    }))
  })
})

describe("frameColours", () => {
  it("gives every colour one name, and shares that sum to one", () => {
    const channel = fc.integer({ min: 0, max: 255 })
    fc.assert(fc.property(channel, channel, channel, (red, green, blue) => {
      expect(colourName(red, green, blue)).toMatch(/^(?:(?:light|dark) )?[a-z]+$/u)
    }))
    expect(frameColours(texture).named.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  })

  it("names colours as people do", () => {
    expect([
      colourName(0, 0, 0),
      colourName(255, 255, 255),
      colourName(128, 128, 128),
      colourName(255, 0, 0),
      colourName(0, 128, 0),
      colourName(20, 48, 79),
      colourName(120, 80, 40),
      colourName(255, 230, 0)
    ]).toEqual(["black", "white", "grey", "red", "dark green", "dark blue", "brown", "yellow"])
  })
})

describe("frameLayout", () => {
  it("tells plain from textured tiles and leaves those under text out", () => {
    expect(frameLayout(filled(9, 9, 9), []).flat).toBe(1)
    expect(frameLayout(texture, []).flat).toBe(0)
    expect(frameLayout(texture, [{ left: 0, top: 0, width: 160, height: 48 }])).toEqual({ flat: 0, text: 0.5 })
  })
})
