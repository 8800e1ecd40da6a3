import { describe, expect, it } from "vitest"
import { decodeCtc } from "../../../workers/vision/CtcText.ts"
import { lineText } from "../../../workers/vision/LineText.ts"

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
    expect(lineText("Total：（12）", 0.95)).toBe("Total:(12)")
    expect(lineText("总计：12", 0.95)).toBe("总计：12")
  })

  it("reads a zero among capitals as the letter, and no other zero", () => {
    expect(lineText("TIME0UT", 0.95)).toBe("TIMEOUT")
    expect(lineText("R0", 0.95)).toBe("R0")
    expect(lineText("AB0C1", 0.95)).toBe("AB0C1")
    expect(lineText("100 USD", 0.95)).toBe("100 USD")
  })

  it("gives nothing for doubtful readings and for marks that say nothing", () => {
    expect(lineText("perhaps", 0.5)).toBeUndefined()
    expect(lineText("iiii", 0.8)).toBeUndefined()
    expect(lineText("EXIT", 0.9)).toBe("EXIT")
    expect(lineText("一", 0.99)).toBeUndefined()
    expect(lineText(" · ", 0.99)).toBeUndefined()
    expect(lineText("", 0)).toBeUndefined()
  })
})
