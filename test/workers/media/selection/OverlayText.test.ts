import { assert, describe, it } from "@effect/vitest"
import { TILE } from "../../../../workers/media/pixels/FrameTiles.ts"
import { makeOverlayText } from "../../../../workers/media/selection/OverlayText.ts"
import { captioned, filmed, size } from "./FilmedPlanes.ts"

const hasNewText = makeOverlayText(size, TILE)
const views = [0, 1, 2, 3].map((step) => filmed(7, { x: 6 * step, scale: 1 - 0.01 * step }))

describe("makeOverlayText", () => {
  it("tells once that a caption has come to stand over a picture that moves, also in the place of another", () => {
    const [first, second, third, fourth] = views as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
    assert.isTrue(hasNewText(captioned(third, 1), captioned(second, 1), first))
    assert.isTrue(hasNewText(captioned(third, 2), captioned(second, 2), captioned(first, 1)))
    assert.isFalse(hasNewText(captioned(fourth, 1), captioned(third, 1), captioned(second, 1)))
  })

  it("waits until it stands, and is silent where it goes or nothing is written", () => {
    const [first, second, third] = views as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
    assert.isFalse(hasNewText(captioned(third, 1), second, first))
    assert.isFalse(hasNewText(third, second, captioned(first, 1)))
    assert.isFalse(hasNewText(third, second, first))
  })

  it("takes no picture that comes to rest for text", () => {
    assert.isFalse(hasNewText(filmed(7), filmed(7), filmed(7, { x: 30 })))
    assert.isFalse(hasNewText(filmed(7), filmed(7), filmed(8)))
  })
})
