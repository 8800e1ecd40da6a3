import { describe, expect, it } from "vitest"
import { decodeCtc } from "../../../../workers/vision/text/CtcText.ts"
import { lineText } from "../../../../workers/vision/text/LineText.ts"

describe("decodeCtc", () => {
  it("takes the likeliest key of each step, repetitions once unless a blank parts them", () => {
    const keys = ["", "a", "b", " "]
    const best = [0, 1, 1, 0, 1, 2, 2, 3, 0, 2]
    const probabilities = new Float32Array(best.length * keys.length).fill(0.1)
    best.forEach((key, step) => probabilities[step * keys.length + key] = 0.7)
    const read = decodeCtc(probabilities, best.length, keys)
    expect(read.map(({ text }) => text).join("")).toBe("aab b")
    expect(read.map(({ step }) => step)).toEqual([1, 4, 5, 7, 9])
  })
})

describe("lineText", () => {
  it("writes full-width signs plainly in Latin text and leaves Chinese text alone", () => {
    expect(lineText("Total：（12）", 0.95, 0.8)).toBe("Total:(12)")
    expect(lineText("总计：12", 0.95, 0.8)).toBe("总计：12")
  })

  it("keeps signs that mean something else than the plain ones", () => {
    for (const text of ["Area: 10² m²", "2½ cups", "Acme™ Ltd", "mc² = 5×10⁶", "Step ②", "25℃"]) {
      expect(lineText(text, 0.95, 0.8)).toBe(text)
    }
    expect(lineText("５﹢３＝８　m²", 0.95, 0.8)).toBe("5+3=8 m²")
    expect(lineText("cafe\u0301s", 0.95, 0.8)).toBe("caf\u00E9s")
  })

  it("writes a degree sign that was read twice once", () => {
    expect(lineText("Bake at 180 °℃ or 350°℉", 0.95, 0.8)).toBe("Bake at 180 °C or 350°F")
  })

  it("gives a bracket that stands alone only where it is sure", () => {
    expect(lineText("}", 0.98, 0.98)).toBe("}")
    expect(lineText("}", 0.9, 0.9)).toBeUndefined()
  })

  it("reads a zero among letters as the letter, and no other zero", () => {
    expect(lineText("the0rem of r0ot", 0.95, 0.8)).toBe("theorem of root")
    expect(lineText("a0b x0y1z 10mm", 0.95, 0.8)).toBe("a0b x0y1z 10mm")
    expect(lineText("TIME0UT", 0.95, 0.8)).toBe("TIMEOUT")
    expect(lineText("R0", 0.95, 0.8)).toBe("R0")
    expect(lineText("AB0C1", 0.95, 0.8)).toBe("AB0C1")
    expect(lineText("100 USD", 0.95, 0.8)).toBe("100 USD")
  })

  it("gives nothing for doubtful readings and for marks that say nothing", () => {
    expect(lineText("AAHA", 0.86, 0.5)).toBeUndefined()
    expect(lineText("perhaps", 0.5, 0.8)).toBeUndefined()
    expect(lineText("iiii", 0.8, 0.8)).toBeUndefined()
    expect(lineText("EXIT", 0.9, 0.8)).toBe("EXIT")
    expect(lineText("一", 0.99, 0.8)).toBeUndefined()
    expect(lineText(" · ", 0.99, 0.8)).toBeUndefined()
    expect(lineText("", 0, 0.8)).toBeUndefined()
  })
})
