import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  describe as describeFacts,
  type FrameFacts,
  labelsOf
} from "../../../../workers/vision/description/Describe.ts"
import { frameTypes } from "../../../../workers/vision/description/FrameType.ts"
import { colourName, frameColours } from "../../../../workers/vision/picture/FrameColours.ts"
import { frameLayout } from "../../../../workers/vision/picture/FrameLayout.ts"
import type { Picture } from "../../../../workers/vision/picture/Picture.ts"

const filled = (red: number, green: number, blue: number): Picture => {
  const rgb = new Uint8Array(160 * 96 * 3)
  for (let i = 0; i < rgb.length; i += 3) rgb.set([red, green, blue], i)
  return { width: 160, height: 96, rgb }
}

const factsOf = (
  picture: Picture,
  lines: FrameFacts["lines"],
  type: FrameFacts["typed"]["type"] = null,
  text = 0.1
): FrameFacts => ({
  lines,
  colours: frameColours(picture),
  layout: { text: lines.length === 0 ? 0 : text },
  typed: { type, confidence: 0.9 },
  objects: []
})

const line = (text: string, top: number, height = 0.05, left = 0.1) => ({
  text,
  left,
  top,
  width: 0.3,
  height,
  confidence: 0.98
})

/** Every pixel unlike its neighbours. */
const texture: Picture = {
  width: 160,
  height: 96,
  rgb: Uint8Array.from({ length: 160 * 96 * 3 }, (_, i) => (Math.floor(i / 3) * 7919 + i) % 256)
}

const named = (...shares: ReadonlyArray<readonly [string, number]>) => shares.map(([name, share]) => ({ name, share }))

const fraction = (max: number) => fc.double({ min: 0.01, max, noNaN: true })

