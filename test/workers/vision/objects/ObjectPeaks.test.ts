import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { objectNames } from "../../../../src/artifacts/ObjectNames.ts"
import { MAP, objectsAt, overlap } from "../../../../workers/vision/objects/ObjectPeaks.ts"

interface Drawn {
  readonly kind: number
  readonly x: number
  readonly y: number
  readonly score: number
  /** Left, top, right and bottom of the middle, in pixels of the network's input. */
  readonly sides: readonly [number, number, number, number]
}

/** A run looks through maps of 1.3 million places. */
const RUNS = { numRuns: 25 }

/** Maps as the network gives them where it sees just these. */
const mapsOf = (drawn: ReadonlyArray<Drawn>) => {
  const centres = new Float32Array(objectNames.length * MAP * MAP)
  const sides = new Float32Array(4 * MAP * MAP)
  for (const { kind, score, sides: own, x, y } of drawn) {
    centres[kind * MAP * MAP + y * MAP + x] = score
    for (const [side, length] of own.entries()) sides[side * MAP * MAP + y * MAP + x] = length
  }
  return { centres, sides }
}

const found = (drawn: ReadonlyArray<Drawn>, least = 0.4) => {
  const { centres, sides } = mapsOf(drawn)
  return objectsAt(centres, sides, least)
}

const edge = (place: number, side: number) => Math.min(1, Math.max(0, place / MAP + side / (4 * MAP)))
const bottle = (x: number): Drawn => ({ kind: 39, x, y: 64, score: 0.6, sides: [30, 90, 30, 90] })

describe("objectsAt", () => {
  const side = fc.integer({ min: 1, max: 600 })
  const one = fc.record({
    kind: fc.integer({ min: 0, max: objectNames.length - 1 }),
    x: fc.integer({ min: 0, max: MAP - 1 }),
    y: fc.integer({ min: 0, max: MAP - 1 }),
    score: fc.integer({ min: 40, max: 100 }).map((percent) => percent / 100),
    sides: fc.tuple(side, side, side, side)
  })

  it("gives a single thing back with its name, its score and its box, cut off at the picture's edge", () => {
    fc.assert(
      fc.property(one, (drawn) => {
        const [thing, ...rest] = found([drawn])
        expect(rest).toEqual([])
        expect(thing!.name).toBe(objectNames[drawn.kind])
        expect(thing!.score).toBeCloseTo(drawn.score, 5)
        expect(thing!.left).toBeCloseTo(edge(drawn.x, -drawn.sides[0]), 5)
        expect(thing!.top).toBeCloseTo(edge(drawn.y, -drawn.sides[1]), 5)
        expect(thing!.right).toBeCloseTo(edge(drawn.x, drawn.sides[2]), 5)
        expect(thing!.bottom).toBeCloseTo(edge(drawn.y, drawn.sides[3]), 5)
      }),
      RUNS
    )
  })

  it("says nothing below the least score", () => {
    fc.assert(
      fc.property(one, (drawn) => {
        expect(found([{ ...drawn, score: drawn.score / 3 }])).toEqual([])
      }),
      RUNS
    )
  })

  it("keeps no two boxes of one name that lie on each other, and of two names the likelier", () => {
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (drawn) => {
        const things = found(drawn)
        for (const [index, a] of things.entries()) {
          expect(a.score).toBeLessThanOrEqual(things[index - 1]?.score ?? 1)
          for (const b of things.slice(index + 1)) {
            expect(overlap(a, b)).toBeLessThanOrEqual(a.name === b.name ? 0.5 : 0.8)
          }
        }
      }),
      RUNS
    )
  })

  it("counts things beside each other", () => {
    expect(found([bottle(20), bottle(60), bottle(100)]).map(({ name }) => name)).toEqual(["bottle", "bottle", "bottle"])
  })
})
