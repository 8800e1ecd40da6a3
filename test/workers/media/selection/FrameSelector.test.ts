import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Commitment, FrameSelector } from "../../../../workers/media/selection/FrameSelector.ts"
import { captioned, filmed, size } from "./FilmedPlanes.ts"

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

/** A word or two of small type on a plain ground, its letters 1 px wide here; `shade` is how far they stand out. */
const words = (seed: number, ground: number, shade: number): Plane => {
  const next = numbers(seed)
  const plane = blank(ground)
  const [left, top] = [10 + next(200), 20 + next(130)]
  for (let x = left, end = left + 20 + next(60); x < end; x += 2) {
    box(plane, x, top + next(2), 1, 3 + next(3), ground + (ground > 127 ? -shade : shade))
  }
  return plane
}

/** Slides of one layout: a bar above, and lines at the same places. */
const inLayout = (seed: number): Plane => box(Uint8Array.from(slide(seed)), 0, 0, 320, 24, 80)

const mixed = (a: Plane, b: Plane, share: number): Plane => a.map((value, i) => value + (b[i]! - value) * share)

const times = (count: number, plane: Plane): ReadonlyArray<Plane> => Array.from({ length: count }, () => plane)

/** A white arrow with a dark edge, 4 px wide and 6 high here, its tip at x, y. */
const pointed = (plane: Plane, x: number, y: number): Plane => {
  const copy = Uint8Array.from(plane)
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column <= Math.min(row, 3); column++) {
      copy[(y + row) * size.width + x + column] = column === 0 || column === row || row === 5 ? 10 : 250
    }
  }
  return copy
}

/** The picture as a camera or a poor encoding gives it: every pixel off by up to `most`. */
const noisy = (plane: Plane, most: number, next: (limit: number) => number): Plane =>
  plane.map((value) => Math.max(0, Math.min(255, value + next(2 * most + 1) - most)))

/** A moving picture, 60x40 here, in the corner. */
const withInset = (plane: Plane, next: (limit: number) => number): Plane => {
  const copy = Uint8Array.from(plane)
  for (let y = 130; y < 170; y += 4) for (let x = 250; x < 310; x += 4) box(copy, x, y, 4, 4, next(256))
  return copy
}

