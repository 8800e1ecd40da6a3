import { assert, describe, it } from "@effect/vitest"
import { KeptFrames } from "../../../../workers/media/selection/KeptFrames.ts"

const frame = (low: number, shows: string) => ({ hash: { high: 0, low: low >>> 0 }, plain: false, shows })
const plain = (low: number, shows: string) => ({ ...frame(low, shows), plain: true })

const kept = () => new KeptFrames<ReturnType<typeof frame>>((a, b) => a.shows === b.shows)

describe("KeptFrames", () => {
  it("knows a frame again whose hash moved by up to 6 bits", () => {
    const frames = kept()
    assert.strictEqual(frames.add(frame(0, "slide")), 0)
    assert.strictEqual(frames.find(frame(0b111111, "slide")), 0)
    assert.isUndefined(frames.find(frame(0b1111111, "slide")))
  })

  it("takes frames of one hash apart by what they show", () => {
    const frames = kept()
    frames.add(frame(5, "4.2 kg"))
    frames.add(frame(5, "4.3 kg"))
    assert.strictEqual(frames.find(frame(5, "4.2 kg")), 0)
    assert.strictEqual(frames.find(frame(5, "4.3 kg")), 1)
    assert.isUndefined(frames.find(frame(5, "4.4 kg")))
  })

  it("forgets the pictures of all but the latest 2,000, so that memory does not grow with the video", () => {
    const frames = kept()
    for (let i = 0; i <= 2000; i++) frames.add(frame(Math.imul(i, 2_654_435_761), String(i)))
    assert.isUndefined(frames.find(frame(0, "0")))
    assert.strictEqual(frames.find(frame(Math.imul(1, 2_654_435_761), "1")), 1)
  })

  it("knows a nearly plain frame again whatever its hash, among the latest 200 of them", () => {
    const frames = kept()
    for (let i = 0; i <= 200; i++) frames.add(plain(i, String(i)))
    assert.strictEqual(frames.find(plain(0xffffffff, "1")), 1)
    assert.isUndefined(frames.find(plain(0, "0")))
    assert.isUndefined(frames.find(plain(5, "other")))
  })
})
