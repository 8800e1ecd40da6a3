import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { MediaFragment, mediaFragment } from "../../src/artifacts/MediaFragment.ts"

const fits = Schema.is(MediaFragment)

/** Section 4.2 of the recommendation, read by itself: npt seconds, then a region in whole percent. */
const parse = (fragment: string) => {
  const pairs = new Map(fragment.slice(1).split("&").map((pair) => pair.split("=") as [string, string]))
  const [from, to] = pairs.get("t")!.split(",").map(Number)
  const region = /^percent:(\d+),(\d+),(\d+),(\d+)$/u.exec(pairs.get("xywh") ?? "")?.slice(1).map(Number)
  return { from: from!, to: to!, region }
}

const moments = fc.tuple(fc.double({ min: 0, max: 43_200, noNaN: true }), fc.double({ min: 0, max: 600, noNaN: true }))
  .map(([t_start, length]) => ({ t_start, t_end: t_start + length }))
const ranges = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([a, b]) => [Math.min(a, b), Math.abs(a - b)] as const)
const boxes = fc.tuple(ranges, ranges).map(([[x, width], [y, height]]) => [x, y, width, height] as const)

/** A range of the picture and the whole percent around it: never cut, never a whole percent too much on either side. */
const inside = (at: number, length: number, start: number, whole: number) => {
  assert.isAtMost(start, at * 100 + 1e-5)
  assert.isAtLeast(start + whole, (at + length) * 100 - 1e-5)
  assert.isBelow(whole, length * 100 + 2.001)
}

describe("mediaFragment", () => {
  it("writes seconds to the millisecond and no region for sound", () => {
    assert.strictEqual(mediaFragment({ t_start: 12.5, t_end: 14 }, null), "#t=12.5,14")
    assert.strictEqual(mediaFragment({ t_start: 0, t_end: 0.3 }, null), "#t=0,0.3")
    assert.strictEqual(mediaFragment({ t_start: 1 / 3, t_end: 2 / 3 }, null), "#t=0.333,0.667")
  })

  it("writes a region in whole percent around what was seen", () => {
    assert.strictEqual(
      mediaFragment({ t_start: 1, t_end: 2 }, [0.105, 0.2, 0.3, 0.051]),
      "#t=1,2&xywh=percent:10,20,31,6"
    )
    // 0.29 * 100 is 28.999…: a rounding of the machine is no part of the picture.
    assert.strictEqual(
      mediaFragment({ t_start: 1, t_end: 2 }, [0.29, 0.57, 0.28, 0.01]),
      "#t=1,2&xywh=percent:29,57,28,1"
    )
    assert.strictEqual(mediaFragment({ t_start: 1, t_end: 2 }, [0, 0, 1, 1]), "#t=1,2&xywh=percent:0,0,100,100")
    assert.strictEqual(mediaFragment({ t_start: 1, t_end: 2 }, [1, 1, 0, 0]), "#t=1,2&xywh=percent:99,99,1,1")
  })

  it("gives an instant the shortest interval that begins with it, because one without length is no fragment", () => {
    assert.strictEqual(mediaFragment({ t_start: 7, t_end: 7 }, null), "#t=7,7.001")
  })

  it("resolves against the source's address to a link to the moment", () => {
    const link = new URL(
      mediaFragment({ t_start: 1, t_end: 2 }, [0, 0, 0.5, 0.5]),
      "https://example.com/talk.mp4?token=a"
    )
    assert.strictEqual(link.href, "https://example.com/talk.mp4?token=a#t=1,2&xywh=percent:0,0,50,50")
  })

  it("is of the grammar for every moment and box, holds both, and never leaves the picture", () => {
    fc.assert(fc.property(moments, fc.option(boxes), (moment, box) => {
      const fragment = mediaFragment(moment, box)
      assert.isTrue(fits(fragment), fragment)
      const { from, region, to } = parse(fragment)
      assert.isBelow(from, to)
      assert.approximately(from, moment.t_start, 0.000_501)
      assert.approximately(to, Math.max(moment.t_end, from + 0.001), 0.001_001)
      if (box === null) return assert.isUndefined(region)
      const [x, y, width, height] = region as [number, number, number, number]
      assert.isAtLeast(Math.min(width, height), 1)
      assert.isAtMost(Math.max(x + width, y + height), 100)
      inside(box[0], box[2], x, width)
      inside(box[1], box[3], y, height)
    }))
  })
})