const select = (planes: ReadonlyArray<Plane>, samples_per_second = 2) => {
  const selector = new FrameSelector(size, samples_per_second)
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

/** The picture ten times, a pointer on its way across. */
const underPointer = (plane: Plane, from: number): ReadonlyArray<Plane> =>
  Array.from({ length: 10 }, (_, i) => pointed(plane, 20 + 14 * (from + i), 60 + 5 * i))

/** Which caption stands over a sample; 0 for none. */
const captionAt = (index: number): number => index < 4 ? 0 : 1 + Math.floor((index - 4) / 5)

/** Frames kept of four scenes of six seconds, three of them different, with a moving inset. */
const keptAt = (samples_per_second: number): number => {
  const next = numbers(16)
  const planes = [1, 2, 1, 3].flatMap((seed) =>
    Array.from({ length: 6 * samples_per_second }, () => withInset(slide(seed), next))
  )
  return select(planes, samples_per_second).kept.length
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

  it("keeps one frame of a slow zoom, of a pan that does not leave the view, and of a hand that shakes", () => {
    const paths = [
      (step: number) => ({ scale: 1 - 0.012 * step }),
      (step: number) => ({ x: 4 * step }),
      (step: number) => ({ x: 9 * Math.sin(1.9 * step), y: 6 * Math.cos(2.7 * step) })
    ]
    for (const path of paths) {
      const { clusters, kept } = select(Array.from({ length: 30 }, (_, step) => filmed(21, path(step))))
      assert.lengthOf(kept, 1)
      assert.deepStrictEqual(new Set(clusters), new Set([0]))
    }
  })

  it("keeps another frame of a pan that comes to show something else", () => {
    const { kept } = select(Array.from({ length: 30 }, (_, step) => filmed(22, { x: 14 * step })))
    assert.isAtLeast(kept.length, 2)
    assert.isAtMost(kept.length, 4)
  })

  it("keeps a frame of each caption over a camera that moves, also of those between which nothing else changes", () => {
    const planes = Array.from({ length: 24 }, (_, step) => {
      const view = filmed(23, { x: 3 * step, scale: 1 - 0.006 * step })
      return captionAt(step) === 0 ? view : captioned(view, captionAt(step))
    })
    const captions = select(planes).kept.map(({ index }) => captionAt(index))
    assert.deepStrictEqual([...new Set(captions)].filter((one) => one > 0), [1, 2, 3, 4])
    assert.isAtMost(captions.length, 8)
  })

  it("is not disturbed by light that flickers", () => {
    const flicker = Array.from({ length: 60 }, (_, i) => slide(6).map((value) => value + [0, 6, -6, 3][i % 4]!))
    assert.lengthOf(select(flicker).kept, 1)
  })

  it("is not disturbed by a moving picture in a corner", () => {
    const next = numbers(9)
    assert.lengthOf(select(Array.from({ length: 80 }, () => withInset(slide(7), next))).kept, 1)
  })

  it("sees one changed number beside a picture that moves", () => {
    const next = numbers(10)
    const changed = box(Uint8Array.from(slide(7)), 4, 100, 6, 10, 20)
    const planes = [...times(20, slide(7)), ...times(20, changed)].map((plane) => withInset(plane, next))
    const { kept } = select(planes)
    assert.lengthOf(kept, 2)
    assert.isAtLeast(kept[1]!.index, 20)
  })

  it("keeps one frame of a picture that a camera's noise or a poor encoding changes all the time", () => {
    for (const most of [2, 6, 12]) {
      const next = numbers(most)
      assert.lengthOf(select(Array.from({ length: 60 }, () => noisy(slide(8), most, next))).kept, 1)
    }
  })

  it("sees another line of text through a camera's noise", () => {
    const next = numbers(14)
    const changed = box(Uint8Array.from(slide(8)), 20, 150, 150, 10, 30)
    const planes = [...times(12, slide(8)), ...times(12, changed)].map((plane) => noisy(plane, 5, next))
    assert.lengthOf(select(planes).kept, 2)
  })

  it("does not take a mouse pointer for news, wherever it goes, rests and goes again", () => {
    const next = numbers(15)
    const resting = Array.from({ length: 25 }, () => ({ x: 5 + next(300), y: 30 + next(140), rests: 1 + next(6) }))
    const planes = resting.flatMap(({ rests, x, y }) => times(rests, pointed(slide(9), x, y)))
    const { clusters, kept } = select(planes)
    assert.lengthOf(kept, 1)
    assert.deepStrictEqual(new Set(clusters), new Set([0]))
  })

  it("sees one changed number although a mouse pointer moves at the same time", () => {
    const changed = box(Uint8Array.from(slide(9)), 300, 160, 6, 10, 20)
    const { kept } = select([...underPointer(slide(9), 0), ...underPointer(changed, 10)])
    assert.lengthOf(kept, 2)
    assert.isAtLeast(kept[1]!.index, 10)
  })

  it("knows a slide that comes back with the mouse pointer elsewhere", () => {
    const planes = [[1, 300, 60], [1, 304, 90], [2, 304, 90], [1, 6, 120]] as const
    const { kept } = select(planes.flatMap(([seed, x, y]) => times(6, pointed(slide(seed), x, y))))
    assert.lengthOf(kept, 2)
  })

  it("keeps a line that is being typed once it is whole, not its beginnings", () => {
    const typed = Array.from({ length: 5 }, (_, i) => box(Uint8Array.from(slide(3)), 20, 165, 40 * (i + 1), 8, 30))
    const { kept } = select([...times(6, slide(3)), ...typed, ...times(6, typed.at(-1)!)])
    assert.lengthOf(kept, 2)
    assert.isAtLeast(kept[1]!.index, 10)
  })

  it("keeps no frame of a transition that the video ends in", () => {
    const fade = [0.15, 0.3, 0.45].map((share) => mixed(slide(4), slide(5), share))
    assert.lengthOf(select([...times(8, slide(4)), ...fade]).kept, 1)
  })

  it("counts seconds, not samples: at twice the rate the same scenes are kept", () => {
    assert.deepStrictEqual([keptAt(2), keptAt(4)], [3, 3])
  })

  it("keeps nothing of black or white pictures and gives them no cluster", () => {
    const { clusters, kept } = select([...times(10, blank(0)), ...times(10, blank(255))])
    assert.lengthOf(kept, 0)
    assert.deepStrictEqual(new Set(clusters), new Set([-1]))
  })

  it("keeps each slide of a few small words on a plain ground, light or dark, and knows one that comes back", () => {
    for (const [ground, shade] of [[250, 190], [12, 200], [240, 90]] as const) {
      const { clusters, kept } = select([31, 32, 33, 34, 32].flatMap((seed) => times(6, words(seed, ground, shade))))
      assert.lengthOf(kept, 4)
      assert.deepStrictEqual([clusters[2], clusters[8], clusters[14], clusters[20], clusters[26]], [0, 1, 2, 3, 1])
    }
  })

  it("keeps one frame of a few small words through an encoder's noise", () => {
    const next = numbers(35)
    assert.lengthOf(select(Array.from({ length: 60 }, () => noisy(words(36, 250, 190), 1, next))).kept, 1)
  })

  it("keeps nothing of plain pictures, whatever noise a camera lays over them", () => {
    for (const most of [1, 4, 12]) {
      const next = numbers(most)
      const dark = Array.from({ length: 20 }, () => noisy(blank(40), most, next))
      const { clusters, kept } = select(dark)
      assert.lengthOf(kept, 0)
      assert.deepStrictEqual(new Set(clusters), new Set([-1]))
    }
  })

  it("keeps every slide of one layout that stands for a second, and gives each sample its own", () => {
    const seeds = [41, 42, 43, 44, 45, 46, 47, 48, 49, 50]
    const { clusters, kept } = select(seeds.flatMap((seed) => times(2, inLayout(seed))))
    assert.lengthOf(kept, seeds.length)
    assert.deepStrictEqual(clusters, seeds.flatMap((_, i) => [i, i]))
  })

  it("begins a slide beside a moving picture when it comes, not when the picture beside it moved", () => {
    const next = numbers(51)
    const lengths = [11, 13, 9, 12, 10]
    const planes = lengths.flatMap((length, i) => times(length, slide(60 + i)))
    const restless = planes.map((plane, i) => {
      const inset = box(Uint8Array.from(plane), 250, 130, 60, 40, 120)
      // A head that sways: what it leaves and comes to changes for a while and then not.
      return box(inset, 256 + 4 * Math.round(4 + 4 * Math.sin(0.45 * i)), 138 + next(2), 16, 26, 200)
    })
    const { clusters } = select(restless)
    assert.deepStrictEqual(clusters, lengths.flatMap((length, i) => Array.from({ length }, () => i)))
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
