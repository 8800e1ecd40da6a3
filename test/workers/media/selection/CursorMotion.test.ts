import { assert, describe, it } from "@effect/vitest"
import { makeCursorMotion } from "../../../../workers/media/selection/CursorMotion.ts"

const size = { width: 320, height: 180 }
const tile = 10
const columns = size.width / tile
const spots = makeCursorMotion(size, tile)

const paper = (value = 230) => new Uint8Array(size.width * size.height).fill(value)

/** Draws `#` dark and `o` light. */
const stamp = (plane: Uint8Array, x: number, y: number, rows: ReadonlyArray<string>): Uint8Array => {
  const copy = Uint8Array.from(plane)
  rows.forEach((row, dy) =>
    [...row].forEach((mark, dx) => {
      if (mark !== ".") copy[(y + dy) * size.width + x + dx] = mark === "#" ? 10 : 250
    })
  )
  return copy
}

const arrow = ["#...", "##..", "#o#.", "#oo#", "#o##", "#.#."]
const four = ["#..#", "#..#", "####", "...#", "...#", "...#"]
const seven = ["####", "...#", "..#.", ".#..", ".#..", "#..."]
const two = [".##.", "#..#", "..#.", ".#..", "#...", "####"]

const marked = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const flags = new Uint8Array(columns * (size.height / tile))
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) flags[Math.floor(i / size.width / tile) * columns + Math.floor((i % size.width) / tile)] = 1
  }
  return flags
}

const told = (a: Uint8Array, b: Uint8Array) => spots(marked(a, b), a, b)

describe("CursorMotion", () => {
  it("pairs the places that one thing left and came to, near and far, across tiles", () => {
    for (const [x, y] of [[60, 40], [299, 170], [31, 38], [28, 60]] as const) {
      const { pairs, singles } = told(stamp(paper(), x, y, arrow), stamp(paper(), 18, 30, arrow))
      assert.lengthOf(pairs, 1, `to ${x}, ${y}`)
      assert.lengthOf(singles, 0)
    }
  })

  it("does not take two figures that changed for one thing that moved", () => {
    const before = stamp(stamp(paper(), 20, 40, four), 120, 90, two)
    const after = stamp(stamp(paper(), 20, 40, seven), 120, 90, seven)
    const { pairs, singles } = told(after, before)
    assert.lengthOf(pairs, 0)
    assert.isAtLeast(singles.length, 2)
  })

  it("tells the pointer from a figure that changes meanwhile, and clears only the pointer's tiles", () => {
    const before = stamp(stamp(paper(), 20, 40, four), 120, 90, arrow)
    const after = stamp(stamp(paper(), 20, 40, two), 200, 130, arrow)
    const flags = marked(after, before)
    const { clear, pairs, singles } = spots(flags, after, before)
    assert.lengthOf(pairs, 1)
    assert.isAtLeast(singles.length, 1)
    clear(flags, pairs.flat())
    assert.deepStrictEqual([...flags.entries()].filter(([, flag]) => flag === 1).map(([at]) => at), [4 * columns + 2])
  })

  it("leaves alone what is larger than a pointer, and many spots at once", () => {
    const wide = stamp(paper(), 40, 40, Array.from({ length: 16 }, () => "#".repeat(30)))
    assert.deepStrictEqual(told(wide, paper()).singles, [])
    const many = [20, 60, 100, 140, 180, 220, 260].reduce<Uint8Array>((plane, x) => stamp(plane, x, 60, arrow), paper())
    assert.deepStrictEqual(told(many, paper()).singles, [])
  })
})
