import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeArrivalOrderCache } from "../../../../workers/speech/drivers/ArrivalOrderCache.ts"
import { type CachedFrame, compressed } from "./PlainSpeakerCache.ts"

const [channels, width] = [4, 2]
const silence = [-1, -2]
/** With a part of eleven frames for each of four voices. */
const policy = { cache_frames: 44, recent_frames: 5, moved_frames: 20 }

/** Nobody, one voice or two over some frames, each heard a little differently. */
const stretches = fc.array(
  fc.record({
    voices: fc.uniqueArray(fc.nat(channels - 1), { maxLength: 2 }),
    frames: fc.integer({ min: 1, max: 12 }),
    loud: fc.integer({ min: 0, max: 9 })
  }),
  { minLength: 1, maxLength: 30 }
)

const framesOf = (told: ReadonlyArray<{ voices: ReadonlyArray<number>; frames: number; loud: number }>) =>
  told.flatMap(({ frames, loud, voices }) =>
    Array.from(
      { length: frames },
      (_, t) =>
        Array.from({ length: channels }, (_, s) =>
          voices.includes(s) ? 0.52 + 0.05 * ((loud + 3 * t) % 10) : 0.06 * ((loud + 7 * t + s) % 8))
    )
  ).map((p, at): CachedFrame => ({ embed: [at, at + 0.5], p: p.map(Math.fround) }))

/** Everything shown to the network before each step of 13 frames, and after the last. */
const shownBy = (frames: ReadonlyArray<CachedFrame>) => {
  const cache = makeArrivalOrderCache({ channels, policy, width })
  const shown: Array<ReadonlyArray<number>> = []
  let places: Array<CachedFrame> = []
  const plain: { cache: Array<CachedFrame>; recent: Array<CachedFrame> } = { cache: [], recent: [] }
  const expected: Array<ReadonlyArray<number>> = []
  for (let from = 0; from < frames.length; from += 13) {
    const fresh = frames.slice(from, from + 13)
    places = [...plain.cache, ...plain.recent, ...fresh]
    cache.push({
      embeds: Float32Array.from(fresh.flatMap(({ embed }) => embed)),
      fresh: fresh.length,
      probabilities: Float32Array.from(places.flatMap(({ p }) => p)),
      silence: Float32Array.from(silence)
    })
    plain.recent.push(...fresh)
    if (plain.recent.length > policy.recent_frames) {
      const count = Math.min(
        plain.recent.length,
        Math.max(policy.moved_frames, plain.recent.length - policy.recent_frames)
      )
      plain.cache.push(...plain.recent.splice(0, count))
      if (plain.cache.length > policy.cache_frames) plain.cache = compressed(plain.cache, policy.cache_frames, silence)
    }
    shown.push(Array.from(cache.shown()))
    expected.push([...plain.cache, ...plain.recent].flatMap(({ embed }) => embed))
  }
  return { shown, expected }
}

describe("makeArrivalOrderCache", () => {
  it("keeps the frames that the paper's rules keep, in their order, whoever speaks when", () => {
    fc.assert(fc.property(stretches, (told) => {
      const { expected, shown } = shownBy(framesOf(told))
      assert.deepStrictEqual(shown, expected)
    }))
  })

  it("has frames of somebody who spoke a minute ago, however long another goes on", () => {
    const frames = framesOf([
      { voices: [2], frames: 12, loud: 1 },
      ...Array.from({ length: 40 }, () => ({ voices: [0], frames: 12, loud: 4 }))
    ])
    const last = shownBy(frames).shown.at(-1)!
    assert.isAtMost(last.length / width, policy.cache_frames + policy.recent_frames)
    assert.isAtLeast(last.filter((x, i) => i % width === 0 && x >= 0 && x < 12).length, 5)
  })
})
