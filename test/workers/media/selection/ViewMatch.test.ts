import { assert, describe, it } from "@effect/vitest"
import { makeTiling, TILE } from "../../../../workers/media/pixels/FrameTiles.ts"
import { makeViewMatch } from "../../../../workers/media/selection/ViewMatch.ts"
import { filmed, size } from "./FilmedPlanes.ts"

const { measure } = makeTiling(size)
const found = (view: Uint8Array, other: Uint8Array) => makeViewMatch(size, TILE).find(measure(view), measure(other))

describe("makeViewMatch", () => {
  it("finds a view again after a pan of a third of its width, a zoom by a third, and both", () => {
    for (const view of [{ x: 107 }, { y: -50 }, { scale: 0.75 }, { scale: 1.33 }, { scale: 0.8, x: 50, y: 20 }]) {
      assert.deepStrictEqual(found(filmed(3, view), filmed(3)), { moved: true }, JSON.stringify(view))
    }
  })

  it("says of a camera that stands that it has not moved, whatever passes before it", () => {
    const passed = filmed(3)
    for (let row = 80; row < 150; row++) passed.fill(230, row * size.width + 100, row * size.width + 130)
    assert.deepStrictEqual(found(passed, filmed(3)), { moved: false })
  })

  it("takes no other scene for the same view, nor what is mostly beyond its edge", () => {
    for (const seed of [11, 12, 13, 14]) assert.isUndefined(found(filmed(seed), filmed(3)))
    assert.isUndefined(found(filmed(3, { x: 240 }), filmed(3)))
  })

  it("tells a camera's picture from a drawn one by how little of it is flat", () => {
    const { isFilmed } = makeViewMatch(size, TILE)
    const drawn = new Uint8Array(size.width * size.height).fill(230)
    for (let row = 40; row < 60; row++) drawn.fill(30, row * size.width + 30, row * size.width + 290)
    assert.isTrue(isFilmed(measure(filmed(5))))
    assert.isFalse(isFilmed(measure(drawn)))
  })
})
