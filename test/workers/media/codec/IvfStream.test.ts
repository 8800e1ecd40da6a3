import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { asItStood, headerBefore, ivfPacket, IvfReader, NotIvf } from "../../../../workers/media/codec/IvfStream.ts"

const header = (rate: number, scale: number): Buffer => {
  const bytes = Buffer.alloc(32)
  bytes.write("DKIF", "latin1")
  bytes.writeUInt16LE(32, 6)
  bytes.writeUInt32LE(rate, 16)
  bytes.writeUInt32LE(scale, 20)
  return bytes
}

/** All packets of a file that comes in pieces of these sizes, in turn. */
const read = (file: Uint8Array, pieces: ReadonlyArray<number>) => {
  const reader = new IvfReader()
  const packets = []
  for (let at = 0, nth = 0; at < file.length; nth++) {
    const room = reader.room()
    const count = Math.min(pieces[nth % pieces.length]!, room.length, file.length - at)
    room.set(file.subarray(at, at + count))
    packets.push(...reader.took(count))
    at += count
  }
  return { packets, tick: reader.tick }
}

describe("IvfReader", () => {
  it("gives every packet with its time, however the file is cut, and the bytes that it stood in", () =>
    fc.assert(fc.property(
      fc.array(fc.tuple(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.uint8Array({ maxLength: 300 })), {
        minLength: 1
      }),
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1 }),
      (drawn, pieces) => {
        const whole = drawn.map(([ticks, packet]) => ivfPacket({ ticks, packet }))
        const { packets, tick } = read(Buffer.concat([header(30_000, 1001), ...whole]), pieces)
        assert.strictEqual(tick, 1001 / 30_000)
        assert.deepStrictEqual(
          packets.map(({ packet, ticks }) => [ticks, [...packet]]),
          drawn.map(([ticks, packet]) => [ticks, [...packet]])
        )
        assert.deepStrictEqual(Buffer.concat(packets.map(asItStood)), Buffer.concat(whole))
        assert.deepStrictEqual([...headerBefore(packets[0]!)], [...header(30_000, 1001)])
      }
    )))

  it("keeps packets as they are while more is read than it has room for at once", () => {
    const drawn = Array.from({ length: 40 }, (_, nth) => Buffer.alloc(100_000 + 60_000 * (nth % 30), nth))
    const file = Buffer.concat([header(1, 1), ...drawn.map((packet, nth) => ivfPacket({ ticks: BigInt(nth), packet }))])
    const { packets } = read(file, [65_536])
    assert.strictEqual(packets.length, drawn.length)
    assert.isTrue(packets.every(({ packet }, nth) => drawn[nth]!.equals(packet)))
  })

  it("refuses what is no such file, and packets without end", () => {
    assert.throws(() => read(Buffer.alloc(32), [32]), NotIvf)
    assert.throws(() => read(header(0, 1), [32]), NotIvf)
    const endless = Buffer.alloc(12)
    endless.writeUInt32LE(2 ** 31, 0)
    assert.throws(() => read(Buffer.concat([header(1, 1), endless]), [44]), NotIvf)
  })
})
