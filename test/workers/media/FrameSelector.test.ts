import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Commitment, FrameSelector } from "../../../workers/media/FrameSelector.ts"

const size = { width: 320, height: 180 }

type Plane = Uint8Array

/** A repeatable stream of numbers below `limit` (Lehmer). */
const numbers = (seed: number) => {
  let state = seed + 1
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

const box = (plane: Plane, x: number, y: number, width: number, height: number, value: number): Plane => {
  for (let row = y; row < y + height; row++) plane.fill(value, row * size.width + x, row * size.width + x + width)
  return plane
}

const blank = (value: number): Plane => new Uint8Array(size.width * size.height).fill(value)

/** A light slide with dark lines of "words" that depend on the seed. */
const slide = (seed: number): Plane => {
  const next = numbers(seed)
  const plane = box(blank(235), 0, 0, 320, 24, 60 + next(36))
  for (let line = 0; line < 8; line++) {
    for (let x = 20; x < 280;) {
      const width = 6 + next(24)
      box(plane, x, 36 + line * 16, Math.min(width, 290 - x), 8, 20 + next(40))
      x += width + 5
    }
  }
  return plane
}

const mixed = (a: Plane, b: Plane, share: number): Plane => a.map((value, i) => value + (b[i]! - value) * share)

const times = (count: number, plane: Plane): ReadonlyArray<Plane> => Array.from({ length: count }, () => plane)

const select = (planes: ReadonlyArray<Plane>) => {
  const selector = new FrameSelector(size, 2)
  const commitments: Array<Commitment> = []
  planes.forEach((plane, index) => {
    const { commitment } = selector.push(plane)
    if (commitment === undefined) return
    assert.include([index, index - 1], commitment.index, "only the sample or its neighbour can be kept")
    commitments.push(commitment)
  })
  const last = selector.finish()
  if (last !== undefined) commitments.push(last)
  return { kept: commitments.filter(({ kept }) => kept), clusters: selector.clusters }
}

describe("FrameSelector", () => {
  it("keeps one frame of a still picture, however long it stands", () => {
    const { clusters, kept } = select(times(300, slide(1)))
    assert.lengthOf(kept, 1)
    assert.deepStrictEqual(new Set(clusters), new Set([0]))
  })

  it("keeps each slide once and knows one that comes back", () => {
    const { clusters, kept } = select([...times(6, slide(1)), ...times(6, slide(2)), ...times(6, slide(1))])
    assert.lengthOf(kept, 2)
    assert.deepStrictEqual([clusters[2], clusters[9], clusters[15]], [0, 1, 0])
  })

  it("keeps a slide on which one small number changed", () => {
    const changed = box(Uint8Array.from(slide(3)), 300, 160, 6, 10, 20)
    const { kept } = select([...times(6, slide(3)), ...times(6, changed)])
    assert.lengthOf(kept, 2)
  })

  it("keeps a slide on which one digit of small print changed, three pixels high here", () => {
    const changed = box(Uint8Array.from(slide(3)), 304, 164, 2, 3, 195)
    const { kept } = select([...times(6, slide(3)), ...times(6, changed)])
    assert.lengthOf(kept, 2)
  })

  it("keeps the two ends of a fade and nothing in between", () => {
    const fade = [0.2, 0.4, 0.6, 0.8].map((share) => mixed(slide(4), slide(5), share))
    const { kept } = select([...times(8, slide(4)), ...fade, ...times(8, slide(5))])
    assert.lengthOf(kept, 2)
    assert.isAtLeast(kept[1]!.index, 12)
  })

  it("is not disturbed by light that flickers", () => {
    const flicker = Array.from({ length: 60 }, (_, i) => slide(6).map((value) => value + [0, 6, -6, 3][i % 4]!))
    assert.lengthOf(select(flicker).kept, 1)
  })

  it("is not disturbed by a moving picture in a corner", () => {
    const next = numbers(9)
    const inset = () => {
      const plane = Uint8Array.from(slide(7))
      for (let y = 130; y < 170; y += 4) {
        for (let x = 250; x < 310; x += 4) box(plane, x, y, 4, 4, next(256))
      }
      return plane
    }
    const { kept } = select(Array.from({ length: 80 }, inset))
    assert.isAtMost(kept.length, 3)
  })

  it("keeps nothing of black or white pictures and gives them no cluster", () => {
    const { clusters, kept } = select([...times(10, blank(0)), ...times(10, blank(255))])
    assert.lengthOf(kept, 0)
    assert.deepStrictEqual(new Set(clusters), new Set([-1]))
  })

  it("keeps at least a frame a minute while the camera never rests", () => {
    const next = numbers(11)
    const view = () => {
      const plane = Uint8Array.from(slide(12))
      for (let y = 0; y < 180; y += 5) {
        for (let x = 0; x < 140; x += 5) box(plane, x, y, 5, 5, (plane[y * 320 + x]! >> 1) + next(36))
      }
      return plane
    }
    const { kept } = select(Array.from({ length: 500 }, view))
    assert.isAtMost(kept.length, 8)
    assert.isAtLeast(kept.length, 4)
  })

  it("gives every sample of any sequence a cluster, numbered in order, the same on every run", () => {
    const scene = fc.record({ seed: fc.nat(5), length: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(fc.array(scene, { minLength: 1, maxLength: 10 }), (scenes) => {
        const planes = scenes.flatMap(({ length, seed }) => times(length, seed === 0 ? blank(9) : slide(seed)))
        const first = select(planes)
        assert.lengthOf(first.clusters, planes.length)
        assert.deepStrictEqual(first.kept.map(({ cluster }) => cluster), first.kept.map((_, i) => i))
        for (const { cluster, index } of first.kept) assert.strictEqual(first.clusters[index], cluster)
        assert.isAtMost(Math.max(...first.clusters), first.kept.length - 1)
        assert.isAtMost(first.kept.length, new Set(scenes.map(({ seed }) => seed)).size)
        assert.deepStrictEqual(select(planes), first)
      }),
      { numRuns: 30 }
    )
  })

  it("gives nothing for no samples", () => {
    const selector = new FrameSelector(size, 2)
    assert.isUndefined(selector.finish())
    assert.lengthOf(selector.clusters, 0)
  })
})
