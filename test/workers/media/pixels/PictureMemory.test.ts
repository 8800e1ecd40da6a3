import { assert, describe, it } from "@effect/vitest"
import { PictureMemory } from "../../../../workers/media/pixels/PictureMemory.ts"

const MEBIBYTE = 1024 * 1024

describe("PictureMemory", () => {
  it("lends again what was given back, to one borrower at a time, and only where it is as large as asked for", () => {
    const memory = new PictureMemory()
    const [one, two] = [memory.take(12), memory.take(12)]
    assert.notStrictEqual(one, two)
    memory.give([one, two])
    assert.strictEqual(memory.take(24).length, 24)
    assert.sameMembers([memory.take(12), memory.take(12)], [one, two])
    assert.notInclude([one, two], memory.take(12))
  })

  it("keeps 96 MiB at most, the latest", () => {
    const memory = new PictureMemory()
    const taken = Array.from({ length: 5 }, () => memory.take(24 * MEBIBYTE))
    memory.give(taken)
    const again = Array.from({ length: 5 }, () => memory.take(24 * MEBIBYTE))
    // `notInclude` would write 24 MiB into the message that it does not need.
    assert.isFalse(again.includes(taken[0]!))
    assert.sameMembers(again.slice(0, 4), taken.slice(1))
  })
})
