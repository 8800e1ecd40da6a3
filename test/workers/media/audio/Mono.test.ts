import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { loudestChannel } from "../../../../workers/media/audio/ChannelLevels.ts"
import { isAudible, isWhole, makeMono } from "../../../../workers/media/audio/Mono.ts"

const bytesOf = (samples: ReadonlyArray<number>) => Buffer.from(Int16Array.from(samples).buffer)
const sample = fc.integer({ min: -32_768, max: 32_767 })

const mixOf = (channels: 1 | 2, samples: ReadonlyArray<number>, cuts: ReadonlyArray<number>, skipped = 0) => {
  const mono = makeMono(channels, skipped)
  const bytes = bytesOf(samples)
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const out = Buffer.concat(edges.slice(1).map((to, i) => mono.push(bytes.subarray(edges[i], to))))
  return { out, levels: mono.levels }
}

describe("Mono", () => {
  it("mixes and measures the same, however the stream is cut, and never leaves 16 bits", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 6 }), (samples, cuts) => {
        for (const channels of [1, 2] as const) {
          const whole = mixOf(channels, samples, [])
          assert.deepStrictEqual(mixOf(channels, samples, cuts), whole)
          assert.lengthOf(whole.out, 2 * Math.floor(samples.length / channels))
        }
      })
    )
  })

  it("leaves the first frames out, also where they end inside a piece", () => {
    const samples = [1, 1, 2, 2, 3, 3, 4, 4]
    assert.deepStrictEqual(mixOf(2, samples, [3, 5], 2).out, bytesOf([3, 4]))
    assert.deepStrictEqual(mixOf(2, samples, [], 9).out, bytesOf([]))
  })

  it("tells a mix that lost what its channels have from one that kept half of it", () => {
    const wave = Array.from({ length: 400 }, (_, n) => Math.round(9000 * Math.sin(n / 3)))
    const stereo = (right: (x: number) => number) => mixOf(2, wave.flatMap((x) => [x, right(x)]), []).levels
    assert.isTrue(isWhole(stereo((x) => x)))
    assert.isTrue(isWhole(stereo(() => 0)))
    assert.isFalse(isWhole(stereo((x) => -x)))
    assert.isFalse(isWhole(stereo((x) => Math.round(-0.9 * x))))
    assert.isFalse(isWhole(mixOf(2, wave.map(() => 0), []).levels))
  })

  it("does not take a small constant offset for sound", () => {
    assert.isFalse(isAudible(mixOf(1, Array.from({ length: 2000 }, () => 30), []).levels.mix))
  })
})

const wav = (channels: number, samples: ReadonlyArray<number>) => {
  const head = Buffer.from(
    "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0data\xff\xff\xff\xff",
    "latin1"
  )
  head.writeUInt16LE(channels, 22)
  return Buffer.concat([head, bytesOf(samples)])
}

async function* cut(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe("loudestChannel", () => {
  it("finds it in a stream that is cut anywhere", async () => {
    const samples = Array.from({ length: 300 }, (_, n) => [5 * (n % 2), 900 * (n % 2), -700 * (n % 2)]).flat()
    for (const size of [1, 7, 50, 10_000]) {
      assert.strictEqual((await loudestChannel(cut(wav(3, samples), size)))?.channel, 1)
    }
  })

  it("finds none in what is no sound", async () => {
    assert.isUndefined(await loudestChannel(cut(Buffer.alloc(10_000), 100)))
    assert.isUndefined(await loudestChannel(cut(Buffer.from("RIFF"), 2)))
    assert.isUndefined(await loudestChannel(cut(wav(0, [1, 2, 3]), 9)))
  })
})
