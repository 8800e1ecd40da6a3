import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { align, alignmentIndex, findFuzzy } from "../../../../workers/extraction/grounding/Align.ts"
import { momentOf, quoteOf } from "../../../../workers/extraction/text/SourceDocument.ts"
import { documentOf } from "../Footage.ts"

const index = (...texts: ReadonlyArray<string>) =>
  alignmentIndex(documentOf(texts.map((text, at) => [at * 20, "S1", text] as const)).passages)

const quoted = (texts: ReadonlyArray<string>, value: string) => {
  const hit = align(index(...texts), value)
  return hit === undefined ? undefined : [hit.tier, quoteOf(hit)]
}

describe("align", () => {
  it("finds the very characters first", () => {
    expect(quoted(["we saw mary brown there", "we saw Mary Brown there"], "Mary Brown")).toEqual([
      "exact",
      "Mary Brown"
    ])
  })

  it("finds number words, signs and other letters as normalised", () => {
    expect(quoted(["it is twelve point four million dollars"], "12.4 million dollars")).toEqual([
      "normalised",
      "twelve point four million dollars"
    ])
    expect(quoted(["the Spring Tides here"], "spring tide")).toEqual(["normalised", "Spring Tides"])
  })

  it("finds words that every object has a member of", () => {
    expect(quoted(["the constructor calls toString"], "constructor")).toEqual(["exact", "constructor"])
  })

  it("finds a long value through a recogniser's slips", () => {
    expect(quoted(["you take a foto of a leaf and then see"], "take a photo of a leaf")?.[1]).toBe(
      "take a foto of a leaf"
    )
    expect(
      quoted(["so the difrence between hi water and low water"], "the difference between high water and low water")?.[0]
    )
      .toBe("fuzzy")
  })

  it("never finds one or two words by likeness or stem alone", () => {
    expect(quoted(["we test the meating room"], "meeting")).toBeUndefined()
    expect(quoted(["the rated speeds"], "rating speed")).toBeUndefined()
  })

  it("asks fuzzy hits for seven tenths of the value and for half of the stretch to belong to it", () => {
    expect(quoted(["the red house on the hill"], "the blue boat under a bridge")).toBeUndefined()
    const thin = "alpha one two three four five six bravo one two three four five six charlie"
    expect(findFuzzy(index(thin.replaceAll(/one|two|three|four|five|six/gu, "filler")), "alpha bravo charlie")).toEqual(
      []
    )
  })

  it("prefers the named source, then the nearest", () => {
    const many = index("speed matters", "speed matters", "speed matters")
    expect(align(many, "speed", { prefer: new Set(["seg#000002"]) })?.passage.source_ref).toBe("seg#000002")
    expect(align(many, "speed", { near: 45 })?.passage.source_ref).toBe("seg#000003")
  })

  it("gives the first and last second of the words, not of their segment", () => {
    const hit = align(index("zero one two three charlie delta echo"), "charlie delta")!
    const from = momentOf(hit).t_start
    expect([from > 0, momentOf(hit).t_end - from]).toEqual([true, expect.closeTo(0.6, 5)])
  })

  it("finds every stretch of a text in that text, and quotes it from its source", () => {
    const word = fc.constantFrom(
      "river",
      "station",
      "measured",
      "sixteen",
      "metres",
      "usual",
      "level",
      "north",
      "depot",
      "spare",
      "parts"
    )
    fc.assert(fc.property(fc.array(word, { minLength: 4, maxLength: 20 }), fc.nat(), fc.nat(), (words, a, b) => {
      const from = a % (words.length - 1)
      const value = words.slice(from, from + 2 + (b % (words.length - from - 1))).join(" ")
      const hit = align(index(words.join(" ")), value)
      expect(hit?.tier).toBe("exact")
      expect(quoteOf(hit!)).toBe(value)
    }))
  })
})