describe("describe", () => {
  it("names an empty frame by its colour", () => {
    expect(describeFacts(factsOf(filled(0, 0, 0), []))).toBe("A black frame.")
    expect(describeFacts(factsOf(filled(255, 255, 255), []))).toBe("A white frame.")
    expect(describeFacts(factsOf(filled(20, 40, 160), []))).toBe("A plain blue frame.")
    expect(labelsOf(factsOf(filled(0, 0, 0), []))).toEqual([{ name: "black", confidence: 1 }])
  })

  it("quotes a slide's largest upper line as its title", () => {
    const facts = factsOf(filled(250, 250, 250), [
      line("Photosynthesis", 0.1, 0.09),
      line("Light becomes sugar", 0.4),
      line("Water is split", 0.5)
    ], "slide")
    expect(describeFacts(facts)).toBe("A slide titled “Photosynthesis” with 2 more lines of text.")
    expect(labelsOf(facts)).toEqual([{ name: "slide", confidence: 0.9 }, { name: "text", confidence: 0.98 }])
  })

  it("says in how many columns the text stands, and where it stands at the bottom alone", () => {
    const cards = [
      line("Prices", 0.1, 0.09),
      ...[0.4, 0.5].flatMap((top) => [0.1, 0.6].map((left) => line("plan", top, 0.05, left)))
    ]
    expect(describeFacts(factsOf(filled(250, 250, 250), cards, "slide")))
      .toBe("A slide titled “Prices” with 4 more lines of text in 2 columns.")
    expect(describeFacts(factsOf(texture, [line("and then it rained", 0.9)], "talking_head")))
      .toMatch(/^A talking head with the text “and then it rained” at the bottom, mostly /u)
  })

  it("names the things on a view, and labels each with its box", () => {
    const box = { left: 0.1, top: 0.2, right: 0.4, bottom: 0.9 }
    const objects = [
      { ...box, name: "chair", score: 0.7 },
      { ...box, name: "person", score: 0.61234567 }
    ] as const
    const facts = { ...factsOf(texture, [], "scene"), objects }
    expect(describeFacts(facts)).toMatch(/^A scene with a person and a chair; no readable text, mostly /u)
    expect(labelsOf(facts)).toEqual([
      { name: "scene", confidence: 0.9 },
      { name: "chair", confidence: 0.7, box: [0.1, 0.2, 0.3, 0.7] },
      { name: "person", confidence: 0.6123, box: [0.1, 0.2, 0.3, 0.7] }
    ])
    const head = { ...facts, typed: { type: "talking_head", confidence: 0.95 } } as const
    expect(describeFacts(head)).toMatch(/^A talking head with a chair on the left; no readable text, mostly /u)
    expect(describeFacts({ ...head, objects: objects.slice(1) })).toMatch(
      /^A talking head without readable text, mostly /u
    )
    const captioned = { ...facts, lines: [line("and then it rained", 0.9)] }
    expect(describeFacts(captioned)).toMatch(
      /^A scene with a person and a chair; the text “and then it rained” at the bottom, mostly /u
    )
  })

  it("says that the one thing of a view is close up, and on which side it stands otherwise", () => {
    const chair = { name: "chair", score: 0.7, left: 0.1, top: 0.1, right: 0.9, bottom: 0.9 } as const
    const facts = factsOf(texture, [], "scene")
    expect(describeFacts({ ...facts, objects: [chair] })).toMatch(
      /^A scene with a chair, close up; no readable text, /u
    )
    expect(describeFacts({ ...facts, objects: [{ ...chair, left: 0.7 }] })).toMatch(
      /^A scene with a chair on the right; /u
    )
    expect(describeFacts({ ...facts, objects: [{ ...chair, left: 0.4, right: 0.6 }] })).toMatch(
      /^A scene with a chair in the middle; /u
    )
  })

  it("tells the colours of a view by hue, and what is above and below where they differ", () => {
    const facts = factsOf(texture, [], "scene")
    const coloured = (colours: Partial<FrameFacts["colours"]>) =>
      describeFacts({ ...facts, colours: { ...facts.colours, upper: [], lower: [], ...colours } })
    expect(coloured({ named: named(["light blue", 0.4], ["blue", 0.3], ["green", 0.3]) })).toBe(
      "A scene without readable text, mostly blue and green."
    )
    expect(coloured({ named: named(["light blue", 0.8], ["blue", 0.1], ["green", 0.1]) })).toBe(
      "A scene without readable text, mostly light blue."
    )
    expect(coloured({
      named: named(["green", 0.5], ["light blue", 0.5]),
      upper: named(["light blue", 0.9], ["white", 0.1]),
      lower: named(["green", 0.5], ["dark green", 0.4], ["black", 0.1])
    })).toBe("A scene without readable text, light blue above and green below.")
    expect(coloured({ named: named(["grey", 0.6], ["brown", 0.3], ["red", 0.06]) })).toBe(
      "A scene without readable text, mostly grey and brown with red."
    )
  })

  it("names a screen's ground and its first line", () => {
    const facts = factsOf(filled(12, 12, 16), [line("ada@mill:~$ ls", 0.02), line("barley.csv", 0.07)], "terminal")
    expect(describeFacts(facts)).toBe(
      "A terminal on a dark background with 2 lines of text, beginning with “ada@mill:~$ ls”."
    )
  })

  it("claims no type where none is likely enough", () => {
    const facts = factsOf(texture, [line("EXIT", 0.2)])
    expect(describeFacts(facts)).toMatch(/^A picture with the text “EXIT”, mostly /u)
    expect(labelsOf(facts).map(({ name }) => name)).toEqual(["text"])
    const page = Array.from({ length: 12 }, (_, i) => line(`Line ${i} of an article`, i / 12))
    expect(describeFacts(factsOf(filled(250, 250, 250), page, null, 0.4)))
      .toBe("A page on a light background with 12 lines of text, beginning with “Line 0 of an article”.")
    expect(describeFacts(factsOf(texture, [], "scene"))).toMatch(/^A scene without readable text, mostly /u)
  })

  it("cuts a long line, and never within a character", () => {
    for (const before of ["", "a", "ab"]) {
      const sentence = describeFacts(factsOf(texture, [line(`${before}${"🎬".repeat(90)}`, 0.1)]))
      expect(sentence).toMatch(/🎬…”/u)
      expect(sentence.isWellFormed()).toBe(true)
    }
  })

  it("quotes nothing that was not read, in one sentence, whatever was read and whatever type was told", () => {
    const lines = fc.array(
      fc.record({
        text: fc.stringMatching(/^[a-z]{2,12}$/u),
        left: fraction(0.9),
        top: fraction(0.95),
        width: fraction(0.5),
        height: fraction(0.2),
        confidence: fc.double({ min: 0.6, max: 1, noNaN: true })
      }),
      { maxLength: 12 }
    )
    const types = fc.constantFrom(null, ...frameTypes)
    fc.assert(fc.property(lines, types, fc.boolean(), (read, type, plain) => {
      // Types of writing are never told without a line: chosenType.
      const told = read.length === 0 && type !== "scene" && type !== "chart" && type !== "talking_head" ? null : type
      const sentence = describeFacts(factsOf(plain ? filled(240, 240, 250) : texture, read, told))
      for (const [, quote] of sentence.matchAll(/“([^”]*)”/gu)) expect(read.map(({ text }) => text)).toContain(quote)
      expect(sentence).toMatch(/^(?:A|Program) [^.]*\.$/u)
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
  it("counts what lies under text once, however lines overlap", () => {
    expect(frameLayout(texture, [])).toEqual({ text: 0 })
    const half = { left: 0, top: 0, width: 160, height: 48 }
    expect(frameLayout(texture, [half, half])).toEqual({ text: 0.5 })
  })
})
