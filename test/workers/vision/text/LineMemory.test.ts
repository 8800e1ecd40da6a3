import { describe, expect, it } from "vitest"
import type { Picture } from "../../../../workers/vision/picture/Picture.ts"
import { LineMemory } from "../../../../workers/vision/text/LineMemory.ts"

const picture = (width: number, height: number, value: number): Picture => ({
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(value)
})

describe("LineMemory", () => {
  it("knows a picture again by its size and every pixel, and no other", () => {
    const memory = new LineMemory<string>()
    memory.remember(memory.key(picture(4, 2, 7)), "seven")
    expect(memory.recall(memory.key(picture(4, 2, 7)))).toBe("seven")
    expect(memory.recall(memory.key(picture(2, 4, 7)))).toBeUndefined()
    const other = picture(4, 2, 7)
    other.rgb[23] = 8
    expect(memory.recall(memory.key(other))).toBeUndefined()
  })

  it("forgets what was wanted least recently, and never holds more than its share", () => {
    const memory = new LineMemory<number>()
    for (let i = 0; i < 5000; i++) {
      memory.remember(`line ${i}`, i)
      expect(memory.recall("line 0")).toBe(0)
    }
    expect(memory.recall("line 1")).toBeUndefined()
    expect(memory.recall("line 4999")).toBe(4999)
    expect(Array.from({ length: 5000 }, (_, i) => memory.recall(`line ${i}`)).filter((value) => value !== undefined))
      .toHaveLength(4096)
  })
})
